// How flatten() works: bottom-up, each node hands up a Flattened. Predicates with outer references climb: through
// projections by remembering outputs as expressions, through inner joins by concatenation, through an aggregate if
// they are equalities `inner = outer`: then inner becomes a key, and the predicate compares the key. A global
// aggregate has a row even where nothing matches; the join that uses it is a LEFT JOIN, and counts of a padded row
// are 0.
#include "common/plan/binder/decorrelate.h"

#include <algorithm>

#include "common/functions/function_registry.h"
#include "common/plan/binder/relation.h"

namespace thalweg {
namespace {

bool isOuter(const BoundExpr& expr) { return expr.isColumn() && expr.index >= kOuterStride; }

/// Columns of this level replaced; outer references stay.
BoundExprPtr substituteLocal(const BoundExprPtr& expr, const std::vector<BoundExprPtr>& replacement) {
  if (expr->isColumn()) return isOuter(*expr) ? expr : replacement[static_cast<size_t>(expr->index)];
  if (expr->args.empty()) return expr;
  auto copy = std::make_shared<BoundExpr>(*expr);
  for (BoundExprPtr& arg : copy->args) arg = substituteLocal(arg, replacement);
  return copy;
}

bool hasLocalColumn(const BoundExpr& expr) {
  if (expr.isColumn()) return !isOuter(expr);
  return std::any_of(expr.args.begin(), expr.args.end(), [](const BoundExprPtr& arg) { return hasLocalColumn(*arg); });
}

Status cannot(const char* what) {
  return Status::notSupported(std::string("a correlated sub-query with ") + what + " is not built");
}

class Flattener {
 public:
  explicit Flattener(const CallFactory& calls) : calls_(calls) {}

  Result<Flattened> run(const LogicalNodePtr& node) {
    if (!hasOuterReference(*node) && !isGlobalAggregate(*node)) {
      return Flattened{node, identityColumns(node->schema), {}, false};
    }
    switch (node->kind) {
      case LogicalKind::FILTER: return onFilter(node->as<LogicalFilter>());
      case LogicalKind::PROJECT: return onProject(node->as<LogicalProject>());
      case LogicalKind::JOIN: return onJoin(node->as<LogicalJoin>());
      case LogicalKind::AGGREGATE: return onAggregate(node->as<LogicalAggregate>());
      case LogicalKind::SORT: return onSort(node->as<LogicalSort>());
      case LogicalKind::OVER: return onOver(node->as<LogicalOver>());
      case LogicalKind::SET_OP: return cannot("a set operation below");
      case LogicalKind::UNNEST: return cannot("UNNEST of an outer column");
      case LogicalKind::WINDOW_TVF: return cannot("a window table function");
      default: return cannot("this construct");
    }
  }

 private:
  static bool isGlobalAggregate(const LogicalNode& node) {
    if (node.kind == LogicalKind::PROJECT) return isGlobalAggregate(*node.inputs[0]);
    if (node.kind != LogicalKind::AGGREGATE) return false;
    const auto& aggregate = node.as<LogicalAggregate>();
    return aggregate.keys.empty() && !aggregate.group_window && aggregate.grouping_sets.empty();
  }

  Result<Flattened> onFilter(const LogicalFilter& node) {
    ASSIGN_OR_RETURN(Flattened f, run(node.inputs[0]));
    if (f.one_row) return cannot("HAVING over a global aggregate");
    std::vector<BoundExprPtr> here;
    for (const BoundExprPtr& part : splitConjunction(substituteLocal(node.condition, f.outputs))) {
      (hasOuterReference(*part) ? f.predicates : here).push_back(part);
    }
    f.node = filter(std::move(f.node), std::move(here));
    return f;
  }

  Result<Flattened> onProject(const LogicalProject& node) {
    ASSIGN_OR_RETURN(Flattened f, run(node.inputs[0]));
    std::vector<BoundExprPtr> outputs;
    for (const BoundExprPtr& expression : node.expressions) outputs.push_back(substituteLocal(expression, f.outputs));
    f.outputs = std::move(outputs);
    return f;
  }

