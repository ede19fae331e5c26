// JoinMatcher: the parts that every join shares — key encoding, candidate rows, residual condition, output assembly.
//
// A side's state holds encoded rows per key (JoinRows). For a run of input rows the matcher collects all candidate
// pairs (input row, stored row of the other side), decodes the stored rows once, evaluates the residual over all pairs
// at once, and keeps those that hold. Which messages follow is the join's business.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/columnar/row_codec.h"
#include "common/expr/evaluator.h"
#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

/// The rows of one side under one key. `matches`: rows of the other side it is joined with (outer, semi, anti joins).
struct JoinRows {
  struct Row {
    std::string bytes;
    int64_t matches = 0;
  };
  std::vector<Row> rows;

  /// Position of a row with these bytes, the youngest first; -1 if there is none.
  int64_t positionOf(std::string_view bytes) const;
  void removeAt(size_t position);
  void serialize(std::string& out) const;
  static Status deserialize(std::string_view bytes, JoinRows& into);
};

/// One candidate that passed the condition.
struct JoinMatch {
  RowIndex row = 0;          ///< of the input
  JoinRows::Row* other = nullptr;
  RowIndex decoded = 0;      ///< of the decoded stored rows
};

class JoinMatcher {
 public:
  /// For input `side` (0 left, 1 right) of a join.
  static Result<std::unique_ptr<JoinMatcher>> make(const JoinSpec& spec, const PlanNode& node, int side);

  /// Keys of `batch`; nullKey(row) tells rows whose key cannot match anything.
  const KeyBatch& encodeKeys(const Batch& batch);
  bool nullKey(size_t row) const { return !null_keys_.empty() && null_keys_[row] != 0; }
  bool fixedKeys() const { return encoder_.isFixed(); }

  /// Matches of rows [begin, …) against others[row] (null: no rows), until about `pairs_max` pairs were looked at; sets
  /// `end` to the first row not handled. Matches are in row order, then in the stored rows' order.
  Status match(EvalContext& context, const Batch& batch, std::span<JoinRows* const> others, size_t begin, size_t pairs_max,
               size_t& end, std::vector<JoinMatch>& matches);

  /// A message: columns of the input row (or NULLs) beside those of a decoded stored row (or NULLs).
  static constexpr RowIndex kNone = ~RowIndex{0};
  void add(RowIndex row, RowIndex decoded, RowKind kind) {
    input_rows_.push_back(row);
    other_rows_.push_back(decoded);
    kinds_.push_back(kind);
  }
  size_t pending() const { return kinds_.size(); }
  /// The noted messages as one batch of left ++ right columns; `own_only`/`other_only` for semi and anti joins.
  enum class Columns : uint8_t { BOTH, INPUT, OTHER };
  Batch take(const Batch& batch, Columns columns);

  const RowCodec& ownCodec() const { return own_codec_; }

 private:
  JoinMatcher(KeyEncoder encoder, RowCodec own, RowCodec other) : encoder_(std::move(encoder)), own_codec_(std::move(own)), other_codec_(std::move(other)) {}

  int side_ = 0;
  bool null_is_match_ = false;
  std::vector<int> strict_keys_;            // key columns whose NULL never matches
  KeyEncoder encoder_;
  RowCodec own_codec_;
  RowCodec other_codec_;
  std::unique_ptr<ExprProgram> residual_;
  std::vector<uint8_t> null_keys_;
  std::vector<VectorPtr> decoded_;          // stored rows of the last match(), by column
  std::vector<RowIndex> input_rows_, other_rows_;
  std::vector<RowKind> kinds_;
};

}  // namespace thalweg::worker
