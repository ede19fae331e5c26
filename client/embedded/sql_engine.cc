#include "client/embedded/sql_engine.h"

#include <unistd.h>

#include <algorithm>
#include <climits>

#include "client/embedded/plan_file.h"
#include "client/embedded/random_seed.h"
#include "client/embedded/result_order.h"
#include "client/embedded/table_sizes.h"
#include "common/base/hash.h"
#include "common/planner/planner.h"
#include "common/planner/state_explain.h"
#include "common/sql/unparser.h"
#include "common/time/clock.h"
#include "coordinator/compiler/job_graph_compiler.h"
#include "coordinator/compiler/job_graph_text.h"
#include "coordinator/compiler/script_planner.h"

namespace thalweg::client {

namespace {

/// Statements that change what later ones mean, but for SET and RESET, whose outcome is in the configuration.
bool isDefinition(const sql::Statement& statement) {
  using enum sql::StatementKind;
  switch (statement.kind) {
    case CREATE_TABLE:
    case CREATE_VIEW:
    case CREATE_DATABASE:
    case CREATE_CATALOG:
    case CREATE_FUNCTION:
    case CREATE_MODEL:
    case ALTER:
    case DROP:
    case USE:
    case MODULE: return true;
    default: return false;
  }
}

/// `c`.`d`.`t` of a sink without the quotes.
std::string plainTableName(const PlanNode& sink) {
  const auto* spec = std::get_if<SinkSpec>(&sink.spec);
  std::string name = spec == nullptr ? std::string() : spec->table_name;
  std::erase(name, '`');
  return name;
}

std::string currentDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof(path)) != nullptr ? path : "";
}

}  // namespace

SqlEngine::SqlEngine(Configuration configuration) : session_(std::move(configuration)), catalog_files_(session_, definitions_) {}
SqlEngine::~SqlEngine() = default;

bool SqlEngine::batchMode() const { return session_.configuration().getEnum("execution.runtime-mode") == "BATCH"; }

int SqlEngine::parallelism() const {
  const int64_t of_sql = session_.configuration().getInt("table.exec.resource.default-parallelism");
  return static_cast<int>(of_sql > 0 ? of_sql : session_.configuration().getInt("parallelism.default"));
}

Result<StatementOutcome> SqlEngine::execute(const sql::StatementPtr& statement, const std::string& given) {
  const std::string text = given.empty() ? sql::unparse(*statement) : given;
  const bool sets = statement->kind == sql::StatementKind::SET || statement->kind == sql::StatementKind::RESET;
  if (!sets) RETURN_IF_ERROR(catalog_files_.beforeStatement());
  ASSIGN_OR_RETURN(BoundStatement bound, session_.bind(statement));
  if (auto* query = std::get_if<BoundQuery>(&bound)) {
    return start(text, {std::make_shared<LogicalSink>(query->node, nullptr)}, true);
  }
  if (auto* inserts = std::get_if<BoundInserts>(&bound)) {
    auto outcome = start(text, std::move(inserts->sinks), false);
    if (outcome.isOk() && isDefinition(*statement)) RETURN_IF_ERROR(defined(text));   // CREATE TABLE AS
    return outcome;
  }
  if (isDefinition(*statement)) RETURN_IF_ERROR(defined(text));
  if (auto* explanation = std::get_if<BoundExplain>(&bound)) return explain(*explanation);
  StatementOutcome outcome;
  if (auto* table = std::get_if<TableResult>(&bound)) {
    outcome.schema = table->schema;
    outcome.table = std::move(*table);
    return outcome;
  }
  const sql::Statement& command = *std::get<BoundCommand>(bound).statement;
  if (command.kind == sql::StatementKind::COMPILE_PLAN) return compilePlan(sql::as<sql::CompilePlanStatement>(command));
  if (command.kind == sql::StatementKind::EXECUTE_PLAN) {
    ASSIGN_OR_RETURN(const sql::StatementPtr planned, readPlan(sql::as<sql::ExecutePlanStatement>(command).path));
    return execute(planned);
  }
  outcome.kind = StatementOutcome::Kind::COMMAND;
  outcome.command = std::get<BoundCommand>(bound).statement;
  return outcome;
}

Status SqlEngine::defined(const std::string& text) {
  definitions_.push_back(text);
  return catalog_files_.afterDefinition();
}

Result<StatementOutcome> SqlEngine::compilePlan(const sql::CompilePlanStatement& compile) {
  ASSIGN_OR_RETURN(const bool writes, mayWritePlan(compile.path, compile.if_not_exists));
  ASSIGN_OR_RETURN(BoundStatement bound, session_.bind(compile.statement));
  auto* inserts = std::get_if<BoundInserts>(&bound);
  if (inserts == nullptr) return Status::plan("COMPILE PLAN is for INSERT and statement sets");
  const PlannerSettings settings = plannerSettings(SystemClock().nowMillis());
  RETURN_IF_ERROR(planJob(inserts->sinks, settings).status());
  if (writes) RETURN_IF_ERROR(writePlan(compile.path, *compile.statement));
  if (compile.execute) return start(sql::unparse(*compile.statement), std::move(inserts->sinks), false);
  StatementOutcome outcome;
  outcome.table = okResult();
  outcome.schema = outcome.table.schema;
  return outcome;
}

