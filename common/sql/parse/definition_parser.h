// Reads the parts that DDL statements share: columns, constraints, options, partitions, comments.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_definition.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class DefinitionParser {
 public:
  explicit DefinitionParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// `('k' = 'v', ..)`, perhaps empty.
  Result<OptionList> parseOptions();
  /// `WITH (..)` if it comes next.
  Result<OptionList> parseOptionalWith();
  /// `('k', ..)`, perhaps empty.
  Result<std::vector<std::string>> parseKeys();
  /// `COMMENT '..'` if it comes next.
  Result<std::optional<std::string>> parseOptionalComment();
  bool acceptIfNotExists() { return cursor_.acceptWords({"IF", "NOT", "EXISTS"}); }
  bool acceptIfExists() { return cursor_.acceptWords({"IF", "EXISTS"}); }

  /// `(a INT, b AS a + 1, PRIMARY KEY (a) NOT ENFORCED, ..)`, or names alone: `(a, b)`.
  Result<TableElements> parseTableElements();
  /// The same for ALTER TABLE: places allowed, names of fields allowed, parentheses optional around one element.
  Result<TableElements> parseAlterElements();
  /// `(a INT COMMENT '..', ..)`: physical columns only, of a model.
  Result<std::vector<ColumnDefinition>> parseModelColumns();

  /// `BY HASH (a) INTO 3 BUCKETS`, behind DISTRIBUTED or DISTRIBUTION.
  Result<Distribution> parseDistribution();
  /// COMMENT, DISTRIBUTED, PARTITIONED BY in this order, each if it comes next.
  Status parseTableClauses(TableDefinition& definition);

  enum class PartitionValues { REQUIRED, OPTIONAL };
  /// `(a = 1, b = 'x')`, behind PARTITION.
  Result<PartitionSpec> parsePartitionSpec(PartitionValues values);

  /// `source [(INCLUDING ALL ..)]`, behind LIKE.
  Result<LikeClause> parseLike();

 private:
  enum class Context { CREATE, ALTER };

  Status parseElement(TableElements& elements, Context context);
  Status parseColumn(TableElements& elements, Context context);
  Status parseTypedColumn(ColumnDefinition& column, TableElements& elements);
  Status parseMetadata(ColumnDefinition& column);
  Status parseComputed(ColumnDefinition& column);
  Status parsePlace(ColumnDefinition& column);
  Status parseColumnConstraint(const ColumnDefinition& column, TableElements& elements);
  Result<TableConstraint> parseConstraintKind();
  void parseEnforcement(TableConstraint& constraint);
  Status parseTableConstraint(TableElements& elements);
  Status parseWatermark(TableElements& elements);
  Result<ExprPtr> parseNonQuery(std::string_view where);
  Result<LikeOption> parseLikeOption();

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
