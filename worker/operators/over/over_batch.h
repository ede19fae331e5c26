// OVER aggregation and ranking in batch mode: the input is sorted, then every row gets its results.
#pragma once

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

Result<std::unique_ptr<Operator>> makeBatchOver(const OverAggregateSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
