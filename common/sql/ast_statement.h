// Statements: one struct per kind, under `Statement`; `as<InsertStatement>(*s)` and `tryAs<>` cast.
//
// A statement that parses need not be one that the engine can run. Threads: immutable, share freely.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/sql/ast_definition.h"

namespace thalweg::sql {

enum class StatementKind {
  QUERY,            ///< QueryStatement: SELECT .., EXECUTE SELECT ..
  INSERT,           ///< InsertStatement
  STATEMENT_SET,    ///< StatementSet
  UPDATE,           ///< UpdateStatement
  DELETE,           ///< DeleteStatement
  TRUNCATE,         ///< TruncateStatement
  CALL,             ///< CallStatement
  EXPLAIN,          ///< ExplainStatement
  COMPILE_PLAN,     ///< CompilePlanStatement
  EXECUTE_PLAN,     ///< ExecutePlanStatement
  CREATE_TABLE,     ///< CreateTableStatement
  CREATE_MATERIALIZED_TABLE,  ///< CreateMaterializedTableStatement
  CREATE_VIEW,      ///< CreateViewStatement
  CREATE_DATABASE,  ///< CreateDatabaseStatement
  CREATE_CATALOG,   ///< CreateCatalogStatement
  CREATE_FUNCTION,  ///< CreateFunctionStatement, also ALTER FUNCTION
  CREATE_MODEL,     ///< CreateModelStatement
  CREATE_CONNECTION,  ///< CreateConnectionStatement
  ALTER,            ///< AlterStatement: every other object
  DROP,             ///< DropStatement
  SHOW,             ///< ShowStatement
  DESCRIBE,         ///< DescribeStatement
  USE,              ///< UseStatement
  SET,              ///< SetStatement
  RESET,            ///< ResetStatement
  MODULE,           ///< ModuleStatement: LOAD and UNLOAD
  JAR,              ///< JarStatement: ADD and REMOVE
  STOP_JOB,         ///< StopJobStatement
  ANALYZE,          ///< AnalyzeStatement
  CLIENT_COMMAND,   ///< ClientCommandStatement: QUIT, EXIT, CLEAR, HELP
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
  CATALOG, DATABASE, TABLE, VIEW, MATERIALIZED_TABLE, FUNCTION, MODEL, CONNECTION,
  JOB,     ///< DESCRIBE only
  COLUMN,  ///< DESCRIBE t c: the word is not written
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

enum class ExplainDetail { ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN, PLAN_ADVICE };
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

// --- CREATE ------------------------------------------------------------------------------------------

struct CreateTableStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CREATE_TABLE;
  CreateTableStatement() : Statement(kKind) {}
  bool temporary = false;
  bool if_not_exists = false;
  bool create = true;    ///< false: REPLACE TABLE
  bool replace = false;  ///< REPLACE TABLE, CREATE OR REPLACE TABLE
  QualifiedName name;
  TableDefinition definition;
  std::optional<QualifiedName> connection;  ///< USING CONNECTION c
  std::optional<LikeClause> like;
  QueryPtr query;  ///< AS .., or null
};

enum class RefreshMode { UNSPECIFIED, CONTINUOUS, FULL };
enum class StartModeKind { FROM_BEGINNING, FROM_NOW, FROM_TIMESTAMP, RESUME_OR_FROM_BEGINNING, RESUME_OR_FROM_NOW, RESUME_OR_FROM_TIMESTAMP };
struct StartMode {
  StartModeKind kind = StartModeKind::FROM_BEGINNING;
  ExprPtr argument;  ///< an interval or a timestamp, or null
};
struct CreateMaterializedTableStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CREATE_MATERIALIZED_TABLE;
  CreateMaterializedTableStatement() : Statement(kKind) {}
  bool or_alter = false;
  QualifiedName name;
  TableDefinition definition;
  ExprPtr freshness;  ///< an IntervalLiteral, or null
  RefreshMode refresh_mode = RefreshMode::UNSPECIFIED;
  std::optional<StartMode> start_mode;
  QueryPtr query;
};

