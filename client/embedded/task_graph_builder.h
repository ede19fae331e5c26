// Turns a job graph into what a worker runs: factories for every source, operator and sink.
//
// The one place where coordinator's and worker's worlds meet in an embedded engine. Rows of CollectSpec sinks go to the
// queue given for them, in the order of the plan's sinks.
#pragma once

#include <memory>
#include <vector>

#include "common/plan/job_graph.h"
#include "worker/operators/collect_operator.h"
#include "worker/task/task_graph.h"

namespace thalweg::client {

struct BuiltTaskGraph {
  worker::TaskGraph graph;
  std::vector<std::shared_ptr<worker::ResultQueue>> results;   ///< one per CollectSpec
};

Result<BuiltTaskGraph> buildTaskGraph(const JobGraph& job);

}  // namespace thalweg::client
