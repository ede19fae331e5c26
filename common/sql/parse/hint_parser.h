// Reads hints: `/*+ BROADCAST(t), STATE_TTL('t' = '1d') */`.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_query.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class HintParser {
 public:
  explicit HintParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// The hints that come next, or none.
  Result<std::vector<Hint>> parseOptional();

 private:
  Result<Hint> parseHint();
  Result<HintArgument> parseArgument();

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
