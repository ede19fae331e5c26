// SqlSession: catalogs and settings of one user, and the binding of statements against them.
//
//   SqlSession session;
//   ASSIGN_OR_RETURN(BoundStatement bound, session.bind(statement));
//
// Definitions and settings take effect at once; queries and inserts come back as plans (bound_statement.h).
// Errors: PLAN_ERROR with position; NOT_SUPPORTED names what is not built. Threads: one session's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/config/configuration.h"
#include "common/functions/session_functions.h"
#include "common/plan/binder/bind_environment.h"
#include "common/plan/catalog/session_catalog.h"
#include "common/plan/statements/bound_statement.h"
#include "common/plan/statements/library_functions.h"
#include "common/sql/ast.h"

namespace thalweg {

class SqlSession {
 public:
  explicit SqlSession(Configuration configuration = {}) : configuration_(std::move(configuration)) {}

  /// `text` is the statement as written, for CREATE VIEW's original text; may be empty.
  Result<BoundStatement> bind(const sql::StatementPtr& statement);
  /// A query on its own, as Table API and views use it.
  Result<LogicalNodePtr> bindQuery(const sql::Query& query) const;
  /// The same with plans that the query may name like tables.
  Result<LogicalNodePtr> bindQuery(const sql::Query& query, const std::map<std::string, LogicalNodePtr>& tables) const;
  /// A scan of a table that is in no catalog, or of one that is; `path` names it in messages and plans.
  Result<LogicalNodePtr> bindScan(const ObjectPath& path, const TableDefinition& table) const;
  /// A scan of a stream of the program's (table_resolver.h: resolveStream).
  Result<LogicalNodePtr> bindStream(const ObjectPath& path, const TableDefinition& table, const StreamInput& input,
                                    const Schema& columns, bool rowtime) const;
  /// The plan that writes `query` to a table, columns by position.
  Result<LogicalNodePtr> bindSink(const ObjectPath& path, const TableDefinition& table, LogicalNodePtr query) const;

  SessionCatalog& catalog() { return catalog_; }
  const SessionCatalog& catalog() const { return catalog_; }
  Configuration& configuration() { return configuration_; }
  const Configuration& configuration() const { return configuration_; }
  /// Functions that this session alone sees, found before built-in ones of the same name.
  SessionFunctions& functions() { return functions_; }
  const SessionFunctions& functions() const { return functions_; }
  /// How functions of shared libraries are loaded; without it they cannot be called.
  void setFunctionLoader(LibraryFunctions::Loader loader) { libraries_.setLoader(std::move(loader)); }

  /// Names sought in the current database, settings as they are now.
  Result<BindEnvironment> environment() const;

 private:
  Result<BoundStatement> bindExplain(const sql::ExplainStatement& explain);
  Result<BoundStatement> bindSet(const sql::SetStatement& set);
  Result<BoundStatement> bindReset(const sql::ResetStatement& reset);
  Result<BoundStatement> bindStatementSet(const sql::StatementSet& set);

  SessionCatalog catalog_;
  Configuration configuration_;
  SessionFunctions functions_;
  LibraryFunctions libraries_;
};

}  // namespace thalweg
