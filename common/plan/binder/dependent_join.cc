// The general way to take a sub-query's outer references out: evaluate it for every different set of outer values.
//
// D is the outer plan's correlated columns, each combination once. attach(node) gives a plan with the node's columns
// followed by D's, whose rows for a combination of D are the node's rows when the outer references have those
// values: leaves are crossed with D, operators carry D along as a key. The join that uses the result compares D with
// the outer row. Works for every operator below; costs a distinct over the outer rows, so flatten() comes first.
// After: T. Neumann, A. Kemper, Unnesting Arbitrary Queries, 2015.
#include <algorithm>
#include <set>

#include "common/plan/binder/decorrelate.h"
#include "common/plan/binder/relation.h"

namespace thalweg {
namespace {

bool isOuter(const BoundExpr& expr) { return expr.isColumn() && expr.index >= kOuterStride; }

void collectOuter(const BoundExprPtr& expr, std::set<int>& columns) {
  if (!expr) return;
  if (isOuter(*expr) && expr->index < 2 * kOuterStride) columns.insert(expr->index - kOuterStride);
  for (const BoundExprPtr& arg : expr->args) collectOuter(arg, columns);
}

/// Outer columns of level 1 that a plan reads.
void collectOuter(const LogicalNode& node, std::set<int>& columns) {
  switch (node.kind) {
    case LogicalKind::PROJECT:
      for (const auto& expr : node.as<LogicalProject>().expressions) collectOuter(expr, columns);
      break;
    case LogicalKind::FILTER: collectOuter(node.as<LogicalFilter>().condition, columns); break;
    case LogicalKind::JOIN: collectOuter(node.as<LogicalJoin>().condition, columns); break;
    case LogicalKind::UNNEST:
      collectOuter(node.as<LogicalUnnest>().unnest.collection, columns);
      collectOuter(node.as<LogicalUnnest>().unnest.condition, columns);
      break;
    default: break;
  }
  for (const LogicalNodePtr& input : node.inputs) collectOuter(*input, columns);
}

Status cannot(const char* what) {
  return Status::notSupported(std::string("a correlated sub-query with ") + what + " is not built");
}

class DependentJoin {
 public:
  DependentJoin(const CallFactory& calls, const LogicalNodePtr& outer, const std::set<int>& columns)
      : calls_(calls), outer_columns_(columns.begin(), columns.end()) {
    std::vector<BoundExprPtr> expressions;
    std::vector<std::string> names;
    for (int column : outer_columns_) {
      expressions.push_back(BoundExpr::column(column, outer->schema.type(static_cast<size_t>(column))));
      names.push_back("$d" + std::to_string(names.size()));
    }
    domain_ = distinct(project(outer, std::move(expressions), std::move(names)));
  }

  Result<Flattened> run(const LogicalNodePtr& sub, const LogicalNodePtr& outer) {
    Flattened result;
    ASSIGN_OR_RETURN(result.node, attach(sub));
    size_t width = sub->schema.size();
    std::vector<BoundExprPtr> columns = identityColumns(result.node->schema);
    result.outputs.assign(columns.begin(), columns.begin() + static_cast<ptrdiff_t>(width));
    for (size_t i = 0; i < outer_columns_.size(); ++i) {
      int column = outer_columns_[i];
      BoundExprPtr outside = BoundExpr::column(column + kOuterStride, outer->schema.type(static_cast<size_t>(column)));
      ASSIGN_OR_RETURN(BoundExprPtr same, equal(columns[width + i], outside));
      result.predicates.push_back(std::move(same));
    }
    return result;
  }

 private:
  size_t domainWidth() const { return outer_columns_.size(); }

  Result<BoundExprPtr> equal(const BoundExprPtr& a, const BoundExprPtr& b) {
    bool nullable = a->type.nullable() || b->type.nullable();
    return calls_.compare(nullable ? "IS NOT DISTINCT FROM" : "=", a, b, {});
  }

  /// Columns of the node as they are, outer references of level 1 read from D at `domain`, further ones a level nearer.
  BoundExprPtr localize(const BoundExprPtr& expr, size_t domain) const {
    if (!expr) return nullptr;
    if (expr->isColumn()) {
      if (!isOuter(*expr)) return expr;
      auto copy = std::make_shared<BoundExpr>(*expr);
      copy->index -= kOuterStride;
      if (copy->index < kOuterStride) {
        auto place = std::find(outer_columns_.begin(), outer_columns_.end(), copy->index);
        copy->index = static_cast<int>(domain + static_cast<size_t>(place - outer_columns_.begin()));
      }
      return copy;
    }
    if (expr->args.empty()) return expr;
    auto copy = std::make_shared<BoundExpr>(*expr);
    for (BoundExprPtr& arg : copy->args) arg = localize(arg, domain);
    return copy;
  }

