// RunningOver: results that only look back — running aggregates by ROWS, and the numbers of rows — made while a sorted input
// passes by, however long its partitions are.
//
// Threads: as the operator.
#pragma once

#include <memory>
#include <vector>

#include "common/plan/operator_spec.h"
#include "worker/operators/held_rows.h"
#include "worker/operators/over/over_calls.h"

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
  /// Places of a row, as of the row before until move() is called.
  struct Place {
    int64_t number = 0;
    int64_t rank = 0;
    int64_t dense_rank = 0;
    void move(const HeldRows& chunk, size_t row);
    int64_t of(OverFunction function) const;
  };

  const OverCalls& calls_;
  std::vector<std::unique_ptr<char[]>> entries_;     // accumulators of the partitions in hand; the last one goes on
  Place place_;                                      // of the last row of the chunk before
};

}  // namespace thalweg::worker
