#include "common/sql/parse/literal_parser.h"

#include "common/sql/parse/keywords.h"
#include "common/sql/parse/lexer.h"
#include "common/sql/parse/literal_text.h"
#include "common/sql/parse/node.h"

namespace thalweg::sql {

bool LiteralParser::atString() const {
  switch (cursor_.peek().kind) {
    case TokenKind::STRING:
    case TokenKind::ESCAPED_STRING:
    case TokenKind::UNICODE_STRING:
    case TokenKind::CHARSET_STRING: return true;
    default: return false;
  }
}

bool LiteralParser::atTemporal() const {
  if (cursor_.atAny({"DATE", "TIME", "TIMESTAMP", "DATETIME"})) {
    return cursor_.peek(1).kind == TokenKind::STRING || cursor_.atWords({"WITH", "LOCAL"}, 1);
  }
  return false;
}

bool LiteralParser::atLiteral() const {
  switch (cursor_.peek().kind) {
    case TokenKind::INTEGER:
    case TokenKind::DECIMAL:
    case TokenKind::APPROXIMATE:
    case TokenKind::BINARY: return true;
    case TokenKind::WORD:
      if (cursor_.atAny({"TRUE", "FALSE", "UNKNOWN", "NULL"})) return true;
      if (cursor_.at("DECIMAL")) return cursor_.peek(1).kind == TokenKind::STRING;
      return atTemporal();
    default: return atString();
  }
}

Result<ExprPtr> LiteralParser::make(std::size_t start, LiteralKind kind, std::string text, std::string charset) const {
  auto literal = std::make_shared<Literal>();
  literal->literal = kind;
  literal->text = std::move(text);
  literal->charset = std::move(charset);
  return sealExpr(cursor_, start, std::move(literal));
}

Result<ExprPtr> LiteralParser::parse() {
  const std::size_t start = cursor_.mark();
  const Token& token = cursor_.peek();
  switch (token.kind) {
    case TokenKind::INTEGER: cursor_.skip(); return make(start, LiteralKind::INTEGER, std::string(token.text));
    case TokenKind::DECIMAL:
      cursor_.skip();
      if (token.text.ends_with('.')) {  // `5.` has no fraction: an integer
        return make(start, LiteralKind::INTEGER, std::string(token.text.substr(0, token.text.size() - 1)));
      }
      return make(start, LiteralKind::DECIMAL, std::string(token.text));
    case TokenKind::APPROXIMATE: cursor_.skip(); return make(start, LiteralKind::APPROXIMATE, std::string(token.text));
    case TokenKind::BINARY: {
      ASSIGN_OR_RETURN(std::string digits, parseHexText());
      return make(start, LiteralKind::BINARY, std::move(digits));
    }
    case TokenKind::WORD: return parseWord();
    default: {
      std::string charset;
      ASSIGN_OR_RETURN(std::string text, parseStringText(&charset));
      return make(start, LiteralKind::STRING, std::move(text), std::move(charset));
    }
  }
}

Result<ExprPtr> LiteralParser::parseWord() {
  const std::size_t start = cursor_.mark();
  if (cursor_.at("DECIMAL")) return parseDecimalString();
  if (atTemporal()) return parseTemporal();
  const std::string word = upperAscii(cursor_.peek().text);
  cursor_.skip();
  return word == "NULL" ? make(start, LiteralKind::NULL_VALUE, "") : make(start, LiteralKind::BOOLEAN, word);
}

Result<ExprPtr> LiteralParser::parseTemporal() {
  const std::size_t start = cursor_.mark();
  LiteralKind kind = LiteralKind::TIMESTAMP;  // DATETIME, too
  if (cursor_.at("DATE")) kind = LiteralKind::DATE;
  if (cursor_.at("TIME")) kind = LiteralKind::TIME;
  cursor_.skip();
  if (cursor_.accept("WITH")) {
    RETURN_IF_ERROR(cursor_.expectWords({"LOCAL", "TIME", "ZONE"}));
    if (kind != LiteralKind::TIMESTAMP) {
      return Status::parse("expected TIMESTAMP before WITH LOCAL TIME ZONE", cursor_.since(start));
    }
    kind = LiteralKind::TIMESTAMP_LTZ;
  }
  ASSIGN_OR_RETURN(std::string text, cursor_.expectString("a string with the literal's value"));
  return make(start, kind, std::move(text));
}

Result<ExprPtr> LiteralParser::parseDecimalString() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  ASSIGN_OR_RETURN(std::string text, cursor_.expectString("a number in quotes"));
  const bool negative = text.starts_with('-');
  auto tokens = tokenize(negative ? std::string_view(text).substr(1) : std::string_view(text));
  const bool number = tokens && tokens->size() == 2 &&
                      (tokens->front().kind == TokenKind::INTEGER || tokens->front().kind == TokenKind::DECIMAL);
  if (!number) {
    return Status::parse("expected a number such as '12.50' behind DECIMAL but found '" + text + "'",
                         cursor_.since(start));
  }
  const bool whole = tokens->front().kind == TokenKind::INTEGER;
  return make(start, whole ? LiteralKind::INTEGER : LiteralKind::DECIMAL, std::move(text));
}

