// Statements: one struct per kind, under `Statement`; `as<InsertStatement>(*s)` and `tryAs<>` cast.
//
// Here are the base and the statements that move rows; CREATE, ALTER and DROP are in ast_ddl.h, the statements
// that look around and set up the session in ast_session.h. A statement that parses need not be one that the
// engine can run. Threads: immutable, share freely.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/sql/ast_definition.h"

namespace thalweg::sql {

enum class StatementKind {
  QUERY,                      ///< QueryStatement: SELECT .., EXECUTE SELECT ..
  INSERT,                     ///< InsertStatement
  STATEMENT_SET,              ///< StatementSet
  UPDATE,                     ///< UpdateStatement
  DELETE,                     ///< DeleteStatement
  TRUNCATE,                   ///< TruncateStatement
  CALL,                       ///< CallStatement
  EXPLAIN,                    ///< ExplainStatement
  COMPILE_PLAN,               ///< CompilePlanStatement
  EXECUTE_PLAN,               ///< ExecutePlanStatement
  CREATE_TABLE,               ///< CreateTableStatement
  CREATE_MATERIALIZED_TABLE,  ///< CreateMaterializedTableStatement
  CREATE_VIEW,                ///< CreateViewStatement
  CREATE_DATABASE,            ///< CreateDatabaseStatement
  CREATE_CATALOG,             ///< CreateCatalogStatement
  CREATE_FUNCTION,            ///< CreateFunctionStatement, also ALTER FUNCTION
  CREATE_MODEL,               ///< CreateModelStatement
  CREATE_CONNECTION,          ///< CreateConnectionStatement
  ALTER,                      ///< AlterStatement: every other object
  DROP,                       ///< DropStatement
  SHOW,                       ///< ShowStatement
  DESCRIBE,                   ///< DescribeStatement
  USE,                        ///< UseStatement
  SET,                        ///< SetStatement
  RESET,                      ///< ResetStatement
  MODULE,                     ///< ModuleStatement: LOAD and UNLOAD
  JAR,                        ///< JarStatement: ADD and REMOVE
  STOP_JOB,                   ///< StopJobStatement
  ANALYZE,                    ///< AnalyzeStatement
  CLIENT_COMMAND,             ///< ClientCommandStatement: QUIT, EXIT, CLEAR, HELP
};

struct Statement {
  StatementKind kind;
  SourcePosition position;
  virtual ~Statement() = default;

 protected:
  explicit Statement(StatementKind k) : kind(k) {}
};
using StatementPtr = std::shared_ptr<const Statement>;

enum class ObjectKind {
  CATALOG,
  DATABASE,
  TABLE,
  VIEW,
  MATERIALIZED_TABLE,
  FUNCTION,
  MODEL,
  CONNECTION,
  JOB,  ///< DESCRIBE only
};

// --- queries and changes -----------------------------------------------------------------------------

struct QueryStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::QUERY;
  QueryStatement() : Statement(kKind) {}
  QueryPtr query;
  bool execute = false;  ///< EXECUTE SELECT ..
};

enum class ConflictAction { ERROR, NOTHING, DEDUPLICATE };
struct InsertStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::INSERT;
  InsertStatement() : Statement(kKind) {}
  QualifiedName target;
  std::vector<Hint> hints;
  bool overwrite = false;
  bool upsert = false;  ///< UPSERT INTO, which Flink refuses
  PartitionSpec partition;
  std::vector<QualifiedName> columns;  ///< empty if not written
  QueryPtr query;
  std::optional<ConflictAction> on_conflict;
  bool execute = false;  ///< EXECUTE INSERT ..
};

/// `EXECUTE STATEMENT SET BEGIN .. END` and `BEGIN STATEMENT SET; .. END`.
struct StatementSet : Statement {
  static constexpr StatementKind kKind = StatementKind::STATEMENT_SET;
  StatementSet() : Statement(kKind) {}
  std::vector<std::shared_ptr<const InsertStatement>> inserts;
  bool execute = true;  ///< false for the bare form below EXPLAIN and COMPILE PLAN
};

struct Assignment {
  QualifiedName column;
  ExprPtr value;
};
struct UpdateStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::UPDATE;
  UpdateStatement() : Statement(kKind) {}
  QualifiedName table;
  std::vector<Hint> hints;
  std::optional<Identifier> alias;
  std::vector<Assignment> assignments;
  ExprPtr where;
};
struct DeleteStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::DELETE;
  DeleteStatement() : Statement(kKind) {}
  QualifiedName table;
  std::vector<Hint> hints;
  std::optional<Identifier> alias;
  ExprPtr where;
};
struct TruncateStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::TRUNCATE;
  TruncateStatement() : Statement(kKind) {}
  QualifiedName table;
};
struct CallStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CALL;
  CallStatement() : Statement(kKind) {}
  std::shared_ptr<const FunctionCall> call;
};

enum class ExplainDetail {
  ESTIMATED_COST,
  CHANGELOG_MODE,
  JSON_EXECUTION_PLAN,
  PLAN_ADVICE,
  STATE,  ///< ours: what operators will keep
};
struct ExplainStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::EXPLAIN;
  ExplainStatement() : Statement(kKind) {}
  std::vector<ExplainDetail> details;  ///< in the order written, none twice
  StatementPtr statement;
};
struct CompilePlanStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::COMPILE_PLAN;
  CompilePlanStatement() : Statement(kKind) {}
  std::string path;
  bool if_not_exists = false;
  bool execute = false;    ///< COMPILE AND EXECUTE PLAN
  StatementPtr statement;  ///< an InsertStatement or a StatementSet
};
struct ExecutePlanStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::EXECUTE_PLAN;
  ExecutePlanStatement() : Statement(kKind) {}
  std::string path;
};

}  // namespace thalweg::sql
