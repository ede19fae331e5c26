// Reads literals: numbers, strings of all kinds, TRUE, NULL, DATE '..' and its kin.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_expression.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class LiteralParser {
 public:
  explicit LiteralParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// Whether a literal comes next; INTERVAL is not one of these.
  bool atLiteral() const;
  Result<ExprPtr> parse();

  /// The text of a string literal of any kind, adjacent ones joined. Needs a string token next.
  Result<std::string> parseStringText(std::string* charset);
  bool atString() const;

 private:
  bool atTemporal() const;
  Result<ExprPtr> parseWord();
  Result<ExprPtr> parseTemporal();
  Result<ExprPtr> parseDecimalString();
  Result<std::string> parseUnicodeText();
  Result<std::string> parseHexText();
  Status checkContinuation(const Token& token) const;
  Result<ExprPtr> make(std::size_t start, LiteralKind kind, std::string text, std::string charset = {}) const;

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
