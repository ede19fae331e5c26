// What tables are made of in DDL: columns, constraints, watermarks, distribution, options, partitions.
// Threads: plain values inside immutable statements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/sql/ast_query.h"

namespace thalweg::sql {

/// `'key' = 'value'`.
struct Option {
  std::string key;
  std::string value;
  SourcePosition position;
};
using OptionList = std::vector<Option>;

enum class ColumnKind {
  PHYSICAL,   ///< name type
  METADATA,   ///< name type METADATA [FROM 'key'] [VIRTUAL]
  COMPUTED,   ///< name AS expression
  NAME_ONLY,  ///< name: CREATE TABLE t (b, a) AS SELECT .. reorders the query's columns
};
enum class ColumnPlace { UNSPECIFIED, FIRST, AFTER };
struct ColumnDefinition {
  ColumnKind kind = ColumnKind::PHYSICAL;
  QualifiedName name;            ///< of one part, but in ALTER TABLE .. MODIFY, where fields of rows are spelled a.b
  std::optional<TypeSpec> type;  ///< PHYSICAL and METADATA
  std::optional<std::string> metadata_key;
  bool is_virtual = false;
  ExprPtr expression;  ///< COMPUTED
  std::optional<std::string> comment;
  ColumnPlace place = ColumnPlace::UNSPECIFIED;  ///< ALTER TABLE only
  std::optional<QualifiedName> after;
  SourcePosition position;
};

struct WatermarkDefinition {
  QualifiedName column;
  ExprPtr expression;
  SourcePosition position;
};

enum class ConstraintKind { PRIMARY_KEY, UNIQUE };
/// Also `a INT PRIMARY KEY NOT ENFORCED`: a constraint of that one column.
struct TableConstraint {
  ConstraintKind kind = ConstraintKind::PRIMARY_KEY;
  std::optional<Identifier> name;
  std::vector<Identifier> columns;
  std::optional<bool> enforced;  ///< absent: neither ENFORCED nor NOT ENFORCED was written
  SourcePosition position;
};

/// `DISTRIBUTED [BY [HASH|RANGE] (a, b)] [INTO n BUCKETS]`
struct Distribution {
  std::optional<std::string> kind;  ///< HASH or RANGE
  std::vector<Identifier> columns;
  std::optional<int> buckets;
  SourcePosition position;
};

/// The parenthesised part of CREATE TABLE and of ALTER TABLE .. ADD / MODIFY.
struct TableElements {
  std::vector<ColumnDefinition> columns;
  std::vector<TableConstraint> constraints;
  std::optional<WatermarkDefinition> watermark;
};

struct TableDefinition {
  TableElements elements;
  std::optional<std::string> comment;
  std::optional<Distribution> distribution;
  std::vector<Identifier> partitioned_by;
  OptionList options;
};

/// `p = 'x'` or, where it may, `p` alone.
struct PartitionItem {
  Identifier key;
  ExprPtr value;  ///< a Literal, or null
};
using PartitionSpec = std::vector<PartitionItem>;

enum class MergingStrategy { INCLUDING, EXCLUDING, OVERWRITING };
enum class LikeFeature { ALL, CONSTRAINTS, DISTRIBUTION, GENERATED, METADATA, OPTIONS, PARTITIONS, WATERMARKS };
struct LikeOption {
  MergingStrategy strategy = MergingStrategy::INCLUDING;
  LikeFeature feature = LikeFeature::ALL;
};
struct LikeClause {
  QualifiedName source;
  std::vector<LikeOption> options;
  SourcePosition position;
};

}  // namespace thalweg::sql
