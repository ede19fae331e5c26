// Plans a frozen script: what client, coordinator and every task process of a SQL job do, with the same result.
//
// Relative paths start at the script's working directory, into which this process moves while it plans, if it has it.
// Threads: one caller at a time. Errors: those of parsing and planning.
#pragma once

#include "common/base/status.h"
#include "common/plan/job_graph.h"
#include "common/plan/shipped_program.h"
#include "common/plan/statements/frozen_script.h"

namespace thalweg::coordinator {

struct PlannedScript {
  JobGraph graph;
  std::string text;             ///< canonicalGraphText
  std::string fingerprint;
  bool is_query = false;        ///< rows go to the client
};

Result<PlannedScript> planScript(const FrozenScript& script);
/// What the coordinator keeps of it.
Result<JobOutline> outlineOfScript(const FrozenScript& script);

}  // namespace thalweg::coordinator
