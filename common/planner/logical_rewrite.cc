#include "common/planner/logical_rewrite.h"

#include <cstdint>

namespace thalweg {
namespace {

std::string numbers(const std::vector<int>& values) {
  std::string text = "[";
  for (const int value : values) text += std::to_string(value) + ",";
  return text + "]";
}

std::string sortText(const std::vector<SortKey>& keys) {
  std::string text = "[";
  for (const SortKey& key : keys) {
    text += std::to_string(key.column) + (key.direction == SortDirection::ASCENDING ? "a" : "d") +
            (key.nulls == NullOrder::FIRST ? "f," : "l,");
  }
  return text + "]";
}

std::string callsText(const std::vector<AggregateCallSpec>& calls) {
  std::string text;
  for (const AggregateCallSpec& call : calls) {
    text += (call.function ? call.function->name : std::string("?")) + numbers(call.arguments) + (call.distinct ? "d" : "") +
            std::to_string(call.filter) + sortText(call.order_by) + call.result_type.toString() + ";";
  }
  return text;
}

std::string windowText(const WindowSpec& w) {
  return std::to_string(static_cast<int>(w.kind)) + "/" + std::to_string(w.size_ms) + "/" + std::to_string(w.slide_ms) + "/" +
         std::to_string(w.offset_ms) + "/" + std::to_string(w.time_column) + "/" + (w.processing_time ? "p" : "e") +
         numbers(w.partition_keys);
}

std::string typedExpr(const BoundExprPtr& expr) {
  return expr ? exprText(*expr) + ":" + expr->type.toString() : std::string("-");
}

std::string schemaDigest(const Schema& schema) {
  std::string text;
  for (const Column& column : schema.columns()) {
    text += column.name + " " + column.type.toString() + (column.time == TimeAttribute::NONE ? "," : "*,");
  }
  return text;
}

std::string scanDigest(const LogicalScan& scan) {
  std::string text = scan.table->path.toString() + "@" + std::to_string(reinterpret_cast<std::uintptr_t>(scan.table.get()));
  // The same declaration bound twice gives two ResolvedTables: identity is path and options.
  text = scan.table->path.toString();
  for (const auto& [key, value] : scan.table->definition.options) text += "|" + key + "=" + value;
  for (const auto& [key, value] : scan.hint_options) text += "|!" + key + "=" + value;
  if (scan.limit) text += "|limit " + std::to_string(*scan.limit);
  for (const BoundExprPtr& condition : scan.path_conditions) text += "|where " + typedExpr(condition);
  return text;
}

std::string bodyDigest(const LogicalNode& node) {
  switch (node.kind) {
    case LogicalKind::SCAN: return scanDigest(node.as<LogicalScan>());
    case LogicalKind::VALUES: return "@" + std::to_string(reinterpret_cast<std::uintptr_t>(&node));
    case LogicalKind::PROJECT: {
      std::string text;
      for (const auto& e : node.as<LogicalProject>().expressions) text += typedExpr(e) + ",";
      return text;
    }
    case LogicalKind::FILTER: return typedExpr(node.as<LogicalFilter>().condition);
    case LogicalKind::AGGREGATE: {
      const auto& a = node.as<LogicalAggregate>();
      std::string text = numbers(a.keys) + callsText(a.calls);
      for (const auto& set : a.grouping_sets) text += "s" + numbers(set);
      if (a.group_window) text += "w" + windowText(*a.group_window);
      for (const auto property : a.window_properties) text += "p" + std::to_string(static_cast<int>(property));
      return text;
    }
    case LogicalKind::WINDOW_TVF: return windowText(node.as<LogicalWindowTvf>().window);
    case LogicalKind::JOIN: {
      const auto& j = node.as<LogicalJoin>();
      return std::to_string(static_cast<int>(j.type)) + typedExpr(j.condition) + (j.null_aware_anti ? "n" : "");
    }
    case LogicalKind::TEMPORAL: return typedExpr(node.as<LogicalTemporal>().time);
    case LogicalKind::UNNEST: {
      const auto& u = node.as<LogicalUnnest>().unnest;
      return typedExpr(u.collection) + (u.outer ? "o" : "") + (u.with_ordinality ? "w" : "") + typedExpr(u.condition);
    }
    case LogicalKind::SORT: {
      const auto& s = node.as<LogicalSort>();
      return sortText(s.keys) + std::to_string(s.offset) + "/" + std::to_string(s.fetch.value_or(-1));
    }
    case LogicalKind::SET_OP: {
      const auto& s = node.as<LogicalSetOp>();
      return std::to_string(static_cast<int>(s.op)) + (s.all ? "a" : "d");
    }
    case LogicalKind::OVER: {
      const auto& o = node.as<LogicalOver>();
      std::string text = numbers(o.window.partition_keys) + sortText(o.window.order_by) + (o.window.rows_frame ? "r" : "g") +
                         (o.window.preceding ? std::to_string(*o.window.preceding) : "u") + "/" +
                         (o.window.following ? std::to_string(*o.window.following) : "u");
      for (const auto& call : o.calls) text += call.function + callsText({call.aggregate});
      return text;
    }
    case LogicalKind::CHANGELOG: {
      const auto& text = node.as<LogicalChangelog>().text;
      std::string digest = (text.to_text ? "to" : "from") + std::to_string(text.text_column);
      for (const auto& [name, kind] : text.kinds) digest += "|" + name + "=" + std::to_string(static_cast<int>(kind));
      return digest;
    }
    case LogicalKind::MATCH:
    case LogicalKind::SINK: return "@" + std::to_string(reinterpret_cast<std::uintptr_t>(&node));
  }
  return {};
}

}  // namespace

std::string nodeDigest(const LogicalNode& node) {
  std::string text = std::to_string(static_cast<int>(node.kind)) + "(";
  for (const auto& input : node.inputs) text += std::to_string(reinterpret_cast<std::uintptr_t>(input.get())) + ",";
  return text + ")" + bodyDigest(node) + "{" + schemaDigest(node.schema) + "}";
}

namespace {

std::shared_ptr<LogicalNode> copyOver(const LogicalNodePtr& node, std::vector<LogicalNodePtr> inputs) {
  switch (node->kind) {
    case LogicalKind::SCAN:
    case LogicalKind::VALUES: break;         // have no inputs
    case LogicalKind::PROJECT: {
      const auto& p = node->as<LogicalProject>();
      return std::make_shared<LogicalProject>(inputs[0], p.expressions, p.schema);
    }
    case LogicalKind::FILTER: return std::make_shared<LogicalFilter>(inputs[0], node->as<LogicalFilter>().condition);
    case LogicalKind::AGGREGATE: {
      const auto& a = node->as<LogicalAggregate>();
      auto copy = std::make_shared<LogicalAggregate>(inputs[0], a.keys, a.grouping_sets, a.calls, a.schema);
      copy->group_window = a.group_window;
      copy->window_properties = a.window_properties;
      copy->state_ttl_ms = a.state_ttl_ms;
      return copy;
    }
    case LogicalKind::WINDOW_TVF:
      return std::make_shared<LogicalWindowTvf>(inputs[0], node->as<LogicalWindowTvf>().window, node->schema);
    case LogicalKind::JOIN: {
      const auto& j = node->as<LogicalJoin>();
      auto copy = std::make_shared<LogicalJoin>(inputs[0], inputs[1], j.type, j.condition, j.schema);
      copy->null_aware_anti = j.null_aware_anti;
      copy->state_ttl_ms = j.state_ttl_ms;
      return copy;
    }
    case LogicalKind::TEMPORAL: return std::make_shared<LogicalTemporal>(inputs[0], node->as<LogicalTemporal>().time);
    case LogicalKind::UNNEST:
      return std::make_shared<LogicalUnnest>(inputs[0], node->as<LogicalUnnest>().unnest, node->schema);
    case LogicalKind::SORT: {
      const auto& s = node->as<LogicalSort>();
      return std::make_shared<LogicalSort>(inputs[0], s.keys, s.offset, s.fetch);
    }
    case LogicalKind::SET_OP: {
      const auto& s = node->as<LogicalSetOp>();
      return std::make_shared<LogicalSetOp>(std::move(inputs), s.op, s.all, s.schema);
    }
    case LogicalKind::OVER: {
      const auto& o = node->as<LogicalOver>();
      return std::make_shared<LogicalOver>(inputs[0], o.window, o.calls, o.schema);
    }
    case LogicalKind::MATCH: return std::make_shared<LogicalMatch>(inputs[0], node->as<LogicalMatch>().match, node->schema);
    case LogicalKind::CHANGELOG:
      return std::make_shared<LogicalChangelog>(inputs[0], node->as<LogicalChangelog>().text, node->schema);
    case LogicalKind::SINK: {
      const auto& s = node->as<LogicalSink>();
      auto copy = std::make_shared<LogicalSink>(inputs[0], s.table);
      copy->hint_options = s.hint_options;
      copy->static_partition = s.static_partition;
      copy->overwrite = s.overwrite;
      copy->on_conflict = s.on_conflict;
      return copy;
    }
  }
  return nullptr;
}

}  // namespace

LogicalNodePtr withInputs(const LogicalNodePtr& node, std::vector<LogicalNodePtr> inputs) {
  if (inputs == node->inputs) return node;
  const std::shared_ptr<LogicalNode> copy = copyOver(node, std::move(inputs));
  CHECK(copy != nullptr);
  copy->position = node->position;
  return copy;
}

Result<LogicalNodePtr> BottomUpRewrite::apply(const LogicalNodePtr& node) {
  if (const auto found = done_.find(node.get()); found != done_.end()) return found->second;
  std::vector<LogicalNodePtr> inputs;
  for (const auto& input : node->inputs) {
    ASSIGN_OR_RETURN(auto done, apply(input));
    inputs.push_back(std::move(done));
  }
  ASSIGN_OR_RETURN(auto result, rule_(withInputs(node, std::move(inputs))));
  done_.emplace(node.get(), result);
  return result;
}

}  // namespace thalweg