  /// A projection of `node` to the columns named, in that order.
  static LogicalNodePtr pick(LogicalNodePtr node, const std::vector<size_t>& columns) {
    std::vector<BoundExprPtr> expressions;
    std::vector<std::string> names;
    for (size_t column : columns) {
      expressions.push_back(BoundExpr::column(static_cast<int>(column), node->schema.type(column)));
      names.push_back(node->schema.column(column).name);
    }
    return project(std::move(node), std::move(expressions), std::move(names));
  }

  static void appendRange(std::vector<size_t>& list, size_t begin, size_t count) {
    for (size_t i = 0; i < count; ++i) list.push_back(begin + i);
  }

  Result<LogicalNodePtr> attach(const LogicalNodePtr& node) {
    if (!hasOuterReference(*node)) return join(node, domain_, JoinType::INNER, nullptr);
    switch (node->kind) {
      case LogicalKind::FILTER: {
        const auto& f = node->as<LogicalFilter>();
        ASSIGN_OR_RETURN(LogicalNodePtr input, attach(f.inputs[0]));
        return filter(std::move(input), {localize(f.condition, node->schema.size())});
      }
      case LogicalKind::PROJECT: return onProject(node->as<LogicalProject>());
      case LogicalKind::JOIN: return onJoin(node->as<LogicalJoin>());
      case LogicalKind::AGGREGATE: return onAggregate(node->as<LogicalAggregate>());
      case LogicalKind::OVER: return onOver(node->as<LogicalOver>());
      case LogicalKind::SORT: return onSort(node->as<LogicalSort>());
      case LogicalKind::SET_OP: return onSetOp(node->as<LogicalSetOp>());
      case LogicalKind::UNNEST: return onUnnest(node->as<LogicalUnnest>());
      case LogicalKind::WINDOW_TVF: return cannot("a window table function");
      case LogicalKind::TEMPORAL: return cannot("FOR SYSTEM_TIME AS OF");
      default: return cannot("this construct");
    }
  }

  Result<LogicalNodePtr> onProject(const LogicalProject& node) {
    ASSIGN_OR_RETURN(LogicalNodePtr input, attach(node.inputs[0]));
    size_t width = node.inputs[0]->schema.size();
    std::vector<BoundExprPtr> expressions;
    std::vector<std::string> names = columnNames(node.schema);
    for (const BoundExprPtr& expression : node.expressions) expressions.push_back(localize(expression, width));
    for (size_t i = width; i < input->schema.size(); ++i) {
      expressions.push_back(BoundExpr::column(static_cast<int>(i), input->schema.type(i)));
      names.push_back(input->schema.column(i).name);
    }
    return project(std::move(input), std::move(expressions), std::move(names));
  }

  /// D comes from the left side; a right side that needs it has its own copy, equal to the left's.
  Result<LogicalNodePtr> onJoin(const LogicalJoin& node) {
    if (node.type == JoinType::RIGHT || node.type == JoinType::FULL) return cannot("RIGHT or FULL JOIN");
    ASSIGN_OR_RETURN(LogicalNodePtr left, attach(node.inputs[0]));
    size_t left_width = node.inputs[0]->schema.size();
    size_t right_width = node.inputs[1]->schema.size();
    size_t d = domainWidth();
    bool both = hasOuterReference(*node.inputs[1]);
    LogicalNodePtr right = node.inputs[1];
    if (both) {
      ASSIGN_OR_RETURN(right, attach(node.inputs[1]));
    }
    // Columns: left, D, right[, D]; the condition was over left, right.
    std::vector<BoundExprPtr> moved;
    for (size_t i = 0; i < left_width; ++i) moved.push_back(BoundExpr::column(static_cast<int>(i), left->schema.type(i)));
    for (size_t i = 0; i < right_width; ++i) {
      moved.push_back(BoundExpr::column(static_cast<int>(left_width + d + i), right->schema.type(i)));
    }
    std::vector<BoundExprPtr> conditions;
    if (node.condition) conditions.push_back(localizeJoin(node.condition, moved, left_width));
    for (size_t i = 0; both && i < d; ++i) {
      ASSIGN_OR_RETURN(BoundExprPtr same,
                       equal(BoundExpr::column(static_cast<int>(left_width + i), left->schema.type(left_width + i)),
                             BoundExpr::column(static_cast<int>(left_width + d + right_width + i), right->schema.type(right_width + i))));
      conditions.push_back(std::move(same));
    }
    BoundExprPtr condition = conditions.empty() ? nullptr : BoundExpr::conjunction(std::move(conditions));
    LogicalNodePtr joined = join(left, right, node.type, std::move(condition));
    if (node.null_aware_anti) const_cast<LogicalJoin&>(joined->as<LogicalJoin>()).null_aware_anti = true;
    if (node.type == JoinType::SEMI || node.type == JoinType::ANTI) return joined;
    std::vector<size_t> order;
    appendRange(order, 0, left_width);
    appendRange(order, left_width + d, right_width);
    appendRange(order, left_width, d);
    return pick(std::move(joined), order);
  }

