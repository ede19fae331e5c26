#include "client/api/thalweg/table_environment.h"

#include <algorithm>
#include <cctype>
#include <iostream>

#include "client/api/table/expression_tree.h"
#include "client/api/table/projection.h"
#include "client/api/table/table_result_state.h"
#include "client/api/table/table_sink.h"
#include "client/api/table/user_functions.h"
#include "client/api/thalweg/exception.h"
#include "client/program/program_jobs.h"
#include "common/functions/function_registry.h"
#include "common/plan/binder/relation.h"
#include "common/plan/catalog/legacy_options.h"
#include "common/sql/parser.h"
#include "common/sql/unparser.h"

namespace thalweg::api {
namespace {

SessionCatalog& catalogOf(EnvironmentState& state) { return state.engine.session().catalog(); }

std::vector<std::string> temporaryNames(EnvironmentState& state, bool views_only) {
  const SessionCatalog& catalog = catalogOf(state);
  std::vector<std::string> names;
  for (const auto& [path, object] : catalog.temporaryObjects()) {
    if (path.catalog == catalog.currentCatalog() && path.database == catalog.currentDatabase() && (object.isView() || !views_only)) names.push_back(path.object);
  }
  return names;
}

bool dropTemporary(EnvironmentState& state, std::string_view path, bool view) {
  const ObjectPath full = pathOf(state, path);
  const CatalogObject* object = catalogOf(state).findTemporary(full);
  if (!object || object->isView() != view) return false;
  catalogOf(state).remove(full, true);
  return true;
}

bool dropPermanent(EnvironmentState& state, std::string_view path, bool view) {
  const ObjectPath full = pathOf(state, path);
  const CatalogObject* object = catalogOf(state).findPermanent(full);
  if (!object || object->isView() != view) return false;
  catalogOf(state).remove(full, false);
  return true;
}

/// Row constructors become the rows of VALUES; other expressions are rows of one column.
std::vector<sql::ExprPtr> cellsOfRow(const Expression& row) {
  if (const auto* constructor = sql::tryAs<sql::RowConstructor>(*row.node())) return constructor->fields;   // lit(tuple)
  if (const auto* call = asCall(*row.node(), kRowFunction)) return call->args;
  return {row.node()};
}

void sayDeprecatedOptions(const sql::Statement& statement) {
  const auto* create = sql::tryAs<sql::CreateTableStatement>(statement);
  if (!create) return;
  OptionMap options;
  for (const sql::Option& option : create->definition.options) options[option.key] = option.value;
  const std::string advice = modernOptionsAdvice(options);
  if (!advice.empty()) std::cerr << "deprecated: " << advice << '\n';
}

/// The columns of `table` as nullable as the fields of `type`.
Table withNullability(const Table& table, const DataType& type) {
  const LogicalNodePtr& node = table.state()->node;
  std::vector<BoundExprPtr> columns;
  std::vector<std::string> names;
  for (size_t i = 0; i < node->schema.size(); ++i) {
    const DataType& found = node->schema.type(i);
    columns.push_back(BoundExpr::column(static_cast<int>(i), type.child(i).nullable() ? found.asNullable() : found));
    names.push_back(node->schema.column(i).name);
  }
  return makeTable(table.state()->environment, project(node, std::move(columns), std::move(names)));
}

/// Whether the statement's job is the environment's to start: it reads tables that may stand for streams.
const sql::Query* queryOfStatement(const sql::Statement& statement) {
  const auto* query = sql::tryAs<sql::QueryStatement>(statement);
  return query ? query->query.get() : nullptr;
}

}  // namespace

std::shared_ptr<EnvironmentState> TableEnvironment::makeState(const EnvironmentSettings& settings, Configuration base) {
  for (const auto& [key, value] : settings.getConfiguration().entries()) throwIfFailed(base.set(key, value));
  if (!settings.isStreamingMode()) throwIfFailed(base.set("execution.runtime-mode", "batch"));
  auto state = std::make_shared<EnvironmentState>(std::move(base));
  SessionCatalog& catalog = state->engine.session().catalog();
  if (settings.getBuiltInCatalogName() != SessionCatalog::kDefaultCatalog || settings.getBuiltInDatabaseName() != SessionCatalog::kDefaultDatabase) {
    CatalogEntry entry;
    entry.default_database = settings.getBuiltInDatabaseName();
    entry.databases[settings.getBuiltInDatabaseName()] = {};
    catalog.putCatalog(settings.getBuiltInCatalogName(), std::move(entry));
    if (settings.getBuiltInCatalogName() != SessionCatalog::kDefaultCatalog) catalog.removeCatalog(SessionCatalog::kDefaultCatalog);
    catalog.setCurrent(settings.getBuiltInCatalogName(), settings.getBuiltInDatabaseName());
  }
  return state;
}

TableEnvironment TableEnvironment::create(const EnvironmentSettings& settings) { return TableEnvironment(makeState(settings, valueOrThrow(client::programSettings()))); }

TableResult TableEnvironment::executeSql(std::string_view sql) const {
  const sql::StatementPtr statement = valueOrThrow(sql::parseStatement(sql));
  if (const sql::Query* query = queryOfStatement(*statement)) return makeTable(state_, state_->bind(*query, {})).execute();
  BoundStatement bound = valueOrThrow(state_->engine.session().bind(statement));
  sayDeprecatedOptions(*statement);
  if (auto* inserts = std::get_if<BoundInserts>(&bound)) return runPlans(*state_, std::move(inserts->sinks), false);
  client::StatementOutcome outcome;
  if (auto* table = std::get_if<thalweg::TableResult>(&bound)) {
    outcome.table = std::move(*table);
  } else if (auto* explain = std::get_if<BoundExplain>(&bound)) {
    outcome.table = textResult("result", {valueOrThrow(state_->engine.explainPlans(explain->nodes))});
  } else {
    throw UnsupportedOperationException("this statement is for the shell; a program has methods for it");
  }
  outcome.schema = outcome.table.schema;
  return TableResult(makeResult(std::move(outcome), *state_));
}

Table TableEnvironment::sqlQuery(std::string_view sql) const {
  const sql::StatementPtr statement = valueOrThrow(sql::parseStatement(sql));
  const sql::Query* query = queryOfStatement(*statement);
  if (!query) throw ValidationException("sqlQuery takes one SELECT, VALUES, WITH or set operation; use executeSql for other statements");
  return makeTable(state_, state_->bind(*query, {}));
}

std::string TableEnvironment::explainSql(std::string_view sql) const {
  const sql::StatementPtr statement = valueOrThrow(sql::parseStatement(sql));
  auto explain = std::make_shared<sql::ExplainStatement>();
  explain->statement = statement;
  BoundStatement bound = valueOrThrow(state_->engine.session().bind(explain));
  return valueOrThrow(state_->engine.explainPlans(std::get<BoundExplain>(bound).nodes));
}

Table TableEnvironment::from(std::string_view path) const { return tableAt(state_, path); }
Table TableEnvironment::from(const TableDescriptor& descriptor) const { return tableOf(state_, descriptor); }

Table TableEnvironment::fromValuesOf(const DataType* row_type, const std::vector<Expression>& rows) const {
  auto values = std::make_shared<sql::ValuesBody>();
  for (const Expression& row : rows) values->rows.push_back(cellsOfRow(row));
  const Table plain = makeTable(state_, state_->bind(queryOf(std::move(values)), {}));
  const thalweg::Schema& schema = plain.state()->node->schema;
  auto body = selectAll();
  body->items.clear();
  if (row_type && (row_type->kind() != TypeKind::ROW || row_type->childCount() != schema.size())) {
    throw ValidationException("fromValues: the rows have " + std::to_string(schema.size()) + " columns, which do not fit " + row_type->toString());
  }
  for (size_t i = 0; i < schema.size(); ++i) {
    sql::ExprPtr cell = columnNode({schema.column(i).name});
    if (row_type && !row_type->child(i).sameAs(schema.type(i))) cell = castNode(std::move(cell), row_type->child(i), false);
    body->items.push_back(item(std::move(cell), row_type ? row_type->fieldName(i) : "f" + std::to_string(i)));
  }
  const Table named = refine(plain, queryOf(std::move(body)));
  return row_type ? withNullability(named, *row_type) : named;
}

Table TableEnvironment::fromCallOf(const Expression& call) const {
  auto function = std::make_shared<sql::TableFunctionCall>();
  function->call = std::static_pointer_cast<const sql::FunctionCall>(call.node());
  auto body = selectAll();
  body->from = std::move(function);
  const ScalarFunction* known = state_->engine.session().functions().scalar(sql::as<sql::FunctionCall>(*call.node()).name.last());
  if (!known || known->category != kUserTableFunction) throw ValidationException("fromCall() takes a table function of this environment, not " + call.toString());
  return makeTable(state_, state_->bind(queryOf(std::move(body)), {}));
}

bool TableEnvironment::createTable(std::string_view path, const TableDescriptor& descriptor, bool ignore_if_exists) const {
  if (ignore_if_exists && catalogOf(*state_).findPermanent(pathOf(*state_, path))) return false;
  putTable(*state_, path, descriptor, false);
  return true;
}
bool TableEnvironment::createTemporaryTable(std::string_view path, const TableDescriptor& descriptor, bool ignore_if_exists) const {
  if (ignore_if_exists && catalogOf(*state_).findTemporary(pathOf(*state_, path))) return false;
  putTable(*state_, path, descriptor, true);
  return true;
}
void TableEnvironment::createTemporaryView(std::string_view path, const Table& table) const {
  if (table.state()->environment != state_) throw ValidationException("the table belongs to another TableEnvironment");
  putView(*state_, path, table, false);
}

bool TableEnvironment::dropTemporaryTable(std::string_view path) const { return dropTemporary(*state_, path, false); }
bool TableEnvironment::dropTemporaryView(std::string_view path) const { return dropTemporary(*state_, path, true); }
bool TableEnvironment::dropTable(std::string_view path) const { return dropPermanent(*state_, path, false); }
bool TableEnvironment::dropView(std::string_view path) const { return dropPermanent(*state_, path, true); }

void TableEnvironment::useCatalog(std::string_view catalog) const { throwIfFailed(catalogOf(*state_).useCatalog(identifier(std::string(catalog)))); }
void TableEnvironment::useDatabase(std::string_view database) const {
  throwIfFailed(catalogOf(*state_).useDatabase(qualifiedName({std::string(database)})));
}
std::string TableEnvironment::getCurrentCatalog() const { return catalogOf(*state_).currentCatalog(); }
std::string TableEnvironment::getCurrentDatabase() const { return catalogOf(*state_).currentDatabase(); }

std::vector<std::string> TableEnvironment::listCatalogs() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : catalogOf(*state_).catalogs()) names.push_back(name);
  return names;
}

