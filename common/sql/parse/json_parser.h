// Reads the insides of the JSON functions: paths, key-value pairs, and their clauses.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_expression.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class JsonParser {
 public:
  explicit JsonParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// Fills `args`, `json` and `order_by` of the JSON function that `call` names; entered behind `(`, left before `)`.
  Status parseInto(FunctionCall& call);

 private:
  Status parsePathCall(FunctionCall& call, JsonClauses& clauses);
  Status parseValue(JsonClauses& clauses);
  Status parseQuery(JsonClauses& clauses);
  Status parseExists(JsonClauses& clauses);
  Status parseReactions(JsonClauses& clauses);
  Result<JsonReaction> parseReaction();
  bool atReaction() const;
  Status parseWrapper(JsonClauses& clauses);
  Status parsePairs(FunctionCall& call, bool only_one);
  Status parsePair(FunctionCall& call);
  Status parseElements(FunctionCall& call);
  Status addExpression(FunctionCall& call);
  bool acceptNulls(JsonClauses& clauses);

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
