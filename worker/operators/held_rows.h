// HeldRows: the whole input of a batch operator, sorted by partition keys and then by sort keys.
//
// Equal rows keep the order of arrival. Threads: as the operator.
#pragma once

#include <span>
#include <vector>

#include "common/columnar/key_codec.h"

namespace thalweg::worker {

class HeldRows {
 public:
  /// `partition_keys` may be empty (one partition), and so may `sort_keys` (order of arrival).
  HeldRows(std::vector<int> partition_keys, std::vector<SortKey> sort_keys, std::vector<DataType> types)
      : partition_keys_(std::move(partition_keys)), sort_keys_(std::move(sort_keys)), types_(std::move(types)) {}

  void add(const Batch& piece) {
    if (piece.rows() > 0) held_.push_back(piece.compact());
  }
  /// Sorts everything; once, after the last add().
  void sort();

  size_t size() const { return order_.size(); }
  const Batch& batch() const { return all_; }
  /// Row numbers of batch() in order.
  std::span<const RowIndex> order() const { return order_; }
  /// Whether the i-th row in order begins a partition.
  bool startsPartition(size_t i) const { return i == 0 || !same_partition_[i]; }
  /// Whether the i-th row in order has other sort keys than the one before, or begins a partition.
  bool startsPeers(size_t i) const { return startsPartition(i) || !same_keys_[i]; }
  /// `count` rows in order from the i-th on, flat.
  Batch gatherRows(size_t i, size_t count) const;

 private:
  std::vector<int> partition_keys_;
  std::vector<SortKey> sort_keys_;
  std::vector<DataType> types_;
  std::vector<Batch> held_;
  Batch all_;
  std::vector<RowIndex> order_;
  std::vector<bool> same_partition_;   // by position in order_, as the row before
  std::vector<bool> same_keys_;
};

}  // namespace thalweg::worker
