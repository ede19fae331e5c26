// Operators: what stands between, before or behind its operands.
#include <algorithm>

#include "common/plan/expressions/bare_null.h"
#include "common/plan/expressions/expression_binder.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

bool isComparison(std::string_view op) {
  return op == "=" || op == "<>" || op == "<" || op == "<=" || op == ">" || op == ">=" || op.ends_with("DISTINCT FROM");
}

/// `NOT LIKE` is NOT over LIKE.
bool takeNot(std::string& op) {
  if (!op.starts_with("NOT ")) return false;
  op.erase(0, 4);
  return true;
}

}  // namespace

Result<BoundExprPtr> ExpressionBinder::bindOperator(const sql::OperatorCall& expr) {
  if (expr.op == "AND" || expr.op == "OR") {
    ASSIGN_OR_RETURN(auto operands, bindAll(expr.operands));
    return expr.op == "AND" ? calls_.conjunction(std::move(operands), expr.position)
                            : calls_.disjunction(std::move(operands), expr.position);
  }
  if (expr.operands.size() > 1) return bindInfix(expr);
  if (expr.op == "NOT" || expr.op == "-" || expr.op == "+" || expr.op == "FINAL" || expr.op == "RUNNING") {
    return bindPrefix(expr);
  }
  return bindPostfix(expr);
}

Result<BoundExprPtr> ExpressionBinder::bindPrefix(const sql::OperatorCall& expr) {
  if (expr.op == "FINAL" || expr.op == "RUNNING") {
    return Status::plan(expr.op + " is only allowed in MEASURES of MATCH_RECOGNIZE", expr.position);
  }
  ASSIGN_OR_RETURN(BoundExprPtr operand, bind(*expr.operands[0]));
  if (expr.op == "NOT") return calls_.negation(std::move(operand), expr.position);
  if (expr.op == "+") {
    if (operand->type.isNumeric() || operand->type.isInterval() || operand->type.isNull()) return operand;
    return Status::plan("+ needs a number or an interval, but has " + operand->type.toString(), expr.position);
  }
  return calls_.call("NEGATE", {std::move(operand)}, expr.position);
}

Result<BoundExprPtr> ExpressionBinder::bindPostfix(const sql::OperatorCall& expr) {
  ASSIGN_OR_RETURN(BoundExprPtr operand, bind(*expr.operands[0]));
  if (expr.op == "FORMAT JSON") return Status::notSupported("FORMAT JSON is not built", expr.position);
  bool truth = expr.op.ends_with(" TRUE") || expr.op.ends_with(" FALSE") || expr.op.ends_with(" UNKNOWN");
  if (truth) {
    if (operand->type.isNull()) return bareNullError(expr.position);
    ASSIGN_OR_RETURN(operand, calls_.condition(std::move(operand), "the operand of " + expr.op, expr.position));
    if (expr.op == "IS UNKNOWN") return calls_.call("IS NULL", {std::move(operand)}, expr.position);
    if (expr.op == "IS NOT UNKNOWN") return calls_.call("IS NOT NULL", {std::move(operand)}, expr.position);
  }
  return calls_.call(expr.op, {std::move(operand)}, expr.position);
}

Result<BoundExprPtr> ExpressionBinder::bindInfix(const sql::OperatorCall& expr) {
  if (expr.op == "OVERLAPS" || expr.op == "CONTAINS" || expr.op == "EQUALS" || expr.op.ends_with("PRECEDES") ||
      expr.op.ends_with("SUCCEEDS")) {
    return bindOverlaps(expr);
  }
  ASSIGN_OR_RETURN(auto operands, bindAll(expr.operands));
  if (isComparison(expr.op)) {
    return calls_.compare(expr.op, std::move(operands[0]), std::move(operands[1]), expr.position);
  }
  std::string op = expr.op;
  bool negated = takeNot(op);
  ASSIGN_OR_RETURN(BoundExprPtr result, calls_.call(op, std::move(operands), expr.position));
  if (!negated) return result;
  return calls_.negation(std::move(result), expr.position);
}

/// Periods are rows of two: their four parts are the arguments.
Result<BoundExprPtr> ExpressionBinder::bindOverlaps(const sql::OperatorCall& expr) {
  if (expr.op != "OVERLAPS") return Status::notSupported(expr.op + " of periods is not built", expr.position);
  std::vector<BoundExprPtr> parts;
  for (const sql::ExprPtr& operand : expr.operands) {
    const auto* row = sql::tryAs<sql::RowConstructor>(*operand);
    if (!row || row->fields.size() != 2) {
      return Status::plan("OVERLAPS needs two periods of two parts each: (start, end) OVERLAPS (start, end)", operand->position);
    }
    for (const sql::ExprPtr& field : row->fields) {
      ASSIGN_OR_RETURN(BoundExprPtr part, bind(*field));
      parts.push_back(std::move(part));
    }
  }
  return calls_.call("OVERLAPS", std::move(parts), expr.position);
}

