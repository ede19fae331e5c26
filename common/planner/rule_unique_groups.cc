// GROUP BY over a primary key, or over all keys of a GROUP BY below: every group is one row, so SUM, MIN and MAX are that
// row's value and nothing is grouped.
//
// Changes pass through as they are: an update of a row is an update of its group. Only plain GROUP BY; COUNT, AVG and
// aggregates with FILTER stay, as in Flink. Of one value DISTINCT changes nothing.

#include <algorithm>

#include "common/functions/aggregate_function.h"
#include "common/plan/binder/relation.h"
#include "common/plan/expressions/call_factory.h"
#include "common/planner/logical_rewrite.h"
#include "common/planner/optimizer.h"

namespace thalweg {
namespace {

/// Columns of `node` that tell its rows apart: the primary key of the table it reads, or the keys of its groups; empty if there
/// are none, or not all of them are left.
std::vector<int> primaryKeyOf(const LogicalNode& node) {
  if (node.kind == LogicalKind::SCAN) {
    std::vector<int> key;
    for (const std::string& name : node.as<LogicalScan>().table->definition.primary_key) key.push_back(node.schema.indexOf(name));
    return key;
  }
  if (node.kind == LogicalKind::FILTER) return primaryKeyOf(*node.inputs[0]);
  if (node.kind == LogicalKind::JOIN) {
    const JoinType type = node.as<LogicalJoin>().type;
    return type == JoinType::SEMI || type == JoinType::ANTI ? primaryKeyOf(*node.inputs[0]) : std::vector<int>{};
  }
  if (node.kind == LogicalKind::AGGREGATE) {
    const auto& groups = node.as<LogicalAggregate>();
    std::vector<int> key;
    if (!groups.grouping_sets.empty() || groups.group_window) return key;
    for (size_t i = 0; i < groups.keys.size(); ++i) key.push_back(static_cast<int>(i));
    return key;
  }
  if (node.kind != LogicalKind::PROJECT) return {};
  const auto& expressions = node.as<LogicalProject>().expressions;
  std::vector<int> key;
  for (const int below : primaryKeyOf(*node.inputs[0])) {
    const auto same = std::find_if(expressions.begin(), expressions.end(),
                                   [&](const BoundExprPtr& e) { return e->isColumn() && e->index == below; });
    if (same == expressions.end()) return {};
    key.push_back(static_cast<int>(same - expressions.begin()));
  }
  return key;
}

bool isOneRowsValue(const AggregateCallSpec& call) {
  const std::string& name = call.function->name;
  return (name == "SUM" || name == "MIN" || name == "MAX") && call.filter < 0;
}

bool groupsByKey(const LogicalAggregate& aggregate) {
  if (!aggregate.grouping_sets.empty() || aggregate.group_window) return false;
  if (!std::all_of(aggregate.calls.begin(), aggregate.calls.end(), isOneRowsValue)) return false;
  const LogicalNode& input = *aggregate.inputs[0];
  const bool timed = std::any_of(aggregate.keys.begin(), aggregate.keys.end(), [&](int key) {
    return input.schema.column(static_cast<size_t>(key)).time != TimeAttribute::NONE;
  });
  const std::vector<int> unique = primaryKeyOf(input);
  return !timed && !unique.empty() && std::all_of(unique.begin(), unique.end(), [&](int column) {
    return std::find(aggregate.keys.begin(), aggregate.keys.end(), column) != aggregate.keys.end();
  });
}

}  // namespace

Result<LogicalNodePtr> projectUniqueGroups(const LogicalNodePtr& root, const PlannerSettings& settings) {
  const auto zone = TimeZone::of(settings.configuration.getString("table.local-time-zone"));
  const CallFactory calls(zone.isOk() ? *zone : TimeZone());
  BottomUpRewrite rewrite([&calls](const LogicalNodePtr& node) -> Result<LogicalNodePtr> {
    if (node->kind != LogicalKind::AGGREGATE) return node;
    const auto& aggregate = node->as<LogicalAggregate>();
    if (!groupsByKey(aggregate)) return node;
    const Schema& input = node->inputs[0]->schema;
    std::vector<BoundExprPtr> columns;
    std::vector<std::string> names;
    for (const int key : aggregate.keys) columns.push_back(BoundExpr::column(key, input.type(static_cast<size_t>(key))));
    for (const AggregateCallSpec& call : aggregate.calls) {
      const BoundExprPtr value = BoundExpr::column(call.arguments[0], input.type(static_cast<size_t>(call.arguments[0])));
      columns.push_back(calls.coerce(value, call.result_type));
    }
    for (const Column& column : node->schema.columns()) names.push_back(column.name);
    return project(node->inputs[0], std::move(columns), std::move(names));
  });
  return rewrite.apply(root);
}

}  // namespace thalweg
