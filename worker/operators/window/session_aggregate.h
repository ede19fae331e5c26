// Session windows: aggregation over gaps of silence per key.
#pragma once

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

Result<std::unique_ptr<Operator>> makeSessionAggregate(const WindowAggregateSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
