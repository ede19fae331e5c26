#include "common/sql/parse/lexer.h"

#include <string>

#include "common/sql/parse/keywords.h"
#include "common/sql/parse/utf8.h"

namespace thalweg::sql {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Letters of names beyond ASCII, in the ranges that Flink's grammar allows.
bool isWideLetter(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kRanges[] = {{0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x1FFF},   {0x3040, 0x318F},
                                      {0x3300, 0x337F}, {0x3400, 0x3D2D}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}};
  for (const Range& range : kRanges) {
    if (c >= range.first && c <= range.last) return true;
  }
  return false;
}

// Longest first, so that the first match is the longest.
constexpr std::string_view kSymbols[] = {"<>", "!=", "<=", ">=", "||", "=>", "->", "(", ")", "[",
                                         "]",  "{",  "}",  ",",  ";",  ".",  "=",  "<", ">", "+",
                                         "-",  "*",  "/",  "%",  ":",  "?",  "^",  "|", "!"};

}  // namespace

Lexer::Lexer(std::string_view text, SourcePosition start) : text_(text) {
  if (start.known()) {
    line_ = start.line;
    column_ = start.column;
  }
  if (text_.starts_with("\xEF\xBB\xBF")) offset_ = 3;  // a byte order mark
}

void Lexer::advance() {
  last_line_ = line_;
  last_column_ = column_;
  const char c = text_[offset_];
  if (c == '\n') {
    ++line_;
    column_ = 1;
    ++offset_;
    return;
  }
  const std::size_t bytes = decodeUtf8(text_, offset_).bytes;
  offset_ += bytes == 0 ? 1 : bytes;
  ++column_;
}

void Lexer::advanceBytes(std::size_t count) {
  const std::size_t end = offset_ + count;
  while (offset_ < end && !atEnd()) advance();
}

void Lexer::begin() {
  start_offset_ = offset_;
  start_line_ = line_;
  start_column_ = column_;
}

Token Lexer::make(TokenKind kind) const {
  Token token;
  token.kind = kind;
  token.text = text_.substr(start_offset_, offset_ - start_offset_);
  token.offset = start_offset_;
  token.position = {start_line_, start_column_, last_line_, last_column_};
  return token;
}

Status Lexer::failAtStart(std::string message) const {
  return Status::parse(std::move(message), {start_line_, start_column_, start_line_, start_column_});
}

Status Lexer::skipBlockComment() {
  begin();
  advanceBytes(2);
  while (!atEnd() && !startsWith("*/")) advance();
  if (atEnd()) return failAtStart("comment without end: expected */");
  advanceBytes(2);
  return Status::ok();
}

Status Lexer::skipBlanks() {
  while (!atEnd()) {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
      advance();
    } else if (startsWith("--") || startsWith("//")) {
      while (!atEnd() && peek() != '\n') advance();
    } else if (startsWith("/*") && !startsWith("/*+")) {
      RETURN_IF_ERROR(skipBlockComment());
    } else {
      break;
    }
  }
  return Status::ok();
}

Result<Token> Lexer::next() {
  RETURN_IF_ERROR(skipBlanks());
  begin();
  if (atEnd()) {
    Token end;
    end.text = text_.substr(text_.size());
    end.offset = text_.size();
    end.position = {line_, column_, line_, column_};
    return end;
  }
  return lexToken();
}

Result<Token> Lexer::lexToken() {
  const char c = peek();
  if (c == '\'') return lexQuoted(TokenKind::STRING, 0, '\'');
  if (c == '`') return lexQuoted(TokenKind::QUOTED_IDENTIFIER, 0, '`');
  if ((c == 'E' || c == 'e') && peek(1) == '\'') return lexQuoted(TokenKind::ESCAPED_STRING, 1, '\'');
  if ((c == 'X' || c == 'x') && peek(1) == '\'') return lexQuoted(TokenKind::BINARY, 1, '\'');
  if ((c == 'N' || c == 'n') && peek(1) == '\'') return lexQuoted(TokenKind::CHARSET_STRING, 1, '\'');
  if ((c == 'U' || c == 'u') && peek(1) == '&' && peek(2) == '\'') return lexQuoted(TokenKind::UNICODE_STRING, 2, '\'');
  if (isDigit(c) || (c == '.' && isDigit(peek(1)))) return lexNumber();
  if (startsWith("/*+")) {
    in_hint_ = true;
    advanceBytes(3);
    return make(TokenKind::HINT_START);
  }
  if (in_hint_ && startsWith("*/")) {
    in_hint_ = false;
    advanceBytes(2);
    return make(TokenKind::HINT_END);
  }
  if (letterBytes(offset_) > 0) return lexWord();
  return lexSymbol();
}

