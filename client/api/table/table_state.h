// What is behind a TableEnvironment and a Table: a session of the embedded engine, and a bound plan.
//
// A Table's plan is bound when the Table is made. Refining it binds a small query whose FROM names the plan (`$t`), so
// that the Table API and SQL share one binder. Threads: one environment's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/table.h"
#include "client/embedded/sql_engine.h"
#include "common/sql/ast.h"

namespace thalweg::api {

inline constexpr const char* kInput = "$t";    ///< the table that is refined
inline constexpr const char* kRight = "$r";    ///< the other one of a join or set operation

struct EnvironmentState;

/// Runs and explains plans that read streams of a program; only a StreamTableEnvironment has one.
class PlanRunner {
 public:
  virtual ~PlanRunner() = default;
  /// Whether a plan reads streams, so that it cannot run by itself.
  virtual bool owns(const std::vector<LogicalNodePtr>& sinks) const = 0;
  /// Starts one job: a query whose rows are collected, or sinks.
  virtual TableResult run(EnvironmentState& environment, std::vector<LogicalNodePtr> sinks, bool is_query) = 0;
};

struct EnvironmentState : std::enable_shared_from_this<EnvironmentState> {
  explicit EnvironmentState(Configuration configuration);

  client::SqlEngine engine;
  std::shared_ptr<PlanRunner> runner = nullptr;
  /// Schemas with their declarations (computed columns, watermarks) of plans that come from tables and streams.
  std::map<const LogicalNode*, std::pair<LogicalNodePtr, std::shared_ptr<const ResolvedSchema>>> declared = {};
  std::vector<std::string> buffered = {};   ///< INSERTs of sqlUpdate()
  int unnamed_tables = 0;      ///< names given by Table::toString()
  int anonymous_tables = 0;    ///< tables of from(TableDescriptor)

  /// Binds a query that may name `tables`.
  LogicalNodePtr bind(const sql::Query& query, const std::map<std::string, LogicalNodePtr>& tables) const;
  bool isBatch() const { return engine.batchMode(); }
  TimeZone zone() const;
};
using EnvironmentStatePtr = std::shared_ptr<EnvironmentState>;

/// orderBy() with what offset() and fetch() added: one operator, made anew by each of them.
struct SortedTable {
  LogicalNodePtr input;
  std::vector<sql::OrderItem> keys = {};
  int64_t offset = 0;
  std::optional<int64_t> fetch = {};
};

struct TableState {
  EnvironmentStatePtr environment;
  LogicalNodePtr node;
  std::optional<SortedTable> sorted = {};
};

/// Starts a query, or sinks as one job.
TableResult runPlans(EnvironmentState& environment, std::vector<LogicalNodePtr> sinks, bool is_query);

Table makeTable(EnvironmentStatePtr environment, LogicalNodePtr node);
/// The table of `query`, which names `table`'s plan kInput.
Table refine(const Table& table, const sql::Query& query);

/// FROM kInput, or another name.
sql::TableRefPtr tableRef(const std::string& name = kInput);
/// `SELECT * FROM table`.
std::shared_ptr<sql::SelectBody> selectAll(const std::string& name = kInput);
sql::Query queryOf(sql::QueryBodyPtr body);
sql::SelectItem item(sql::ExprPtr expr, std::string alias = {});

}  // namespace thalweg::api
