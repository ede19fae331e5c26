// Reads what stands in FROM: tables, joins, sub-queries, table functions, UNNEST.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_query.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class TableParser {
 public:
  explicit TableParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// `a, b JOIN c ON ..`, behind FROM.
  Result<TableRefPtr> parseFrom();

 private:
  using MutableRef = std::shared_ptr<TableRef>;

  Result<TableRefPtr> parseJoined();
  bool atJoin() const;
  Result<TableRefPtr> parseJoin(TableRefPtr left, std::size_t start);
  JoinType acceptJoinType();
  Status parseJoinCondition(Join& join);

  Result<TableRefPtr> parseTable();
  Result<TableRefPtr> parseParenthesised();
  Result<TableRefPtr> parseNamed();
  Result<TableRefPtr> parseLateral();
  Result<TableRefPtr> parseUnnest(bool lateral);
  Result<TableRefPtr> parseWrappedFunction(bool lateral);
  Result<TableRefPtr> parseBareFunction();
  bool atFunction() const;

  /// MATCH_RECOGNIZE, alias and TABLESAMPLE behind `ref`, whose first token is `start`.
  template <typename Ref, typename... Children>
  Result<TableRefPtr> finish(std::shared_ptr<Ref> ref, std::size_t start, const Children&... children);
  Result<TableRefPtr> finishMatch(TableRefPtr input, std::size_t start);
  Status parseAlias(TableRef& ref);
  Status parseSample(TableRef& ref);
  Status refusePivot() const;

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
