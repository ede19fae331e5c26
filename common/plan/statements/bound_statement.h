// BoundStatement: what a statement became — a query to run, rows to show, or something for the shell to do.
//
// Definitions (CREATE, ALTER, DROP, USE, SET) have been carried out on the session when they come back as a
// TableResult. Threads: values.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "common/plan/logical_plan.h"
#include "common/sql/ast_statement.h"

namespace thalweg {

/// SELECT, VALUES, TABLE: rows to be collected.
struct BoundQuery {
  LogicalNodePtr node;
};

/// INSERT INTO, EXECUTE STATEMENT SET, CREATE TABLE … AS: one job; every node is a LogicalSink.
struct BoundInserts {
  std::vector<LogicalNodePtr> sinks;
};

/// SHOW, DESCRIBE and the `OK` of definitions.
struct TableResult {
  Schema schema;
  std::vector<std::vector<Value>> rows;
};

/// EXPLAIN: the plans to be explained; LogicalSink without a table for a query.
struct BoundExplain {
  std::vector<sql::ExplainDetail> details;
  std::vector<LogicalNodePtr> nodes;
};

/// Statements for whoever runs the session: QUIT, CLEAR, HELP, SHOW JOBS, STOP JOB, COMPILE PLAN, EXECUTE PLAN.
struct BoundCommand {
  sql::StatementPtr statement;
};

using BoundStatement = std::variant<BoundQuery, BoundInserts, TableResult, BoundExplain, BoundCommand>;

/// `(result STRING)` with the row `OK`.
TableResult okResult();
/// Rows of text under one heading.
TableResult textResult(std::string heading, std::vector<std::string> lines);

}  // namespace thalweg