  Result<Flattened> onJoin(const LogicalJoin& node) {
    ASSIGN_OR_RETURN(Flattened left, run(node.inputs[0]));
    if (left.one_row) return cannot("a join of a global aggregate");
    bool semi = node.type == JoinType::SEMI || node.type == JoinType::ANTI;
    if (node.type != JoinType::INNER) {
      bool right_correlated = hasOuterReference(*node.inputs[1]) || (node.condition && hasOuterReference(*node.condition));
      if (right_correlated || node.type == JoinType::RIGHT || node.type == JoinType::FULL) {
        return cannot("an outer, semi or anti join that sees the outer query");
      }
    }
    Flattened right{node.inputs[1], identityColumns(node.inputs[1]->schema), {}, false};
    if (node.type == JoinType::INNER) {
      ASSIGN_OR_RETURN(right, run(node.inputs[1]));
      if (right.one_row) return cannot("a join of a global aggregate");
    }
    int offset = static_cast<int>(left.node->schema.size());
    Flattened result;
    std::vector<BoundExprPtr> all = left.outputs;
    for (const BoundExprPtr& output : right.outputs) all.push_back(shiftColumns(output, offset));
    result.predicates = left.predicates;
    for (const BoundExprPtr& predicate : right.predicates) result.predicates.push_back(shiftColumns(predicate, offset));
    std::vector<BoundExprPtr> here;
    if (node.condition) {
      for (const BoundExprPtr& part : splitConjunction(substituteLocal(node.condition, all))) {
        (hasOuterReference(*part) ? result.predicates : here).push_back(part);
      }
    }
    BoundExprPtr condition = here.empty() ? nullptr : BoundExpr::conjunction(std::move(here));
    result.node = join(left.node, right.node, node.type, std::move(condition));
    if (node.null_aware_anti) const_cast<LogicalJoin&>(result.node->as<LogicalJoin>()).null_aware_anti = true;
    if (semi) all.resize(left.outputs.size());
    for (size_t i = left.outputs.size(); i < all.size(); ++i) all[i] = retyped(all[i], result.node->schema);
    result.outputs = std::move(all);
    return result;
  }

  static BoundExprPtr retyped(const BoundExprPtr& expr, const Schema& schema) {
    if (!expr->isColumn() || isOuter(*expr)) return expr;
    return BoundExpr::column(expr->index, schema.type(static_cast<size_t>(expr->index)));
  }

  /// The inner sides of predicates `inner = outer`, each of which becomes a column that a row's group depends on.
  struct Correlation {
    std::vector<BoundExprPtr> inner;
    std::vector<BoundExprPtr> predicates;  ///< with -1 - i standing for inner[i]'s column: filled by rewire()
    std::vector<size_t> inner_of;          ///< per predicate: its inner, or npos for one without columns of ours
  };

  Result<Correlation> correlationOf(const Flattened& f) {
    Correlation c;
    for (const BoundExprPtr& predicate : f.predicates) {
      c.predicates.push_back(predicate);
      if (!hasLocalColumn(*predicate)) {
        c.inner_of.push_back(std::string::npos);
        continue;
      }
      bool equality = predicate->kind == BoundKind::CALL && predicate->args.size() == 2 &&
                      (predicate->function->name == "=" || predicate->function->name == "IS NOT DISTINCT FROM");
      if (!equality) return cannot("an aggregate or a limit and a correlation other than `inner = outer`");
      bool first = !hasOuterReference(*predicate->args[0]) && !hasLocalColumn(*predicate->args[1]);
      bool second = !hasOuterReference(*predicate->args[1]) && !hasLocalColumn(*predicate->args[0]);
      if (!first && !second) return cannot("an aggregate or a limit and a correlation other than `inner = outer`");
      c.inner_of.push_back(c.inner.size());
      c.inner.push_back(predicate->args[first ? 0 : 1]);
    }
    return c;
  }

  /// The predicates with their inner sides read from `columns`.
  static std::vector<BoundExprPtr> rewire(const Correlation& c, const std::vector<BoundExprPtr>& columns) {
    std::vector<BoundExprPtr> predicates;
    for (size_t i = 0; i < c.predicates.size(); ++i) {
      if (c.inner_of[i] == std::string::npos) {
        predicates.push_back(c.predicates[i]);
        continue;
      }
      auto copy = std::make_shared<BoundExpr>(*c.predicates[i]);
      size_t side = hasLocalColumn(*copy->args[0]) ? 0 : 1;
      copy->args[side] = columns[c.inner_of[i]];
      predicates.push_back(std::move(copy));
    }
    return predicates;
  }

