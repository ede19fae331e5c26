#include "worker/operators/sort/external_sorter.h"

#include <algorithm>
#include <iterator>

#include "worker/operators/sort/sorted_rows.h"

namespace thalweg::worker {

namespace {

constexpr size_t kRunsMax = 64;                      // merged at a time
constexpr size_t kBatchBytes = size_t{128} << 10;    // of a batch in a run: kRunsMax of them are in memory
constexpr size_t kBatchRowsMin = 16;
constexpr size_t kSortingTakes = 2;                  // times the bytes held: the rows once more in one piece, and their keys

}  // namespace

ExternalSorter::ExternalSorter(std::vector<SortKey> keys, std::vector<DataType> types, size_t rows_wanted)
    : keys_(std::move(keys)), types_(std::move(types)), rows_wanted_(rows_wanted), encoder_(keys_, types_) {}

Status ExternalSorter::add(const Batch& piece) {
  if (piece.rows() == 0) return {};
  held_.push_back(piece.compact());
  held_rows_ += piece.rows();
  held_bytes_ += held_.back().retainedBytes();
  if (keepsFew() && held_rows_ > 2 * rows_wanted_ + kTrimRows) keepFirst();
  if (space_ != nullptr && space_->isShort(held_bytes_ * kSortingTakes)) return spillHeld();
  return {};
}

void ExternalSorter::sortHeld() {
  all_ = concatBatches(held_);
  held_.clear();
  held_rows_ = held_bytes_ = 0;
  order_ = sortedRows(all_, encoder_);
  if (order_.size() > rows_wanted_) order_.resize(rows_wanted_);
  taken_ = 0;
}

/// Drops held rows that come behind the last one wanted.
void ExternalSorter::keepFirst() {
  sortHeld();
  if (order_.empty()) return;
  held_.push_back(takeSorted(order_.size()).compact());
  held_rows_ = held_.back().rows();
  held_bytes_ = held_.back().retainedBytes();
}

/// Up to so many rows of those sorted, which go with the last of them.
Batch ExternalSorter::takeSorted(size_t rows) {
  const size_t count = std::min(rows, order_.size() - taken_);
  if (count == 0) return {};
  Batch taken = gatherRows(all_, std::span(order_).subspan(taken_, count));
  taken_ += count;
  if (taken_ == order_.size()) {
    all_ = Batch();
    order_.clear();
    taken_ = 0;
  }
  return taken;
}

Status ExternalSorter::spillHeld() {
  const size_t row_bytes = std::max<size_t>(1, held_bytes_ / std::max<size_t>(1, held_rows_));
  run_batch_rows_ = std::clamp(kBatchBytes / row_bytes, kBatchRowsMin, Batch::kRowsTarget);
  sortHeld();
  ASSIGN_OR_RETURN(std::unique_ptr<SpillFile> run, space_->createFile());
  while (!order_.empty()) RETURN_IF_ERROR(run->append(takeSorted(run_batch_rows_)));
  runs_.push_back(std::move(run));
  if (runs_.size() >= 2 * kRunsMax) return mergeSome(kRunsMax);
  return {};
}

/// The first so many runs become one, which stands for them.
Status ExternalSorter::mergeSome(size_t runs) {
  std::vector<std::unique_ptr<SpillFile>> merged(std::make_move_iterator(runs_.begin()),
                                                 std::make_move_iterator(runs_.begin() + static_cast<std::ptrdiff_t>(runs)));
  SortedMerge merge(std::move(merged), keys_, types_);
  ASSIGN_OR_RETURN(std::unique_ptr<SpillFile> run, space_->createFile());
  while (true) {
    ASSIGN_OR_RETURN(const Batch batch, merge.next(run_batch_rows_));
    if (batch.rows() == 0) break;
    RETURN_IF_ERROR(run->append(batch));
  }
  runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(runs));
  runs_.insert(runs_.begin(), std::move(run));
  return {};
}

Status ExternalSorter::finish() {
  if (runs_.empty()) {
    if (!held_.empty()) sortHeld();
    return {};
  }
  if (!held_.empty()) RETURN_IF_ERROR(spillHeld());
  if (runs_.size() > kRunsMax) RETURN_IF_ERROR(mergeSome(runs_.size() - kRunsMax + 1));
  merge_ = std::make_unique<SortedMerge>(std::move(runs_), keys_, types_);
  runs_.clear();
  return {};
}

Result<Batch> ExternalSorter::next() {
  if (merge_) return merge_->next(Batch::kRowsTarget);
  return takeSorted(Batch::kRowsTarget);
}

}  // namespace thalweg::worker
