#include "common/sql/parse/literal_text.h"

#include <array>
#include <optional>

#include "common/sql/parse/keywords.h"
#include "common/sql/parse/utf8.h"

namespace thalweg::sql {
namespace {

/// The text between the outer quotes, with doubled quotes made one.
std::string unquote(std::string_view text, char quote) {
  const std::size_t open = text.find(quote);
  const std::string_view body = text.substr(open + 1, text.size() - open - 2);
  std::string out;
  out.reserve(body.size());
  for (std::size_t i = 0; i < body.size(); ++i) {
    out.push_back(body[i]);
    if (body[i] == quote) ++i;
  }
  return out;
}

int hexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The number that `min` to `max` digits of the base spell at `at`, which moves behind them.
std::optional<char32_t> readDigits(std::string_view text, std::size_t& at, std::size_t min, std::size_t max, int base) {
  char32_t value = 0;
  std::size_t count = 0;
  while (count < max && at + count < text.size()) {
    const int digit = hexValue(text[at + count]);
    if (digit < 0 || digit >= base) break;
    value = value * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
    ++count;
  }
  if (count < min) return std::nullopt;
  at += count;
  return value;
}

/// Collects code points, joining the halves of UTF-16 surrogate pairs.
class CodePointSink {
 public:
  /// False for half a pair on its own and for numbers beyond Unicode.
  bool put(char32_t value) {
    const bool low_half = value >= 0xDC00 && value <= 0xDFFF;
    if (low_half != (high_half_ != 0) || value > 0x10FFFF) return false;
    if (value >= 0xD800 && value <= 0xDBFF) {
      high_half_ = value;
      return true;
    }
    appendUtf8(text_, low_half ? 0x10000 + ((high_half_ - 0xD800) << 10) + (value - 0xDC00) : value);
    high_half_ = 0;
    return true;
  }
  /// False inside a surrogate pair.
  bool putByte(char byte) {
    text_.push_back(byte);
    return high_half_ == 0;
  }
  bool complete() const { return high_half_ == 0; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  char32_t high_half_ = 0;
};

/// Resolves one escape of E'..' behind its backslash; `at` moves behind it.
bool readEscape(std::string_view body, std::size_t& at, CodePointSink& sink) {
  const char c = body[at];
  const auto number = [&](std::size_t skip, std::size_t min, std::size_t max, int base) {
    std::size_t from = at + skip;
    const std::optional<char32_t> value = readDigits(body, from, min, max, base);
    if (!value) return false;
    at = from;
    return sink.put(*value);
  };
  if (c == 'u') return number(1, 4, 4, 16);
  if (c == 'U') return number(1, 8, 8, 16);
  if (c == 'x' && at + 1 < body.size() && hexValue(body[at + 1]) >= 0) return number(1, 1, 2, 16);
  if (c >= '0' && c <= '7') return number(0, 1, 3, 8);
  ++at;
  switch (c) {
    case 'b': return sink.putByte('\b');
    case 'f': return sink.putByte('\f');
    case 'n': return sink.putByte('\n');
    case 'r': return sink.putByte('\r');
    case 't': return sink.putByte('\t');
    case '\\':
    case '\'':
    case '"':
    case 'x': return sink.putByte(c);
    default: return sink.putByte('\\') && sink.putByte(c);  // an unknown escape stays as it is
  }
}

Result<std::string> decodeEscapedString(const Token& token) {
  const std::string_view body = token.text.substr(2, token.text.size() - 3);
  CodePointSink sink;
  bool valid = true;
  for (std::size_t at = 0; at < body.size() && valid;) {
    if (body[at] == '\\' && at + 1 < body.size()) {
      ++at;
      valid = readEscape(body, at, sink);
    } else {
      at += body[at] == '\'' ? 2 : 1;
      valid = sink.putByte(body[at - 1]);
    }
  }
  if (valid && sink.complete()) return sink.take();
  return Status::parse(
      "expected an escape such as \\n, \\101, \\x41, \\u263a or \\U0001f600 in the literal but found " +
          std::string(token.text),
      token.position);
}

}  // namespace

Result<std::string> decodeIdentifier(const Token& token) {
  std::string name = token.kind == TokenKind::QUOTED_IDENTIFIER ? unquote(token.text, '`') : std::string(token.text);
  if (name.empty()) return Status::parse("expected a name between the back-ticks", token.position);
  if (name.find('\n') != std::string::npos) return Status::parse("a name cannot go over a line's end", token.position);
  std::size_t length = 0;
  for (char c : name) length += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  if (length > kIdentifierLengthMax) {
    return Status::parse("a name has at most 256 characters; this one has " + std::to_string(length), token.position);
  }
  return name;
}

Result<std::string> decodeString(const Token& token) {
  if (token.kind == TokenKind::ESCAPED_STRING) return decodeEscapedString(token);
  return unquote(token.text, '\'');
}

Result<std::string> decodeUnicodeString(const Token& token, char escape) {
  const std::string body = unquote(token.text, '\'');
  CodePointSink sink;
  bool valid = true;
  for (std::size_t at = 0; at < body.size() && valid;) {
    if (body[at] != escape) {
      valid = sink.putByte(body[at++]);
    } else if (at + 1 < body.size() && body[at + 1] == escape) {
      valid = sink.putByte(escape);
      at += 2;
    } else {
      const bool long_form = at + 1 < body.size() && body[at + 1] == '+';
      at += long_form ? 2 : 1;
      const std::optional<char32_t> value = readDigits(body, at, long_form ? 6 : 4, long_form ? 6 : 4, 16);
      valid = value && sink.put(*value);
    }
  }
  if (valid && sink.complete()) return sink.take();
  return Status::parse(std::string("expected exactly four hexadecimal digits of a character behind each ") + escape +
                           " in the literal but found " + std::string(token.text),
                       token.position);
}

Result<std::string> decodeHex(const Token& token) {
  std::string digits = upperAscii(unquote(token.text, '\''));
  for (char c : digits) {
    if (hexValue(c) < 0) {
      return Status::parse("expected hexadecimal digits only in a binary literal but found " + std::string(token.text),
                           token.position);
    }
  }
  return digits;
}

Result<std::string> charsetOf(const Token& token) {
  if (token.text[0] != '_') return std::string("ISO-8859-1");
  std::string name = upperAscii(token.text.substr(1, token.text.find('\'') - 1));
  static constexpr std::array<std::string_view, 14> kKnown = {
      "UTF8",   "UTF-8",  "UTF16",      "UTF-16", "UTF-16LE", "UTF-16BE", "UTF32",
      "UTF-32", "LATIN1", "ISO-8859-1", "ASCII",  "US-ASCII", "UTF-32LE", "UTF-32BE"};
  for (std::string_view known : kKnown) {
    if (name == known) return name;
  }
  return Status::parse("unknown character set " + name + " before a string literal; write the literal without it",
                       token.position);
}

}  // namespace thalweg::sql
