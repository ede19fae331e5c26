#include "common/planner/required_columns.h"

#include <algorithm>

namespace thalweg {
namespace {

ColumnUse wholeUse() {
  ColumnUse use;
  use.whole = true;
  return use;
}

void require(NodeUse& use, int column) {
  if (column >= 0) use[static_cast<size_t>(column)].whole = true;
}

void requireAllOf(NodeUse& use, const std::vector<int>& columns) {
  for (const int column : columns) require(use, column);
}

void requireSort(NodeUse& use, const std::vector<SortKey>& keys) {
  for (const SortKey& key : keys) require(use, key.column);
}

void requireCall(NodeUse& use, const AggregateCallSpec& call) {
  requireAllOf(use, call.arguments);
  require(use, call.filter);
  requireSort(use, call.order_by);
}

void requireMatch(NodeUse& use, const MatchSpec& match) {
  requireAllOf(use, match.partition_keys);
  requireSort(use, match.order_by);
  require(use, match.time_column);
  const auto requireValues = [&](const std::vector<MatchValue>& values) {
    for (const MatchValue& value : values) {
      require(use, value.column);
      requireCall(use, value.call);
    }
  };
  for (const MatchVariable& variable : match.pattern) requireValues(variable.values);
  requireValues(match.measure_values);
}

}  // namespace

void collectUse(const BoundExpr& expr, NodeUse& use) { collectUse(expr, wholeUse(), use); }

void collectUse(const BoundExpr& expr, const ColumnUse& result, NodeUse& use) {
  if (expr.isColumn()) {
    use[static_cast<size_t>(expr.index)].add(result);
    return;
  }
  if (expr.kind == BoundKind::FIELD) {
    ColumnUse below;
    if (result.whole) below.paths.insert({expr.index});
    for (std::vector<int> path : result.paths) {
      path.insert(path.begin(), expr.index);
      below.paths.insert(std::move(path));
    }
    collectUse(*expr.args[0], below, use);
    return;
  }
  for (const auto& arg : expr.args) collectUse(*arg, wholeUse(), use);
}

RequiredColumns::RequiredColumns(const std::vector<LogicalNodePtr>& roots, bool whole_below_over)
    : whole_below_over_(whole_below_over) {
  for (const auto& root : roots) order(root);
  for (const auto& root : roots) requireAll(*root);
  for (auto node = inputs_first_.rbegin(); node != inputs_first_.rend(); ++node) visit(**node);
}

void RequiredColumns::order(const LogicalNodePtr& node) {
  if (!uses_.emplace(node.get(), NodeUse(node->schema.size())).second) return;
  for (const auto& input : node->inputs) order(input);
  inputs_first_.push_back(node.get());
}

NodeUse& RequiredColumns::useOf(const LogicalNode& node) { return uses_.at(&node); }

void RequiredColumns::requireAll(const LogicalNode& node) {
  for (ColumnUse& column : useOf(node)) column.whole = true;
}

void RequiredColumns::visit(const LogicalNode& node) {
  const NodeUse use = useOf(node);
  const auto passThrough = [&](size_t count) {
    NodeUse& below = useOf(*node.inputs[0]);
    for (size_t i = 0; i < count; ++i) below[i].add(use[i]);
  };
  switch (node.kind) {
    case LogicalKind::SCAN:
    case LogicalKind::VALUES: break;
    case LogicalKind::PROJECT: {
      const auto& project = node.as<LogicalProject>();
      for (size_t i = 0; i < use.size(); ++i) {
        if (use[i].used()) collectUse(*project.expressions[i], use[i], useOf(*node.inputs[0]));
      }
      break;
    }
    case LogicalKind::FILTER:
      passThrough(use.size());
      collectUse(*node.as<LogicalFilter>().condition, useOf(*node.inputs[0]));
      break;
    case LogicalKind::AGGREGATE: {
      const auto& aggregate = node.as<LogicalAggregate>();
      NodeUse& below = useOf(*node.inputs[0]);
      requireAllOf(below, aggregate.keys);
      for (const auto& call : aggregate.calls) requireCall(below, call);
      if (aggregate.group_window) require(below, aggregate.group_window->time_column);
      break;
    }
    case LogicalKind::WINDOW_TVF: {
      const auto& window = node.as<LogicalWindowTvf>().window;
      passThrough(node.inputs[0]->schema.size());
      require(useOf(*node.inputs[0]), window.time_column);
      requireAllOf(useOf(*node.inputs[0]), window.partition_keys);
      break;
    }
    case LogicalKind::JOIN: {
      const auto& join = node.as<LogicalJoin>();
      NodeUse both(node.inputs[0]->schema.size() + node.inputs[1]->schema.size());
      for (size_t i = 0; i < use.size(); ++i) {
        if (use[i].used()) both[i].whole = true;
      }
      if (join.condition) collectUse(*join.condition, both);
      const auto split = static_cast<long>(node.inputs[0]->schema.size());
      NodeUse& left = useOf(*node.inputs[0]);
      for (size_t i = 0; i < left.size(); ++i) left[i].add(both[i]);
      NodeUse& right = useOf(*node.inputs[1]);
      for (size_t i = 0; i < right.size(); ++i) right[i].add(both[static_cast<size_t>(split) + i]);
      if (node.inputs[1]->kind == LogicalKind::TEMPORAL) {
        const BoundExpr& time = *node.inputs[1]->as<LogicalTemporal>().time;
        const bool by_clock = time.isColumn() && node.inputs[0]->schema.column(static_cast<size_t>(time.index)).time == TimeAttribute::PROCTIME;
        if (!by_clock) collectUse(time, left);
      }
      break;
    }
    case LogicalKind::TEMPORAL: requireAll(*node.inputs[0]); break;
    case LogicalKind::UNNEST: {
      const auto& unnest = node.as<LogicalUnnest>().unnest;
      passThrough(node.inputs[0]->schema.size());
      NodeUse& below = useOf(*node.inputs[0]);
      collectUse(*unnest.collection, below);
      if (unnest.condition) {
        NodeUse all(node.schema.size());
        collectUse(*unnest.condition, all);
        for (size_t i = 0; i < below.size(); ++i) below[i].add(all[i]);
      }
      break;
    }
    case LogicalKind::SORT:
      if (whole_below_over_) requireAll(*node.inputs[0]);
      passThrough(use.size());
      requireSort(useOf(*node.inputs[0]), node.as<LogicalSort>().keys);
      break;
    case LogicalKind::SET_OP:
      for (const auto& input : node.inputs) {
        NodeUse& below = useOf(*input);
        for (size_t i = 0; i < use.size(); ++i) {
          if (use[i].used()) below[i].whole = true;
        }
      }
      break;
    case LogicalKind::OVER: {
      const auto& over = node.as<LogicalOver>();
      NodeUse& below = useOf(*node.inputs[0]);
      if (whole_below_over_) requireAll(*node.inputs[0]);
      passThrough(below.size());
      requireAllOf(below, over.window.partition_keys);
      requireSort(below, over.window.order_by);
      require(below, over.window.time_column);
      for (const auto& call : over.calls) requireCall(below, call.aggregate);
      break;
    }
    case LogicalKind::MATCH: requireMatch(useOf(*node.inputs[0]), node.as<LogicalMatch>().match); break;
    case LogicalKind::CHANGELOG:
    case LogicalKind::SINK: requireAll(*node.inputs[0]); break;
  }
}

}  // namespace thalweg
