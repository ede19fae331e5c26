// LookupTable: the rows of a table as columns, found by the hashes and bytes of their keys.
//
// Rows are added batch by batch; index() ends that. Rows of one key are found in the order they were added.
// Threads: as the operator.
#pragma once

#include <string>
#include <vector>

#include "worker/operators/join/join_pairs.h"

namespace thalweg::worker {

class LookupTable {
 public:
  void add(Batch rows) { parts_.push_back(std::move(rows)); }
  /// The rows added so far, one batch after the other.
  const std::vector<Batch>& parts() const { return parts_; }
  void index(JoinSide& side);

  /// The column `c` of all rows; after index().
  const VectorPtr& column(size_t c) const { return rows_.column(c); }
  bool isEmpty() const { return rows_.rows() == 0; }

  /// Calls visit(row) for every row with key `row` of `keys`.
  template <typename Visit>
  void forEachMatch(const KeyBatch& keys, size_t row, Visit&& visit) const {
    const uint64_t hash = keys.hashes[row];
    for (RowIndex at = heads_[hash & mask_]; at != JoinPairs::kNone; at = next_[at]) {
      if (hashes_[at] == hash && isKey(at, keys, row)) visit(at);
    }
  }

 private:
  bool isKey(RowIndex at, const KeyBatch& keys, size_t row) const {
    return keys.fixed ? words_[at] == keys.words[row] : bytes_[at] == keys.bytes[row];
  }

  std::vector<Batch> parts_;
  Batch rows_;
  uint64_t mask_ = 0;
  std::vector<RowIndex> heads_ = {JoinPairs::kNone};
  std::vector<RowIndex> next_;
  std::vector<uint64_t> hashes_, words_;
  std::vector<std::string> bytes_;
};

}  // namespace thalweg::worker
