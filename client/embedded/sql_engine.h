// SqlEngine: a whole engine inside the caller's process — SQL text in, results out; no ports, no daemons.
//
//   SqlEngine engine;
//   ASSIGN_OR_RETURN(StatementOutcome outcome, engine.execute(statement));
//
// Definitions take effect at once. A query starts a job whose rows are read from outcome.job; an INSERT starts a job to
// wait for. Threads: one caller at a time; a job may be cancelled from any thread.
// Errors: PARSE_ERROR and PLAN_ERROR before a job exists, NOT_SUPPORTED naming the feature; what happens later is the
// job's own status.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "client/embedded/catalog_files.h"
#include "client/embedded/embedded_job.h"
#include "common/plan/statements/sql_session.h"

namespace thalweg {
struct PlannerSettings;
}

namespace thalweg::client {

struct StatementOutcome {
  enum class Kind : uint8_t {
    TABLE,    ///< rows at hand: SHOW, DESCRIBE, EXPLAIN, OK of definitions
    QUERY,    ///< rows come from `job`
    INSERT,   ///< `job` writes
    COMMAND,  ///< for the shell: QUIT, CLEAR, HELP
  };
  Kind kind = Kind::TABLE;
  TableResult table = {};
  Schema schema = {};                       ///< of a QUERY
  bool insert_only = true;                  ///< whether a QUERY's rows are all +I
  std::vector<SortKey> order = {};          ///< in which a QUERY's changing result belongs; empty: as rows come
  std::vector<std::string> written = {};    ///< the tables of an INSERT, as default_catalog.default_database.t
  std::shared_ptr<JobHandle> job = nullptr;
  std::shared_ptr<EmbeddedJob> embedded = nullptr;   ///< `job`, if it runs in this process
  sql::StatementPtr command = nullptr;
};

/// Plans that were not started: their roots (with schema and changelog mode) and their tasks.
struct PreparedPlans {
  CompiledPlan plan;
  JobGraph graph;
};

class SqlEngine {
 public:
  explicit SqlEngine(Configuration configuration = {});
  ~SqlEngine();

  /// `text` is the statement as written, which is then what is shipped to a cluster; without it the tree is written out.
  Result<StatementOutcome> execute(const sql::StatementPtr& statement, const std::string& text = {});
  /// Jobs run elsewhere from now on; null: in this process.
  void setLauncher(std::shared_ptr<JobLauncher> launcher) { launcher_ = std::move(launcher); }
  /// Jobs of run() are started by `launcher` from now on.
  void setPlanLauncher(std::shared_ptr<PlanLauncher> launcher) { plan_launcher_ = std::move(launcher); }
  /// Starts plans that are bound already, as one job: one collected query, or any number of sinks.
  Result<StatementOutcome> run(std::vector<LogicalNodePtr> sinks, bool is_query);
  /// The same, planned and cut into tasks, but not started.
  Result<PreparedPlans> prepare(std::vector<LogicalNodePtr> sinks) const;
  /// What EXPLAIN prints of plans that are bound already.
  Result<std::string> explainPlans(const std::vector<LogicalNodePtr>& sinks, const std::vector<sql::ExplainDetail>& details = {}) const;

  /// Asked now and then while a statement is planned: whether the user gave up.
  void setInterrupted(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

  SqlSession& session() { return session_; }
  /// For tests: what jobs are started with.
  EmbeddedJobOptions& jobOptions() { return job_options_; }
  bool batchMode() const;

 private:
  PlannerSettings plannerSettings(int64_t now_ms) const;
  /// After a statement that changed the catalog.
  Status defined(const std::string& text);
  Result<StatementOutcome> compilePlan(const sql::CompilePlanStatement& compile);
  Result<StatementOutcome> start(const std::string& text, std::vector<LogicalNodePtr> sinks, bool is_query);
  Result<PreparedPlans> prepareAt(std::vector<LogicalNodePtr> sinks, int64_t now_ms) const;
  FrozenScript freeze(const std::string& text, int64_t now_ms) const;
  Result<StatementOutcome> explain(const BoundExplain& explain);
  int parallelism() const;
  int64_t planTimeMillis() const;

  SqlSession session_;
  std::vector<std::string> definitions_;     // texts of statements that changed the catalog
  CatalogFiles catalog_files_;
  std::shared_ptr<JobLauncher> launcher_;
  std::shared_ptr<PlanLauncher> plan_launcher_;
  EmbeddedJobOptions job_options_;
  std::function<bool()> interrupted_;
  std::map<std::string, int> jobs_started_;      // by id: equal jobs are numbered
};

}  // namespace thalweg::client
