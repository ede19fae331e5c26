// CREATE VIEW.
#include <set>

#include "common/plan/binder/query_binder.h"
#include "common/plan/binder/view_expansion.h"
#include "common/plan/statements/statement_binder.h"
#include "common/sql/unparser.h"

namespace thalweg {
namespace {

/// The query with full names and without stars; as it was written if that should not mean the same.
sql::QueryPtr expanded(const BindEnvironment& environment, const ViewExpansion& expansion, const sql::QueryPtr& query,
                       const Schema& schema) {
  sql::QueryPtr full = expansion.expand(query);
  StatementContext context;
  context.environment = &environment;
  auto node = QueryBinder(context, nullptr, nullptr).bind(*full);
  return node.isOk() && (*node)->schema == schema ? full : query;
}

}  // namespace

Result<BoundStatement> createView(SessionCatalog& catalog, const BindEnvironment& environment,
                                  const sql::CreateViewStatement& create) {
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(create.name));
  const CatalogObject* there = create.temporary ? catalog.findTemporary(path) : catalog.findPermanent(path);
  if (there && create.if_not_exists) return BoundStatement(okResult());
  if (there) return Status::plan("there is a table or view " + path.toString() + " already", create.name.position);
  ViewExpansion expansion;
  BindEnvironment noting = environment;
  noting.expansion = &expansion;
  StatementContext context;
  context.environment = &noting;
  ASSIGN_OR_RETURN(LogicalNodePtr node, QueryBinder(context, nullptr, nullptr).bind(*create.query));
  auto view = std::make_shared<ViewDefinition>();
  view->original_text = create.query_text;
  view->query = expanded(environment, expansion, create.query, node->schema);
  view->expanded_text = sql::unparse(*view->query);
  view->creating_catalog = environment.current_catalog;
  view->creating_database = environment.current_database;
  view->comment = create.comment.value_or("");
  view->temporary = create.temporary;
  view->column_names = columnNames(node->schema);
  if (!create.columns.empty()) {
    if (create.columns.size() != node->schema.size()) {
      return Status::plan("the view names " + std::to_string(create.columns.size()) + " columns, but its query has " +
                          std::to_string(node->schema.size()), create.columns[0].position);
    }
    view->column_names.clear();
    for (const sql::Identifier& name : create.columns) view->column_names.push_back(name.text);
  }
  std::vector<Column> columns;
  std::set<std::string> names;
  for (size_t i = 0; i < node->schema.size(); ++i) {
    Column column = node->schema.column(i);
    column.name = view->column_names[i];
    if (!names.insert(column.name).second) {
      return Status::plan("the view has two columns '" + column.name + "'; give one an alias", create.position);
    }
    if (column.type.isNull()) {
      return Status::plan("column '" + column.name + "' is a bare NULL; give it a type, as in CAST(NULL AS INT)", create.position);
    }
    columns.push_back(std::move(column));
  }
  view->schema = Schema(std::move(columns));
  if (!create.temporary) {
    auto database = catalog.database(path.catalog, path.database);
    if (!database.isOk()) return database.status().at(create.name.position);
  }
  RETURN_IF_ERROR(catalog.put(path, CatalogObject{nullptr, std::move(view)}, create.temporary));
  return BoundStatement(okResult());
}

}  // namespace thalweg
