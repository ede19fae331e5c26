// The parsers' place in a row of tokens: looking ahead, taking, refusing.
//
// One cursor is shared by the parsers of one text; it also bounds how deep they call each other.
// Threads: one at a time. Lifetime: the text outlives the cursor.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/sql/ast_name.h"
#include "common/sql/parse/token.h"

namespace thalweg::sql {

class TokenCursor {
 public:
  /// `tokens` ends with END.
  TokenCursor(std::string_view source, std::vector<Token> tokens);

  const Token& peek(std::size_t ahead = 0) const;
  const Token& previous() const { return tokens_[index_ == 0 ? 0 : index_ - 1]; }
  void skip(std::size_t count = 1);
  bool atEnd() const { return peek().kind == TokenKind::END; }

  /// Whether the words come next, in any case and without quotes.
  bool at(std::string_view upper_word, std::size_t ahead = 0) const;
  bool atWords(std::initializer_list<std::string_view> upper_words, std::size_t ahead = 0) const;
  bool atAny(std::initializer_list<std::string_view> upper_words, std::size_t ahead = 0) const;
  bool atSymbol(std::string_view symbol, std::size_t ahead = 0) const { return peek(ahead).isSymbol(symbol); }
  /// Whether a name comes next: in back-ticks, or a word that is not reserved.
  bool atIdentifier(std::size_t ahead = 0) const;

  /// Takes what comes next if it is this.
  bool accept(std::string_view upper_word);
  bool acceptWords(std::initializer_list<std::string_view> upper_words);
  bool acceptSymbol(std::string_view symbol);

  Status expect(std::string_view upper_word);
  Status expectWords(std::initializer_list<std::string_view> upper_words);
  Status expectSymbol(std::string_view symbol);
  Status expectEnd();
  /// `what` names the thing in the message: "a column name".
  Result<Identifier> expectIdentifier(std::string_view what);
  Result<QualifiedName> expectQualifiedName(std::string_view what);
  /// `(a, b)`, one or more.
  Result<std::vector<Identifier>> expectIdentifierList(std::string_view what);
  /// A plain string literal, as options have; adjacent ones are not joined.
  Result<std::string> expectString(std::string_view what);
  /// A whole number up to `max`.
  Result<int> expectInteger(std::string_view what, int max);

  /// "expected `what` but found ..", at the next token.
  Status unexpected(std::string_view what) const;
  /// The same, with the candidate that the found word may be a slip for.
  Status unexpectedWord(std::string_view what, std::initializer_list<std::string_view> candidates) const;

  /// From the token numbered `start` to the last one taken.
  SourcePosition since(std::size_t start) const;
  std::size_t mark() const { return index_; }
  /// Whether blanks or comments stand before the next token.
  bool afterBlank() const { return previous().offset + previous().text.size() != peek().offset; }
  /// All text that is left, whatever it is, without blanks and a `;` at its end. Takes it.
  std::string takeRest();
  /// The text from token `start` to the last one taken.
  std::string_view textSince(std::size_t start) const;

  /// One level deeper; fails at kNestingDepthMax. Paired with leave() by NestingGuard.
  Status enter();
  void leave() { --nesting_; }

 private:
  std::string_view source_;
  std::vector<Token> tokens_;
  std::size_t index_ = 0;
  int nesting_ = 0;
};

/// Counts one level of nesting while it lives: `NestingGuard guard(cursor); RETURN_IF_ERROR(guard.status());`
class NestingGuard {
 public:
  explicit NestingGuard(TokenCursor& cursor) : cursor_(cursor), status_(cursor.enter()) {}
  ~NestingGuard() { cursor_.leave(); }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;
  const Status& status() const { return status_; }

 private:
  TokenCursor& cursor_;  // Lifetime: the guard's scope
  Status status_;
};

/// The token as a message names it: `'abc'`, `FROM`, `the end of the statement`.
std::string describeToken(const Token& token);

}  // namespace thalweg::sql
