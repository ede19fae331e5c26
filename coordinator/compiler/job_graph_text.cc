#include "coordinator/compiler/job_graph_text.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace thalweg::coordinator {
namespace {

using Json = nlohmann::ordered_json;

std::string_view kindOf(const PlanNode& node) {
  if (node.inputs.empty()) return "Data Source";
  const bool is_sink = std::holds_alternative<SinkSpec>(node.spec) || std::holds_alternative<CollectSpec>(node.spec);
  return is_sink ? "Data Sink" : "Operator";
}

/// The word before the brackets: `Calc` of `Calc(select=[a])`.
std::string typeOf(const PlanNode& node) { return node.description.substr(0, node.description.find('(')); }

Json predecessor(const PlanNode& node, std::string_view exchange) { return {{"id", node.id}, {"ship_strategy", exchange}}; }

std::string_view shipStrategy(ExchangeKind kind) {
  static constexpr std::string_view kNames[] = {"FORWARD", "HASH", "REBALANCE", "BROADCAST", "GLOBAL"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace

std::string jobGraphText(const JobGraph& graph) {
  static constexpr std::string_view kExchanges[] = {"forward", "hash", "rebalance", "broadcast", "single"};
  std::string text = "== Task Graph ==\n";
  for (size_t i = 0; i < graph.tasks.size(); ++i) {
    const JobTask& task = graph.tasks[i];
    text += "task " + std::to_string(i + 1) + ": " + task.name + " (parallelism " + std::to_string(task.parallelism) + ")\n";
    for (const JobEdge& edge : task.inputs) {
      text += "  <- task " + std::to_string(edge.from_task + 1) + " (" + std::string(kExchanges[static_cast<size_t>(edge.exchange)]) + ")\n";
    }
  }
  return text;
}

std::string jobGraphJson(const JobGraph& graph) {
  Json nodes = Json::array();
  for (const JobTask& task : graph.tasks) {
    for (size_t i = 0; i < task.chain.size(); ++i) {
      const PlanNode& node = *task.chain[i];
      Json inputs = Json::array();
      if (i > 0) {
        inputs.push_back(predecessor(*task.chain[i - 1], "FORWARD"));
      } else {
        for (const JobEdge& edge : task.inputs) {
          inputs.push_back(predecessor(*graph.tasks[static_cast<size_t>(edge.from_task)].chain.back(), shipStrategy(edge.exchange)));
        }
      }
      Json entry = {{"id", node.id},
                    {"type", (node.inputs.empty() ? "Source: " : "") + typeOf(node)},
                    {"pact", kindOf(node)},
                    {"contents", node.description},
                    {"parallelism", task.parallelism}};
      if (!inputs.empty()) entry["predecessors"] = std::move(inputs);
      nodes.push_back(std::move(entry));
    }
  }
  return "== Physical Execution Plan ==\n" + Json({{"nodes", std::move(nodes)}}).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace thalweg::coordinator
