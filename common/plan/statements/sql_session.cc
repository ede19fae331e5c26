#include "common/plan/statements/sql_session.h"

#include "common/config/config_option.h"
#include "common/plan/binder/query_binder.h"
#include "common/plan/catalog/table_resolver.h"
#include "common/plan/statements/statement_binder.h"

namespace thalweg {

TableResult okResult() { return textResult("result", {"OK"}); }

TableResult textResult(std::string heading, std::vector<std::string> lines) {
  TableResult result;
  result.schema = Schema({{std::move(heading), DataType::string()}});
  for (std::string& line : lines) result.rows.push_back({Value::string(std::move(line))});
  return result;
}

namespace {

/// Flink's tables know two modes; AUTOMATIC is for programs of streams.
Status checkMode(const Configuration& configuration) {
  if (configuration.getEnum("execution.runtime-mode") != "AUTOMATIC") return {};
  return Status::plan("'execution.runtime-mode' = 'automatic' is for DataStream programs; SQL runs in 'streaming' or 'batch'");
}

/// What only the plan of a query would find wrong: told where it is set.
Status checkZone(const std::string& key, const std::string& value) {
  const Result<ConfigOption> option = findConfigOption(key);
  if (!option.isOk() || option->key != "table.local-time-zone" || value.empty() || value == "default") return {};
  return TimeZone::of(value).status().withContext("configuration key '" + key + "', value '" + value + "'");
}

}  // namespace

Result<BindEnvironment> SqlSession::environment() const {
  BindEnvironment environment;
  environment.catalog = &catalog_;
  environment.configuration = &configuration_;
  environment.batch_mode = configuration_.getEnum("execution.runtime-mode") == "BATCH";
  environment.current_catalog = catalog_.currentCatalog();
  environment.current_database = catalog_.currentDatabase();
  std::string zone = configuration_.getString("table.local-time-zone");
  if (!zone.empty() && zone != "default") {
    ASSIGN_OR_RETURN(environment.session_zone, TimeZone::of(zone));
  }
  return environment;
}

Result<LogicalNodePtr> SqlSession::bindQuery(const sql::Query& query) const { return bindQuery(query, {}); }

Result<LogicalNodePtr> SqlSession::bindQuery(const sql::Query& query, const std::map<std::string, LogicalNodePtr>& tables) const {
  const SessionFunctions::InSight functions(functions_);
  ASSIGN_OR_RETURN(BindEnvironment env, environment());
  StatementContext context;
  context.environment = &env;
  CommonTables common;
  common.tables = tables;
  return thalweg::bindQuery(context, query, &common);
}

Result<LogicalNodePtr> SqlSession::bindScan(const ObjectPath& path, const TableDefinition& table) const {
  const SessionFunctions::InSight functions(functions_);
  ASSIGN_OR_RETURN(BindEnvironment env, environment());
  ASSIGN_OR_RETURN(auto resolved, resolveTable(env, path, table, {}, TableUse::SOURCE));
  Schema schema = resolved->schema;
  return std::make_shared<LogicalScan>(std::move(resolved), OptionMap(), std::move(schema));
}

Result<LogicalNodePtr> SqlSession::bindStream(const ObjectPath& path, const TableDefinition& table, const StreamInput& input,
                                              const Schema& columns, bool rowtime) const {
  const SessionFunctions::InSight functions(functions_);
  ASSIGN_OR_RETURN(BindEnvironment env, environment());
  ASSIGN_OR_RETURN(auto resolved, resolveStream(env, path, table, input, columns, rowtime));
  Schema schema = resolved->schema;
  return std::make_shared<LogicalScan>(std::move(resolved), OptionMap(), std::move(schema));
}

Result<LogicalNodePtr> SqlSession::bindSink(const ObjectPath& path, const TableDefinition& table, LogicalNodePtr query) const {
  const SessionFunctions::InSight functions(functions_);
  ASSIGN_OR_RETURN(BindEnvironment env, environment());
  return bindSinkOf(env, path, table, std::move(query), {});
}

Result<BoundStatement> SqlSession::bind(const sql::StatementPtr& statement) {
  using sql::StatementKind;
  const sql::Statement& s = *statement;
  libraries_.refresh(catalog_, functions_);
  const SessionFunctions::InSight functions(functions_);
  ASSIGN_OR_RETURN(BindEnvironment env, environment());
  switch (s.kind) {
    case StatementKind::QUERY: {
      RETURN_IF_ERROR(checkMode(configuration_));
      ASSIGN_OR_RETURN(LogicalNodePtr node, bindQuery(*sql::as<sql::QueryStatement>(s).query));
      return BoundStatement(BoundQuery{std::move(node)});
    }
    case StatementKind::INSERT: {
      RETURN_IF_ERROR(checkMode(configuration_));
      ASSIGN_OR_RETURN(LogicalNodePtr sink, bindInsert(env, sql::as<sql::InsertStatement>(s)));
      return BoundStatement(BoundInserts{{std::move(sink)}});
    }
    case StatementKind::STATEMENT_SET:
      RETURN_IF_ERROR(checkMode(configuration_));
      return bindStatementSet(sql::as<sql::StatementSet>(s));
    case StatementKind::EXPLAIN: return bindExplain(sql::as<sql::ExplainStatement>(s));
    case StatementKind::CREATE_TABLE: return createTable(catalog_, env, sql::as<sql::CreateTableStatement>(s));
    case StatementKind::CREATE_VIEW: return createView(catalog_, env, sql::as<sql::CreateViewStatement>(s));
    case StatementKind::CREATE_DATABASE: return createDatabase(catalog_, sql::as<sql::CreateDatabaseStatement>(s));
    case StatementKind::CREATE_CATALOG: return createCatalog(catalog_, sql::as<sql::CreateCatalogStatement>(s));
    case StatementKind::ALTER: return alterStatement(catalog_, env, sql::as<sql::AlterStatement>(s));
    case StatementKind::DROP: {
      const auto& drop = sql::as<sql::DropStatement>(s);
      if (drop.object == sql::ObjectKind::TABLE || drop.object == sql::ObjectKind::VIEW) return dropTable(catalog_, env, drop);
      return dropCatalogOrDatabase(catalog_, drop);
    }
    case StatementKind::SHOW: {
      const auto& show = sql::as<sql::ShowStatement>(s);
      if (show.what == sql::ShowKind::JOBS) return BoundStatement(BoundCommand{statement});
      return showStatement(catalog_, env, show);
    }
    case StatementKind::DESCRIBE: {
      const auto& describe = sql::as<sql::DescribeStatement>(s);
      if (describe.object == sql::ObjectKind::JOB) return BoundStatement(BoundCommand{statement});
      return describeStatement(catalog_, env, describe);
    }
    case StatementKind::USE: return useStatement(catalog_, sql::as<sql::UseStatement>(s));
    case StatementKind::SET: return bindSet(sql::as<sql::SetStatement>(s));
    case StatementKind::RESET: return bindReset(sql::as<sql::ResetStatement>(s));
    case StatementKind::STOP_JOB: case StatementKind::CLIENT_COMMAND: case StatementKind::COMPILE_PLAN:
    case StatementKind::EXECUTE_PLAN:
      return BoundStatement(BoundCommand{statement});
    case StatementKind::UPDATE: return Status::plan("UPDATE is for tables whose connector can change rows; none of ours can", s.position);
    case StatementKind::DELETE: return Status::plan("DELETE is for tables whose connector can delete rows; none of ours can", s.position);
    case StatementKind::TRUNCATE: return Status::plan("TRUNCATE is for tables whose connector can empty them; none of ours can", s.position);
    case StatementKind::CALL: return Status::plan("there is no procedure of that name", s.position);
    case StatementKind::CREATE_MATERIALIZED_TABLE: return Status::notSupported("materialized tables are not built", s.position);
    case StatementKind::CREATE_FUNCTION: return createFunction(catalog_, sql::as<sql::CreateFunctionStatement>(s), libraries_);
    case StatementKind::CREATE_MODEL: return createModel(catalog_, sql::as<sql::CreateModelStatement>(s));
    case StatementKind::CREATE_CONNECTION: return Status::notSupported("connections are not built", s.position);
    case StatementKind::MODULE: return moduleStatement(catalog_, sql::as<sql::ModuleStatement>(s));
    case StatementKind::JAR: return Status::notSupported("jars have no use here: functions are C++", s.position);
    case StatementKind::ANALYZE: return analyzeStatement(env, sql::as<sql::AnalyzeStatement>(s));
  }
  return Status::internal("statement of an unknown kind");
}

Result<BoundStatement> SqlSession::bindStatementSet(const sql::StatementSet& set) {
  ASSIGN_OR_RETURN(BindEnvironment env, environment());
  BoundInserts inserts;
  for (const auto& insert : set.inserts) {
    ASSIGN_OR_RETURN(LogicalNodePtr sink, bindInsert(env, *insert));
    inserts.sinks.push_back(std::move(sink));
  }
  return BoundStatement(std::move(inserts));
}

Result<BoundStatement> SqlSession::bindExplain(const sql::ExplainStatement& explain) {
  ASSIGN_OR_RETURN(BindEnvironment env, environment());
  BoundExplain bound{explain.details, {}};
  const sql::Statement& inner = *explain.statement;
  switch (inner.kind) {
    case sql::StatementKind::QUERY: {
      ASSIGN_OR_RETURN(LogicalNodePtr node, bindQuery(*sql::as<sql::QueryStatement>(inner).query));
      bound.nodes.push_back(std::make_shared<LogicalSink>(std::move(node), nullptr));
      break;
    }
    case sql::StatementKind::INSERT: {
      ASSIGN_OR_RETURN(LogicalNodePtr sink, bindInsert(env, sql::as<sql::InsertStatement>(inner)));
      bound.nodes.push_back(std::move(sink));
      break;
    }
    case sql::StatementKind::STATEMENT_SET: {
      ASSIGN_OR_RETURN(BoundStatement inserts, bindStatementSet(sql::as<sql::StatementSet>(inner)));
      bound.nodes = std::get<BoundInserts>(inserts).sinks;
      break;
    }
    case sql::StatementKind::CREATE_TABLE: {
      ASSIGN_OR_RETURN(LogicalNodePtr sink, explainCreateTable(env, sql::as<sql::CreateTableStatement>(inner)));
      bound.nodes.push_back(std::move(sink));
      break;
    }
    default: return Status::plan("EXPLAIN is for queries and inserts", inner.position);
  }
  return BoundStatement(std::move(bound));
}

Result<BoundStatement> SqlSession::bindSet(const sql::SetStatement& set) {
  if (set.option) {
    Status status = checkZone(set.option->key, set.option->value);
    if (status.isOk()) status = configuration_.set(set.option->key, set.option->value);
    if (!status.isOk()) return status.at(set.option->position.known() ? set.option->position : set.position);
    return BoundStatement(okResult());
  }
  TableResult result;
  result.schema = Schema({{"key", DataType::string()}, {"value", DataType::string()}});
  for (const auto& [key, value] : configuration_.entries()) {
    result.rows.push_back({Value::string(key), Value::string(value)});
  }
  return BoundStatement(std::move(result));
}

Result<BoundStatement> SqlSession::bindReset(const sql::ResetStatement& reset) {
  if (!reset.key) {
    configuration_.resetAll();
    return BoundStatement(okResult());
  }
  Status status = configuration_.reset(*reset.key);
  if (!status.isOk()) return status.at(reset.position);
  return BoundStatement(okResult());
}

}  // namespace thalweg
