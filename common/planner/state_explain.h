// EXPLAIN STATE: what each operator of a streaming job will keep, for which keys, and what bounds it.
//
// Pure. Operators that keep nothing are left out. Growth without a bound is said in capitals, with the setting that would
// bound it.
#pragma once

#include <string>

#include "common/plan/plan_node.h"

namespace thalweg {

std::string stateText(const CompiledPlan& plan);
/// The same in one line, for EXPLAIN without STATE; empty in batch mode.
std::string stateSummary(const CompiledPlan& plan);

}  // namespace thalweg
