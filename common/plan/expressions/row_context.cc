#include "common/plan/expressions/row_context.h"

namespace thalweg {

Result<BoundExprPtr> RowContext::replacement(const sql::Expr&) { return BoundExprPtr(); }

Result<BoundExprPtr> RowContext::aggregate(const sql::FunctionCall& call) {
  return Status::plan("aggregate function " + call.name.toString() + " is not allowed in " + clause(), call.position);
}

Result<BoundExprPtr> RowContext::over(const sql::FunctionCall& call) {
  return Status::plan("an OVER call is not allowed in " + clause(), call.position);
}

Result<BoundExprPtr> RowContext::subquery(const sql::Expr& expr) {
  return Status::notSupported("a sub-query in " + clause() + " is not built", expr.position);
}

Result<BoundExprPtr> RowContext::groupFunction(const sql::FunctionCall& call) {
  return Status::plan(call.name.toString() + " is only allowed in a query with a GROUP BY that it belongs to", call.position);
}

Result<NamedColumn> NoColumns::column(const sql::QualifiedName& name) {
  return Status::plan("column '" + name.toString() + "' is not known here: " + clause_ + " has no columns", name.position);
}

}  // namespace thalweg
