#include "common/sql/parse/token_cursor.h"

#include <algorithm>
#include <charconv>

#include "common/base/check.h"
#include "common/base/edit_distance.h"
#include "common/sql/parse/keywords.h"
#include "common/sql/parse/literal_text.h"
#include "common/sql/parser.h"

namespace thalweg::sql {
namespace {

std::string joinWords(std::initializer_list<std::string_view> words) {
  std::string out;
  for (std::string_view word : words) {
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

}  // namespace

TokenCursor::TokenCursor(std::string_view source, std::vector<Token> tokens)
    : source_(source), tokens_(std::move(tokens)) {
  CHECK(!tokens_.empty() && tokens_.back().kind == TokenKind::END);
}

const Token& TokenCursor::peek(std::size_t ahead) const {
  return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
}

void TokenCursor::skip(std::size_t count) { index_ = std::min(index_ + count, tokens_.size() - 1); }

bool TokenCursor::at(std::string_view upper_word, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == TokenKind::WORD && equalsWord(token.text, upper_word);
}

bool TokenCursor::atWords(std::initializer_list<std::string_view> upper_words, std::size_t ahead) const {
  for (std::string_view word : upper_words) {
    if (!at(word, ahead++)) return false;
  }
  return true;
}

bool TokenCursor::atAny(std::initializer_list<std::string_view> upper_words, std::size_t ahead) const {
  return std::any_of(upper_words.begin(), upper_words.end(), [&](std::string_view word) { return at(word, ahead); });
}

bool TokenCursor::atIdentifier(std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == TokenKind::QUOTED_IDENTIFIER || (token.kind == TokenKind::WORD && !token.reserved);
}

bool TokenCursor::accept(std::string_view upper_word) {
  if (!at(upper_word)) return false;
  skip();
  return true;
}

bool TokenCursor::acceptWords(std::initializer_list<std::string_view> upper_words) {
  if (!atWords(upper_words)) return false;
  skip(upper_words.size());
  return true;
}

bool TokenCursor::acceptSymbol(std::string_view symbol) {
  if (!atSymbol(symbol)) return false;
  skip();
  return true;
}

Status TokenCursor::expect(std::string_view upper_word) {
  return accept(upper_word) ? Status::ok() : unexpectedWord(upper_word, {upper_word});
}

Status TokenCursor::expectWords(std::initializer_list<std::string_view> upper_words) {
  const std::size_t start = mark();
  for (std::string_view word : upper_words) {
    if (accept(word)) continue;
    return unexpectedWord(start == mark() ? joinWords(upper_words) : std::string(word), {word});
  }
  return Status::ok();
}

Status TokenCursor::expectSymbol(std::string_view symbol) {
  if (acceptSymbol(symbol)) return Status::ok();
  return unexpected("'" + std::string(symbol) + "'");
}

Status TokenCursor::expectEnd() {
  acceptSymbol(";");
  if (atEnd()) return Status::ok();
  if (previous().text == ";") return Status::plan("only one statement can stand here", peek().position);
  static constexpr std::string_view kClauses[] = {
      "FROM",  "WHERE",     "GROUP",  "HAVING",      "WINDOW",  "QUALIFY", "ORDER",  "LIMIT",  "OFFSET", "FETCH",
      "UNION", "INTERSECT", "EXCEPT", "JOIN",        "INNER",   "LEFT",    "RIGHT",  "FULL",   "CROSS",  "ON",
      "USING", "AS",        "WITH",   "PARTITIONED", "COMMENT", "LIKE",    "VALUES", "SELECT", "SET"};
  // a misspelt keyword was often taken for an alias, so the word before is a suspect, too
  std::string hint;
  for (const Token* token : {&peek(), &previous()}) {
    if (token->kind != TokenKind::WORD || !hint.empty()) continue;
    const std::string found(token->text);
    if (isKeyword(found) || found.size() < 3) continue;   // a short name is near to everything
    if (auto near = nearestName(found, kClauses)) hint = "; did you mean " + *near + " instead of " + found + "?";
  }
  return Status::parse("expected the end of the statement but found " + describeToken(peek()) + hint, peek().position);
}

Result<Identifier> TokenCursor::expectIdentifier(std::string_view what) {
  const Token& token = peek();
  if (!atIdentifier()) {
    if (token.kind != TokenKind::WORD) return unexpected(what);
    return Status::parse("expected " + std::string(what) + " but found the reserved word " + upperAscii(token.text) +
                             "; as a name it needs back-ticks: `" + std::string(token.text) + "`",
                         token.position);
  }
  ASSIGN_OR_RETURN(std::string text, decodeIdentifier(token));
  skip();
  return Identifier{std::move(text), token.position, token.kind == TokenKind::QUOTED_IDENTIFIER};
}

Result<QualifiedName> TokenCursor::expectQualifiedName(std::string_view what) {
  const std::size_t start = mark();
  QualifiedName name;
  do {
    ASSIGN_OR_RETURN(Identifier part, expectIdentifier(what));
    name.parts.push_back(std::move(part));
  } while (acceptSymbol("."));
  name.position = since(start);
  return name;
}

Result<std::vector<Identifier>> TokenCursor::expectIdentifierList(std::string_view what) {
  RETURN_IF_ERROR(expectSymbol("("));
  std::vector<Identifier> list;
  do {
    ASSIGN_OR_RETURN(Identifier item, expectIdentifier(what));
    list.push_back(std::move(item));
  } while (acceptSymbol(","));
  RETURN_IF_ERROR(expectSymbol(")"));
  return list;
}

Result<std::string> TokenCursor::expectString(std::string_view what) {
  const Token& token = peek();
  switch (token.kind) {
    case TokenKind::STRING:
    case TokenKind::ESCAPED_STRING:
    case TokenKind::CHARSET_STRING: skip(); return decodeString(token);
    case TokenKind::UNICODE_STRING: skip(); return decodeUnicodeString(token, '\\');
    default: return unexpected(what);
  }
}

Result<int> TokenCursor::expectInteger(std::string_view what, int max) {
  const Token& token = peek();
  if (token.kind != TokenKind::INTEGER) return unexpected(what);
  int value = 0;
  const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (error != std::errc() || value > max) {
    return Status::parse("expected " + std::string(what) + " of at most " + std::to_string(max) + " but found " +
                             std::string(token.text),
                         token.position);
  }
  skip();
  return value;
}

Status TokenCursor::unexpected(std::string_view what) const {
  return Status::parse("expected " + std::string(what) + " but found " + describeToken(peek()), peek().position);
}

Status TokenCursor::unexpectedWord(std::string_view what, std::initializer_list<std::string_view> candidates) const {
  std::string hint;
  if (peek().kind == TokenKind::WORD && !isReservedWord(peek().text)) {
    const std::vector<std::string_view> words(candidates);
    if (auto near = nearestName(peek().text, words)) hint = "; did you mean " + *near + "?";
  }
  return Status::parse("expected " + std::string(what) + " but found " + describeToken(peek()) + hint, peek().position);
}

SourcePosition TokenCursor::since(std::size_t start) const {
  const SourcePosition& first = tokens_[start].position;
  if (index_ <= start) return first;
  const SourcePosition& last = previous().position;
  return {first.line, first.column, last.end_line, last.end_column};
}

std::string_view TokenCursor::textSince(std::size_t start) const {
  if (index_ <= start) return {};
  const std::size_t end = previous().offset + previous().text.size();
  return source_.substr(tokens_[start].offset, end - tokens_[start].offset);
}

std::string TokenCursor::takeRest() {
  std::string_view rest = source_.substr(std::min(peek().offset, source_.size()));
  while (!rest.empty() && std::string_view(" \t\r\n;").find(rest.back()) != std::string_view::npos)
    rest.remove_suffix(1);
  index_ = tokens_.size() - 1;
  return std::string(rest);
}

Status TokenCursor::enter() {
  if (++nesting_ <= kNestingDepthMax) return Status::ok();
  return Status::parse("the statement is nested too deeply: at most " + std::to_string(kNestingDepthMax) +
                           " levels of parentheses, sub-queries and the like",
                       peek().position);
}

std::string describeToken(const Token& token) {
  constexpr std::size_t kShownBytesMax = 60;
  switch (token.kind) {
    case TokenKind::END: return "the end of the statement";
    case TokenKind::HINT_START: return "a hint (/*+), which has no place here";
    case TokenKind::SYMBOL: return "'" + std::string(token.text) + "'";
    case TokenKind::WORD:
      return token.reserved ? "the keyword " + upperAscii(token.text) : "'" + std::string(token.text) + "'";
    default: break;
  }
  if (token.text.size() <= kShownBytesMax) return std::string(token.text);
  std::size_t end = kShownBytesMax;
  while (end > 0 && (static_cast<unsigned char>(token.text[end]) & 0xC0) == 0x80) --end;
  return std::string(token.text.substr(0, end)) + "..";
}

}  // namespace thalweg::sql
