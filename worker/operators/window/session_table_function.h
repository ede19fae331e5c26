// The SESSION window function without an aggregation by window.
#pragma once

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

Result<std::unique_ptr<Operator>> makeSessionTableFunction(const WindowTableFunctionSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
