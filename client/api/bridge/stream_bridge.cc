#include "client/api/bridge/stream_bridge.h"

#include <unordered_set>

#include "client/api/table/table_result_state.h"
#include "client/api/table_sub_plan.h"
#include "client/api/thalweg/exception.h"

namespace thalweg::api {
namespace {

bool readsStream(const LogicalNode& node, std::unordered_set<const LogicalNode*>& seen) {
  if (!seen.insert(&node).second) return false;
  if (node.kind == LogicalKind::SCAN && node.as<LogicalScan>().table->stream) return true;
  for (const LogicalNodePtr& input : node.inputs) {
    if (readsStream(*input, seen)) return true;
  }
  return false;
}

std::vector<const SourceSpec*> scansOf(const JobGraph& graph) {
  std::vector<const SourceSpec*> scans;
  for (const JobTask& task : graph.tasks) {
    if (const auto* scan = std::get_if<SourceSpec>(&task.chain[0]->spec)) scans.push_back(scan);
  }
  return scans;
}

}  // namespace

int StreamBridge::addStream(TableSource source, StreamTimes times, ChangelogMode mode) {
  if (source.graph != graph_) throw ValidationException("the stream belongs to another StreamExecutionEnvironment");
  streams_.push_back({std::move(source), std::move(times), mode});
  return static_cast<int>(streams_.size()) - 1;
}

bool StreamBridge::owns(const std::vector<LogicalNodePtr>& sinks) const {
  std::unordered_set<const LogicalNode*> seen;
  for (const LogicalNodePtr& sink : sinks) {
    if (readsStream(*sink, seen)) return true;
  }
  return false;
}

int StreamBridge::addPlan(StreamGraph& graph, const EnvironmentState& environment, client::PreparedPlans plans, const std::string& name) const {
  // Settings of the table environment travel with its plans.
  const Configuration& settings = const_cast<EnvironmentState&>(environment).engine.session().configuration();
  for (const auto& [key, value] : settings.entries()) throwIfFailed(graph.configuration.set(key, value));
  StreamNode node;
  node.name = name;
  for (const SourceSpec* scan : scansOf(plans.graph)) {
    node.bounded = node.bounded && scan->bounded;
    if (scan->connector != kStreamConnector) continue;
    const size_t number = std::stoul(scan->options.at(std::string(kStreamInputOption)));
    const Stream& stream = streams_.at(number);
    if (node.inputs.size() <= number) node.inputs.resize(number + 1);
    if (!node.inputs[number].empty()) continue;
    for (StreamEdge edge : stream.source.edges) {
      edge.link = std::make_shared<TableInputLink>(edge.link, stream.source.type->columnTypes().size(), stream.times, stream.mode,
                                                   "'" + stream.source.name + "'");
      node.inputs[number].push_back(std::move(edge));
    }
  }
  auto plan = std::make_shared<TableSubPlan>();
  plan->job = std::move(plans.graph);
  node.table = std::move(plan);
  return graph.add(std::move(node));
}

/// A copy of the program with nothing pending but the plan, so that the program itself stays as it is.
TableResult StreamBridge::run(EnvironmentState& environment, std::vector<LogicalNodePtr> sinks, bool is_query) {
  client::PreparedPlans plans = valueOrThrow(environment.engine.prepare(std::move(sinks)));
  const thalweg::Schema schema = plans.plan.sinks[0]->schema;
  StreamGraph graph = *graph_;
  graph.clearPending();
  const int plan = addPlan(graph, environment, std::move(plans), "Table");
  if (!is_query) {
    auto state = resultOf(TableResultState::Kind::INSERT, {}, environment);
    auto job = std::make_shared<JobClient>(startJob(graph, "insert-into"));
    state->wait = [job] { job->getJobExecutionResult(); };
    state->cancel = [job] { job->cancel(); };
    return TableResult(std::move(state));
  }
  std::vector<Field> fields;
  std::vector<DataType> types;
  for (const thalweg::Column& column : schema.columns()) {
    fields.push_back({column.name, column.type, {}});
    types.push_back(column.type);
  }
  auto queue = std::make_shared<RecordQueue<Row>>();
  StreamNode collect;
  collect.name = "Collect table sink";
  collect.parallelism = 1;
  collect.inputs = {{StreamEdge{plan, 0, Partition::GLOBAL,
                                std::make_shared<TableOutputLink>(std::make_shared<PlainLink<Row>>(rowRecordType(std::move(fields))), TableOutput{types})}}};
  collect.collects = true;
  collect.make_stage = [queue] { return std::make_unique<CollectStage<Row>>(queue); };
  graph.add(std::move(collect));
  auto records = std::make_shared<CollectedRecords<Row>>(startJob(graph, "collect"), queue);
  auto state = resultOf(TableResultState::Kind::QUERY, schema, environment);
  state->more = [records](std::deque<Row>& rows) {
    if (!records->hasNext()) return false;
    rows.push_back(records->next());
    return true;
  };
  state->cancel = [records] { records->close(); };
  state->elsewhere = records->isElsewhere();
  return TableResult(std::move(state));
}

StreamBridge& bridgeOf(const EnvironmentState& environment) { return static_cast<StreamBridge&>(*environment.runner); }

}  // namespace thalweg::api
