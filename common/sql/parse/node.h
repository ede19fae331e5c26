// Finishing syntax nodes: every node gets its text's position and its height, which is bounded.
// Threads: no state.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "common/sql/ast_query.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

template <typename Node>
int depthOf(const std::shared_ptr<const Node>& node) {
  return node == nullptr ? 0 : node->depth;
}
inline int depthOf(const OrderItem& item) { return depthOf(item.expr); }
inline int depthOf(const SelectItem& item) { return depthOf(item.expr); }
inline int depthOf(const CaseBranch& branch) { return std::max(depthOf(branch.when), depthOf(branch.then)); }
inline int depthOf(const CommonTable& table) { return depthOf(table.query); }
inline int depthOf(const PatternDefinition& definition) { return depthOf(definition.condition); }
template <typename Item>
int depthOf(const std::vector<Item>& items) {
  int depth = 0;
  for (const Item& item : items) depth = std::max(depth, depthOf(item));
  return depth;
}
inline int depthOf(const GroupItem& item) {
  int depth = depthOf(item.expressions);
  for (const GroupItem& inner : item.items) depth = std::max(depth, depthOf(inner));
  return depth;
}
inline int depthOf(const std::shared_ptr<const WindowSpec>& spec) {
  if (spec == nullptr) return 0;
  int depth = std::max(depthOf(spec->partition_by), depthOf(spec->order_by));
  if (spec->frame) depth = std::max({depth, depthOf(spec->frame->start.offset), depthOf(spec->frame->end.offset)});
  return depth;
}
inline int depthOf(const NamedWindow& window) { return depthOf(window.spec); }
inline int depthOf(const FunctionCall& call) {
  int depth = std::max({depthOf(call.args), depthOf(call.order_by), depthOf(call.within_group),
                        depthOf(call.within_distinct), depthOf(call.filter)});
  if (call.over != nullptr) depth = std::max(depth, depthOf(call.over->spec));
  if (call.json != nullptr) {
    depth = std::max({depth, depthOf(call.json->on_empty.default_value), depthOf(call.json->on_error.default_value)});
  }
  return depth;
}

/// Sets the height of a node over `children`; fails above kExpressionDepthMax.
template <typename Node, typename... Children>
Status sealDepth(Node& node, const Children&... children) {
  node.depth = 1 + std::max({0, depthOf(children)...});
  if (node.depth <= kExpressionDepthMax) return Status::ok();
  return Status::parse("the statement is too deep: a chain of operators, joins or set operations has at most " +
                           std::to_string(kExpressionDepthMax) + " links (AND and OR have no limit)",
                       node.position);
}

/// Sets position (from token `start` to the last one taken) and height.
template <typename Node, typename... Children>
Result<std::shared_ptr<const Node>> seal(const TokenCursor& cursor, std::size_t start, std::shared_ptr<Node> node,
                                         const Children&... children) {
  node->position = cursor.since(start);
  RETURN_IF_ERROR(sealDepth(*node, children...));
  return std::shared_ptr<const Node>(std::move(node));
}

/// The same for an expression, as its base.
template <typename Node, typename... Children>
Result<ExprPtr> sealExpr(const TokenCursor& cursor, std::size_t start, std::shared_ptr<Node> node,
                         const Children&... children) {
  node->position = cursor.since(start);
  RETURN_IF_ERROR(sealDepth(*node, children...));
  return ExprPtr(std::move(node));
}

}  // namespace thalweg::sql
