// RowContext: what an expression may refer to where it stands — columns, aggregates, OVER calls, sub-queries.
//
// The expression binder asks it about every name and special call; each clause of a SELECT has its own answer.
// Threads: one binding.
#pragma once

#include <optional>
#include <string>

#include "common/base/status.h"
#include "common/expr/bound_expr.h"
#include "common/sql/ast_expression.h"

namespace thalweg {

/// A column that a name means, and how many of the name's parts it took; the rest are fields of rows.
struct NamedColumn {
  BoundExprPtr expr;
  size_t parts = 1;
  std::string table = {};   ///< alias of its table; empty: none, or of several
  std::string name = {};
};

class RowContext {
 public:
  virtual ~RowContext() = default;

  /// The column that a name means; PLAN_ERROR if there is none. Enclosing queries are looked at, too.
  virtual Result<NamedColumn> column(const sql::QualifiedName& name) = 0;
  /// Nothing if no column is meant here or in an enclosing query (never fails for that reason).
  virtual Result<std::optional<NamedColumn>> findColumn(const sql::QualifiedName& name) = 0;
  /// An expression that was computed already as a whole (a grouping key, say); nothing: bind it as usual.
  virtual Result<BoundExprPtr> replacement(const sql::Expr& expr);
  virtual Result<BoundExprPtr> aggregate(const sql::FunctionCall& call);
  virtual Result<BoundExprPtr> over(const sql::FunctionCall& call);
  /// EXISTS, IN (query), a scalar query, a quantified comparison.
  virtual Result<BoundExprPtr> subquery(const sql::Expr& expr);
  /// GROUPING, GROUPING_ID, TUMBLE_START and their like, which only grouped queries know.
  virtual Result<BoundExprPtr> groupFunction(const sql::FunctionCall& call);
  /// What the clause is called in messages: `WHERE`.
  virtual std::string clause() const = 0;
};

/// No columns at all: VALUES, LIMIT, arguments of window functions.
class NoColumns : public RowContext {
 public:
  explicit NoColumns(std::string clause_name) : clause_(std::move(clause_name)) {}
  Result<NamedColumn> column(const sql::QualifiedName& name) override;
  Result<std::optional<NamedColumn>> findColumn(const sql::QualifiedName&) override { return std::optional<NamedColumn>(); }
  std::string clause() const override { return clause_; }

 private:
  std::string clause_;
};

}  // namespace thalweg
