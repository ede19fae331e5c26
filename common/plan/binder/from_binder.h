// FromBinder: what stands in FROM → a plan with the names of its columns.
// Errors: PLAN_ERROR with position. Threads: one binding.
#pragma once

#include <string>
#include <vector>

#include "common/plan/binder/hint_binder.h"
#include "common/plan/binder/query_binder.h"
#include "common/plan/binder/relation.h"
#include "common/plan/binder/scope_context.h"

namespace thalweg {

class FromBinder {
 public:
  FromBinder(StatementContext& statement, RowContext* outer, const CommonTables* common)
      : statement_(statement), outer_(outer), common_(common) {}

  /// The STATE_TTL hints of the query, for its joins.
  void setStateTtls(StateTtls ttls) { state_ttls_ = std::move(ttls); }
  Result<Relation> bind(const sql::TableRef& ref);
  /// A table or view by name alone.
  Result<Relation> bindTable(const sql::QualifiedName& name);

 private:
  Result<Relation> bindKind(const sql::TableRef& ref);
  Result<Relation> bindNamed(const sql::NamedTable& table);
  Result<LogicalNodePtr> scan(const ObjectPath& path, const TableDefinition& table, const OptionMap& options, SourcePosition position);
  Result<LogicalNodePtr> expandView(const ObjectPath& path, const ViewDefinition& view);
  Result<Relation> bindDerived(const sql::DerivedTable& table);
  /// TO_CHANGELOG and FROM_CHANGELOG; nothing if `call` is something else.
  Result<std::optional<Relation>> bindChangelogFunction(const sql::FunctionCall& call);
  Result<Relation> bindFunction(const sql::TableFunctionCall& call);
  Status rename(const sql::TableRef& ref, Relation& relation) const;
  Status sample(const sql::TableRef& ref, Relation& relation) const;

  // join_binder.cc
  Result<Relation> bindJoin(const sql::Join& join);
  Result<Relation> bindPlainJoin(const sql::Join& join, Relation left, Relation right);
  Result<Relation> bindLateral(const sql::Join& join, Relation left, const sql::DerivedTable& table);
  Result<Relation> bindUnnestJoin(const sql::Join& join, Relation left, const sql::Unnest& unnest);
  Result<Relation> bindTemporal(const sql::Join& join, Relation left, const sql::NamedTable& table);
  Result<Relation> bindUnnest(Relation input, const sql::Unnest& unnest, bool outer, const sql::Expr* condition);
  Result<BoundExprPtr> bindOn(const sql::Join& join, const Scope& scope);
  Result<BoundExprPtr> mergeColumns(const sql::Join& join, const Relation& left, const Relation& right, Scope& scope);

  const BindEnvironment& environment() const { return *statement_.environment; }

  StatementContext& statement_;
  RowContext* outer_;
  const CommonTables* common_;
  StateTtls state_ttls_;
};

/// A window table function over its table argument; nothing for another function's name (window_function_binder.cc).
Result<std::optional<Relation>> bindWindowFunction(StatementContext& statement, RowContext* outer,
                                                   const CommonTables* common, const sql::FunctionCall& call);

/// A table function of the session's (session_functions.h), and its call as UNNEST of the array it gives.
bool isUserTableFunction(const sql::FunctionCall& call);
sql::Unnest unnestOf(const sql::TableFunctionCall& table);

/// OPTIONS hints of one use of a table.
Result<OptionMap> bindTableHints(const BindEnvironment& environment, const std::vector<sql::Hint>& hints);

}  // namespace thalweg
