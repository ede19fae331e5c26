// CREATE TABLE with LIKE and AS, DROP TABLE and DROP VIEW.
#include "common/plan/binder/query_binder.h"
#include "common/plan/catalog/table_declaration.h"
#include "common/plan/expressions/call_factory.h"
#include "common/plan/statements/statement_binder.h"

namespace thalweg {
namespace {

/// A table to be made: its declaration, and the plan of AS.
struct NewTable {
  ObjectPath path;
  TableDefinition definition;
  LogicalNodePtr query;
};

Result<NewTable> declare(const BindEnvironment& environment, const sql::CreateTableStatement& create) {
  if (create.connection) return Status::notSupported("USING CONNECTION is not built", create.position);
  NewTable table;
  ASSIGN_OR_RETURN(table.path, environment.qualify(create.name));
  Schema query_schema;
  if (create.query) {
    if (create.temporary) return Status::plan("a temporary table cannot be made from a query", create.position);
    if (create.like) return Status::plan("LIKE and AS cannot stand together", create.position);
    StatementContext context;
    context.environment = &environment;
    ASSIGN_OR_RETURN(table.query, bindQuery(context, *create.query));
    query_schema = table.query->schema;
  }
  ASSIGN_OR_RETURN(table.definition, declareTable(environment, table.path, create, create.query ? &query_schema : nullptr));
  return table;
}

/// The query's columns in the order of the table's; columns that the query does not have are NULL.
Result<LogicalNodePtr> sinkOf(const BindEnvironment& environment, const NewTable& table, SourcePosition position) {
  std::vector<BoundExprPtr> expressions;
  std::vector<std::string> names;
  for (const TableColumn& column : table.definition.columns) {
    bool persisted = column.kind == TableColumn::Kind::PHYSICAL ||
                     (column.kind == TableColumn::Kind::METADATA && !column.is_virtual);
    if (!persisted) continue;
    int index = table.query->schema.indexOf(column.name);
    expressions.push_back(index < 0 ? nullLiteral(column.type)
                                    : BoundExpr::column(index, table.query->schema.type(static_cast<size_t>(index))));
    names.push_back(column.name);
  }
  return bindSinkOf(environment, table.path, table.definition, project(table.query, std::move(expressions), std::move(names)),
                    position);
}

}  // namespace

Result<BoundStatement> createTable(SessionCatalog& catalog, const BindEnvironment& environment,
                                   const sql::CreateTableStatement& create) {
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(create.name));
  const CatalogObject* there = create.temporary ? catalog.findTemporary(path) : catalog.findPermanent(path);
  if (there && create.if_not_exists) return BoundStatement(okResult());
  if (there && (!create.replace || !create.query)) {
    return Status::plan("there is a table or view " + path.toString() + " already", create.name.position);
  }
  if (!there && !create.create) {
    return Status::plan("REPLACE TABLE needs a table that is there, but there is no " + path.toString(), create.name.position);
  }
  ASSIGN_OR_RETURN(NewTable table, declare(environment, create));
  if (!create.temporary) {
    auto database = catalog.database(path.catalog, path.database);
    if (!database.isOk()) return database.status().at(create.name.position);
  }
  LogicalNodePtr sink;
  if (table.query) {
    ASSIGN_OR_RETURN(sink, sinkOf(environment, table, create.position));
  }
  auto definition = std::make_shared<const TableDefinition>(std::move(table.definition));
  RETURN_IF_ERROR(catalog.put(path, CatalogObject{std::move(definition), nullptr}, create.temporary));
  if (sink) return BoundStatement(BoundInserts{{std::move(sink)}});
  return BoundStatement(okResult());
}

Result<LogicalNodePtr> explainCreateTable(const BindEnvironment& environment, const sql::CreateTableStatement& create) {
  if (!create.query) return Status::plan("EXPLAIN CREATE TABLE needs AS with a query", create.position);
  ASSIGN_OR_RETURN(NewTable table, declare(environment, create));
  return sinkOf(environment, table, create.position);
}

Result<BoundStatement> dropTable(SessionCatalog& catalog, const BindEnvironment& environment, const sql::DropStatement& drop) {
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(drop.name));
  bool view = drop.object == sql::ObjectKind::VIEW;
  std::string kind = view ? "view" : "table";
  const CatalogObject* temporary = catalog.findTemporary(path);
  const CatalogObject* object = drop.temporary ? temporary : catalog.findPermanent(path);
  if (object && object->isView() != view) object = nullptr;
  if (!drop.temporary && temporary) {
    return Status::plan("a temporary " + kind + " " + path.toString() + " hides the one to be dropped; DROP TEMPORARY " +
                        (view ? "VIEW" : "TABLE") + " first", drop.name.position);
  }
  if (!object) {
    if (drop.if_exists) return BoundStatement(okResult());
    return Status::plan("there is no " + std::string(drop.temporary ? "temporary " : "") + kind + " " + path.toString(),
                        drop.name.position);
  }
  catalog.remove(path, drop.temporary);
  return BoundStatement(okResult());
}

}  // namespace thalweg
