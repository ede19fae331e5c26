// Cuts SQL text into tokens, leaving out blanks and comments (`--`, `//`, `/* */`).
//
// Positions count code points. Text that is not UTF-8 or has a quote or comment without end is a PARSE_ERROR.
// Threads: one Lexer per thread. Lifetime: the text outlives the Lexer and its tokens.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/sql/parse/token.h"

namespace thalweg::sql {

class Lexer {
 public:
  /// Counts positions from `start`, the place of the text within a larger one; from 1, 1 if that is unknown.
  explicit Lexer(std::string_view text, SourcePosition start = {});

  /// The next token; END again and again at the end. After a failure the lexer stands behind the fault.
  Result<Token> next();
  bool atEnd() const { return atEnd(0); }
  /// The text that the last call of next() failed on, as a token.
  Token skipped() const { return make(TokenKind::SYMBOL); }

 private:
  bool atEnd(std::size_t ahead) const { return offset_ + ahead >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return atEnd(ahead) ? '\0' : text_[offset_ + ahead]; }
  bool startsWith(std::string_view prefix) const { return text_.substr(offset_).starts_with(prefix); }
  void advance();  ///< over one code point
  void advanceBytes(std::size_t count);
  Status skipBlanks();
  Status skipBlockComment();

  Result<Token> lexToken();
  Result<Token> lexWord();
  Result<Token> lexNumber();
  Result<Token> lexQuoted(TokenKind kind, std::size_t prefix_bytes, char quote);
  Result<Token> lexSymbol();
  std::size_t letterBytes(std::size_t at) const;  ///< 0 if no letter stands there

  void begin();
  Token make(TokenKind kind) const;
  Status failAtStart(std::string message) const;

  std::string_view text_;
  std::size_t offset_ = 0;
  int line_ = 1;
  int column_ = 1;
  bool in_hint_ = false;
  // where the current token starts
  std::size_t start_offset_ = 0;
  int start_line_ = 1;
  int start_column_ = 1;
  int last_line_ = 1;  // of the last code point passed
  int last_column_ = 1;
};

/// All tokens of the text, the last one END; positions as the Lexer's.
Result<std::vector<Token>> tokenize(std::string_view text, SourcePosition start = {});

}  // namespace thalweg::sql
