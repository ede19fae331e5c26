// What an operator does, as the text that names its state (operator_uids.h).
//
// Savepoints hold digests of these texts: a change of one makes the state of such operators unknown to newer plans. What
// people read is elsewhere (operator_description.h) and may change. Threads: pure.
#pragma once

#include <string>

#include "common/planner/physical_builder.h"

namespace thalweg {

std::string identityText(const Draft& draft);

}  // namespace thalweg
