#include "client/embedded/stream_job.h"

#include "client/embedded/task_graph_builder.h"
#include "worker/connectors/split_list.h"

namespace thalweg::client {
namespace {

worker::PartitionKind partitionOf(StreamExchange exchange) {
  switch (exchange) {
    case StreamExchange::FORWARD: return worker::PartitionKind::FORWARD;
    case StreamExchange::HASH: return worker::PartitionKind::HASH;
    case StreamExchange::REBALANCE: return worker::PartitionKind::REBALANCE;
    case StreamExchange::BROADCAST: return worker::PartitionKind::BROADCAST;
    case StreamExchange::SINGLETON: return worker::PartitionKind::SINGLETON;
    case StreamExchange::ROUTED: return worker::PartitionKind::ROUTED;
  }
  return worker::PartitionKind::FORWARD;
}

worker::TaskInput inputOf(StreamTaskInput input) {
  worker::TaskInput made;
  made.upstream = input.from_task;
  made.upstream_output = input.from_output;
  made.partition = partitionOf(input.exchange);
  made.keys = std::move(input.keys);
  made.types = std::move(input.types);
  made.operator_input = input.operator_input;
  made.unbounded_buffer = input.unbounded_buffer;
  return made;
}

worker::SourceNode sourceOf(StreamSource source) {
  worker::SourceNode made;
  made.uid = std::move(source.uid);
  made.name = std::move(source.name);
  made.make_reader = std::move(source.make_reader);
  if (source.make_enumerator) made.make_enumerator = std::move(source.make_enumerator);
  else made.make_enumerator = [splits = std::move(source.splits)]() -> Result<std::unique_ptr<SplitEnumerator>> {
    return std::make_unique<worker::SplitList>(splits);
  };
  return made;
}

}  // namespace

Result<BuiltTaskGraph> buildStreamJob(StreamJob job) {
  BuiltTaskGraph built;
  built.graph.max_parallelism = job.max_parallelism;
  built.graph.batch_mode = job.batch_mode;
  built.graph.configuration = std::move(job.configuration);
  for (StreamTask& task : job.tasks) {
    worker::TaskSpec spec;
    spec.name = std::move(task.name);
    spec.parallelism = task.parallelism;
    if (task.source) spec.source = sourceOf(std::move(*task.source));
    else if (task.plan_source) spec.source = plannedSource(task.plan_source, task.parallelism);
    for (StreamOperator& op : task.operators) {
      if (const auto* node = std::get_if<PlanNodePtr>(&op.make)) {
        worker::OperatorNode made = plannedOperator(*node, built);
        made.uid = std::move(op.uid);
        spec.operators.push_back(std::move(made));
      } else {
        spec.operators.push_back({std::move(op.uid), std::move(op.name), std::get<OperatorFactory>(std::move(op.make))});
      }
    }
    for (StreamTaskInput& input : task.inputs) spec.inputs.push_back(inputOf(std::move(input)));
    built.graph.tasks.push_back(std::move(spec));
  }
  RETURN_IF_ERROR(built.graph.validate());
  return built;
}

Result<std::shared_ptr<EmbeddedJob>> startStreamJob(StreamJob job) {
  EmbeddedJobOptions options;
  options.ordinal = job.ordinal;
  ASSIGN_OR_RETURN(BuiltTaskGraph built, buildStreamJob(std::move(job)));
  return EmbeddedJob::start(std::move(built), options);
}

}  // namespace thalweg::client
