// Sub-queries in expressions become joins of the plan under way.
//
// IN and EXISTS as conditions of WHERE and HAVING are SEMI and ANTI joins. Elsewhere their value is a column: the
// sub-query is counted for each set of correlated values (all rows, rows with a NULL), and joined LEFT:
//   EXISTS   count > 0
//   x IN Q   FALSE if Q is empty; TRUE if x is found; NULL if x is NULL or Q has a NULL; else FALSE
// Scalar sub-queries are LEFT joins with the one row, SINGLE_VALUE making sure that it is one.
#include <algorithm>
#include <map>

#include "common/functions/function_registry.h"
#include "common/plan/binder/decorrelate.h"
#include "common/plan/binder/select_binder.h"
#include "common/plan/expressions/ast_walk.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

/// A sub-query condition with the NOTs before it counted.
struct Condition {
  const sql::Expr* expr;
  bool negated;
};

Condition stripNot(const sql::Expr& expr) {
  Condition condition{&expr, false};
  while (const auto* op = sql::tryAs<sql::OperatorCall>(*condition.expr)) {
    if (op->op != "NOT") break;
    condition.expr = op->operands[0].get();
    condition.negated = !condition.negated;
  }
  return condition;
}

/// At most one row, whatever the data: a global aggregate, LIMIT 1, one row of VALUES.
bool isSingleRow(const LogicalNode& node) {
  switch (node.kind) {
    case LogicalKind::PROJECT: case LogicalKind::FILTER: return isSingleRow(*node.inputs[0]);
    case LogicalKind::VALUES: return node.as<LogicalValues>().rows.size() <= 1;
    case LogicalKind::AGGREGATE: {
      const auto& aggregate = node.as<LogicalAggregate>();
      return aggregate.keys.empty() && aggregate.grouping_sets.empty() && !aggregate.group_window;
    }
    case LogicalKind::SORT: {
      const auto& sort = node.as<LogicalSort>();
      return sort.fetch && *sort.fetch <= 1 && !hasOuterReference(node);
    }
    default: return false;
  }
}

Result<AggregateCallSpec> aggregateCall(const char* name, std::vector<int> arguments, const Schema& input) {
  const AggregateFunction* function = FunctionRegistry::instance().aggregate(name);
  if (!function) return Status::notSupported(std::string("aggregate function ") + name + " is not built");
  AggregateCallSpec spec;
  spec.function = function;
  std::vector<ArgumentInfo> infos;
  for (int argument : arguments) {
    infos.push_back({input.type(static_cast<size_t>(argument))});
    spec.argument_types.push_back(infos.back().type);
    spec.literals.push_back(std::nullopt);
  }
  ASSIGN_OR_RETURN(ResolvedSignature resolved, function->resolve(infos));
  spec.arguments = std::move(arguments);
  spec.result_type = function->never_null ? resolved.result_type : resolved.result_type.asNullable();
  spec.name = std::string("$") + name;
  return spec;
}

LogicalNodePtr globalAggregate(const LogicalNodePtr& input, std::vector<AggregateCallSpec> calls) {
  std::vector<Column> columns;
  for (const AggregateCallSpec& call : calls) columns.push_back({call.name, call.result_type});
  return std::make_shared<LogicalAggregate>(input, std::vector<int>(), std::vector<std::vector<int>>(), std::move(calls),
                                            Schema(std::move(columns)));
}

