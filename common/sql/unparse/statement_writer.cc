// Statements but CREATE, ALTER and DROP, which are in ddl_writer.cc.
#include "common/sql/unparse/writer.h"
#include "common/sql/unparser.h"

namespace thalweg::sql {
void Writer::statement(const Statement& node) {
  switch (node.kind) {
    case StatementKind::QUERY:
      text(as<QueryStatement>(node).execute ? "EXECUTE " : "");
      return query(*as<QueryStatement>(node).query);
    case StatementKind::INSERT: return insert(as<InsertStatement>(node));
    case StatementKind::STATEMENT_SET: return statementSet(as<StatementSet>(node));
    case StatementKind::UPDATE: return update(as<UpdateStatement>(node));
    case StatementKind::DELETE: return deleteFrom(as<DeleteStatement>(node));
    case StatementKind::EXPLAIN: return explain(as<ExplainStatement>(node));
    case StatementKind::COMPILE_PLAN: return compilePlan(as<CompilePlanStatement>(node));
    case StatementKind::CREATE_TABLE: return createTable(as<CreateTableStatement>(node));
    case StatementKind::CREATE_MATERIALIZED_TABLE:
      return createMaterializedTable(as<CreateMaterializedTableStatement>(node));
    case StatementKind::CREATE_VIEW: return createView(as<CreateViewStatement>(node));
    case StatementKind::CREATE_DATABASE: return createDatabase(as<CreateDatabaseStatement>(node));
    case StatementKind::CREATE_CATALOG: return createCatalog(as<CreateCatalogStatement>(node));
    case StatementKind::CREATE_FUNCTION: return createFunction(as<CreateFunctionStatement>(node));
    case StatementKind::CREATE_MODEL: return createModel(as<CreateModelStatement>(node));
    case StatementKind::CREATE_CONNECTION: return createConnection(as<CreateConnectionStatement>(node));
    case StatementKind::ALTER: return alterStatement(as<AlterStatement>(node));
    case StatementKind::DROP: return drop(as<DropStatement>(node));
    case StatementKind::SHOW: return show(as<ShowStatement>(node));
    case StatementKind::DESCRIBE: return describe(as<DescribeStatement>(node));
    case StatementKind::USE: return use(as<UseStatement>(node));
    case StatementKind::ANALYZE: return analyze(as<AnalyzeStatement>(node));
    default: return session(node);
  }
}

// --- changes -----------------------------------------------------------------------------------------

void Writer::insert(const InsertStatement& node) {
  if (node.execute) text("EXECUTE ");
  text(node.overwrite ? "INSERT OVERWRITE " : node.upsert ? "UPSERT INTO " : "INSERT INTO ");
  name(node.target);
  if (!node.hints.empty()) {
    text("\n");
    hints(node.hints);
  }
  if (!node.partition.empty()) {
    text(" ");
    partition(node.partition);
  }
  if (!node.columns.empty()) {
    text(" (");
    list(node.columns, ", ", [this](const QualifiedName& column) { name(column); });
    text(")");
  }
  text("\n");
  query(*node.query);
  if (!node.on_conflict) return;
  switch (*node.on_conflict) {
    case ConflictAction::ERROR: return text("\nON CONFLICT DO ERROR");
    case ConflictAction::NOTHING: return text("\nON CONFLICT DO NOTHING");
    case ConflictAction::DEDUPLICATE: return text("\nON CONFLICT DO DEDUPLICATE");
  }
}

void Writer::statementSet(const StatementSet& node) {
  text(node.execute ? "EXECUTE STATEMENT SET BEGIN\n" : "STATEMENT SET BEGIN\n");
  for (const auto& item : node.inserts) {
    insert(*item);
    text("\n;\n");
  }
  text("END");
}

void Writer::update(const UpdateStatement& node) {
  text("UPDATE ");
  name(node.table);
  if (!node.hints.empty()) {
    text(" ");
    hints(node.hints);
  }
  if (node.alias) text(" AS " + quoteIdentifier(node.alias->text));
  text("\nSET ");
  list(node.assignments, ", ", [this](const Assignment& assignment) {
    name(assignment.column);
    text(" = ");
    expr(*assignment.value);
  });
  if (node.where == nullptr) return;
  text("\nWHERE ");
  expr(*node.where);
}

void Writer::deleteFrom(const DeleteStatement& node) {
  text("DELETE FROM ");
  name(node.table);
  if (!node.hints.empty()) {
    text(" ");
    hints(node.hints);
  }
  if (node.alias) text(" AS " + quoteIdentifier(node.alias->text));
  if (node.where == nullptr) return;
  text("\nWHERE ");
  expr(*node.where);
}

void Writer::explain(const ExplainStatement& node) {
  static constexpr std::string_view kDetails[] = {"ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN",
                                                  "PLAN_ADVICE", "STATE"};
  text("EXPLAIN ");
  list(node.details, ", ", [this](ExplainDetail detail) { text(kDetails[static_cast<std::size_t>(detail)]); });
  if (!node.details.empty()) text(" ");
  statement(*node.statement);
}

void Writer::compilePlan(const CompilePlanStatement& node) {
  text(node.execute ? "COMPILE AND EXECUTE PLAN " : "COMPILE PLAN ");
  string(node.path);
  text(node.if_not_exists ? " IF NOT EXISTS FOR " : " FOR ");
  statement(*node.statement);
}

// --- looking around ----------------------------------------------------------------------------------

void Writer::show(const ShowStatement& node) {
  static constexpr std::string_view kWords[] = {
      "CATALOGS", "DATABASES",  "TABLES", "VIEWS",  "MATERIALIZED TABLES", "FUNCTIONS",       "PROCEDURES",
      "MODULES",  "JARS",       "JOBS",   "MODELS", "CONNECTIONS",         "CURRENT CATALOG", "CURRENT DATABASE",
      "COLUMNS",  "PARTITIONS", "CREATE "};
  text("SHOW ");
  if (node.user) text("USER ");
  if (node.full) text("FULL ");
  text(kWords[static_cast<std::size_t>(node.what)]);
  if (node.what == ShowKind::CREATE) {
    if (node.or_alter) text("OR ALTER ");
    text(objectWord(node.object));
    return name(*node.name);
  }
  if (node.name) {
    text(node.preposition.empty() ? " " : " " + node.preposition + " ");
    name(*node.name);
  }
  if (!node.partition.empty()) {
    text(" ");
    partition(node.partition);
  }
  if (!node.like) return;
  text(node.like->negated ? " NOT " : " ");
  text(node.like->ignore_case ? "ILIKE " : "LIKE ");
  string(node.like->pattern);
}

void Writer::describe(const DescribeStatement& node) {
  text("DESCRIBE ");
  if (node.object != ObjectKind::TABLE) text(objectWord(node.object));
  if (node.extended) text("EXTENDED ");
  if (node.object == ObjectKind::JOB) return string(node.name.last());
  name(node.name);
}

void Writer::use(const UseStatement& node) {
  text("USE ");
  if (node.what == UseKind::MODULES) {
    text("MODULES ");
    return list(node.modules, ", ", [this](const Identifier& module) { identifier(module); });
  }
  if (node.what == UseKind::CATALOG) text("CATALOG ");
  name(node.name);
}

void Writer::analyze(const AnalyzeStatement& node) {
  text("ANALYZE TABLE ");
  name(node.table);
  if (!node.partition.empty()) {
    text(" ");
    partition(node.partition);
  }
  text(" COMPUTE STATISTICS");
  if (node.all_columns) text(" FOR ALL COLUMNS");
  if (node.columns.empty()) return;
  text(" FOR COLUMNS ");
  list(node.columns, ", ", [this](const Identifier& column) { identifier(column); });
}

void Writer::session(const Statement& node) {
  if (const auto* set = tryAs<SetStatement>(node)) {
    text("SET");
    if (set->option) text(" " + quoteString(set->option->key) + " = " + quoteString(set->option->value));
  } else if (const auto* reset = tryAs<ResetStatement>(node)) {
    text("RESET");
    if (reset->key) text(" " + quoteString(*reset->key));
  } else if (const auto* module = tryAs<ModuleStatement>(node)) {
    text(module->load ? "LOAD MODULE " : "UNLOAD MODULE ");
    identifier(module->name);
    withOptions(module->options);
  } else if (const auto* jar = tryAs<JarStatement>(node)) {
    text(jar->add ? "ADD JAR " : "REMOVE JAR ");
    string(jar->path);
  } else if (const auto* stop = tryAs<StopJobStatement>(node)) {
    text("STOP JOB " + quoteString(stop->id));
    if (stop->with_savepoint) text(" WITH SAVEPOINT");
    if (stop->with_drain) text(" WITH DRAIN");
  } else if (const auto* truncate = tryAs<TruncateStatement>(node)) {
    text("TRUNCATE TABLE ");
    name(truncate->table);
  } else if (const auto* call_statement = tryAs<CallStatement>(node)) {
    text("CALL ");
    expr(*call_statement->call);
  } else if (const auto* plan = tryAs<ExecutePlanStatement>(node)) {
    text("EXECUTE PLAN " + quoteString(plan->path));
  } else if (const auto* command = tryAs<ClientCommandStatement>(node)) {
    static constexpr std::string_view kCommands[] = {"QUIT", "EXIT", "CLEAR", "HELP"};
    text(kCommands[static_cast<std::size_t>(command->command)]);
  }
}

}  // namespace thalweg::sql