std::size_t Lexer::letterBytes(std::size_t at) const {
  if (at >= text_.size()) return 0;
  const char c = text_[at];
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$') return 1;
  if (static_cast<unsigned char>(c) < 0x80) return 0;
  const CodePoint point = decodeUtf8(text_, at);
  return point.bytes > 0 && isWideLetter(point.value) ? point.bytes : 0;
}

Result<Token> Lexer::lexWord() {
  const bool underscore = peek() == '_';
  const auto charset_letter = [](char c) { return c == '-' || c == ':' || c == '.'; };
  std::size_t end = offset_;
  std::size_t charset_end = offset_;
  while (true) {
    const std::size_t bytes = letterBytes(end);
    if (bytes == 0 && !(end < text_.size() && isDigit(text_[end]))) break;
    end += bytes == 0 ? 1 : bytes;
  }
  charset_end = end;
  if (underscore) {  // _ISO-8859-1'..' has signs that no name has
    while (charset_end < text_.size() &&
           (charset_letter(text_[charset_end]) || isDigit(text_[charset_end]) || letterBytes(charset_end) > 0)) {
      ++charset_end;
    }
    if (charset_end < text_.size() && text_[charset_end] == '\'') {
      return lexQuoted(TokenKind::CHARSET_STRING, charset_end - offset_, '\'');
    }
  }
  advanceBytes(end - offset_);
  Token token = make(TokenKind::WORD);
  token.reserved = isReservedWord(token.text);
  return token;
}

Result<Token> Lexer::lexNumber() {
  TokenKind kind = TokenKind::INTEGER;
  while (isDigit(peek())) advance();
  if (peek() == '.' && peek(1) != '.') {
    kind = TokenKind::DECIMAL;
    advance();
    while (isDigit(peek())) advance();
  }
  if (peek() == 'e' || peek() == 'E') {
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (isDigit(peek(1 + sign))) {
      kind = TokenKind::APPROXIMATE;
      advanceBytes(1 + sign);
      while (isDigit(peek())) advance();
    }
  }
  return make(kind);
}

Result<Token> Lexer::lexQuoted(TokenKind kind, std::size_t prefix_bytes, char quote) {
  advanceBytes(prefix_bytes + 1);
  const bool backslash_escapes = kind == TokenKind::ESCAPED_STRING;
  while (!atEnd()) {
    if (backslash_escapes && peek() == '\\' && !atEnd(1)) {
      advanceBytes(1);
      advance();
    } else if (peek() != quote) {
      if (decodeUtf8(text_, offset_).bytes == 0) {
        begin();
        return failAtStart("text is not valid UTF-8");
      }
      advance();
    } else if (peek(1) == quote) {
      advanceBytes(2);
    } else {
      advance();
      return make(kind);
    }
  }
  return failAtStart(quote == '`' ? "name without end: expected a closing back-tick"
                                  : "string literal without end: expected a closing '");
}

Result<Token> Lexer::lexSymbol() {
  for (std::string_view symbol : kSymbols) {
    if (startsWith(symbol)) {
      advanceBytes(symbol.size());
      return make(TokenKind::SYMBOL);
    }
  }
  const char c = peek();
  const CodePoint point = decodeUtf8(text_, offset_);
  advance();
  if (point.bytes == 0) return failAtStart("text is not valid UTF-8");
  if (c == '"') {
    return failAtStart(
        "double quotes are not supported: put names in back-ticks (`name`) and strings in single quotes ('text')");
  }
  return failAtStart("unexpected character '" + std::string(text_.substr(start_offset_, point.bytes)) + "'");
}

Result<std::vector<Token>> tokenize(std::string_view text, SourcePosition start) {
  std::vector<Token> tokens;
  Lexer lexer(text, start);
  while (true) {
    ASSIGN_OR_RETURN(Token token, lexer.next());
    tokens.push_back(token);
    if (token.kind == TokenKind::END) return tokens;
  }
}

}  // namespace thalweg::sql