  /// A node with the flattened input's outputs as columns, followed by the correlation's inner expressions.
  Result<LogicalNodePtr> materialize(const Flattened& f, const Correlation& c, const Schema& input) {
    std::vector<BoundExprPtr> expressions = f.outputs;
    std::vector<std::string> names = columnNames(input);
    for (const BoundExprPtr& output : f.outputs) {
      if (hasOuterReference(*output)) return cannot("outer columns below an aggregate or a limit");
    }
    for (const BoundExprPtr& inner : c.inner) {
      names.push_back("$k" + std::to_string(names.size()));
      expressions.push_back(inner);
    }
    return project(f.node, std::move(expressions), std::move(names));
  }

  Result<Flattened> onAggregate(const LogicalAggregate& node) {
    if (node.group_window) return cannot("a group window");
    ASSIGN_OR_RETURN(Flattened f, run(node.inputs[0]));
    if (f.one_row && !f.predicates.empty()) return cannot("an aggregate of an aggregate");
    ASSIGN_OR_RETURN(Correlation c, correlationOf(f));
    ASSIGN_OR_RETURN(LogicalNodePtr input, materialize(f, c, node.inputs[0]->schema));
    int width = static_cast<int>(node.inputs[0]->schema.size());
    size_t own_keys = node.keys.size();
    std::vector<int> keys = node.keys;
    std::vector<std::vector<int>> sets = node.grouping_sets;
    std::vector<Column> columns(node.schema.columns().begin(), node.schema.columns().begin() + static_cast<ptrdiff_t>(own_keys));
    for (size_t i = 0; i < c.inner.size(); ++i) {
      int column = width + static_cast<int>(i);
      for (auto& set : sets) set.push_back(static_cast<int>(keys.size()));
      keys.push_back(column);
      columns.push_back({input->schema.column(static_cast<size_t>(column)).name, c.inner[i]->type});
    }
    for (size_t i = own_keys; i < node.schema.size(); ++i) columns.push_back(node.schema.column(i));
    Schema schema(std::move(columns));
    auto aggregate = std::make_shared<LogicalAggregate>(std::move(input), std::move(keys), std::move(sets), node.calls, schema);
    Flattened result;
    result.one_row = own_keys == 0 && node.grouping_sets.empty();
    for (size_t i = 0; i < node.schema.size(); ++i) {
      size_t at = i < own_keys ? i : i + c.inner.size();
      BoundExprPtr output = BoundExpr::column(static_cast<int>(at), schema.type(at));
      if (result.one_row) {
        ASSIGN_OR_RETURN(output, orEmpty(std::move(output), node.calls[i]));
      }
      result.outputs.push_back(std::move(output));
    }
    std::vector<BoundExprPtr> key_columns;
    for (size_t i = 0; i < c.inner.size(); ++i) {
      key_columns.push_back(BoundExpr::column(static_cast<int>(own_keys + i), c.inner[i]->type));
    }
    result.predicates = rewire(c, key_columns);
    result.node = std::move(aggregate);
    return result;
  }

  /// What a global aggregate says of no rows: counts are 0, everything else is NULL.
  Result<BoundExprPtr> orEmpty(BoundExprPtr column, const AggregateCallSpec& call) {
    BoundExprPtr nullable = BoundExpr::column(column->index, column->type.asNullable());
    if (!call.function->never_null || !call.result_type.isInteger()) return nullable;
    return calls_.call("COALESCE", {nullable, BoundExpr::literal(Value::integer(0), call.result_type)}, {});
  }

  /// ORDER BY without a limit means nothing in a sub-query; with one it is a Top-N for each outer key.
  Result<Flattened> onSort(const LogicalSort& node) {
    ASSIGN_OR_RETURN(Flattened f, run(node.inputs[0]));
    if (!node.fetch && node.offset == 0) return f;
    if (f.one_row) return cannot("a limit over a global aggregate");
    ASSIGN_OR_RETURN(Correlation c, correlationOf(f));
    ASSIGN_OR_RETURN(LogicalNodePtr input, materialize(f, c, node.inputs[0]->schema));
    int width = static_cast<int>(node.inputs[0]->schema.size());
    OverAggregateSpec window;
    for (size_t i = 0; i < c.inner.size(); ++i) window.partition_keys.push_back(width + static_cast<int>(i));
    window.order_by = node.keys;
    window.following = 0;
    std::vector<Column> columns = input->schema.columns();
    int rank = static_cast<int>(columns.size());
    columns.push_back({"$rank", DataType::bigint(false)});
    LogicalOver::Call call;
    call.function = "ROW_NUMBER";
    call.aggregate.result_type = DataType::bigint(false);
    call.aggregate.name = "$rank";
    LogicalNodePtr over = std::make_shared<LogicalOver>(std::move(input), std::move(window), std::vector{std::move(call)},
                                                        Schema(std::move(columns)));
    BoundExprPtr rank_column = BoundExpr::column(rank, DataType::bigint(false));
    std::vector<BoundExprPtr> limits;
    const auto limit = [&](const char* op, int64_t bound) -> Status {
      ASSIGN_OR_RETURN(BoundExprPtr part, calls_.compare(op, rank_column,
                                                         BoundExpr::literal(Value::integer(bound), DataType::bigint(false)), {}));
      limits.push_back(std::move(part));
      return Status::ok();
    };
    if (node.offset > 0) RETURN_IF_ERROR(limit(">", node.offset));
    if (node.fetch) RETURN_IF_ERROR(limit("<=", node.offset + *node.fetch));
    return overResult(filter(std::move(over), std::move(limits)), c, static_cast<size_t>(width));
  }

