// Reads what stands between operators: literals, names, CASE, CAST, constructors, sub-queries, calls.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_query.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class PrimaryParser {
 public:
  explicit PrimaryParser(TokenCursor& cursor) : cursor_(cursor) {}

  Result<ExprPtr> parse();
  /// `*`, `t.*`, for select lists and arguments, or null if none comes next.
  Result<ExprPtr> parseOptionalStar();

 private:
  Result<ExprPtr> parseWord();
  Result<ExprPtr> parseParenthesised();
  Result<ExprPtr> parseDifference(const OperatorCall& minus, std::size_t start);
  Result<ExprPtr> parseCase();
  Result<ExprPtr> parseCast();
  Result<ExprPtr> parseExists();
  Result<ExprPtr> parseRow();
  Result<ExprPtr> parseCollection(CollectionKind kind);
  Result<ExprPtr> parseInterval();
  Result<ExprPtr> parseIntervalOf(std::size_t start);
  Result<ExprPtr> parseMatchPrefix();
  Result<ExprPtr> parseName();
  Result<ExprPtr> parseBraces();
  bool atCollection(std::string_view word) const;

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
