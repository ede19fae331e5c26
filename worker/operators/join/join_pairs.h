// JoinSide and JoinPairs: the parts that every join shares — keys and row bytes of a side; pairs of rows, the residual
// condition over them, and messages made of them.
//
// A join goes through its input in runs: it adds all candidate pairs (row of the input batch, encoded row of the other
// side), has the condition evaluated over all pairs at once, then notes messages and takes them as one batch. Stored rows
// are decoded once, and only if someone looks at them.
// Threads: as the operator.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/row_codec.h"
#include "common/expr/evaluator.h"
#include "common/plan/plan_node.h"

namespace thalweg::worker {

/// Keys and encoded rows of the batches of one input.
class JoinSide {
 public:
  /// Input `side` (0 left, 1 right) of a join. `extra_keys`: columns that are keys besides the spec's.
  JoinSide(const JoinSpec& spec, const PlanNode& node, int side, const std::vector<int>& extra_keys = {});

  const KeyBatch& encodeKeys(const Batch& batch);
  /// Whether the row's key holds a NULL that matches nothing.
  bool nullKey(size_t row) const { return !null_keys_.empty() && null_keys_[row] != 0; }
  bool anyNullKey() const { return !null_keys_.empty(); }
  bool fixedKeys() const { return encoder_.isFixed(); }

  /// Encodes all rows of `batch`; rowBytes() gives them until the next call.
  void encodeRows(const Batch& batch);
  std::string_view rowBytes(size_t row) const {
    const size_t begin = row == 0 ? 0 : ends_[row - 1];
    return std::string_view(arena_).substr(begin, ends_[row] - begin);
  }
  const RowCodec& codec() const { return codec_; }

 private:
  std::vector<int> strict_keys_;            // key columns whose NULL never matches
  KeyEncoder encoder_;
  RowCodec codec_;
  std::vector<uint8_t> null_keys_;
  std::string arena_;
  std::vector<size_t> ends_;
};

/// Pairs of rows of an input batch of side `side` and stored rows of the other side.
class JoinPairs {
 public:
  static constexpr RowIndex kNone = ~RowIndex{0};

  static Result<std::unique_ptr<JoinPairs>> make(const JoinSpec& spec, const PlanNode& node, int side);

  /// Begins a run over `batch`, which is kept until take().
  void begin(const Batch& batch);
  /// Adds a candidate; its number is the count of those before. `stored` is borrowed until take().
  void add(RowIndex row, std::string_view stored) {
    rows_.push_back(row);
    stored_.push_back(stored);
  }
  size_t size() const { return rows_.size(); }
  RowIndex row(size_t pair) const { return rows_[pair]; }
  /// Evaluates the residual condition over all candidates.
  Status evaluate(EvalContext& context);
  bool holds(size_t pair) const { return holds_.empty() || holds_[pair] != 0; }

  /// Notes a message: columns of the input row (or NULLs) beside those of a pair's stored row (or NULLs).
  void say(RowIndex row, RowIndex pair, RowKind kind) {
    message_rows_.push_back(row);
    message_pairs_.push_back(pair);
    kinds_.push_back(kind);
  }
  size_t messages() const { return kinds_.size(); }
  /// The noted messages as one batch of left ++ right columns, or of one side's columns only. Ends the run.
  enum class Columns : uint8_t { BOTH, INPUT, STORED };
  Batch take(Columns columns);

 private:
  JoinPairs(int side, RowCodec own, RowCodec other) : side_(side), own_codec_(std::move(own)), other_codec_(std::move(other)) {}
  void decode();

  int side_;
  bool null_holds_ = false;                 // NOT IN: an unknown comparison counts as a match
  RowCodec own_codec_;
  RowCodec other_codec_;
  std::unique_ptr<ExprProgram> residual_;
  Batch batch_;
  std::vector<RowIndex> rows_;              // candidates
  std::vector<std::string_view> stored_;
  bool is_decoded_ = false;
  std::vector<VectorPtr> decoded_;          // stored rows, by column
  std::vector<uint8_t> holds_;              // empty: all
  std::vector<RowIndex> message_rows_, message_pairs_;
  std::vector<RowKind> kinds_;
};

/// Rows `rows` of `column`, NULL where the row is JoinPairs::kNone; the column is null if all are.
VectorPtr pickRows(const VectorPtr& column, const std::vector<RowIndex>& rows, const DataType& type);

}  // namespace thalweg::worker
