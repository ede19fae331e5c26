// QueryBinder: syntax trees of queries → LogicalNode trees.
//
// One binder per query block; StatementContext is shared by all blocks of a statement, so that a view or table
// used twice is one node. `outer` is what the block sees of the queries around it (null: nothing).
// The work is split by clause: query_binder.cc (WITH, set operations, VALUES, ORDER BY), from_binder (tables and
// joins), select_binder (one SELECT), aggregate_binder, over_binder, subquery_binder, window_function_binder.
// Errors: PLAN_ERROR with position; NOT_SUPPORTED names what is not built. Threads: one binding.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/plan/binder/bind_environment.h"
#include "common/plan/binder/relation.h"
#include "common/plan/expressions/row_context.h"
#include "common/sql/ast.h"

namespace thalweg {

struct StatementContext {
  const BindEnvironment* environment = nullptr;
  std::map<std::string, LogicalNodePtr> nodes = {};  ///< scans and views by path, hints included
  int view_depth = 0;
};

/// WITH queries that are in sight, inner ones first.
struct CommonTables {
  const CommonTables* parent = nullptr;
  std::map<std::string, LogicalNodePtr> tables = {};
  LogicalNodePtr find(const std::string& name) const {
    for (const CommonTables* level = this; level; level = level->parent) {
      auto found = level->tables.find(name);
      if (found != level->tables.end()) return found->second;
    }
    return nullptr;
  }
};

class QueryBinder {
 public:
  QueryBinder(StatementContext& statement, RowContext* outer, const CommonTables* common)
      : statement_(statement), outer_(outer), common_(common) {}

  Result<LogicalNodePtr> bind(const sql::Query& query);
  /// The query of an INSERT: NULLs of its VALUES get their types from the table.
  Result<LogicalNodePtr> bindForInsert(const sql::Query& query);

 private:
  Result<LogicalNodePtr> bindBody(const sql::QueryBody& body, const CommonTables* common, const sql::Query* decorated);
  Result<LogicalNodePtr> bindValues(const sql::ValuesBody& values);
  Result<LogicalNodePtr> bindSetOperation(const sql::SetOperation& op, const CommonTables* common);
  Result<LogicalNodePtr> bindOrder(LogicalNodePtr input, const sql::Query& query);

  const BindEnvironment& environment() const { return *statement_.environment; }

  StatementContext& statement_;
  RowContext* outer_;
  const CommonTables* common_;
  bool for_insert_ = false;
};

/// A whole query as a user asked for it: names made unique (`id`, `id0`), no untyped column.
Result<LogicalNodePtr> bindQuery(StatementContext& statement, const sql::Query& query, const CommonTables* common = nullptr);

/// Names made unique as Flink does it: `a, a0, a1`.
std::vector<std::string> uniqueNames(std::vector<std::string> names);

/// The number of LIMIT or OFFSET.
Result<int64_t> bindCount(const BindEnvironment& environment, const sql::Expr& expr, std::string_view what);
/// Sort keys over columns, with Flink's places for NULLs: first when ascending, last when descending.
SortKey sortKey(int column, const sql::OrderItem& item);

}  // namespace thalweg
