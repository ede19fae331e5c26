#include "client/api/job_translator.h"

#include <algorithm>
#include <bit>
#include <map>

#include "client/api/table_sub_plan.h"
#include "client/api/user_chain.h"

namespace thalweg::api {
namespace {

using client::StreamExchange;
using client::StreamTask;
using client::StreamTaskInput;

class Translator {
 public:
  Translator(const StreamGraph& graph, bool runs_here) : graph_(graph), ids_(graph.pending()), runs_here_(runs_here) {}

  Result<client::StreamJob> run() {
    job_.configuration = graph_.configuration;
    job_.batch_mode = graph_.isBatch();
    RETURN_IF_ERROR(settleParallelism());
    RETURN_IF_ERROR(checkUids());
    RETURN_IF_ERROR(checkAlignment());
    for (const int id : ids_) assignChain(id);
    for (const int id : ids_) {
      if (graph_.node(id).table) RETURN_IF_ERROR(addTable(id));
      else if (staysBehind(graph_.node(id))) RETURN_IF_ERROR(addCollected(id));
      else if (head_.at(id) == id) RETURN_IF_ERROR(addChain(id));
    }
    for (auto& [head, plan] : plans_) finishChain(head, plan);
    return std::move(job_);
  }

 private:
  struct Chain {
    std::shared_ptr<ChainPlan> plan = std::make_shared<ChainPlan>();
    std::map<int, int> positions = {};       // node -> stage
    size_t task = 0;
  };

  bool staysBehind(const StreamNode& node) const { return node.collects && !runs_here_; }

  Status settleParallelism() {
    const int fallback = graph_.defaultParallelism();
    int largest = 1;
    for (const int id : ids_) {
      const StreamNode& node = graph_.node(id);
      int parallelism = node.parallelism > 0 ? node.parallelism : fallback;
      if (node.belongs_to_input) parallelism = parallelism_.at(node.inputs[0][0].node);
      if (staysBehind(node)) parallelism = 1;
      if (node.parallelism_max > 0) {
        if (node.parallelism > node.parallelism_max) {
          return Status::plan("operator '" + node.name + "' cannot run in parallel: its parallelism must be " +
                              std::to_string(node.parallelism_max) + ", not " + std::to_string(node.parallelism));
        }
        parallelism = std::min(parallelism, node.parallelism_max);
      }
      if (node.max_parallelism > 0 && parallelism > node.max_parallelism) {
        return Status::plan("operator '" + node.name + "' has a parallelism of " + std::to_string(parallelism) +
                            ", above its own maximum of " + std::to_string(node.max_parallelism));
      }
      parallelism_[id] = parallelism;
      largest = std::max(largest, parallelism);
    }
    const auto configured = static_cast<int>(graph_.configuration.getInt("pipeline.max-parallelism"));
    if (graph_.max_parallelism > 0) job_.max_parallelism = graph_.max_parallelism;
    else if (configured > 0) job_.max_parallelism = configured;
    else job_.max_parallelism = std::clamp(static_cast<int>(std::bit_ceil(static_cast<unsigned>(largest + largest / 2))), 128, 32768);
    if (largest > job_.max_parallelism) {
      return Status::plan("a parallelism of " + std::to_string(largest) + " is above the maximum parallelism of " +
                          std::to_string(job_.max_parallelism) + ": raise it with setMaxParallelism()");
    }
    return {};
  }

  Status checkUids() const {
    std::map<std::string, std::string> names;
    for (const int id : ids_) {
      const StreamNode& node = graph_.node(id);
      if (node.uid.empty()) continue;
      const auto [other, is_new] = names.emplace(node.uid, node.name);
      if (!is_new) {
        return Status::plan("operators '" + other->second + "' and '" + node.name + "' both have the uid '" + node.uid +
                            "': state is found by it, so give each its own");
      }
    }
    return {};
  }

