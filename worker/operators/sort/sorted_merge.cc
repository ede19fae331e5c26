#include "worker/operators/sort/sorted_merge.h"

#include <algorithm>

#include "common/base/failpoint.h"
#include "worker/operators/sort/sorted_rows.h"

namespace thalweg::worker {

SortedMerge::SortedMerge(std::vector<std::unique_ptr<SpillFile>> runs, const std::vector<SortKey>& keys, const std::vector<DataType>& types) {
  for (auto& run : runs) cursors_.push_back({.file = std::move(run), .encoder = SortKeyEncoder(keys, types)});
}

bool SortedMerge::standsBehind(size_t a, size_t b) const {
  const Cursor& x = cursors_[a];
  const Cursor& y = cursors_[b];
  const int compared = x.keys[x.row].compare(y.keys[y.row]);
  return compared != 0 ? compared > 0 : a > b;
}

Status SortedMerge::begin() {
  begun_ = true;
  if (THALWEG_MUTANT("last_run_left_out") && cursors_.size() > 1) cursors_.pop_back();
  for (size_t i = 0; i < cursors_.size(); ++i) {
    ASSIGN_OR_RETURN(const bool has_row, fill(cursors_[i]));
    if (has_row) heap_.push_back(i);
  }
  std::make_heap(heap_.begin(), heap_.end(), [this](size_t a, size_t b) { return standsBehind(a, b); });
  return {};
}

Result<bool> SortedMerge::fill(Cursor& cursor) {
  while (cursor.row >= cursor.batch.rows()) {
    cursor.batch = Batch();
    cursor.keys = {};
    cursor.row = 0;
    cursor.part = kNoPart;
    if (cursor.next_batch == cursor.file->batches()) {
      cursor.file.reset();
      return false;
    }
    ASSIGN_OR_RETURN(cursor.batch, cursor.file->read(cursor.next_batch++));
    cursor.keys = cursor.encoder.encode(cursor.batch);
  }
  return true;
}

Result<Batch> SortedMerge::next(size_t rows_max) {
  if (!begun_) RETURN_IF_ERROR(begin());
  const auto behind = [this](size_t a, size_t b) { return standsBehind(a, b); };
  parts_.clear();
  picks_.clear();
  for (Cursor& cursor : cursors_) cursor.part = kNoPart;
  while (!heap_.empty() && picks_.size() < rows_max) {
    std::pop_heap(heap_.begin(), heap_.end(), behind);
    Cursor& cursor = cursors_[heap_.back()];
    if (cursor.part == kNoPart) {
      cursor.part = parts_.size();
      parts_.push_back({cursor.batch, cursor.row, cursor.row});
    }
    picks_.push_back({cursor.part, cursor.row});
    parts_[cursor.part].end = ++cursor.row;
    ASSIGN_OR_RETURN(const bool has_row, fill(cursor));
    if (has_row) std::push_heap(heap_.begin(), heap_.end(), behind);
    else heap_.pop_back();
  }
  return gatherPicks();
}

Batch SortedMerge::gatherPicks() const {
  if (picks_.empty()) return {};
  std::vector<Batch> slices;
  std::vector<size_t> shifts;                        // of a part's rows to those of all parts
  size_t rows = 0;
  for (const Part& part : parts_) {
    slices.push_back(part.batch.slice(part.begin, part.end - part.begin));
    shifts.push_back(rows - part.begin);             // wraps around, and back where a row is added
    rows += part.end - part.begin;
  }
  const Batch all = concatBatches(slices);
  if (slices.size() == 1) return all.compact();
  std::vector<RowIndex> order;
  order.reserve(picks_.size());
  for (const Pick& pick : picks_) order.push_back(static_cast<RowIndex>(pick.row + shifts[pick.part]));
  return gatherRows(all, order);
}

}  // namespace thalweg::worker
