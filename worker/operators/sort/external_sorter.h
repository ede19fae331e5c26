// ExternalSorter: sorts the whole input of a batch operator, in memory or, when that is short, through sorted files.
//
//   sorter.open(context);
//   RETURN_IF_ERROR(sorter.add(piece));           // as often as wanted
//   RETURN_IF_ERROR(sorter.finish());             // once
//   ASSIGN_OR_RETURN(const Batch rows, sorter.next());      // in order, flat, about Batch::kRowsTarget rows; none: the end
//
// Rows that are equal by the keys keep the order of their coming. Rows held are counted with what their sorting takes, so a
// run is written early enough (SpillSpace::isShort). Many runs are merged to fewer before the last merge, which reads a batch
// of each at a time (SortedMerge).
// Threads: as the operator. Lifetime: borrows the space of the context.
#pragma once

#include <memory>
#include <vector>

#include "common/columnar/key_codec.h"
#include "common/runtime_api/spill_space.h"
#include "worker/operators/sort/sorted_merge.h"

namespace thalweg::worker {

class ExternalSorter {
 public:
  /// `rows_wanted`: only so many rows from the first on are asked for; when they are few, the others are dropped early.
  ExternalSorter(std::vector<SortKey> keys, std::vector<DataType> types, size_t rows_wanted = SIZE_MAX);

  void open(OperatorContext& context) { space_ = spillSpaceOf(context); }
  Status add(const Batch& piece);
  Status finish();
  Result<Batch> next();

 private:
  static constexpr size_t kFewRows = 1'000'000;
  static constexpr size_t kTrimRows = 8 * Batch::kRowsTarget;    // more than what is wanted before the rest is dropped

  bool keepsFew() const { return rows_wanted_ <= kFewRows; }
  void sortHeld();
  void keepFirst();
  Batch takeSorted(size_t rows);
  Status spillHeld();
  Status mergeSome(size_t runs);

  std::vector<SortKey> keys_;
  std::vector<DataType> types_;
  size_t rows_wanted_;
  SortKeyEncoder encoder_;
  SpillSpace* space_ = nullptr;
  std::vector<Batch> held_;
  size_t held_rows_ = 0;
  size_t held_bytes_ = 0;
  Batch all_;                                        // what was held, and its rows in order
  std::vector<RowIndex> order_;
  size_t taken_ = 0;                                 // of order_
  std::vector<std::unique_ptr<SpillFile>> runs_;     // each sorted; earlier ones came earlier
  size_t run_batch_rows_ = 1;
  std::unique_ptr<SortedMerge> merge_;
};

}  // namespace thalweg::worker