  Status checkAlignment() const {
    for (const int id : ids_) {
      if (graph_.node(id).alignment && !runs_here_) {
        return Status::notSupported("watermark alignment (withWatermarkAlignment() of source '" + graph_.node(id).name +
                                    "') on a cluster: sources in different processes do not wait for each other");
      }
    }
    return {};
  }

  void assignChain(int id) {
    const StreamNode& node = graph_.node(id);
    head_[id] = id;
    if (!chaining_ || node.table || staysBehind(node) || !node.chain_to_input || node.inputs.size() != 1 || node.inputs[0].size() != 1) return;
    const StreamEdge& edge = node.inputs[0][0];
    const StreamNode& upstream = graph_.node(edge.node);
    if (upstream.table || !upstream.chain_output || parallelism_[id] != parallelism_[edge.node]) return;
    if (edge.partition != Partition::ANY && edge.partition != Partition::FORWARD) return;
    if (node.slot_group != upstream.slot_group && !node.slot_group.empty()) return;
    head_[id] = head_[edge.node];
  }

  std::string uidOf(const StreamNode& node) const {
    return node.uid.empty() ? std::to_string(node.id) + ":" + node.name : node.uid;
  }

  Status addChain(int head) {
    Chain& chain = plans_[head];
    chain.task = job_.tasks.size();
    StreamTask task;
    task.parallelism = parallelism_[head];
    for (const int id : ids_) {
      if (head_.at(id) != head) continue;
      const StreamNode& node = graph_.node(id);
      ChainPlan::Member member{node.name, uidOf(node), node.make_stage};
      member.alignment = node.alignment;
      if (id != head) member.from = {{chain.positions.at(node.inputs[0][0].node), node.inputs[0][0].tag}};
      chain.positions[id] = static_cast<int>(chain.plan->stages.size());
      chain.plan->stages.push_back(std::move(member));
      task.name += (task.name.empty() ? "" : " -> ") + node.name;
    }
    const StreamNode& node = graph_.node(head);
    for (size_t input = 0; input < node.inputs.size(); ++input) {
      chain.plan->entries.push_back(node.inputs[input].at(0).link);
      for (const StreamEdge& edge : node.inputs[input]) {
        ASSIGN_OR_RETURN(StreamTaskInput made, inputFrom(edge, task.parallelism, static_cast<int>(input)));
        made.unbounded_buffer = job_.batch_mode && node.inputs.size() > 1;
        task.inputs.push_back(std::move(made));
      }
    }
    job_.tasks.push_back(std::move(task));
    return {};
  }

  /// The edge into a task of `parallelism`; adds an exit to the chain it comes from.
  Result<StreamTaskInput> inputFrom(const StreamEdge& edge, int parallelism, int input) {
    const int senders = parallelism_.at(edge.node);
    StreamLinkPtr link = edge.link;
    StreamTaskInput made;
    made.operator_input = input;
    made.exchange = exchangeOf(edge, senders, parallelism);
    const bool from_table = graph_.node(edge.node).table != nullptr;
    if (edge.partition == Partition::FORWARD && senders != parallelism) {
      return Status::plan("forward() joins '" + graph_.node(edge.node).name + "' of parallelism " + std::to_string(senders) +
                          " with parallelism " + std::to_string(parallelism) + ": make them equal, or use rebalance()");
    }
    if (made.exchange == StreamExchange::REBALANCE && !from_table) {
      link = link->inTurn();
      made.exchange = StreamExchange::ROUTED;
    }
    made.types = link->columnTypes();
    made.keys = link->keyColumns();
    if (from_table) {
      const auto& [task, output] = table_outputs_.at(edge.node);
      made.from_task = task;
      made.from_output = output;
      return made;
    }
    Chain& chain = plans_.at(head_.at(edge.node));
    made.from_task = static_cast<int>(chain.task);
    made.from_output = static_cast<int>(chain.plan->exits.size());
    chain.plan->exits.push_back({chain.positions.at(edge.node), edge.tag, std::move(link), parallelism});
    return made;
  }

