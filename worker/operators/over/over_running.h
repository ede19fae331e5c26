// RunningOver: results that only look back — running aggregates by ROWS, and the numbers of rows — made while a sorted input
// passes by, however long its partitions are.
//
// Threads: as the operator.
#pragma once

#include <memory>
#include <vector>

#include "common/plan/operator_spec.h"
#include "worker/operators/over/over_calls.h"
#include "worker/operators/row_place.h"

namespace thalweg::worker {

class RunningOver {
 public:
  /// Whether all of the calls are of that kind.
  static bool fits(const OverAggregateSpec& spec, const OverCalls& calls);

  /// `calls` outlive this.
  explicit RunningOver(const OverCalls& calls) : calls_(calls) {}
  ~RunningOver() { dropEntries(); }
  RunningOver(const RunningOver&) = delete;
  RunningOver& operator=(const RunningOver&) = delete;

  /// The chunk's rows with a column for each call. Chunks come in order, cut anywhere.
  Result<Batch> apply(const HeldRows& chunk);

 private:
  Status aggregate(const HeldRows& chunk, std::vector<VectorPtr>& results);
  void dropEntries();

  const OverCalls& calls_;
  std::vector<std::unique_ptr<char[]>> entries_;     // accumulators of the partitions in hand; the last one goes on
  RowPlace place_;                                   // of the last row of the chunk before
};

}  // namespace thalweg::worker
