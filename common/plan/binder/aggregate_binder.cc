#include "common/plan/binder/aggregate_binder.h"

#include <algorithm>

#include "common/plan/binder/query_binder.h"
#include "common/plan/expressions/ast_walk.h"

namespace thalweg {
namespace {

/// Every combination of one set from each list, put together.
std::vector<std::vector<int>> crossSets(const std::vector<std::vector<int>>& a, const std::vector<std::vector<int>>& b) {
  std::vector<std::vector<int>> result;
  for (const auto& x : a) {
    for (const auto& y : b) {
      std::vector<int> both = x;
      for (int key : y) {
        if (std::find(both.begin(), both.end(), key) == both.end()) both.push_back(key);
      }
      result.push_back(std::move(both));
    }
  }
  return result;
}

bool sameCall(const BoundAggregate& a, const BoundAggregate& b) {
  const auto same = [](const BoundExprPtr& x, const BoundExprPtr& y) {
    return x == y || (x && y && exprEqual(*x, *y));
  };
  if (a.spec.function != b.spec.function || a.spec.distinct != b.spec.distinct || !same(a.filter, b.filter) ||
      a.arguments.size() != b.arguments.size() || a.order.size() != b.order.size()) {
    return false;
  }
  for (size_t i = 0; i < a.arguments.size(); ++i) {
    if (!same(a.arguments[i], b.arguments[i]) || !isDeterministic(*a.arguments[i])) return false;
  }
  for (size_t i = 0; i < a.order.size(); ++i) {
    if (!same(a.order[i].first, b.order[i].first) || !(a.order[i].second == b.order[i].second)) return false;
  }
  return true;
}

/// Whether a column is the window_time of a window table function, passed on unchanged.
bool isWindowTime(const LogicalNode& node, int column) {
  switch (node.kind) {
    case LogicalKind::WINDOW_TVF: return column == static_cast<int>(node.schema.size()) - 1;
    case LogicalKind::FILTER: case LogicalKind::SORT: return isWindowTime(*node.inputs[0], column);
    case LogicalKind::PROJECT: {
      const BoundExpr& expr = *node.as<LogicalProject>().expressions[static_cast<size_t>(column)];
      return expr.isColumn() && expr.index < kOuterStride && isWindowTime(*node.inputs[0], expr.index);
    }
    case LogicalKind::AGGREGATE: {
      const auto& keys = node.as<LogicalAggregate>().keys;
      return column < static_cast<int>(keys.size()) && isWindowTime(*node.inputs[0], keys[static_cast<size_t>(column)]);
    }
    default: return false;
  }
}

}  // namespace

Status Grouping::bindGroupBy(const sql::GroupBy& group_by) {
  std::vector<std::vector<int>> sets = {{}};
  for (const sql::GroupItem& item : group_by.items) {
    if (item.kind == sql::GroupItemKind::EXPRESSION) {
      ASSIGN_OR_RETURN(bool window, bindWindowKey(*item.expressions[0]));
      if (window) continue;
    }
    ASSIGN_OR_RETURN(auto item_sets, bindItem(item));
    sets = crossSets(sets, item_sets);
  }
  if (has_sets_) {
    if (group_by.quantifier == sql::SetQuantifier::DISTINCT) {
      std::vector<std::vector<int>> different;
      for (auto& set : sets) {
        std::sort(set.begin(), set.end());
        if (std::find(different.begin(), different.end(), set) == different.end()) different.push_back(set);
      }
      sets = std::move(different);
    }
    sets_ = std::move(sets);
  }
  return Status::ok();
}

Result<std::vector<std::vector<int>>> Grouping::bindItem(const sql::GroupItem& item) {
  using Kind = sql::GroupItemKind;
  std::vector<std::vector<int>> sets;
  switch (item.kind) {
    case Kind::EMPTY:
      has_sets_ = true;
      return std::vector<std::vector<int>>{{}};
    case Kind::EXPRESSION: case Kind::COMPOSITE: {
      ASSIGN_OR_RETURN(auto keys, bindKeys(item.expressions));
      return std::vector<std::vector<int>>{keys};
    }
    case Kind::GROUPING_SETS:
      has_sets_ = true;
      for (const sql::GroupItem& part : item.items) {
        ASSIGN_OR_RETURN(auto part_sets, bindItem(part));
        sets.insert(sets.end(), part_sets.begin(), part_sets.end());
      }
      return sets;
    case Kind::ROLLUP: case Kind::CUBE: {
      has_sets_ = true;
      std::vector<std::vector<int>> elements;
      for (const sql::GroupItem& part : item.items) {
        ASSIGN_OR_RETURN(auto element, bindElement(part));
        elements.push_back(std::move(element));
      }
      size_t n = elements.size();
      if (n > 20) return Status::plan("ROLLUP and CUBE take at most 20 elements", item.position);
      for (size_t taken = n + 1; item.kind == Kind::ROLLUP && taken-- > 0;) {
        std::vector<int> set;
        for (size_t i = 0; i < taken; ++i) set.insert(set.end(), elements[i].begin(), elements[i].end());
        sets.push_back(std::move(set));
      }
      for (size_t mask = size_t{1} << n; item.kind == Kind::CUBE && mask-- > 0;) {
        std::vector<int> set;
        for (size_t i = 0; i < n; ++i) {
          if (mask & (size_t{1} << (n - 1 - i))) set.insert(set.end(), elements[i].begin(), elements[i].end());
        }
        sets.push_back(std::move(set));
      }
      return sets;
    }
  }
  return Status::internal("group item of an unknown kind");
}

Result<std::vector<int>> Grouping::bindElement(const sql::GroupItem& item) { return bindKeys(item.expressions); }

Result<std::vector<int>> Grouping::bindKeys(const std::vector<sql::ExprPtr>& exprs) {
  std::vector<int> keys;
  for (const sql::ExprPtr& expr : exprs) {
    ASSIGN_OR_RETURN(int key, bindKey(*expr));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

Result<int> Grouping::bindKey(const sql::Expr& expr) {
  ASSIGN_OR_RETURN(BoundExprPtr bound, ExpressionBinder(environment_, input_).bind(expr));
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (exprEqual(*keys_[i].bound, *bound)) return static_cast<int>(i);
  }
  Key key;
  key.ast = &expr;
  key.type = bound->type;
  key.bound = std::move(bound);
  keys_.push_back(std::move(key));
  return static_cast<int>(keys_.size()) - 1;
}

Status Grouping::gather(const sql::Expr& expr) {
  if (const sql::FunctionCall* call = asAggregateCall(expr)) return bindCall(*call);
  Status status;
  forEachPart(expr, [&](const sql::Expr& part) {
    if (status.isOk()) status = gather(part);
  });
  return status;
}

Status Grouping::bindCall(const sql::FunctionCall& call) {
  if (call_of_.contains(&call)) return Status::ok();
  ExpressionBinder binder(environment_, input_);
  ASSIGN_OR_RETURN(BoundAggregate bound, bindAggregateCall(binder, call));
  // As Flink has it, these two are NOT NULL when their argument is, but for arrays of rows.
  const std::string& name = bound.spec.function->name;
  const bool as_argument = name == "LISTAGG" || (name == "ARRAY_AGG" && bound.spec.argument_types[0].kind() != TypeKind::ROW);
  if (!bound.spec.function->never_null && !as_argument && (!hasKeys() || bound.filter)) {
    bound.spec.result_type = bound.spec.result_type.asNullable();
  }
  for (size_t i = 0; i < aggregates_.size(); ++i) {
    if (!sameCall(aggregates_[i].bound, bound)) continue;
    call_of_[&call] = i;
    return Status::ok();
  }
  call_of_[&call] = aggregates_.size();
  aggregates_.push_back({std::move(bound), -1});
  return Status::ok();
}

Result<LogicalNodePtr> Grouping::build(LogicalNodePtr node) {
  ColumnSlots slots(node, false);
  std::vector<int> key_slots;
  for (const Key& key : keys_) key_slots.push_back(slots.add(key.bound));
  int time_slot = window_ ? slots.add(window_->time) : -1;
  for (const Call& call : aggregates_) {
    for (const BoundExprPtr& arg : call.bound.arguments) slots.add(arg);
    if (call.bound.filter) slots.add(call.bound.filter);
    for (const auto& [expr, key] : call.bound.order) slots.add(expr);
  }
  LogicalNodePtr input = slots.finish();
  std::vector<Column> columns;
  std::vector<int> keys;
  for (size_t i = 0; i < keys_.size(); ++i) {
    int column = slots.column(key_slots[i]);
    keys.push_back(column);
    Key& key = keys_[i];
    key.column = static_cast<int>(columns.size());
    Column out = input->schema.column(static_cast<size_t>(column));
    const bool in_every_set = std::all_of(sets_.begin(), sets_.end(), [&](const std::vector<int>& set) {
      return std::find(set.begin(), set.end(), static_cast<int>(i)) != set.end();
    });
    if (!in_every_set) out.type = out.type.asNullable();
    key.type = out.type;
    // Grouping keeps the time of a window; any other time becomes a plain timestamp.
    if (out.time != TimeAttribute::NONE && !isWindowTime(*input, column)) out.time = TimeAttribute::NONE;
    columns.push_back(std::move(out));
  }
  if (has_sets_) {
    set_column_ = static_cast<int>(columns.size());
    columns.push_back({"$e", DataType::bigint(false)});
  }
  std::vector<AggregateCallSpec> specs;
  for (Call& call : aggregates_) {
    AggregateCallSpec spec = call.bound.spec;
    for (const BoundExprPtr& arg : call.bound.arguments) spec.arguments.push_back(slots.column(slots.add(arg)));
    if (call.bound.filter) spec.filter = slots.column(slots.add(call.bound.filter));
    for (auto [expr, key] : call.bound.order) {
      key.column = slots.column(slots.add(expr));
      spec.order_by.push_back(key);
    }
    call.column = static_cast<int>(columns.size());
    spec.name = "$a" + std::to_string(specs.size());
    columns.push_back({spec.name, spec.result_type});
    specs.push_back(std::move(spec));
  }
  std::vector<WindowAggregateSpec::Property> properties;
  if (window_) {
    using Property = WindowAggregateSpec::Property;
    property_column_ = static_cast<int>(columns.size());
    properties = {Property::WINDOW_START, Property::WINDOW_END, Property::WINDOW_TIME};
    columns.push_back({"$start", DataType::timestamp(3, false)});
    columns.push_back({"$end", DataType::timestamp(3, false)});
    DataType time = window_->spec.local_time ? DataType::timestampLtz(3) : DataType::timestamp(3);
    columns.push_back({"$time", std::move(time), window_->attribute});
  }
  output_ = Schema(std::move(columns));
  auto aggregate = std::make_shared<LogicalAggregate>(std::move(input), std::move(keys), sets_, std::move(specs), output_);
  if (window_) {
    WindowSpec spec = window_->spec;
    spec.time_column = slots.column(time_slot);
    aggregate->group_window = std::move(spec);
    aggregate->window_properties = std::move(properties);
  }
  return aggregate;
}

BoundExprPtr Grouping::column(int index) const { return BoundExpr::column(index, output_.type(static_cast<size_t>(index))); }

BoundExprPtr Grouping::resultOf(const sql::FunctionCall& call) const {
  auto found = call_of_.find(&call);
  return found == call_of_.end() ? nullptr : column(aggregates_[found->second].column);
}

bool Grouping::isKey(const BoundExpr& input_expr, BoundExprPtr& key) const {
  for (const Key& candidate : keys_) {
    if (!exprEqual(*candidate.bound, input_expr)) continue;
    key = column(candidate.column);
    return true;
  }
  return false;
}

Result<BoundExprPtr> Grouping::keyOf(const sql::Expr& expr) const {
  if (expr.kind == sql::ExprKind::LITERAL) return BoundExprPtr();
  for (const Key& candidate : keys_) {
    if (candidate.ast->kind != expr.kind) continue;
    // Bound without side effects: what stands in the expression may only be plain.
    ScopeContext quiet(scope_, outer_, "GROUP BY");
    auto bound = ExpressionBinder(environment_, quiet).bind(expr);
    BoundExprPtr key;
    if (bound.isOk() && isKey(**bound, key)) return key;
    return BoundExprPtr();
  }
  return BoundExprPtr();
}

Result<std::optional<NamedColumn>> Grouping::keyColumn(const sql::QualifiedName& name) const {
  ASSIGN_OR_RETURN(auto match, scope_.find(name));
  if (!match) return std::optional<NamedColumn>();
  BoundExprPtr key;
  if (isKey(*match->column->expr, key)) {
    return std::optional(NamedColumn{key, match->parts, scope_.aliasOf(*match->column), match->column->name});
  }
  return Status::plan("column '" + name.toString() + "' is neither a grouping key nor inside an aggregate function", name.position);
}

Result<std::optional<NamedColumn>> GroupedContext::findColumn(const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(auto key, grouping_.keyColumn(name));
  if (key || !outer_) return key;
  ASSIGN_OR_RETURN(auto outer, outer_->findColumn(name));
  if (outer) outer->expr = raiseLevel(outer->expr);
  return outer;
}

Result<NamedColumn> GroupedContext::column(const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(auto found, findColumn(name));
  if (found) return *found;
  return unknownColumn(scope_, name);
}

Result<BoundExprPtr> GroupedContext::aggregate(const sql::FunctionCall& call) {
  if (BoundExprPtr result = grouping_.resultOf(call)) return result;
  return Status::plan("aggregate function " + call.name.toString() + " is not allowed in " + clause_, call.position);
}

}  // namespace thalweg
