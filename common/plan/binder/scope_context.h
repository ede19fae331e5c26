// ScopeContext: names of one scope and of the queries around it; and what becomes of time attributes.
// Lifetime: the scope and the outer context outlive it. Threads: one binding.
#pragma once

#include <string>

#include "common/plan/binder/scope.h"
#include "common/plan/expressions/row_context.h"

namespace thalweg {

class ScopeContext : public RowContext {
 public:
  /// `outer` may be null: no query around.
  ScopeContext(const Scope& scope, RowContext* outer, std::string clause_name)
      : scope_(scope), outer_(outer), clause_(std::move(clause_name)) {}

  Result<NamedColumn> column(const sql::QualifiedName& name) override;
  Result<std::optional<NamedColumn>> findColumn(const sql::QualifiedName& name) override;
  std::string clause() const override { return clause_; }

 protected:
  const Scope& scope_;
  RowContext* outer_;
  std::string clause_;
};

/// `column 'dely' is not known; did you mean 'delay'?`
Status unknownColumn(const Scope& scope, const sql::QualifiedName& name);

/// The expression seen from one query further in: its columns become outer references.
BoundExprPtr raiseLevel(const BoundExprPtr& expr);

/// What a projected expression is in time: a plain time column keeps its attribute, PROCTIME() makes one.
TimeAttribute timeAttributeOf(const BoundExpr& expr, const Schema& input);

}  // namespace thalweg
