// Streaming OVER aggregation along a column that is no time attribute: every row may change the results of others.
#pragma once

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

/// For frames from the partition's beginning to the current row, along one ascending sort key, with aggregates and
/// (ROWS only) ROW_NUMBER. The plan node sends updates.
Result<std::unique_ptr<Operator>> makeOverSorted(const OverAggregateSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