  static StreamExchange exchangeOf(const StreamEdge& edge, int senders, int receivers) {
    const StreamExchange single = senders == 1 ? StreamExchange::FORWARD : StreamExchange::SINGLETON;
    if (receivers == 1) return single;
    switch (edge.partition) {
      case Partition::ANY:
      case Partition::FORWARD: return senders == receivers ? StreamExchange::FORWARD : StreamExchange::REBALANCE;
      case Partition::HASH: return StreamExchange::HASH;
      case Partition::BROADCAST: return StreamExchange::BROADCAST;
      case Partition::ROUTED:
      case Partition::RESCALE:
      case Partition::GLOBAL: break;
    }
    return StreamExchange::ROUTED;
  }

  void finishChain(int head, Chain& chain) {
    StreamTask& task = job_.tasks[chain.task];
    const std::string uid = uidOf(graph_.node(head));
    std::shared_ptr<const ChainPlan> plan = chain.plan;
    const auto last_made = std::make_shared<UserChain*>(nullptr);    // factories run one at a time, operators first
    OperatorFactory make = [plan, last_made]() -> Result<std::unique_ptr<Operator>> {
      auto made = std::make_unique<UserChain>(plan);
      *last_made = made.get();
      return made;
    };
    if (task.inputs.empty()) {
      task.name = "Source: " + task.name;
      task.source = client::StreamSource{uid + "/reader", graph_.node(head).name, [last_made]() -> Result<std::unique_ptr<SourceReader>> {
        return (*last_made)->makeReader();
      }, graph_.node(head).splits, graph_.node(head).make_enumerator};
    }
    client::StreamOperator op{uid, plan->stages[0].name, std::move(make)};
    op.details = [this_chain = plan, nodes = nodesOf(head)] { return detailsOf(*this_chain, nodes); };
    task.operators.push_back(std::move(op));
  }

  std::vector<const StreamNode*> nodesOf(int head) const {
    std::vector<const StreamNode*> nodes;
    for (const int id : ids_) {
      if (head_.at(id) == head) nodes.push_back(&graph_.node(id));
    }
    return nodes;
  }

  /// Stage by stage what can be told of it; functions cannot.
  static std::vector<std::string> detailsOf(const ChainPlan& plan, const std::vector<const StreamNode*>& nodes) {
    std::vector<std::string> lines;
    for (size_t i = 0; i < plan.stages.size(); ++i) {
      std::string line = "stage " + plan.stages[i].uid + " (" + plan.stages[i].name + ")";
      for (const ChainPlan::From& from : plan.stages[i].from) line += " after " + std::to_string(from.stage) + "." + std::to_string(from.tag);
      for (const auto& type : nodes[i]->types) line += " gives " + (type->isKnown() ? type->dataType().toString() : std::string("rows"));
      lines.push_back(std::move(line));
    }
    return lines;
  }

  /// The rows of the job instead of a stage that has to be where the program is.
  Status addCollected(int id) {
    const StreamNode& node = graph_.node(id);
    StreamTask task;
    task.name = node.name;
    for (const StreamEdge& edge : node.inputs.at(0)) {
      ASSIGN_OR_RETURN(StreamTaskInput made, inputFrom(edge, task.parallelism, 0));
      task.inputs.push_back(std::move(made));
    }
    job_.collected_types = task.inputs[0].types;
    auto collect = std::make_shared<PlanNode>();
    collect->uid = uidOf(node);
    collect->description = node.name;
    collect->spec = CollectSpec{};
    task.operators.push_back({collect->uid, node.name, PlanNodePtr(collect)});
    job_.tasks.push_back(std::move(task));
    return {};
  }

