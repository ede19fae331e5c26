// Catalog: databases, tables and views by name; and ResolvedTable, a table ready to be scanned or written.
//
// Kept in memory, one SessionCatalog per session (the shell's, a TableEnvironment's). Names: catalog.database.object.
// Temporary objects shadow permanent ones. Threads: one session's.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/expr/bound_expr.h"
#include "common/plan/operator_spec.h"
#include "common/sql/ast.h"
#include "common/types/schema.h"

namespace thalweg {

struct LogicalNode;   // logical_plan.h

struct ObjectPath {
  std::string catalog;
  std::string database;
  std::string object;
  bool operator<(const ObjectPath& o) const {
    return std::tie(catalog, database, object) < std::tie(o.catalog, o.database, o.object);
  }
  bool operator==(const ObjectPath&) const = default;
  std::string toString() const;   ///< `cat`.`db`.`t` with backticks
};

/// A declared column. Expressions keep their AST (for SHOW CREATE) and are bound when the table is resolved.
struct TableColumn {
  enum class Kind : uint8_t { PHYSICAL, COMPUTED, METADATA };
  std::string name;
  Kind kind = Kind::PHYSICAL;
  DataType type;                                  ///< COMPUTED: type of the bound expression
  sql::ExprPtr expression = nullptr;              ///< COMPUTED
  std::string metadata_key = {};                  ///< METADATA: FROM key, or the column's name
  bool is_virtual = false;                        ///< METADATA VIRTUAL
  std::string comment = {};
};

struct TableDefinition {
  std::vector<TableColumn> columns;
  struct Watermark {
    std::string column;
    sql::ExprPtr expression;
  };
  std::optional<Watermark> watermark;
  std::string primary_key_name;
  std::vector<std::string> primary_key;
  std::vector<std::string> partition_keys;
  OptionMap options;
  std::string comment;
  bool temporary = false;
  std::string distribution = {};                  ///< `DISTRIBUTED BY HASH(`a`) INTO 4 BUCKETS`, or empty
  std::vector<std::map<std::string, std::string>> partitions = {};  ///< registered by ALTER TABLE … ADD PARTITION
};

struct ViewDefinition {
  std::string original_text;
  std::string expanded_text;                      ///< normalised, as SHOW CREATE VIEW prints it
  sql::QueryPtr query;
  std::vector<std::string> column_names;          ///< given names, or the query's
  Schema schema;
  std::string creating_catalog, creating_database;
  std::string comment;
  bool temporary = false;
  std::shared_ptr<const LogicalNode> plan = nullptr;   ///< of a view that has no text, made from a Table: then no `query`
};

/// The connector that scans of streams name in plans; no table can be declared with it.
inline constexpr std::string_view kStreamScanConnector = "datastream";
inline constexpr std::string_view kStreamScanInput = "input";

/// A stream of a C++ program that a table stands for: rows come from the program's graph, not from a connector.
struct StreamInput {
  int id = 0;                                     ///< which stream of the program
  ChangelogMode mode;                             ///< which kinds its rows may have
  bool bounded = true;
  int parallelism = 0;                            ///< of whoever emits; 0: the job's
  bool own_watermarks = false;                    ///< SOURCE_WATERMARK(): the stream's marks are the table's
};

/// A table with everything bound: what scans and sinks are planned from.
struct ResolvedTable {
  ObjectPath path;
  TableDefinition definition;                     ///< options already merged with OPTIONS hints of the use
  Schema schema;                                  ///< all columns, time attributes marked
  /// Columns produced by the connector (physical, then metadata), the input of the bound expressions below.
  Schema produced;
  std::vector<std::string> produced_metadata_keys;  ///< per produced column; "" for physical
  /// Per schema column: expression over `produced` (columns pass through; computed ones are expressions).
  std::vector<BoundExprPtr> expressions;
  std::optional<WatermarkSpec> watermark;         ///< over `schema` columns
  std::vector<int> primary_key;                   ///< schema columns
  std::optional<StreamInput> stream = std::nullopt;  ///< instead of a connector; `produced` are the stream's columns
};

}  // namespace thalweg
