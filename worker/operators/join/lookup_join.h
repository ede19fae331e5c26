// A temporal join by processing time: every left row with the rows that a bounded table has for its key.
#pragma once

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

/// Input 1 is the table, all of it in every subtask; it is read to its end before the first left row is joined.
Result<std::unique_ptr<Operator>> makeLookupJoin(const JoinSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
