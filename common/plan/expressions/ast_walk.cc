#include "common/plan/expressions/ast_walk.h"

namespace thalweg {
namespace {

using Visit = std::function<void(const sql::Expr&)>;

void visitAll(const std::vector<sql::ExprPtr>& exprs, const Visit& visit) {
  for (const sql::ExprPtr& expr : exprs) visit(*expr);
}

void visitOrder(const std::vector<sql::OrderItem>& items, const Visit& visit) {
  for (const sql::OrderItem& item : items) visit(*item.expr);
}

void visitCall(const sql::FunctionCall& call, const Visit& visit) {
  visitAll(call.args, visit);
  visitOrder(call.order_by, visit);
  visitOrder(call.within_group, visit);
  visitAll(call.within_distinct, visit);
  if (call.filter) visit(*call.filter);
  if (call.over && call.over->spec) forEachPart(*call.over->spec, visit);
  if (call.json) {
    if (call.json->on_empty.default_value) visit(*call.json->on_empty.default_value);
    if (call.json->on_error.default_value) visit(*call.json->on_error.default_value);
  }
}

}  // namespace

void forEachPart(const sql::WindowSpec& spec, const Visit& visit) {
  visitAll(spec.partition_by, visit);
  visitOrder(spec.order_by, visit);
}

void forEachPart(const sql::Expr& expr, const Visit& visit) {
  using sql::ExprKind;
  switch (expr.kind) {
    case ExprKind::OPERATOR: visitAll(sql::as<sql::OperatorCall>(expr).operands, visit); break;
    case ExprKind::BETWEEN: {
      const auto& between = sql::as<sql::Between>(expr);
      visit(*between.operand);
      visit(*between.low);
      visit(*between.high);
      break;
    }
    case ExprKind::IN_LIST:
      visit(*sql::as<sql::InList>(expr).operand);
      visitAll(sql::as<sql::InList>(expr).values, visit);
      break;
    case ExprKind::IN_QUERY: visit(*sql::as<sql::InQuery>(expr).operand); break;
    case ExprKind::QUANTIFIED:
      visit(*sql::as<sql::Quantified>(expr).operand);
      visitAll(sql::as<sql::Quantified>(expr).values, visit);
      break;
    case ExprKind::CASE: {
      const auto& c = sql::as<sql::Case>(expr);
      if (c.operand) visit(*c.operand);
      for (const sql::CaseBranch& branch : c.branches) {
        visit(*branch.when);
        visit(*branch.then);
      }
      if (c.otherwise) visit(*c.otherwise);
      break;
    }
    case ExprKind::CAST: visit(*sql::as<sql::Cast>(expr).operand); break;
    case ExprKind::FUNCTION_CALL: visitCall(sql::as<sql::FunctionCall>(expr), visit); break;
    case ExprKind::ROW: visitAll(sql::as<sql::RowConstructor>(expr).fields, visit); break;
    case ExprKind::COLLECTION: visitAll(sql::as<sql::CollectionConstructor>(expr).elements, visit); break;
    case ExprKind::ITEM_ACCESS:
      visit(*sql::as<sql::ItemAccess>(expr).operand);
      visit(*sql::as<sql::ItemAccess>(expr).index);
      break;
    case ExprKind::FIELD_ACCESS: visit(*sql::as<sql::FieldAccess>(expr).operand); break;
    case ExprKind::NAMED_ARGUMENT: visit(*sql::as<sql::NamedArgument>(expr).value); break;
    default: break;
  }
}

bool anyPart(const sql::Expr& expr, const std::function<bool(const sql::Expr&)>& holds) {
  if (holds(expr)) return true;
  bool found = false;
  forEachPart(expr, [&](const sql::Expr& part) { found = found || anyPart(part, holds); });
  return found;
}

bool hasSubquery(const sql::Expr& expr) {
  return anyPart(expr, [](const sql::Expr& part) {
    if (const auto* quantified = sql::tryAs<sql::Quantified>(part)) return quantified->query != nullptr;
    return part.kind == sql::ExprKind::IN_QUERY || part.kind == sql::ExprKind::EXISTS || part.kind == sql::ExprKind::SUBQUERY;
  });
}

void splitAnd(const sql::ExprPtr& expr, std::vector<sql::ExprPtr>& operands) {
  const auto* op = sql::tryAs<sql::OperatorCall>(*expr);
  if (!op || op->op != "AND") {
    operands.push_back(expr);
    return;
  }
  for (const sql::ExprPtr& operand : op->operands) splitAnd(operand, operands);
}

}  // namespace thalweg
