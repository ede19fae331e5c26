// The statements one by one; SqlSession chooses among them. Each file of the same stem has its group.
// Errors: PLAN_ERROR with position where the text is at hand.
#pragma once

#include "common/plan/binder/bind_environment.h"
#include "common/plan/catalog/session_catalog.h"
#include "common/plan/statements/bound_statement.h"
#include "common/plan/statements/library_functions.h"
#include "common/sql/ast.h"

namespace thalweg {

// insert_binder.cc
Result<LogicalNodePtr> bindInsert(const BindEnvironment& environment, const sql::InsertStatement& insert);
/// The plan that writes `query` to the table; columns by position.
Result<LogicalNodePtr> bindSinkOf(const BindEnvironment& environment, const ObjectPath& path, const TableDefinition& table,
                                  LogicalNodePtr query, SourcePosition position);

// table_statements.cc
Result<BoundStatement> createTable(SessionCatalog& catalog, const BindEnvironment& environment,
                                   const sql::CreateTableStatement& create);
/// What CREATE TABLE would make, and the sink of its AS; changes nothing.
Result<LogicalNodePtr> explainCreateTable(const BindEnvironment& environment, const sql::CreateTableStatement& create);
Result<BoundStatement> dropTable(SessionCatalog& catalog, const BindEnvironment& environment, const sql::DropStatement& drop);

// view_statements.cc
Result<BoundStatement> createView(SessionCatalog& catalog, const BindEnvironment& environment,
                                  const sql::CreateViewStatement& create);

// catalog_statements.cc
Result<BoundStatement> createCatalog(SessionCatalog& catalog, const sql::CreateCatalogStatement& create);
Result<BoundStatement> createDatabase(SessionCatalog& catalog, const sql::CreateDatabaseStatement& create);
Result<BoundStatement> dropCatalogOrDatabase(SessionCatalog& catalog, const sql::DropStatement& drop);
/// PLAN_ERROR for the built-in catalog: it was never created, so there is no definition to show or change.
Status checkCreatedCatalog(const sql::QualifiedName& name);
Result<BoundStatement> useStatement(SessionCatalog& catalog, const sql::UseStatement& use);

// function_statements.cc
Result<BoundStatement> createFunction(SessionCatalog& catalog, const sql::CreateFunctionStatement& create, const LibraryFunctions& libraries);
Result<BoundStatement> dropFunction(SessionCatalog& catalog, const sql::DropStatement& drop);
Result<BoundStatement> describeFunction(const SessionCatalog& catalog, const sql::DescribeStatement& describe);
Result<BoundStatement> moduleStatement(SessionCatalog& catalog, const sql::ModuleStatement& module);

// model_statements.cc
Result<BoundStatement> createModel(SessionCatalog& catalog, const sql::CreateModelStatement& create);
Result<BoundStatement> dropModel(SessionCatalog& catalog, const sql::DropStatement& drop);
Result<BoundStatement> alterModel(SessionCatalog& catalog, const sql::AlterStatement& alter);
Result<BoundStatement> describeModel(const SessionCatalog& catalog, const sql::DescribeStatement& describe);
/// A statement that makes the model, without an end.
std::string createModelText(const ObjectPath& path, const CatalogModel& model);
/// The text of SHOW CREATE MODEL.
Result<std::string> createModelText(const SessionCatalog& catalog, const sql::QualifiedName& name);

// analyze_statement.cc
Result<BoundStatement> analyzeStatement(const BindEnvironment& environment, const sql::AnalyzeStatement& analyze);

// alter_statements.cc
Result<BoundStatement> alterStatement(SessionCatalog& catalog, const BindEnvironment& environment,
                                      const sql::AlterStatement& alter);
// alter_table.cc: the changed definition; PLAN_ERROR if the action does not fit it.
Result<TableDefinition> alterDefinition(const BindEnvironment& environment, const ObjectPath& path,
                                        TableDefinition definition, const sql::AlterStatement& alter);

// show_statements.cc
Result<BoundStatement> showStatement(const SessionCatalog& catalog, const BindEnvironment& environment,
                                     const sql::ShowStatement& show);

// describe_statements.cc
Result<BoundStatement> describeStatement(const SessionCatalog& catalog, const BindEnvironment& environment,
                                         const sql::DescribeStatement& describe);
/// The rows of DESCRIBE and SHOW COLUMNS.
Result<TableResult> describeObject(const BindEnvironment& environment, const ObjectPath& path, const CatalogObject& object);

// show_create.cc
Result<std::string> createText(const BindEnvironment& environment, const ObjectPath& path, const CatalogObject& object);

/// LIKE of SHOW statements: `%`, `_`, and `\` before either.
bool matchesShowPattern(const sql::ShowLike& like, std::string_view name);

}  // namespace thalweg