  Result<Flattened> onOver(const LogicalOver& node) {
    ASSIGN_OR_RETURN(Flattened f, run(node.inputs[0]));
    ASSIGN_OR_RETURN(Correlation c, correlationOf(f));
    ASSIGN_OR_RETURN(LogicalNodePtr input, materialize(f, c, node.inputs[0]->schema));
    size_t width = node.inputs[0]->schema.size();
    OverAggregateSpec window = node.window;
    for (size_t i = 0; i < c.inner.size(); ++i) window.partition_keys.push_back(static_cast<int>(width + i));
    std::vector<Column> columns = input->schema.columns();
    for (size_t i = width; i < node.schema.size(); ++i) columns.push_back(node.schema.column(i));
    LogicalNodePtr over = std::make_shared<LogicalOver>(std::move(input), std::move(window), node.calls, Schema(std::move(columns)));
    ASSIGN_OR_RETURN(Flattened result, overResult(over, c, width));
    for (size_t i = width; i < node.schema.size(); ++i) {
      result.outputs.push_back(BoundExpr::column(static_cast<int>(i + c.inner.size()), node.schema.type(i)));
    }
    return result;
  }

  Result<Flattened> overResult(LogicalNodePtr node, const Correlation& c, size_t width) {
    Flattened result;
    std::vector<BoundExprPtr> columns = identityColumns(node->schema);
    result.outputs.assign(columns.begin(), columns.begin() + static_cast<ptrdiff_t>(width));
    result.predicates = rewire(c, {columns.begin() + static_cast<ptrdiff_t>(width), columns.end()});
    result.node = std::move(node);
    return result;
  }

  const CallFactory& calls_;
};

}  // namespace

bool hasOuterReference(const BoundExpr& expr) {
  if (isOuter(expr)) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), [](const BoundExprPtr& arg) { return hasOuterReference(*arg); });
}

bool hasOuterReference(const LogicalNode& node) {
  const auto any = [](const std::vector<BoundExprPtr>& exprs) {
    return std::any_of(exprs.begin(), exprs.end(), [](const BoundExprPtr& e) { return e && hasOuterReference(*e); });
  };
  bool here = false;
  switch (node.kind) {
    case LogicalKind::PROJECT: here = any(node.as<LogicalProject>().expressions); break;
    case LogicalKind::FILTER: here = hasOuterReference(*node.as<LogicalFilter>().condition); break;
    case LogicalKind::JOIN: here = any({node.as<LogicalJoin>().condition}); break;
    case LogicalKind::TEMPORAL: here = any({node.as<LogicalTemporal>().time}); break;
    case LogicalKind::UNNEST:
      here = any({node.as<LogicalUnnest>().unnest.collection, node.as<LogicalUnnest>().unnest.condition});
      break;
    default: break;
  }
  if (here) return true;
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [](const LogicalNodePtr& input) { return hasOuterReference(*input); });
}

BoundExprPtr lowerLevel(const BoundExprPtr& expr, int offset) {
  if (!expr->isColumn() && expr->args.empty()) return expr;
  auto copy = std::make_shared<BoundExpr>(*expr);
  if (copy->isColumn()) {
    copy->index = isOuter(*copy) ? copy->index - kOuterStride : copy->index + offset;
    return copy;
  }
  for (BoundExprPtr& arg : copy->args) arg = lowerLevel(arg, offset);
  return copy;
}

Result<Flattened> flatten(const CallFactory& calls, const LogicalNodePtr& node) { return Flattener(calls).run(node); }

}  // namespace thalweg
