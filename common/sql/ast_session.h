// The statements that look around and set up the session: SHOW, DESCRIBE, USE, SET and the like.
// Threads: immutable, share freely.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/sql/ast_statement.h"

namespace thalweg::sql {

enum class ShowKind {
  CATALOGS,
  DATABASES,
  TABLES,
  VIEWS,
  MATERIALIZED_TABLES,
  FUNCTIONS,
  PROCEDURES,
  MODULES,
  JARS,
  JOBS,
  MODELS,
  CONNECTIONS,
  CURRENT_CATALOG,
  CURRENT_DATABASE,
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
  QualifiedName name;  ///< of a JOB: its id as the only part
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
