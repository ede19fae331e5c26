#include "worker/operators/held_rows.h"

#include <algorithm>
#include <numeric>

namespace thalweg::worker {

void HeldRows::sort() {
  all_ = held_.empty() ? Batch() : concatBatches(held_);
  held_.clear();
  const size_t rows = all_.rows();
  order_.resize(rows);
  std::iota(order_.begin(), order_.end(), RowIndex{0});
  same_partition_.assign(rows, true);
  same_keys_.assign(rows, true);
  if (rows == 0) return;

  std::vector<SortKey> partition;
  for (const int key : partition_keys_) partition.push_back({key});
  SortKeyEncoder partition_encoder(partition, types_);
  SortKeyEncoder sort_encoder(sort_keys_, types_);
  const auto partitions = partition_encoder.encode(all_);
  const auto keys = sort_encoder.encode(all_);
  std::stable_sort(order_.begin(), order_.end(), [&](RowIndex a, RowIndex b) {
    const int compared = partitions[a].compare(partitions[b]);
    return compared != 0 ? compared < 0 : keys[a] < keys[b];
  });
  for (size_t i = 1; i < rows; ++i) {
    same_partition_[i] = partitions[order_[i]] == partitions[order_[i - 1]];
    same_keys_[i] = keys[order_[i]] == keys[order_[i - 1]];
  }
}

Batch HeldRows::gatherRows(size_t i, size_t count) const {
  const auto rows = order().subspan(i, count);
  std::vector<VectorPtr> columns;
  for (const VectorPtr& column : all_.columns()) columns.push_back(gather(*column, rows));
  return Batch(count, std::move(columns));
}

}  // namespace thalweg::worker