std::vector<std::string> TableEnvironment::listDatabases() const {
  std::vector<std::string> names;
  const CatalogEntry* entry = catalogOf(*state_).findCatalog(getCurrentCatalog());
  if (!entry) return names;
  for (const auto& [name, database] : entry->databases) names.push_back(name);
  return names;
}

std::vector<std::string> TableEnvironment::listTables() const {
  return catalogOf(*state_).objectNames(getCurrentCatalog(), getCurrentDatabase(), false);
}
std::vector<std::string> TableEnvironment::listTables(std::string_view catalog, std::string_view database) const {
  const CatalogEntry* entry = catalogOf(*state_).findCatalog(std::string(catalog));
  if (!entry || !entry->databases.contains(std::string(database))) {
    throw ValidationException("there is no database '" + std::string(catalog) + "." + std::string(database) + "'");
  }
  return catalogOf(*state_).objectNames(std::string(catalog), std::string(database), false);
}
std::vector<std::string> TableEnvironment::listModules() const {
  std::vector<std::string> names;
  for (RowIterator rows = executeSql("SHOW MODULES").collect(); rows.hasNext();) names.push_back(rows.next().getFieldAs<std::string>(0));
  return names;
}
void TableEnvironment::useModules(const std::vector<std::string>& modules) const {
  std::string text;
  for (const std::string& module : modules) text += (text.empty() ? "" : ", ") + sql::quoteIdentifier(module);
  executeSql("USE MODULES " + text);
}
std::vector<std::string> TableEnvironment::listViews() const {
  return catalogOf(*state_).objectNames(getCurrentCatalog(), getCurrentDatabase(), true);
}
std::vector<std::string> TableEnvironment::listTemporaryTables() const { return temporaryNames(*state_, false); }
std::vector<std::string> TableEnvironment::listTemporaryViews() const { return temporaryNames(*state_, true); }

std::vector<std::string> TableEnvironment::listFunctions() const {
  const SessionFunctions::InSight functions(state_->engine.session().functions());
  return FunctionRegistry::instance().names();
}
void TableEnvironment::addFunction(std::string_view name, UserFunction function) const {
  SqlSession& session = state_->engine.session();
  const auto& settings = session.configuration().entries();
  registerFunction(session.functions(), name, std::move(function), {settings.begin(), settings.end()});
}
std::vector<std::string> TableEnvironment::listUserDefinedFunctions() const {
  std::vector<std::string> names = state_->engine.session().functions().names();
  for (std::string& name : names) std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::sort(names.begin(), names.end());
  return names;
}
bool TableEnvironment::dropTemporarySystemFunction(std::string_view name) const { return state_->engine.session().functions().remove(name); }

}  // namespace thalweg::api