struct CreateViewStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CREATE_VIEW;
  CreateViewStatement() : Statement(kKind) {}
  bool temporary = false;
  bool if_not_exists = false;
  QualifiedName name;
  std::vector<Identifier> columns;
  std::optional<std::string> comment;
  QueryPtr query;
  std::string query_text;  ///< as written
};

struct CreateDatabaseStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CREATE_DATABASE;
  CreateDatabaseStatement() : Statement(kKind) {}
  bool if_not_exists = false;
  QualifiedName name;
  std::optional<std::string> comment;
  OptionList options;
};

struct CreateCatalogStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CREATE_CATALOG;
  CreateCatalogStatement() : Statement(kKind) {}
  bool if_not_exists = false;
  Identifier name;
  std::optional<std::string> comment;
  OptionList options;
};

struct FunctionResource {
  std::string kind;  ///< JAR or ARTIFACT
  std::string uri;
};
struct CreateFunctionStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CREATE_FUNCTION;
  CreateFunctionStatement() : Statement(kKind) {}
  bool alter = false;  ///< ALTER FUNCTION
  bool temporary = false;
  bool system = false;  ///< TEMPORARY SYSTEM
  bool if_not_exists = false;
  bool if_exists = false;  ///< ALTER only
  QualifiedName name;
  std::string class_name;
  std::optional<std::string> language;  ///< JAVA, SCALA or PYTHON
  std::vector<FunctionResource> resources;
  OptionList options;
};

struct CreateModelStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CREATE_MODEL;
  CreateModelStatement() : Statement(kKind) {}
  bool temporary = false;
  bool if_not_exists = false;
  QualifiedName name;
  std::vector<ColumnDefinition> inputs;
  std::vector<ColumnDefinition> outputs;
  std::optional<std::string> comment;
  OptionList options;
  QueryPtr query;  ///< AS .., or null
};

struct CreateConnectionStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CREATE_CONNECTION;
  CreateConnectionStatement() : Statement(kKind) {}
  bool temporary = false;
  bool system = false;
  bool if_not_exists = false;
  QualifiedName name;
  std::optional<std::string> comment;
  OptionList options;
};

// --- ALTER, DROP -------------------------------------------------------------------------------------

namespace alter {
struct RenameTo { QualifiedName name; };
struct RenameColumn { QualifiedName from, to; };
struct SetOptions { OptionList options; };
struct ResetOptions { std::vector<std::string> keys; };
struct SetComment { std::string comment; };
struct AddElements { TableElements elements; };
struct ModifyElements { TableElements elements; };
struct DropColumns { std::vector<QualifiedName> columns; };
struct DropPrimaryKey {};
struct DropConstraint { Identifier name; };
struct DropWatermark {};
struct AddDistribution { Distribution distribution; };
struct ModifyDistribution { Distribution distribution; };
struct DropDistribution {};
struct NewPartition { PartitionSpec partition; OptionList options; };
struct AddPartitions { bool if_not_exists = false; std::vector<NewPartition> partitions; };
struct DropPartitions { bool if_exists = false; std::vector<PartitionSpec> partitions; };
struct AsQuery { QueryPtr query; std::string query_text; };
struct Suspend {};
struct Resume { OptionList options; };
struct Refresh { PartitionSpec partition; };
}  // namespace alter
using AlterAction =
    std::variant<alter::RenameTo, alter::RenameColumn, alter::SetOptions, alter::ResetOptions, alter::SetComment,
                 alter::AddElements, alter::ModifyElements, alter::DropColumns, alter::DropPrimaryKey,
                 alter::DropConstraint, alter::DropWatermark, alter::AddDistribution, alter::ModifyDistribution,
                 alter::DropDistribution, alter::AddPartitions, alter::DropPartitions, alter::AsQuery, alter::Suspend,
                 alter::Resume, alter::Refresh>;

