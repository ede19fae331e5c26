// Reads ORDER BY lists, window specifications, and OVER clauses.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_expression.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class WindowParser {
 public:
  explicit WindowParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// `a DESC NULLS LAST, b`, behind ORDER BY.
  Result<std::vector<OrderItem>> parseOrderItems();
  Result<OrderItem> parseOrderItem();
  /// `ORDER BY ..` if it comes next, else none.
  Result<std::vector<OrderItem>> parseOptionalOrderBy();
  /// With its parentheses.
  Result<std::shared_ptr<const WindowSpec>> parseSpec();
  /// `w` or `(..)`, behind OVER.
  Result<std::shared_ptr<const OverClause>> parseOver();

 private:
  Result<WindowFrame> parseFrame();
  Result<FrameBound> parseBound();

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
