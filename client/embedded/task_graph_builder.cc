#include "client/embedded/task_graph_builder.h"

#include "worker/connectors/connector_registry.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/sink_operator.h"

namespace thalweg::client {
namespace {

using worker::OperatorNode;
using worker::PartitionKind;
using worker::SourceNode;

PartitionKind partitionOf(ExchangeKind exchange) {
  switch (exchange) {
    case ExchangeKind::FORWARD: return PartitionKind::FORWARD;
    case ExchangeKind::HASH: return PartitionKind::HASH;
    case ExchangeKind::REBALANCE: return PartitionKind::REBALANCE;
    case ExchangeKind::BROADCAST: return PartitionKind::BROADCAST;
    case ExchangeKind::SINGLETON: return PartitionKind::SINGLETON;
  }
  return PartitionKind::FORWARD;
}

std::vector<DataType> typesOf(const Schema& schema) {
  std::vector<DataType> types;
  for (const Column& column : schema.columns()) types.push_back(column.type);
  return types;
}

}  // namespace

std::optional<SourceNode> plannedSource(const PlanNodePtr& node, int parallelism) {
  SourceNode source;
  source.uid = node->uid;
  source.name = node->description;
  if (const auto* spec = std::get_if<SourceSpec>(&node->spec)) {
    source.make_reader = [node, spec] { return worker::makeSourceReader(*spec, node->schema); };
    source.make_enumerator = [node, spec, parallelism] { return worker::makeSplitEnumerator(*spec, parallelism); };
    return source;
  }
  if (const auto* spec = std::get_if<ValuesSpec>(&node->spec)) {
    source.make_reader = [node, spec]() -> Result<std::unique_ptr<SourceReader>> { return worker::makeValuesReader(*spec, node->schema); };
    source.make_enumerator = [node, spec]() -> Result<std::unique_ptr<SplitEnumerator>> { return worker::makeValuesEnumerator(*spec); };
    return source;
  }
  return std::nullopt;
}

OperatorNode plannedOperator(const PlanNodePtr& node, BuiltTaskGraph& built) {
  OperatorNode result{node->uid, node->description, {}};
  result.computed_inputs = node->computed_inputs;
  if (const auto* spec = std::get_if<SinkSpec>(&node->spec)) {
    result.make = [node, spec]() -> Result<std::unique_ptr<Operator>> {
      ASSIGN_OR_RETURN(auto writer, worker::makeSinkWriter(*spec));
      return worker::makeSinkOperator(std::move(writer));
    };
  } else if (std::holds_alternative<CollectSpec>(node->spec)) {
    auto queue = std::make_shared<worker::ResultQueue>();
    built.results.push_back(queue);
    result.make = [queue, node]() -> Result<std::unique_ptr<Operator>> { return worker::makeCollectOperator(queue, node->schema); };
    result.outlet = queue;
  } else {
    result.make = [node] { return worker::makeOperator(*node); };
  }
  return result;
}

Result<BuiltTaskGraph> buildTaskGraph(const JobGraph& job) {
  BuiltTaskGraph built;
  built.graph.max_parallelism = job.max_parallelism;
  built.graph.batch_mode = job.batch_mode;
  built.graph.configuration = job.configuration;
  for (const JobTask& task : job.tasks) {
    worker::TaskSpec spec;
    spec.name = task.name;
    spec.parallelism = task.parallelism;
    spec.source = plannedSource(task.chain[0], task.parallelism);
    for (size_t i = spec.source ? 1 : 0; i < task.chain.size(); ++i) spec.operators.push_back(plannedOperator(task.chain[i], built));
    for (size_t i = 0; i < task.inputs.size(); ++i) {
      const JobEdge& edge = task.inputs[i];
      worker::TaskInput input;
      input.upstream = edge.from_task;
      input.partition = partitionOf(edge.exchange);
      input.keys = edge.keys;
      input.types = typesOf(job.tasks[static_cast<size_t>(edge.from_task)].outputSchema());
      input.operator_input = static_cast<int>(i);
      // A batch join holds back one side: whatever feeds both must not wait for it.
      input.unbounded_buffer = job.batch_mode && task.inputs.size() > 1;
      spec.inputs.push_back(std::move(input));
    }
    built.graph.tasks.push_back(std::move(spec));
  }
  RETURN_IF_ERROR(built.graph.validate());
  return built;
}

}  // namespace thalweg::client