  BoundExprPtr localizeJoin(const BoundExprPtr& expr, const std::vector<BoundExprPtr>& moved, size_t domain) const {
    if (expr->isColumn()) return isOuter(*expr) ? localize(expr, domain) : moved[static_cast<size_t>(expr->index)];
    if (expr->args.empty()) return expr;
    auto copy = std::make_shared<BoundExpr>(*expr);
    for (BoundExprPtr& arg : copy->args) arg = localizeJoin(arg, moved, domain);
    return copy;
  }

  Result<LogicalNodePtr> onAggregate(const LogicalAggregate& node) {
    if (node.group_window) return cannot("a group window");
    ASSIGN_OR_RETURN(LogicalNodePtr input, attach(node.inputs[0]));
    size_t width = node.inputs[0]->schema.size();
    size_t own = node.keys.size();
    size_t d = domainWidth();
    std::vector<int> keys = node.keys;
    std::vector<std::vector<int>> sets = node.grouping_sets;
    std::vector<Column> columns(node.schema.columns().begin(), node.schema.columns().begin() + static_cast<ptrdiff_t>(own));
    for (size_t i = 0; i < d; ++i) {
      for (auto& set : sets) set.push_back(static_cast<int>(keys.size()));
      keys.push_back(static_cast<int>(width + i));
      columns.push_back(input->schema.column(width + i));
    }
    columns.insert(columns.end(), node.schema.columns().begin() + static_cast<ptrdiff_t>(own), node.schema.columns().end());
    bool global = own == 0 && sets.empty();
    size_t rest = node.schema.size() - own;
    LogicalNodePtr aggregate = std::make_shared<LogicalAggregate>(std::move(input), std::move(keys), std::move(sets),
                                                                  node.calls, Schema(std::move(columns)));
    if (global) return withEmptyGroups(std::move(aggregate), node);
    std::vector<size_t> order;
    appendRange(order, 0, own);
    appendRange(order, own + d, rest);
    appendRange(order, own, d);
    return pick(std::move(aggregate), order);
  }

  /// A global aggregate has a row for every combination, also for those without input: counts 0, else NULL.
  Result<LogicalNodePtr> withEmptyGroups(LogicalNodePtr aggregate, const LogicalAggregate& node) {
    size_t d = domainWidth();
    std::vector<BoundExprPtr> conditions;
    for (size_t i = 0; i < d; ++i) {
      BoundExprPtr a = BoundExpr::column(static_cast<int>(i), domain_->schema.type(i));
      BoundExprPtr b = BoundExpr::column(static_cast<int>(d + i), aggregate->schema.type(i));
      ASSIGN_OR_RETURN(BoundExprPtr same, equal(a, b));
      conditions.push_back(std::move(same));
    }
    BoundExprPtr condition = conditions.empty() ? nullptr : BoundExpr::conjunction(std::move(conditions));
    LogicalNodePtr joined = join(domain_, aggregate, JoinType::LEFT, std::move(condition));
    std::vector<BoundExprPtr> expressions;
    std::vector<std::string> names = columnNames(node.schema);
    for (size_t i = 0; i < node.calls.size(); ++i) {
      size_t column = 2 * d + i;
      BoundExprPtr value = BoundExpr::column(static_cast<int>(column), joined->schema.type(column));
      const AggregateCallSpec& call = node.calls[i];
      if (call.function->never_null && call.result_type.isInteger()) {
        BoundExprPtr zero = BoundExpr::literal(Value::integer(0), call.result_type);
        ASSIGN_OR_RETURN(value, calls_.call("COALESCE", {std::move(value), std::move(zero)}, {}));
      }
      expressions.push_back(std::move(value));
    }
    for (size_t i = 0; i < d; ++i) {
      expressions.push_back(BoundExpr::column(static_cast<int>(i), joined->schema.type(i)));
      names.push_back(domain_->schema.column(i).name);
    }
    return project(std::move(joined), std::move(expressions), std::move(names));
  }

  Result<LogicalNodePtr> onOver(const LogicalOver& node) {
    ASSIGN_OR_RETURN(LogicalNodePtr input, attach(node.inputs[0]));
    return overOf(std::move(input), node.inputs[0]->schema.size(), node.window, node.calls, node.schema);
  }

