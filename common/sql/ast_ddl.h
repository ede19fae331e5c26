// CREATE, ALTER and DROP. Threads: immutable, share freely.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/sql/ast_statement.h"

namespace thalweg::sql {

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
enum class StartModeKind {
  FROM_BEGINNING,
  FROM_NOW,
  FROM_TIMESTAMP,
  RESUME_OR_FROM_BEGINNING,
  RESUME_OR_FROM_NOW,
  RESUME_OR_FROM_TIMESTAMP
};
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
  bool replace = false;  ///< CREATE OR REPLACE VIEW
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
struct RenameTo {
  QualifiedName name;
};
struct RenameColumn {
  QualifiedName from, to;
};
struct SetOptions {
  OptionList options;
};
struct ResetOptions {
  std::vector<std::string> keys;
};
struct SetComment {
  std::string comment;
};
struct AddElements {
  TableElements elements;
};
struct ModifyElements {
  TableElements elements;
};
struct DropColumns {
  std::vector<QualifiedName> columns;
};
struct DropPrimaryKey {};
struct DropConstraint {
  Identifier name;
};
struct DropWatermark {};
struct AddDistribution {
  Distribution distribution;
};
struct ModifyDistribution {
  Distribution distribution;
};
struct DropDistribution {};
struct NewPartition {
  PartitionSpec partition;
  OptionList options;
};
struct AddPartitions {
  bool if_not_exists = false;
  std::vector<NewPartition> partitions;
};
struct DropPartitions {
  bool if_exists = false;
  std::vector<PartitionSpec> partitions;
};
struct AsQuery {
  QueryPtr query;
  std::string query_text;
};
struct Suspend {};
struct Resume {
  OptionList options;
};
struct Refresh {
  PartitionSpec partition;
};
struct SetFreshness {
  ExprPtr interval;
};
struct SetRefreshMode {
  RefreshMode mode = RefreshMode::UNSPECIFIED;
};
}  // namespace alter
using AlterAction =
    std::variant<alter::RenameTo, alter::RenameColumn, alter::SetOptions, alter::ResetOptions, alter::SetComment,
                 alter::AddElements, alter::ModifyElements, alter::DropColumns, alter::DropPrimaryKey,
                 alter::DropConstraint, alter::DropWatermark, alter::AddDistribution, alter::ModifyDistribution,
                 alter::DropDistribution, alter::AddPartitions, alter::DropPartitions, alter::AsQuery, alter::Suspend,
                 alter::Resume, alter::Refresh, alter::SetFreshness, alter::SetRefreshMode>;

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

}  // namespace thalweg::sql
