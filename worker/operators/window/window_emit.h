// Group windows that send before their end or change afterwards: table.exec.emit.early-fire, late-fire and allow-lateness.
#pragma once

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

/// For event-time windows over inserts whose plan node sends updates; the settings are read from the job's configuration.
Result<std::unique_ptr<Operator>> makeWindowEmit(const WindowAggregateSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
