// Ranking functions over sorted partitions: ROW_NUMBER, RANK, DENSE_RANK, NTILE, PERCENT_RANK, CUME_DIST, LAG, LEAD.
#pragma once

#include "worker/operators/over/over_calls.h"
#include "worker/operators/over/over_frames.h"

namespace thalweg::worker {

/// The column of `call` for `rows`, whole partitions that `ranges` are of.
VectorPtr rankingColumn(const OverCalls::Call& call, const Batch& rows, const OverRanges& ranges);

}  // namespace thalweg::worker
