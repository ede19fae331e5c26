#include "worker/operators/sort/sorted_rows.h"

#include <algorithm>
#include <numeric>

namespace thalweg::worker {

std::vector<RowIndex> sortedRows(const Batch& batch, SortKeyEncoder& encoder) {
  const auto keys = encoder.encode(batch);
  std::vector<RowIndex> rows(batch.rows());
  std::iota(rows.begin(), rows.end(), RowIndex{0});
  std::stable_sort(rows.begin(), rows.end(), [&](RowIndex a, RowIndex b) { return keys[a] < keys[b]; });
  return rows;
}

Batch gatherRows(const Batch& batch, std::span<const RowIndex> rows) {
  std::vector<VectorPtr> columns;
  for (const VectorPtr& column : batch.columns()) columns.push_back(gather(*column, rows));
  return Batch(rows.size(), std::move(columns));
}

}  // namespace thalweg::worker
