// OverFrames: which rows each row of a sorted partition sees.
//
// Rows are those of a chunk of HeldRows, whole partitions; a frame is a range [begin, end) of them. ROWS frames count rows, RANGE frames
// compare the order column; a RANGE bound of 0 takes in all peers, and rows whose order column is NULL are peers of each
// other alone. Distances along DECIMAL columns are in whole units, along TIMESTAMP columns in milliseconds.
#pragma once

#include <vector>

#include "common/plan/operator_spec.h"
#include "worker/operators/held_rows.h"

namespace thalweg::worker {

struct OverFrame {
  size_t begin = 0;
  size_t end = 0;
};

/// Begin and end of the partition, and of the peers, of every row.
struct OverRanges {
  std::vector<OverFrame> partitions;
  std::vector<OverFrame> peers;
};

OverRanges rangesOf(const HeldRows& rows);
std::vector<OverFrame> framesOf(const OverAggregateSpec& spec, const HeldRows& rows, const OverRanges& ranges);

}  // namespace thalweg::worker
