// RankStrategy: what one input row does to a Top-N partition and to its answer; one strategy per kind of input.
//
//   first    N = 1 without deletions: only the best row is kept
//   append   insert-only input: only the first N rows are kept
//   update   rows are replaced by key and only ever move towards rank 1: only the first N rows are kept
//   retract  any changelog: every row is kept
//
// Messages are Flink's: without places (neither rank nor offset) the row that falls out goes with -D before the new one
// comes with +I; with places every rank whose row changed answers -U, +U, in rank order.
#pragma once

#include <memory>

#include "worker/operators/rank/rank_rows.h"

namespace thalweg::worker {

/// One input row; its bytes are made when first asked for.
class RankInput {
 public:
  explicit RankInput(const RowCodec& codec) : codec_(codec) {}
  void set(const Batch& batch, size_t row, std::string_view sort_key) {
    batch_ = &batch;
    row_ = row;
    sort_key_ = sort_key;
    encoded_ = false;
  }
  RowKind kind() const { return batch_->rowKind(row_); }
  std::string_view sortKey() const { return sort_key_; }
  std::string_view bytes() {
    if (!encoded_) codec_.encodeRow(batch_->columns(), row_, bytes_);
    encoded_ = true;
    return bytes_;
  }
  /// Never empty where rows have keys.
  std::string row_key;

 private:
  const RowCodec& codec_;
  const Batch* batch_ = nullptr;
  size_t row_ = 0;
  std::string_view sort_key_;
  std::string bytes_;
  bool encoded_ = false;
};

class RankStrategy {
 public:
  virtual ~RankStrategy() = default;
  virtual void apply(RankRows& rows, RankInput& input, RankMessages& out) const = 0;
};

/// The strategy that `spec` allows.
std::unique_ptr<RankStrategy> makeRankStrategy(const RankSpec& spec);
/// Whether rows are told apart by upsert key.
bool ranksByKey(const RankSpec& spec);

}  // namespace thalweg::worker
