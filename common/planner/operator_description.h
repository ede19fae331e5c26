// An operator in one line, as people read it in EXPLAIN, in the web UI and in messages: Flink's words where it has them.
//
// Nothing is derived from these texts; what names an operator's state is elsewhere (operator_identity.h). Threads: pure.
#pragma once

#include <string>

#include "common/planner/physical_builder.h"

namespace thalweg {

/// `GroupAggregate(groupBy=[a], select=[a, SUM(b) AS s])`. Columns go by their names; where both inputs of a join have a
/// column of that name, the right one gets a 0 behind it.
std::string descriptionOf(const Draft& draft);

}  // namespace thalweg
