#include "worker/task/batch_coalescer.h"

#include <algorithm>

namespace thalweg::worker {

void BatchCoalescer::add(Batch batch) {
  rows_ += batch.rows();
  batches_.push_back(std::move(batch));
}

bool BatchCoalescer::joins(size_t rows) const {
  if (batches_.empty()) return false;
  return rows == 0 || (isSmall(rows) && rows_ + rows <= rows_max_);
}

Batch BatchCoalescer::join(std::vector<Batch>& group) {
  const auto with_rows = [](const Batch& batch) { return batch.rows() > 0; };
  const auto only = std::find_if(group.begin(), group.end(), with_rows);
  if (group.size() == 1) return std::move(group.front());
  if (only != group.end() && std::any_of(only + 1, group.end(), with_rows)) return concatBatches(group);
  // At most one batch with rows among bare watermarks: only marks change. The end of time replaces none.
  std::vector<WatermarkMark> marks;
  const auto add = [&](RowIndex offset, EventTime value) {
    if (!marks.empty() && marks.back().offset == offset && value != kMaxWatermark) marks.back().value = value;
    else marks.push_back({offset, value});
  };
  for (auto batch = group.begin(); batch != group.end(); ++batch) {
    const auto shift = static_cast<RowIndex>(only != group.end() && batch > only ? only->rows() : 0);
    for (const WatermarkMark& mark : batch->marks()) add(shift + mark.offset, mark.value);
  }
  return (only == group.end() ? group.back() : *only).withMarks(std::move(marks));
}

std::vector<Batch> BatchCoalescer::take() {
  std::vector<Batch> result;
  std::vector<Batch> group;
  size_t group_rows = 0;
  bool group_is_small = true;            // no batch of the group has to stay as it is
  const auto close = [&] {
    if (!group.empty()) result.push_back(join(group));
    group.clear();
    group_rows = 0;
    group_is_small = true;
  };
  for (Batch& batch : batches_) {
    const size_t rows = batch.rows();
    if (rows > 0 && group_rows > 0 && !(group_is_small && isSmall(rows) && group_rows + rows <= rows_max_)) close();
    if (rows > 0 && !isSmall(rows)) group_is_small = false;
    group_rows += rows;
    group.push_back(std::move(batch));
  }
  close();
  batches_.clear();
  rows_ = 0;
  return result;
}

}  // namespace thalweg::worker
