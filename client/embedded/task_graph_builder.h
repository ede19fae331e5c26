// Turns a job graph into what a worker runs: factories for every source, operator and sink.
//
// The one place where coordinator's and worker's worlds meet in an embedded engine. Rows of CollectSpec sinks go to the
// queue given for them, in the order of the plan's sinks.
#pragma once

#include <memory>
#include <optional>
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

/// The source that a scan or VALUES node describes; none for other nodes.
std::optional<worker::SourceNode> plannedSource(const PlanNodePtr& node, int parallelism);
/// The operator or sink that a node describes; a CollectSpec adds a queue to `built.results`.
worker::OperatorNode plannedOperator(const PlanNodePtr& node, BuiltTaskGraph& built);

}  // namespace thalweg::client
