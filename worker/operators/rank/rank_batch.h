// Batch ranking: all rows are sorted by partition and sort keys (HeldRows), and numbered at the end of input.
#pragma once

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

Result<std::unique_ptr<Operator>> makeBatchRank(const RankSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
