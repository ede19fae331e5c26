#include "coordinator/compiler/script_planner.h"

#include <unistd.h>

#include <filesystem>

#include "common/plan/statements/sql_session.h"
#include "common/planner/planner.h"
#include "common/sql/parser.h"
#include "coordinator/compiler/graph_fingerprint.h"
#include "coordinator/compiler/job_graph_compiler.h"

namespace thalweg::coordinator {
namespace {

/// In another working directory while it lives; where that does not exist here, in the one that was.
class DirectoryScope {
 public:
  explicit DirectoryScope(const std::string& directory) {
    std::error_code error;
    before_ = std::filesystem::current_path(error).string();
    if (!directory.empty()) moved_ = chdir(directory.c_str()) == 0;
  }
  ~DirectoryScope() {
    if (moved_) (void)!chdir(before_.c_str());
  }
  DirectoryScope(const DirectoryScope&) = delete;
  DirectoryScope& operator=(const DirectoryScope&) = delete;

 private:
  std::string before_;
  bool moved_ = false;
};

Status define(SqlSession& session, const std::string& text) {
  ASSIGN_OR_RETURN(const sql::StatementPtr statement, sql::parseStatement(text));
  return session.bind(statement).status();
}

}  // namespace

Result<PlannedScript> planScript(const FrozenScript& script) {
  if (script.bytes() > FrozenScript::kBytesMax) {
    return Status::exhausted("the job's definitions have " + std::to_string(script.bytes()) + " bytes; the limit is " +
                             std::to_string(FrozenScript::kBytesMax));
  }
  const DirectoryScope directory(script.working_directory);
  SqlSession session;
  for (const auto& [key, value] : script.configuration) RETURN_IF_ERROR(session.configuration().set(key, value));
  for (const std::string& text : script.definitions) {
    if (const Status status = define(session, text); !status.isOk()) return status.withContext("defining " + text.substr(0, 60));
  }
  ASSIGN_OR_RETURN(const sql::StatementPtr statement, sql::parseStatement(script.statement));
  ASSIGN_OR_RETURN(BoundStatement bound, session.bind(statement));
  PlannedScript planned;
  std::vector<LogicalNodePtr> sinks;
  if (auto* query = std::get_if<BoundQuery>(&bound)) {
    sinks.push_back(std::make_shared<LogicalSink>(query->node, nullptr));
    planned.is_query = true;
  } else if (auto* inserts = std::get_if<BoundInserts>(&bound)) {
    sinks = std::move(inserts->sinks);
  } else {
    return Status::invalid("expected a query or an INSERT as the job of a script");
  }
  const bool batch = session.configuration().getEnum("execution.runtime-mode") == "BATCH";
  ASSIGN_OR_RETURN(const PlannedJob job, planJob(std::move(sinks), {session.configuration(), batch, script.plan_time_ms}));
  const int64_t of_sql = session.configuration().getInt("table.exec.resource.default-parallelism");
  const int64_t parallelism = of_sql > 0 ? of_sql : session.configuration().getInt("parallelism.default");
  ASSIGN_OR_RETURN(planned.graph, compileJobGraph(job.plan, static_cast<int>(parallelism)));
  planned.text = canonicalGraphText(planned.graph);
  planned.fingerprint = fingerprintOf(planned.text);
  return planned;
}

Result<JobOutline> outlineOfScript(const FrozenScript& script) {
  ASSIGN_OR_RETURN(PlannedScript planned, planScript(script));
  JobOutline outline = outlineOf(planned.graph);
  outline.is_query = planned.is_query;
  outline.text = std::move(planned.text);
  outline.fingerprint = std::move(planned.fingerprint);
  return outline;
}

}  // namespace thalweg::coordinator