  /// OVER within each combination of D: columns input, results, D.
  LogicalNodePtr overOf(LogicalNodePtr input, size_t width, OverAggregateSpec window, std::vector<LogicalOver::Call> calls,
                        const Schema& output) {
    size_t d = domainWidth();
    for (size_t i = 0; i < d; ++i) window.partition_keys.push_back(static_cast<int>(width + i));
    std::vector<Column> columns = input->schema.columns();
    size_t made = calls.size();
    for (size_t i = output.size() - made; i < output.size(); ++i) columns.push_back(output.column(i));
    LogicalNodePtr over =
        std::make_shared<LogicalOver>(std::move(input), std::move(window), std::move(calls), Schema(std::move(columns)));
    std::vector<size_t> order;
    appendRange(order, 0, width);
    appendRange(order, width + d, made);
    appendRange(order, width, d);
    return pick(std::move(over), order);
  }

  Result<LogicalNodePtr> onSort(const LogicalSort& node) {
    ASSIGN_OR_RETURN(LogicalNodePtr input, attach(node.inputs[0]));
    if (!node.fetch && node.offset == 0) return input;
    size_t width = node.inputs[0]->schema.size();
    OverAggregateSpec window;
    window.order_by = node.keys;
    window.following = 0;
    LogicalOver::Call call;
    call.function = "ROW_NUMBER";
    call.aggregate.result_type = DataType::bigint(false);
    call.aggregate.name = "$rank";
    std::vector<Column> columns = node.schema.columns();
    columns.push_back({"$rank", DataType::bigint(false)});
    LogicalNodePtr ranked = overOf(std::move(input), width, std::move(window), {std::move(call)}, Schema(std::move(columns)));
    BoundExprPtr rank = BoundExpr::column(static_cast<int>(width), DataType::bigint(false));
    const auto number = [](int64_t value) { return BoundExpr::literal(Value::integer(value), DataType::bigint(false)); };
    std::vector<BoundExprPtr> limits;
    ASSIGN_OR_RETURN(BoundExprPtr from, calls_.compare(">", rank, number(node.offset), {}));
    limits.push_back(std::move(from));
    if (node.fetch) {
      ASSIGN_OR_RETURN(BoundExprPtr to, calls_.compare("<=", rank, number(node.offset + *node.fetch), {}));
      limits.push_back(std::move(to));
    }
    std::vector<size_t> order;
    appendRange(order, 0, width);
    appendRange(order, width + 1, domainWidth());
    return pick(filter(std::move(ranked), std::move(limits)), order);
  }

  Result<LogicalNodePtr> onSetOp(const LogicalSetOp& node) {
    std::vector<LogicalNodePtr> inputs;
    for (const LogicalNodePtr& input : node.inputs) {
      ASSIGN_OR_RETURN(LogicalNodePtr attached, attach(input));
      inputs.push_back(std::move(attached));
    }
    std::vector<Column> columns = node.schema.columns();
    for (const Column& column : domain_->schema.columns()) columns.push_back(column);
    return std::make_shared<LogicalSetOp>(std::move(inputs), node.op, node.all, Schema(std::move(columns)));
  }

  Result<LogicalNodePtr> onUnnest(const LogicalUnnest& node) {
    ASSIGN_OR_RETURN(LogicalNodePtr input, attach(node.inputs[0]));
    size_t width = node.inputs[0]->schema.size();
    size_t d = domainWidth();
    size_t elements = node.schema.size() - width;
    UnnestSpec unnest = node.unnest;
    unnest.collection = localize(unnest.collection, width);
    if (unnest.condition) {
      std::vector<BoundExprPtr> moved;
      for (size_t i = 0; i < node.schema.size(); ++i) {
        moved.push_back(BoundExpr::column(static_cast<int>(i < width ? i : i + d), node.schema.type(i)));
      }
      unnest.condition = localizeJoin(unnest.condition, moved, width);
    }
    std::vector<Column> columns = input->schema.columns();
    for (size_t i = width; i < node.schema.size(); ++i) columns.push_back(node.schema.column(i));
    LogicalNodePtr made = std::make_shared<LogicalUnnest>(std::move(input), std::move(unnest), Schema(std::move(columns)));
    std::vector<size_t> order;
    appendRange(order, 0, width);
    appendRange(order, width + d, elements);
    appendRange(order, width, d);
    return pick(std::move(made), order);
  }

  const CallFactory& calls_;
  std::vector<int> outer_columns_;
  LogicalNodePtr domain_;
};

}  // namespace

Result<Flattened> correlate(const CallFactory& calls, const LogicalNodePtr& outer, const LogicalNodePtr& sub) {
  std::set<int> columns;
  collectOuter(*sub, columns);
  return DependentJoin(calls, outer, columns).run(sub, outer);
}

Result<Flattened> flattenOrCorrelate(const CallFactory& calls, const LogicalNodePtr& outer, const LogicalNodePtr& sub) {
  auto flattened = flatten(calls, sub);
  if (flattened.isOk() || flattened.status().code() != StatusCode::NOT_SUPPORTED) return flattened;
  return correlate(calls, outer, sub);
}

}  // namespace thalweg
