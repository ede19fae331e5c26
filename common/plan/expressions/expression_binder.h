// ExpressionBinder: syntax trees of expressions → BoundExpr, names and types settled as Flink settles them.
//
// What names, aggregates, OVER calls and sub-queries mean is asked of the RowContext. Implicit casts are explicit
// nodes of the result. Errors: PLAN_ERROR with position, what was expected and found, and the nearest name.
// Threads: one binding. Lifetime: environment and rows outlive the binder.
#pragma once

#include <string>
#include <vector>

#include "common/plan/binder/bind_environment.h"
#include "common/plan/expressions/call_factory.h"
#include "common/plan/expressions/row_context.h"
#include "common/sql/ast.h"

namespace thalweg {

class ExpressionBinder {
 public:
  ExpressionBinder(const BindEnvironment& environment, RowContext& rows)
      : environment_(environment), rows_(rows), calls_(environment.session_zone) {}

  Result<BoundExprPtr> bind(const sql::Expr& expr);
  /// A BOOLEAN expression; `what` names it in messages: "the condition of WHERE".
  Result<BoundExprPtr> bindCondition(const sql::Expr& expr, std::string_view what);
  const CallFactory& calls() const { return calls_; }

 private:
  /// With its position, wherever that is.
  Result<BoundExprPtr> bindPlaced(const sql::Expr& expr);
  Result<BoundExprPtr> bindKind(const sql::Expr& expr);
  Result<std::vector<BoundExprPtr>> bindAll(const std::vector<sql::ExprPtr>& exprs);

  Result<BoundExprPtr> bindColumn(const sql::ColumnRef& ref);
  Result<BoundExprPtr> bindFields(BoundExprPtr row, const sql::QualifiedName& name, size_t first);
  Result<BoundExprPtr> bindField(BoundExprPtr row, const sql::Identifier& field);
  Result<BoundExprPtr> bindItem(const sql::ItemAccess& access);
  Result<BoundExprPtr> bindCase(const sql::Case& expr);
  Result<BoundExprPtr> bindCast(const sql::Cast& expr);
  Result<BoundExprPtr> bindRow(const sql::RowConstructor& expr);
  Result<BoundExprPtr> bindCollection(const sql::CollectionConstructor& expr);

  // expression_operators.cc
  Result<BoundExprPtr> bindOperator(const sql::OperatorCall& expr);
  Result<BoundExprPtr> bindPrefix(const sql::OperatorCall& expr);
  Result<BoundExprPtr> bindPostfix(const sql::OperatorCall& expr);
  Result<BoundExprPtr> bindInfix(const sql::OperatorCall& expr);
  Result<BoundExprPtr> bindOverlaps(const sql::OperatorCall& expr);
  Result<BoundExprPtr> bindBetween(const sql::Between& expr);
  Result<BoundExprPtr> bindInList(const sql::InList& expr);
  Status alignInValues(const DataType& operand, std::vector<BoundExprPtr>& values, const sql::InList& expr) const;
  Result<BoundExprPtr> bindQuantified(const sql::Quantified& expr);

  // expression_calls.cc
  Result<BoundExprPtr> bindCall(const sql::FunctionCall& call);
  Result<BoundExprPtr> bindScalarCall(const sql::FunctionCall& call, const std::string& name);
  Result<std::vector<BoundExprPtr>> bindArguments(const sql::FunctionCall& call);
  Result<BoundExprPtr> bindJsonValue(const sql::Expr& value);
  Status appendJsonClauses(const sql::FunctionCall& call, const std::string& name, std::vector<BoundExprPtr>& args);

  const BindEnvironment& environment_;
  RowContext& rows_;
  CallFactory calls_;
  bool strips_ = false;      // within bind() of foreign text
};

/// Whether a function name is an aggregate's, a ranking function's (ROW_NUMBER, LAG, …), or belongs to GROUP BY
/// (GROUPING, TUMBLE_START, …). Upper-case names.
bool isRankingFunction(std::string_view name);
bool isGroupFunction(std::string_view name);

/// Upper case of an ASCII name.
std::string upperName(std::string_view name);

}  // namespace thalweg
