// Cuts a compiled plan into tasks: what can be chained is chained, the rest becomes an exchange.
//
// A node starts a task of its own when it has no or several inputs, when its input must be redistributed, when its
// input feeds somebody else too, or when the parallelism changes. Pure.
#pragma once

#include "common/base/status.h"
#include "common/plan/job_graph.h"

namespace thalweg::coordinator {

/// `parallelism` is the job's default (parallelism.default). PLAN_ERROR for settings that cannot be (parallelism above
/// max-parallelism).
Result<JobGraph> compileJobGraph(const CompiledPlan& plan, int parallelism);

}  // namespace thalweg::coordinator
