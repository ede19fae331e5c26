// MatchContext: what names and calls mean in a condition or measure of MATCH_RECOGNIZE.
//
// `A.price` is the last row of variable A, a plain `price` the last row of all; FIRST, LAST and aggregates look at one
// variable's rows. Each becomes a value that the operator fetches, and a column of the expression that is bound.
// Threads: one binding. Lifetime: what it is made from outlives it.
#pragma once

#include <string>
#include <vector>

#include "common/plan/binder/bind_environment.h"
#include "common/plan/binder/relation.h"
#include "common/plan/binder/scope_context.h"

namespace thalweg {

/// All that the clauses of one MATCH_RECOGNIZE share.
struct MatchClauses {
  const BindEnvironment& environment;
  const Relation& input;
  ColumnSlots& slots;                        ///< what is read of the input
  const std::vector<MatchVariable>& pattern;
  std::vector<std::string> subsets = {};     ///< names of SUBSET, to be refused when used
  BoundExprPtr time = nullptr;               ///< the time attribute of ORDER BY
  TimeAttribute attribute = TimeAttribute::NONE;
};

class MatchContext : public RowContext {
 public:
  /// `tested`: the variable whose condition is bound, -1 for measures.
  MatchContext(MatchClauses& clauses, int tested) : clauses_(clauses), tested_(tested) {}

  Result<NamedColumn> column(const sql::QualifiedName& name) override;
  Result<std::optional<NamedColumn>> findColumn(const sql::QualifiedName& name) override;
  Result<BoundExprPtr> replacement(const sql::Expr& expr) override;
  Result<BoundExprPtr> aggregate(const sql::FunctionCall& call) override;
  Result<BoundExprPtr> subquery(const sql::Expr& expr) override;
  std::string clause() const override { return tested_ < 0 ? "MEASURES" : "DEFINE"; }

  /// The values read so far; columns in them are slots until finish() of the slots.
  std::vector<MatchValue>& values() { return values_; }
  /// What a bound expression is in time: a row's time attribute stays one.
  TimeAttribute timeOf(const BoundExpr& expr) const;

 private:
  Result<BoundExprPtr> navigation(const sql::FunctionCall& call, MatchValue::Kind kind);
  Result<BoundExprPtr> matchTime(const sql::FunctionCall& call);
  BoundExprPtr pick(MatchValue::Kind kind, int variable, int64_t offset, const BoundExprPtr& expression);
  bool mayBeMissing(int variable, int64_t offset) const;
  BoundExprPtr valueColumn(MatchValue value);

  MatchClauses& clauses_;
  int tested_;
  std::vector<MatchValue> values_;
};

/// What stands inside FIRST, LAST and aggregates: columns of one row; tells whose row.
class MatchRowContext : public RowContext {
 public:
  explicit MatchRowContext(MatchClauses& clauses) : clauses_(clauses) {}
  Result<NamedColumn> column(const sql::QualifiedName& name) override;
  Result<std::optional<NamedColumn>> findColumn(const sql::QualifiedName& name) override;
  Result<BoundExprPtr> replacement(const sql::Expr& expr) override;
  std::string clause() const override { return "MATCH_RECOGNIZE"; }
  bool namesColumns() const { return !named_.empty(); }
  /// The variable that was named, -1 for none; PLAN_ERROR if several were.
  Result<int> variable(std::string_view what, SourcePosition position) const;

 private:
  MatchClauses& clauses_;
  std::vector<int> named_;
};

}  // namespace thalweg
