// The batch join: the right side is built, then the left side probes it.
#pragma once

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

Result<std::unique_ptr<Operator>> makeBatchJoin(const JoinSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
