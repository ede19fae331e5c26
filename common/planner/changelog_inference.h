// Changelog inference: who needs -U rows, and who therefore need not send them.
//
// Modes were set bottom-up while building. This pass walks from the sinks: an upsert sink does without -U; whatever
// only passes rows on (projection without a condition, union) wants what its consumers want; every other consumer
// needs both images. Producers that can leave -U out then do.
#pragma once

#include <vector>

#include "common/planner/physical_builder.h"

namespace thalweg {

void inferUpdateBefore(const std::vector<DraftPtr>& sinks);

/// Fuses a Calc into the Calc below it when that has no other consumer.
void fuseCalcs(std::vector<DraftPtr>& sinks);

/// Freezes drafts into plan nodes, sources first.
std::vector<PlanNodePtr> freeze(const std::vector<DraftPtr>& sinks);

}  // namespace thalweg