/// The comparison that is TRUE where `op` is FALSE.
std::string oppositeComparison(const std::string& op) {
  static const std::map<std::string, std::string> opposites = {{"=", "<>"}, {"<>", "="}, {"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}};
  const auto found = opposites.find(op);
  return found == opposites.end() ? op : found->second;
}

BoundExprPtr asNullable(const BoundExprPtr& column) { return BoundExpr::column(column->index, column->type.asNullable()); }

}  // namespace

Result<LogicalNodePtr> SelectBinder::bindSubquery(const sql::Query& query, RowContext& rows) {
  return QueryBinder(statement_, &rows, common_).bind(query);
}

/// Joins if `condition` is an IN or EXISTS, perhaps behind NOT; false: it is something else.
Result<bool> SelectBinder::joinCondition(const sql::Expr& condition, RowContext& rows) {
  Condition stripped = stripNot(condition);
  if (const auto* exists = sql::tryAs<sql::Exists>(*stripped.expr)) {
    ASSIGN_OR_RETURN(LogicalNodePtr sub, bindSubquery(*exists->query, rows));
    RETURN_IF_ERROR(joinSemi(sub, {}, stripped.negated, exists->position));
    return true;
  }
  if (const auto* in = sql::tryAs<sql::InQuery>(*stripped.expr)) {
    ASSIGN_OR_RETURN(LogicalNodePtr sub, bindSubquery(*in->query, rows));
    ASSIGN_OR_RETURN(auto operands, inOperands(*in->operand, rows, sub));
    RETURN_IF_ERROR(joinSemi(sub, std::move(operands), stripped.negated != in->negated, in->position));
    return true;
  }
  return false;
}

/// The left side of IN, one expression for each column of the sub-query.
Result<std::vector<BoundExprPtr>> SelectBinder::inOperands(const sql::Expr& operand, RowContext& rows,
                                                           const LogicalNodePtr& sub) {
  ExpressionBinder binder(environment(), rows);
  std::vector<BoundExprPtr> operands;
  const auto* row = sql::tryAs<sql::RowConstructor>(operand);
  if (row && (row->fields.size() == sub->schema.size() || sub->schema.size() != 1)) {
    for (const sql::ExprPtr& field : row->fields) {
      ASSIGN_OR_RETURN(BoundExprPtr bound, binder.bind(*field));
      operands.push_back(std::move(bound));
    }
  } else {
    ASSIGN_OR_RETURN(BoundExprPtr bound, binder.bind(operand));
    operands.push_back(std::move(bound));
  }
  if (operands.size() != sub->schema.size()) {
    return Status::plan("the left side of IN has " + std::to_string(operands.size()) + " values, but the query has " +
                        std::to_string(sub->schema.size()) + " columns", operand.position);
  }
  return operands;
}

Status SelectBinder::joinSemi(const LogicalNodePtr& sub, std::vector<BoundExprPtr> operands, bool negated,
                              SourcePosition position) {
  auto flattened = flattenOrCorrelate(calls_, node_, sub);
  if (!flattened.isOk()) return flattened.status().at(position);
  Flattened& f = *flattened;
  if (f.one_row) {
    // EXISTS of a global aggregate is always TRUE; IN compares with its one row.
    if (operands.empty()) {
      if (negated) node_ = filter(std::move(node_), {booleanLiteral(false)});
      return Status::ok();
    }
    ASSIGN_OR_RETURN(BoundExprPtr value, appendAggregate(sub, 0));
    ASSIGN_OR_RETURN(BoundExprPtr condition, calls_.compare(negated ? "<>" : "=", operands[0], value, position));
    node_ = filter(std::move(node_), {std::move(condition)});
    return Status::ok();
  }
  int width = static_cast<int>(node_->schema.size());
  std::vector<BoundExprPtr> conditions;
  bool may_be_null = false;
  for (size_t i = 0; i < operands.size(); ++i) {
    BoundExprPtr output = lowerLevel(f.outputs[i], width);
    ASSIGN_OR_RETURN(BoundExprPtr equal, calls_.compare("=", operands[i], output, position));
    may_be_null = may_be_null || equal->type.nullable();
    conditions.push_back(std::move(equal));
  }
  bool null_aware = negated && !operands.empty() && may_be_null;
  for (const BoundExprPtr& predicate : f.predicates) {
    BoundExprPtr lowered = lowerLevel(predicate, width);
    if (null_aware && lowered->type.nullable()) {
      // Only the comparison of IN itself may be unknown.
      ASSIGN_OR_RETURN(lowered, calls_.call("IS TRUE", {std::move(lowered)}, position));
    }
    conditions.push_back(std::move(lowered));
  }
  BoundExprPtr condition = conditions.empty() ? nullptr : BoundExpr::conjunction(std::move(conditions));
  LogicalNodePtr joined = join(node_, f.node, negated ? JoinType::ANTI : JoinType::SEMI, condition);
  if (null_aware) const_cast<LogicalJoin&>(joined->as<LogicalJoin>()).null_aware_anti = true;
  node_ = std::move(joined);
  return Status::ok();
}

/// Joins an aggregate's flattened form LEFT and gives its output column over the plan under way.
Result<BoundExprPtr> SelectBinder::appendAggregate(const LogicalNodePtr& sub, size_t output) {
  ASSIGN_OR_RETURN(Flattened f, flattenOrCorrelate(calls_, node_, sub));
  int width = static_cast<int>(node_->schema.size());
  std::vector<BoundExprPtr> conditions;
  for (const BoundExprPtr& predicate : f.predicates) conditions.push_back(lowerLevel(predicate, width));
  BoundExprPtr condition = conditions.empty() ? nullptr : BoundExpr::conjunction(std::move(conditions));
  bool computed = !f.one_row && !f.outputs[output]->isColumn();
  if (computed && !hasOuterReference(*f.outputs[output])) {
    std::vector<BoundExprPtr> columns = identityColumns(f.node->schema);
    std::vector<std::string> names = columnNames(f.node->schema);
    columns.push_back(f.outputs[output]);
    names.push_back("$s");
    f.outputs[output] = BoundExpr::column(static_cast<int>(columns.size()) - 1, columns.back()->type);
    f.node = project(f.node, std::move(columns), std::move(names));
  }
  node_ = join(node_, f.node, JoinType::LEFT, std::move(condition));
  BoundExprPtr value = lowerLevel(f.outputs[output], width);
  if (value->isColumn()) value = asNullable(value);
  return value;
}

Result<BoundExprPtr> SelectBinder::scalarSubquery(const sql::Query& query, RowContext& rows) {
  ASSIGN_OR_RETURN(LogicalNodePtr sub, bindSubquery(query, rows));
  if (sub->schema.size() != 1) {
    return Status::plan("a sub-query as a value must have one column, but has " + std::to_string(sub->schema.size()), query.position);
  }
  if (!isSingleRow(*sub)) {
    ASSIGN_OR_RETURN(AggregateCallSpec call, aggregateCall("SINGLE_VALUE", {0}, sub->schema));
    sub = globalAggregate(sub, {std::move(call)});
  }
  DataType type = sub->schema.type(0).asNullable();
  ASSIGN_OR_RETURN(BoundExprPtr value, appendAggregate(sub, 0));
  if (value->type == type) return value;
  // Even where the value cannot be NULL, Flink's type says that it may.
  auto copy = std::make_shared<BoundExpr>(*value);
  copy->type = type;
  return std::shared_ptr<const BoundExpr>(copy);
}

Result<BoundExprPtr> SelectBinder::existsValue(const LogicalNodePtr& sub, SourcePosition position) {
  ASSIGN_OR_RETURN(AggregateCallSpec count, aggregateCall("COUNT", {}, sub->schema));
  ASSIGN_OR_RETURN(BoundExprPtr rows, appendAggregate(globalAggregate(sub, {std::move(count)}), 0));
  BoundExprPtr zero = BoundExpr::literal(Value::integer(0), DataType::bigint(false));
  ASSIGN_OR_RETURN(BoundExprPtr any, calls_.compare(">", std::move(rows), std::move(zero), position));
  return calls_.call("IS TRUE", {std::move(any)}, position);  // never NULL, and neither is its type
}

Result<BoundExprPtr> SelectBinder::inValue(const LogicalNodePtr& sub, std::vector<BoundExprPtr> operands,
                                           SourcePosition position) {
  if (operands.size() != 1) return Status::notSupported("IN of several columns as a value is not built", position);
  BoundExprPtr operand = operands[0];
  BoundExprPtr zero = BoundExpr::literal(Value::integer(0), DataType::bigint(false));
  // Both sides as one type, so that rows found can be joined by equality.
  auto common = comparisonType(operand->type, sub->schema.type(0));
  if (!common || !isEquatable(operand->type, sub->schema.type(0))) {
    return Status::plan("IN cannot compare " + operand->type.toString() + " with " + sub->schema.type(0).toString(), position);
  }
  operand = calls_.coerce(operand, *common);
  BoundExprPtr inner = calls_.coerce(BoundExpr::column(0, sub->schema.type(0)), *common);
  LogicalNodePtr values = project(sub, {inner}, {"$in"});

  ASSIGN_OR_RETURN(AggregateCallSpec count_rows, aggregateCall("COUNT", {}, values->schema));
  ASSIGN_OR_RETURN(AggregateCallSpec count_values, aggregateCall("COUNT", {0}, values->schema));
  const LogicalNodePtr before = node_;
  LogicalNodePtr counts = globalAggregate(values, {std::move(count_rows), std::move(count_values)});
  ASSIGN_OR_RETURN(Flattened f, flattenOrCorrelate(calls_, node_, counts));
  int width = static_cast<int>(node_->schema.size());
  std::vector<BoundExprPtr> conditions;
  for (const BoundExprPtr& predicate : f.predicates) conditions.push_back(lowerLevel(predicate, width));
  BoundExprPtr condition = conditions.empty() ? nullptr : BoundExpr::conjunction(std::move(conditions));
  node_ = join(node_, f.node, JoinType::LEFT, std::move(condition));
  BoundExprPtr all = lowerLevel(f.outputs[0], width);
  BoundExprPtr known = lowerLevel(f.outputs[1], width);

  // One row for each value (and correlated key) that is there, with a mark.
  Flattened found{values, identityColumns(values->schema), {}, false};
  if (hasOuterReference(*values)) {
    ASSIGN_OR_RETURN(found, correlate(calls_, before, values));
  }
  LogicalNodePtr distinct_values = distinct(found.node);
  std::vector<BoundExprPtr> marked = identityColumns(distinct_values->schema);
  std::vector<std::string> marked_names = columnNames(distinct_values->schema);
  marked.push_back(booleanLiteral(true));
  marked_names.push_back("$found");
  LogicalNodePtr right = project(distinct_values, marked, marked_names);
  width = static_cast<int>(node_->schema.size());
  ASSIGN_OR_RETURN(BoundExprPtr equal, calls_.compare("=", operand, BoundExpr::column(width, right->schema.type(0)), position));
  conditions = {std::move(equal)};
  for (const BoundExprPtr& predicate : found.predicates) conditions.push_back(lowerLevel(predicate, width));
  int mark = width + static_cast<int>(marked.size()) - 1;
  node_ = join(node_, std::move(right), JoinType::LEFT, BoundExpr::conjunction(std::move(conditions)));

  const auto null_boolean = nullLiteral(DataType::boolean());
  ASSIGN_OR_RETURN(BoundExprPtr empty, calls_.compare("=", all, zero, position));
  ASSIGN_OR_RETURN(BoundExprPtr matched, calls_.call("IS NOT NULL", {BoundExpr::column(mark, DataType::boolean())}, position));
  std::vector<BoundExprPtr> branches = {empty, booleanLiteral(false), matched, booleanLiteral(true)};
  if (operand->type.nullable()) {
    ASSIGN_OR_RETURN(BoundExprPtr unknown, calls_.call("IS NULL", {operand}, position));
    branches.push_back(std::move(unknown));
    branches.push_back(null_boolean);
  }
  if (sub->schema.type(0).nullable()) {
    ASSIGN_OR_RETURN(BoundExprPtr has_null, calls_.compare("<", known, all, position));
    branches.push_back(std::move(has_null));
    branches.push_back(null_boolean);
  }
  branches.push_back(booleanLiteral(false));
  return calls_.caseWhen(std::move(branches), position);
}

/// `x op SOME (Q)` for the comparisons that Q's smallest and largest value decide:
/// FALSE if Q is empty; NULL if x is NULL; TRUE if a bound says so; NULL if Q has a NULL; else FALSE.
Result<BoundExprPtr> SelectBinder::someValue(const LogicalNodePtr& sub, std::vector<BoundExprPtr> operands, const std::string& op,
                                             SourcePosition position) {
  if (operands.size() != 1) return Status::notSupported("comparing several columns with ANY or ALL is not built", position);
  const Schema& schema = sub->schema;
  ASSIGN_OR_RETURN(AggregateCallSpec all_rows, aggregateCall("COUNT", {}, schema));
  ASSIGN_OR_RETURN(AggregateCallSpec known_rows, aggregateCall("COUNT", {0}, schema));
  ASSIGN_OR_RETURN(AggregateCallSpec smallest, aggregateCall("MIN", {0}, schema));
  ASSIGN_OR_RETURN(AggregateCallSpec largest, aggregateCall("MAX", {0}, schema));
  LogicalNodePtr summary =
      globalAggregate(sub, {std::move(all_rows), std::move(known_rows), std::move(smallest), std::move(largest)});
  ASSIGN_OR_RETURN(Flattened f, flattenOrCorrelate(calls_, node_, summary));
  int width = static_cast<int>(node_->schema.size());
  std::vector<BoundExprPtr> conditions;
  for (const BoundExprPtr& predicate : f.predicates) conditions.push_back(lowerLevel(predicate, width));
  node_ = join(node_, f.node, JoinType::LEFT, conditions.empty() ? nullptr : BoundExpr::conjunction(std::move(conditions)));
  BoundExprPtr all = lowerLevel(f.outputs[0], width);
  BoundExprPtr known = lowerLevel(f.outputs[1], width);
  BoundExprPtr low = lowerLevel(f.outputs[2], width);
  BoundExprPtr high = lowerLevel(f.outputs[3], width);

  BoundExprPtr decided;
  if (op == "<>") {
    ASSIGN_OR_RETURN(BoundExprPtr below, calls_.compare("<>", operands[0], low, position));
    ASSIGN_OR_RETURN(BoundExprPtr above, calls_.compare("<>", operands[0], high, position));
    decided = BoundExpr::disjunction({std::move(below), std::move(above)});
  } else {
    const bool upwards = op == ">" || op == ">=";
    ASSIGN_OR_RETURN(decided, calls_.compare(op, operands[0], upwards ? low : high, position));
  }
  BoundExprPtr zero = BoundExpr::literal(Value::integer(0), DataType::bigint(false));
  const auto unknown = nullLiteral(DataType::boolean());
  ASSIGN_OR_RETURN(BoundExprPtr empty, calls_.compare("=", all, zero, position));
  ASSIGN_OR_RETURN(BoundExprPtr no_value, calls_.call("IS NULL", {operands[0]}, position));
  ASSIGN_OR_RETURN(BoundExprPtr has_null, calls_.compare("<", known, all, position));
  return calls_.caseWhen({empty, booleanLiteral(false), no_value, unknown, decided, booleanLiteral(true), has_null, unknown,
                          booleanLiteral(false)}, position);
}

Result<BoundExprPtr> SelectBinder::joinSubquery(const sql::Expr& expr, RowContext& rows) {
  if (const auto* scalar = sql::tryAs<sql::Subquery>(expr)) return scalarSubquery(*scalar->query, rows);
  if (const auto* exists = sql::tryAs<sql::Exists>(expr)) {
    ASSIGN_OR_RETURN(LogicalNodePtr sub, bindSubquery(*exists->query, rows));
    return existsValue(sub, expr.position);
  }
  if (const auto* in = sql::tryAs<sql::InQuery>(expr)) {
    ASSIGN_OR_RETURN(LogicalNodePtr sub, bindSubquery(*in->query, rows));
    ASSIGN_OR_RETURN(auto operands, inOperands(*in->operand, rows, sub));
    ASSIGN_OR_RETURN(BoundExprPtr value, inValue(sub, std::move(operands), expr.position));
    if (!in->negated) return value;
    return calls_.negation(std::move(value), expr.position);
  }
  if (const auto* quantified = sql::tryAs<sql::Quantified>(expr)) {
    bool any = quantified->op == "=" && quantified->quantifier == sql::Quantifier::SOME;
    bool none = quantified->op == "<>" && quantified->quantifier == sql::Quantifier::ALL;
    ASSIGN_OR_RETURN(LogicalNodePtr sub, bindSubquery(*quantified->query, rows));
    ASSIGN_OR_RETURN(auto operands, inOperands(*quantified->operand, rows, sub));
    if (!any && !none) {
      const bool all = quantified->quantifier == sql::Quantifier::ALL;
      const std::string op = all ? oppositeComparison(quantified->op) : quantified->op;
      ASSIGN_OR_RETURN(BoundExprPtr some, someValue(sub, std::move(operands), op, expr.position));
      return all ? calls_.negation(std::move(some), expr.position) : Result<BoundExprPtr>(std::move(some));
    }
    ASSIGN_OR_RETURN(BoundExprPtr value, inValue(sub, std::move(operands), expr.position));
    if (any) return value;
    return calls_.negation(std::move(value), expr.position);
  }
  return Status::internal("sub-query of an unknown kind");
}

}  // namespace thalweg
