// How EXPLAIN shows the tasks of a job. Pure.
#pragma once

#include <string>

#include "common/plan/job_graph.h"

namespace thalweg::coordinator {

/// The tasks and their exchanges: EXPLAIN's section `== Task Graph ==`.
std::string jobGraphText(const JobGraph& graph);

/// EXPLAIN JSON_EXECUTION_PLAN's section `== Physical Execution Plan ==`: every operator with its inputs, in the shape of
/// Flink's JSON plans (`nodes` with id, type, pact, contents, parallelism, predecessors).
std::string jobGraphJson(const JobGraph& graph);

}  // namespace thalweg::coordinator
