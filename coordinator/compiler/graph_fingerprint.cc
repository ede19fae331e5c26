#include "coordinator/compiler/graph_fingerprint.h"

#include <cstdio>
#include <sstream>

#include "common/base/hash.h"

namespace thalweg::coordinator {
namespace {

std::string_view exchangeName(ExchangeKind exchange) {
  switch (exchange) {
    case ExchangeKind::FORWARD: return "forward";
    case ExchangeKind::HASH: return "hash";
    case ExchangeKind::REBALANCE: return "rebalance";
    case ExchangeKind::BROADCAST: return "broadcast";
    case ExchangeKind::SINGLETON: return "single";
  }
  return "?";
}

/// One line of any text.
std::string lineOf(const std::string& text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? ' ' : c;
  return line;
}

std::string schemaLine(const Schema& schema) {
  std::string line;
  for (const Column& column : schema.columns()) line += (line.empty() ? "" : ", ") + lineOf(column.name) + " " + column.type.toString();
  return line;
}

template <typename Spec>
std::string optionLines(const Spec& spec) {
  std::string text;
  for (const auto& [key, value] : spec.options) text += "      " + lineOf(key) + " = " + lineOf(value) + "\n";
  return text;
}

}  // namespace

std::string canonicalNodeText(const PlanNode& node) {
  std::string text = "    " + std::string(operatorKindName(node.spec)) + " " + node.uid + ": " + lineOf(node.description) + "\n";
  text += "      gives " + schemaLine(node.schema) + "\n";
  if (const auto* source = std::get_if<SourceSpec>(&node.spec)) text += optionLines(*source);
  if (const auto* sink = std::get_if<SinkSpec>(&node.spec)) text += optionLines(*sink);
  return text;
}

std::string canonicalGraphText(const JobGraph& graph) {
  std::string text = "max parallelism " + std::to_string(graph.max_parallelism) + (graph.batch_mode ? ", batch\n" : ", streaming\n");
  for (const auto& [key, value] : graph.configuration.entries()) text += "set " + key + " = " + lineOf(value) + "\n";
  for (size_t i = 0; i < graph.tasks.size(); ++i) {
    const JobTask& task = graph.tasks[i];
    text += "task " + std::to_string(i) + " x " + std::to_string(task.parallelism) + ": " + lineOf(task.name) + "\n";
    for (const JobEdge& edge : task.inputs) {
      text += "  from task " + std::to_string(edge.from_task) + " by " + std::string(exchangeName(edge.exchange));
      for (const int key : edge.keys) text += " " + std::to_string(key);
      text += "\n";
    }
    for (const PlanNodePtr& node : task.chain) text += canonicalNodeText(*node);
  }
  return text;
}

std::string fingerprintOf(const std::string& canonical_text) {
  char digits[33];
  std::snprintf(digits, sizeof(digits), "%016llx%016llx", static_cast<unsigned long long>(hashBytes(canonical_text)),
                static_cast<unsigned long long>(hashBytes(canonical_text + "\n#")));
  return digits;
}

std::string firstDifference(const std::string& expected, const std::string& found) {
  std::istringstream left(expected);
  std::istringstream right(found);
  std::string expected_line;
  std::string found_line;
  std::string task;
  for (int number = 1;; ++number) {
    const bool more_left = static_cast<bool>(std::getline(left, expected_line));
    const bool more_right = static_cast<bool>(std::getline(right, found_line));
    if (!more_left && !more_right) return {};
    if (more_left && more_right && expected_line == found_line) {
      if (expected_line.starts_with("task ")) task = expected_line;
      continue;
    }
    return "line " + std::to_string(number) + (task.empty() ? "" : ", in " + task) + ": expected '" + (more_left ? expected_line : "the end") + "', found '" +
           (more_right ? found_line : "the end") + "'";
  }
}

}  // namespace thalweg::coordinator