/// `'a' 'b'` on one line is nearly always a forgotten comma; only literals on lines of their own are joined.
Status LiteralParser::checkContinuation(const Token& token) const {
  if (token.position.line > cursor_.previous().position.end_line) return Status::ok();
  return Status::plan(
      "two string literals stand side by side on one line: put a comma, || or a line break between them",
      token.position);
}

Result<std::string> LiteralParser::parseStringText(std::string* charset) {
  const Token first = cursor_.peek();
  if (first.kind == TokenKind::UNICODE_STRING) return parseUnicodeText();
  if (first.kind == TokenKind::CHARSET_STRING && charset != nullptr) {
    ASSIGN_OR_RETURN(*charset, charsetOf(first));
  }
  cursor_.skip();
  ASSIGN_OR_RETURN(std::string text, decodeString(first));
  while (first.kind != TokenKind::ESCAPED_STRING && cursor_.peek().kind == TokenKind::STRING) {
    RETURN_IF_ERROR(checkContinuation(cursor_.peek()));
    ASSIGN_OR_RETURN(const std::string more, decodeString(cursor_.peek()));
    text += more;
    cursor_.skip();
  }
  return text;
}

Result<std::string> LiteralParser::parseUnicodeText() {
  std::vector<Token> pieces;
  do {
    if (!pieces.empty()) RETURN_IF_ERROR(checkContinuation(cursor_.peek()));
    pieces.push_back(cursor_.peek());
    cursor_.skip();
  } while (cursor_.peek().kind == TokenKind::STRING);
  char escape = '\\';
  if (cursor_.accept("UESCAPE")) {
    const SourcePosition position = cursor_.peek().position;
    ASSIGN_OR_RETURN(const std::string given, cursor_.expectString("a string of one character behind UESCAPE"));
    const bool usable = given.size() == 1 && static_cast<unsigned char>(given[0]) < 0x80 &&
                        std::string_view("0123456789abcdefABCDEF+\"' \t\n\r").find(given[0]) == std::string_view::npos;
    if (!usable) {
      return Status::parse(
          "expected one ASCII character behind UESCAPE, no hexadecimal digit, blank, plus sign or quote", position);
    }
    escape = given[0];
  }
  std::string text;
  for (const Token& piece : pieces) {
    ASSIGN_OR_RETURN(const std::string more, decodeUnicodeString(piece, escape));
    text += more;
  }
  return text;
}

Result<std::string> LiteralParser::parseHexText() {
  std::string digits;
  do {
    if (!digits.empty()) RETURN_IF_ERROR(checkContinuation(cursor_.peek()));
    ASSIGN_OR_RETURN(const std::string more, decodeHex(cursor_.peek()));
    digits += more;
    cursor_.skip();
  } while (cursor_.peek().kind == TokenKind::STRING);
  return digits;
}

}  // namespace thalweg::sql
