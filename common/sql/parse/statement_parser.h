// Reads one statement of any kind by its first word.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_statement.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class StatementParser {
 public:
  explicit StatementParser(TokenCursor& cursor) : cursor_(cursor) {}

  Result<StatementPtr> parse();

 private:
  Result<StatementPtr> parseChange();
  Result<StatementPtr> parseSession();
  Status unknown() const;

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
