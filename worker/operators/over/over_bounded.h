// Streaming OVER aggregation along a column that is no time attribute, over the last rows up to the current one.
#pragma once

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

/// For ROWS frames from some rows before to the current row, along one ascending sort key, with aggregates. The plan node
/// sends updates.
Result<std::unique_ptr<Operator>> makeOverBounded(const OverAggregateSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