  Status addTable(int id) {
    const StreamNode& node = graph_.node(id);
    const JobGraph& plan = node.table->job;
    const int first = static_cast<int>(job_.tasks.size());
    for (size_t number = 0; number < plan.tasks.size(); ++number) {
      const JobTask& planned = plan.tasks[number];
      StreamTask task;
      task.name = planned.name;
      task.parallelism = planned.parallelism;
      size_t begin = 0;
      if (const auto* scan = std::get_if<SourceSpec>(&planned.chain[0]->spec); scan != nullptr && scan->connector == kStreamConnector) {
        const size_t input = std::stoul(scan->options.at(std::string(kStreamInputOption)));
        for (const StreamEdge& edge : node.inputs.at(input)) {
          ASSIGN_OR_RETURN(StreamTaskInput made, inputFrom(edge, planned.parallelism, 0));
          task.inputs.push_back(std::move(made));
        }
        begin = 1;
      } else if (planned.inputs.empty()) {
        auto source = std::make_shared<PlanNode>(*planned.chain[0]);      // equal scans of several plans are different sources
        source->uid = uidOf(node) + "/" + source->uid;
        task.plan_source = std::move(source);
        begin = 1;
      }
      for (size_t i = 0; i < planned.inputs.size(); ++i) {
        const JobEdge& edge = planned.inputs[i];
        StreamTaskInput made;
        made.from_task = first + edge.from_task;
        made.exchange = exchangeOf(edge.exchange);
        made.keys = edge.keys;
        const Schema sent = plan.tasks[static_cast<size_t>(edge.from_task)].outputSchema();
        for (const Column& column : sent.columns()) made.types.push_back(column.type);
        made.operator_input = static_cast<int>(i);
        made.unbounded_buffer = job_.batch_mode && planned.inputs.size() > 1;
        task.inputs.push_back(std::move(made));
      }
      bool is_output = false;
      for (size_t i = begin; i < planned.chain.size(); ++i) {
        if (std::holds_alternative<CollectSpec>(planned.chain[i]->spec)) is_output = true;
        else task.operators.push_back({uidOf(node) + "/" + planned.chain[i]->uid, planned.chain[i]->description, planned.chain[i]});
      }
      if (task.plan_source == nullptr && task.operators.empty()) {
        auto pass = std::make_shared<PlanNode>(*planned.chain[0]);
        pass->spec = UnionSpec{};
        task.operators.push_back({uidOf(node) + "/pass" + std::to_string(number), planned.name, PlanNodePtr(std::move(pass))});
      }
      if (is_output) {
        table_outputs_[id] = {static_cast<int>(job_.tasks.size()), 0};
        parallelism_[id] = planned.parallelism;
      }
      job_.tasks.push_back(std::move(task));
    }
    return {};
  }

  static StreamExchange exchangeOf(ExchangeKind exchange) {
    switch (exchange) {
      case ExchangeKind::FORWARD: return StreamExchange::FORWARD;
      case ExchangeKind::HASH: return StreamExchange::HASH;
      case ExchangeKind::REBALANCE: return StreamExchange::REBALANCE;
      case ExchangeKind::BROADCAST: return StreamExchange::BROADCAST;
      case ExchangeKind::SINGLETON: return StreamExchange::SINGLETON;
    }
    return StreamExchange::FORWARD;
  }

  const StreamGraph& graph_;
  const std::vector<int> ids_;
  const bool runs_here_;
  const bool chaining_ = graph_.chaining && graph_.configuration.find("pipeline.operator-chaining.enabled") != "false";
  client::StreamJob job_;
  std::map<int, int> parallelism_;
  std::map<int, int> head_;                            // node -> head of its chain
  std::map<int, Chain> plans_;                         // by head
  std::map<int, std::pair<int, int>> table_outputs_;   // table node -> task, output
};

}  // namespace

Result<client::StreamJob> translate(const StreamGraph& graph, bool runs_here) { return Translator(graph, runs_here).run(); }

}  // namespace thalweg::api