Result<BoundExprPtr> ExpressionBinder::bindBetween(const sql::Between& expr) {
  ASSIGN_OR_RETURN(BoundExprPtr operand, bind(*expr.operand));
  ASSIGN_OR_RETURN(BoundExprPtr low, bind(*expr.low));
  ASSIGN_OR_RETURN(BoundExprPtr high, bind(*expr.high));
  const auto within = [&](const BoundExprPtr& a, const BoundExprPtr& b) -> Result<BoundExprPtr> {
    ASSIGN_OR_RETURN(BoundExprPtr above, calls_.compare(">=", operand, a, expr.position));
    ASSIGN_OR_RETURN(BoundExprPtr below, calls_.compare("<=", operand, b, expr.position));
    return calls_.conjunction({std::move(above), std::move(below)}, expr.position);
  };
  ASSIGN_OR_RETURN(BoundExprPtr result, within(low, high));
  if (expr.symmetric) {
    ASSIGN_OR_RETURN(BoundExprPtr swapped, within(high, low));
    ASSIGN_OR_RETURN(result, calls_.disjunction({std::move(result), std::move(swapped)}, expr.position));
  }
  if (!expr.negated) return result;
  return calls_.negation(std::move(result), expr.position);
}

/// As Flink has it: in IN, texts become what they are compared with, and numbers beside a text become texts.
Status ExpressionBinder::alignInValues(const DataType& operand, std::vector<BoundExprPtr>& values, const sql::InList& expr) const {
  const auto all = [&](auto fits) {
    return std::ranges::all_of(values, [&](const BoundExprPtr& value) { return value->type.isNull() || fits(value->type); });
  };
  std::optional<DataType> target;
  if (operand.isNumeric() || operand.kind() == TypeKind::BOOLEAN) {
    if (all([](const DataType& type) { return type.isString(); })) target = operand;
  } else if (operand.isString() && all([](const DataType& type) { return type.isNumeric(); })) {
    target = DataType::string();
  }
  if (!target) return Status::ok();
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i]->type.isNull()) continue;
    ASSIGN_OR_RETURN(values[i], calls_.cast(values[i], target->withNullable(values[i]->type.nullable()), false, expr.values[i]->position));
  }
  return Status::ok();
}

/// Values of plain types are one call of IN; rows and collections are compared one by one.
Result<BoundExprPtr> ExpressionBinder::bindInList(const sql::InList& expr) {
  ASSIGN_OR_RETURN(BoundExprPtr operand, bind(*expr.operand));
  ASSIGN_OR_RETURN(auto values, bindAll(expr.values));
  RETURN_IF_ERROR(alignInValues(operand->type, values, expr));
  BoundExprPtr result;
  if (operand->type.isNested() || operand->type.isNull() || values.size() == 1) {
    for (size_t i = 0; i < values.size(); ++i) {
      ASSIGN_OR_RETURN(values[i], calls_.compare("=", operand, std::move(values[i]), expr.values[i]->position));
    }
    ASSIGN_OR_RETURN(result, calls_.disjunction(std::move(values), expr.position));
  } else {
    std::vector<BoundExprPtr> args = {operand};
    for (BoundExprPtr& value : values) {
      bool text = value->isLiteral() && value->type.isString() && isTextCoercible(operand->type);
      bool untyped = value->type.isNull();
      args.push_back(text || untyped ? calls_.coerce(value, operand->type) : std::move(value));
    }
    ASSIGN_OR_RETURN(result, calls_.call("IN", std::move(args), expr.position));
  }
  if (!expr.negated) return result;
  return calls_.negation(std::move(result), expr.position);
}

Result<BoundExprPtr> ExpressionBinder::bindQuantified(const sql::Quantified& expr) {
  if (expr.query) return rows_.subquery(expr);
  ASSIGN_OR_RETURN(BoundExprPtr operand, bind(*expr.operand));
  std::vector<BoundExprPtr> comparisons;
  for (const sql::ExprPtr& value : expr.values) {
    ASSIGN_OR_RETURN(BoundExprPtr bound, bind(*value));
    ASSIGN_OR_RETURN(BoundExprPtr one, calls_.compare(expr.op, operand, std::move(bound), value->position));
    comparisons.push_back(std::move(one));
  }
  return expr.quantifier == sql::Quantifier::ALL ? calls_.conjunction(std::move(comparisons), expr.position)
                                                 : calls_.disjunction(std::move(comparisons), expr.position);
}

}  // namespace thalweg