struct AlterStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::ALTER;
  AlterStatement() : Statement(kKind) {}
  ObjectKind object = ObjectKind::TABLE;
  bool if_exists = false;
  QualifiedName name;
  AlterAction action;
};

struct DropStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::DROP;
  DropStatement() : Statement(kKind) {}
  ObjectKind object = ObjectKind::TABLE;
  bool temporary = false;
  bool system = false;
  bool if_exists = false;
  bool cascade = false;  ///< DATABASE: CASCADE; RESTRICT is the default
  QualifiedName name;
};

// --- looking around, and the session -----------------------------------------------------------------

enum class ShowKind {
  CATALOGS, DATABASES, TABLES, VIEWS, MATERIALIZED_TABLES, FUNCTIONS, PROCEDURES, MODULES, JARS, JOBS, MODELS,
  CONNECTIONS,
  CURRENT_CATALOG, CURRENT_DATABASE,
  COLUMNS,     ///< of `name`
  PARTITIONS,  ///< of `name`
  CREATE,      ///< SHOW CREATE `object` `name`
};
struct ShowLike {
  std::string pattern;
  bool negated = false;
  bool ignore_case = false;  ///< ILIKE
};
struct ShowStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::SHOW;
  ShowStatement() : Statement(kKind) {}
  ShowKind what = ShowKind::TABLES;
  ObjectKind object = ObjectKind::TABLE;  ///< with CREATE
  std::optional<QualifiedName> name;      ///< behind FROM / IN, or the object's name
  std::string preposition;                ///< FROM or IN, if written
  std::optional<ShowLike> like;
  PartitionSpec partition;  ///< with PARTITIONS
  bool user = false;        ///< SHOW USER FUNCTIONS
  bool full = false;        ///< SHOW FULL MODULES
  bool or_alter = false;    ///< SHOW CREATE OR ALTER MATERIALIZED TABLE
};

struct DescribeStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::DESCRIBE;
  DescribeStatement() : Statement(kKind) {}
  ObjectKind object = ObjectKind::TABLE;  ///< TABLE stands for views, too
  bool extended = false;
  QualifiedName name;                ///< of a JOB: its id as the only part
  std::optional<Identifier> column;  ///< with COLUMN
};

enum class UseKind { CATALOG, DATABASE, MODULES };
struct UseStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::USE;
  UseStatement() : Statement(kKind) {}
  UseKind what = UseKind::DATABASE;
  QualifiedName name;               ///< not with MODULES
  std::vector<Identifier> modules;  ///< with MODULES
};

struct SetStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::SET;
  SetStatement() : Statement(kKind) {}
  std::optional<Option> option;  ///< absent: list all
};
struct ResetStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::RESET;
  ResetStatement() : Statement(kKind) {}
  std::optional<std::string> key;  ///< absent: all
};

struct ModuleStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::MODULE;
  ModuleStatement() : Statement(kKind) {}
  bool load = true;  ///< false: UNLOAD
  Identifier name;
  OptionList options;
};
struct JarStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::JAR;
  JarStatement() : Statement(kKind) {}
  bool add = true;  ///< false: REMOVE
  std::string path;
};
struct StopJobStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::STOP_JOB;
  StopJobStatement() : Statement(kKind) {}
  std::string id;
  bool with_savepoint = false;
  bool with_drain = false;
};
struct AnalyzeStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::ANALYZE;
  AnalyzeStatement() : Statement(kKind) {}
  QualifiedName table;
  PartitionSpec partition;
  std::vector<Identifier> columns;
  bool all_columns = false;
};

enum class ClientCommand { QUIT, EXIT, CLEAR, HELP };
struct ClientCommandStatement : Statement {
  static constexpr StatementKind kKind = StatementKind::CLIENT_COMMAND;
  ClientCommandStatement() : Statement(kKind) {}
  ClientCommand command = ClientCommand::HELP;
};

}  // namespace thalweg::sql