FrozenScript SqlEngine::freeze(const std::string& text, int64_t now_ms) const {
  FrozenScript script;
  for (const auto& [key, value] : session_.configuration().entries()) script.configuration[key] = value;
  script.definitions = definitions_;
  script.statement = text;
  script.plan_time_ms = now_ms;
  script.random_seed = randomSeedOf(session_.configuration());
  script.working_directory = currentDirectory();
  script.name = session_.configuration().getString("pipeline.name");
  if (script.name.empty()) script.name = script.statement.substr(0, 100);
  for (char& c : script.name) c = c == '\n' ? ' ' : c;
  return script;
}

PlannerSettings SqlEngine::plannerSettings(int64_t now_ms) const {
  PlannerSettings settings{session_.configuration(), batchMode(), now_ms, interrupted_};
  // A cluster plans once more, and must come to the same plan without looking at files of this machine.
  if (!launcher_ && !plan_launcher_) settings.table_rows = rowsInFiles;
  return settings;
}

Result<PreparedPlans> SqlEngine::prepareAt(std::vector<LogicalNodePtr> sinks, int64_t now_ms) const {
  const PlannerSettings settings = plannerSettings(now_ms);
  ASSIGN_OR_RETURN(PlannedJob planned, planJob(std::move(sinks), settings));
  ASSIGN_OR_RETURN(JobGraph graph, coordinator::compileJobGraph(planned.plan, parallelism()));
  return PreparedPlans{std::move(planned.plan), std::move(graph)};
}

int64_t SqlEngine::planTimeMillis() const {
  const int64_t given = plan_launcher_ ? plan_launcher_->planTimeMillis() : 0;
  return given > 0 ? given : SystemClock().nowMillis();
}

Result<PreparedPlans> SqlEngine::prepare(std::vector<LogicalNodePtr> sinks) const { return prepareAt(std::move(sinks), planTimeMillis()); }

Result<StatementOutcome> SqlEngine::run(std::vector<LogicalNodePtr> sinks, bool is_query) {
  if (launcher_) return Status::notSupported("plans without SQL text cannot be sent to a cluster yet; run this program without one");
  return start({}, std::move(sinks), is_query);
}

Result<StatementOutcome> SqlEngine::start(const std::string& text, std::vector<LogicalNodePtr> sinks, bool is_query) {
  const int64_t now_ms = planTimeMillis();
  ASSIGN_OR_RETURN(PreparedPlans prepared, prepareAt(std::move(sinks), now_ms));
  StatementOutcome outcome;
  outcome.kind = is_query ? StatementOutcome::Kind::QUERY : StatementOutcome::Kind::INSERT;
  const PlanNode& sink = *prepared.plan.sinks[0];
  outcome.schema = is_query ? sink.schema : Schema();
  outcome.insert_only = sink.mode.isInsertOnly();
  if (is_query && !prepared.plan.batch_mode) outcome.order = resultOrderOf(sink);
  if (!is_query) {
    for (const auto& root : prepared.plan.sinks) outcome.written.push_back(plainTableName(*root));
  }
  if (launcher_) {
    const FrozenScript script = freeze(text, now_ms);
    // What is shipped is planned from its text here, too: the text's plan may differ from the statement's in form.
    ASSIGN_OR_RETURN(const coordinator::PlannedScript shipped, coordinator::planScript(script));
    ASSIGN_OR_RETURN(outcome.job, launcher_->launch(shipped.graph, script));
  } else if (plan_launcher_) {
    ASSIGN_OR_RETURN(outcome.job, plan_launcher_->launchPlan(prepared.graph, is_query));
  } else {
    EmbeddedJobOptions options = job_options_;
    options.ordinal = jobs_started_[EmbeddedJob::idOf(prepared.graph, 0)]++;
    ASSIGN_OR_RETURN(outcome.embedded, EmbeddedJob::start(prepared.graph, options));
    outcome.job = outcome.embedded;
  }
  return outcome;
}

Result<std::string> SqlEngine::explainPlans(const std::vector<LogicalNodePtr>& sinks, const std::vector<sql::ExplainDetail>& details) const {
  const auto asksFor = [&details](sql::ExplainDetail detail) { return std::ranges::find(details, detail) != details.end(); };
  const PlannerSettings settings = plannerSettings(SystemClock().nowMillis());
  ASSIGN_OR_RETURN(const PlannedJob planned, planJob(sinks, settings));
  ASSIGN_OR_RETURN(const JobGraph graph, coordinator::compileJobGraph(planned.plan, parallelism()));
  const bool asks_for_state = asksFor(sql::ExplainDetail::STATE);
  std::string text = asks_for_state && details.size() == 1 ? std::string() : explainText(planned) + coordinator::jobGraphText(graph);
  text += asks_for_state ? stateText(planned.plan) : stateSummary(planned.plan);
  if (asksFor(sql::ExplainDetail::ESTIMATED_COST)) text += "== Estimated Cost ==\nnot supported: plans carry no costs\n";
  if (asksFor(sql::ExplainDetail::PLAN_ADVICE)) text += "== Advice ==\nnot supported: no rule gives advice yet\n";
  if (asksFor(sql::ExplainDetail::JSON_EXECUTION_PLAN)) text += coordinator::jobGraphJson(graph);
  return text;
}

Result<StatementOutcome> SqlEngine::explain(const BoundExplain& explain) {
  ASSIGN_OR_RETURN(std::string text, explainPlans(explain.nodes, explain.details));
  StatementOutcome outcome;
  outcome.table = textResult("result", {std::move(text)});
  outcome.schema = outcome.table.schema;
  return outcome;
}

}  // namespace thalweg::client
