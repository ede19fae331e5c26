// SelectBinder: one SELECT, from FROM to ORDER BY.
//
// The plan grows from bottom to top: FROM, WHERE, grouping (aggregate_binder.h), HAVING, OVER (over_binder.h),
// QUALIFY, the items, DISTINCT, ORDER BY. Sub-queries in expressions append columns to the plan under way
// (subquery_binder.cc), so each step leaves the columns before it in place.
// Errors: PLAN_ERROR with position. Threads: one binding.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/plan/binder/aggregate_binder.h"
#include "common/plan/binder/query_binder.h"
#include "common/plan/binder/scope_context.h"
#include "common/plan/expressions/expression_binder.h"

namespace thalweg {

class SelectBinder {
 public:
  SelectBinder(StatementContext& statement, RowContext* outer, const CommonTables* common)
      : statement_(statement), outer_(outer), common_(common), calls_(statement.environment->session_zone) {}

  /// `decorated` has the ORDER BY, OFFSET and FETCH that belong to this SELECT; may be null.
  Result<LogicalNodePtr> bind(const sql::SelectBody& select, const sql::Query* decorated);

  // For the contexts of its clauses.
  /// The value of a sub-query for each row of the plan under way; `rows` is what it sees.
  Result<BoundExprPtr> joinSubquery(const sql::Expr& expr, RowContext& rows);
  /// The result of an OVER call; it was computed before the clause that uses it.
  Result<BoundExprPtr> overResult(const sql::FunctionCall& call, const std::string& clause);

 private:
  struct Item {
    BoundExprPtr expr;
    std::string name;
    TimeAttribute time = TimeAttribute::NONE;
  };

  Status bindFrom(const sql::SelectBody& select);
  Status bindWhere(const sql::ExprPtr& where);
  Status bindGrouping(const sql::SelectBody& select, const sql::Query* decorated);
  Status bindHaving(const sql::ExprPtr& having);
  Status bindOvers(const sql::SelectBody& select, const sql::Query* decorated);
  Status bindFilter(const sql::ExprPtr& condition, RowContext& rows, const char* what);
  Result<std::vector<Item>> bindItems(const sql::SelectBody& select, RowContext& rows);
  Status bindStar(const sql::Star& star, RowContext& rows, std::vector<Item>& items);
  Result<LogicalNodePtr> finish(const sql::SelectBody& select, const sql::Query* decorated, std::vector<Item> items,
                                RowContext& rows);
  std::unique_ptr<RowContext> clauseContext(std::string clause);

  // subquery_binder.cc
  Result<bool> joinCondition(const sql::Expr& condition, RowContext& rows);
  Status joinSemi(const LogicalNodePtr& sub, std::vector<BoundExprPtr> operands, bool negated, SourcePosition position);
  Result<LogicalNodePtr> bindSubquery(const sql::Query& query, RowContext& rows);
  Result<BoundExprPtr> scalarSubquery(const sql::Query& query, RowContext& rows);
  Result<BoundExprPtr> existsValue(const LogicalNodePtr& sub, SourcePosition position);
  Result<BoundExprPtr> someValue(const LogicalNodePtr& sub, std::vector<BoundExprPtr> operands, const std::string& op,
                                 SourcePosition position);
  Result<BoundExprPtr> inValue(const LogicalNodePtr& sub, std::vector<BoundExprPtr> operands, SourcePosition position);
  Result<std::vector<BoundExprPtr>> inOperands(const sql::Expr& operand, RowContext& rows, const LogicalNodePtr& sub);
  Result<BoundExprPtr> appendAggregate(const LogicalNodePtr& aggregate, size_t output);

  const BindEnvironment& environment() const { return *statement_.environment; }

  StatementContext& statement_;
  RowContext* outer_;
  const CommonTables* common_;
  CallFactory calls_;
  LogicalNodePtr node_;
  Scope scope_;
  std::unique_ptr<Grouping> grouping_;                        ///< null: not a grouped query
  std::map<const sql::FunctionCall*, BoundExprPtr> overs_;    ///< results of OVER calls
};

}  // namespace thalweg
