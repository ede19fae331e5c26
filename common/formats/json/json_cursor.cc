#include "common/formats/json/json_cursor.h"

#include <algorithm>
#include <bitset>

#include "common/formats/format_list.h"
#include "common/formats/text_encoding.h"
#include "common/types/java_text.h"

namespace thalweg::format {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

bool isDigit(char c) { return c >= '0' && c <= '9'; }

int hexValue(char c) {
  if (isDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// The unit of `\uXXXX`, whose backslash stands at `at`; -1 if none does.
int32_t unitAt(const char* at, const char* end) {
  if (end - at < 6 || at[0] != '\\' || at[1] != 'u') return -1;
  int32_t unit = 0;
  for (int i = 2; i < 6; ++i) {
    const int digit = hexValue(at[i]);
    if (digit < 0) return -1;
    unit = unit << 4 | digit;
  }
  return unit;
}

void appendUnitEscape(std::string& out, uint32_t unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHexDigits[unit >> shift & 0xF];
}

void appendPoint(std::string& out, uint32_t point) {
  const char bytes[4] = {static_cast<char>(point >> 24), static_cast<char>(point >> 16), static_cast<char>(point >> 8), static_cast<char>(point)};
  if (point < 0x10000) out += decodeCharset({bytes + 2, 2}, Charset::UTF_16BE);
  else {
    const uint32_t high = 0xD800 + ((point - 0x10000) >> 10);
    const uint32_t low = 0xDC00 + ((point - 0x10000) & 0x3FF);
    const char pair[4] = {static_cast<char>(high >> 8), static_cast<char>(high), static_cast<char>(low >> 8), static_cast<char>(low)};
    out += decodeCharset({pair, 4}, Charset::UTF_16BE);
  }
}

/// Sinks of walk(): what becomes of the tokens.
struct NoSink {
  void punctuation(char) {}
  void string(std::string_view) {}
  void number(std::string_view) {}
  void word(std::string_view) {}
};

struct TextSink {
  std::string& out;
  void punctuation(char c) { out += c; }
  void string(std::string_view text) { appendJsonString(out, text, false); }
  void number(std::string_view number) {
    const auto value = number.find_first_of(".eE") == std::string_view::npos ? std::nullopt : parseDouble(number);
    if (value) appendDouble(out, *value);
    else out += number == "-0" ? "0" : number;
  }
  void word(std::string_view word) { out += word; }
};

}  // namespace

bool JsonCursor::fail(std::string_view expected) {
  const std::string_view found(at_, static_cast<size_t>(end_ - at_));
  problem_ = "expected " + std::string(expected) + ", found " + (found.empty() ? "the end of the line" : quoted(found));
  return false;
}

bool JsonCursor::readNumber(std::string_view& number) {
  const char* begin = at_;
  const char* at = at_;
  const auto digits = [&] {
    const char* first = at;
    while (at < end_ && isDigit(*at)) ++at;
    return at != first;
  };
  if (at < end_ && *at == '-') ++at;
  const char* first = at;
  if (!digits()) return fail("a value");
  if (*first == '0' && at - first > 1) return fail("a number without zeros in front");
  if (at < end_ && *at == '.') {
    ++at;
    if (!digits()) return fail("a number with digits behind the point");
  }
  if (at < end_ && (*at | 0x20) == 'e') {
    ++at;
    if (at < end_ && (*at == '+' || *at == '-')) ++at;
    if (!digits()) return fail("a number with digits in its exponent");
  }
  number = {begin, static_cast<size_t>(at - begin)};
  at_ = at;
  return true;
}

bool JsonCursor::readWord(std::string_view& word) {
  for (const std::string_view candidate : {std::string_view("true"), std::string_view("false"), std::string_view("null")}) {
    if (static_cast<size_t>(end_ - at_) < candidate.size() || std::memcmp(at_, candidate.data(), candidate.size()) != 0) continue;
    word = {at_, candidate.size()};
    at_ += candidate.size();
    const char next = at_ < end_ ? *at_ : ' ';
    if (isDigit(next) || ((next | 0x20) >= 'a' && (next | 0x20) <= 'z') || next == '_') return fail("a value");
    return true;
  }
  return fail("a value");
}

bool JsonCursor::readEscaped(const char* begin, const char* backslash, std::string_view& text) {
  scratch_.assign(begin, backslash);
  const char* at = backslash;
  for (;;) {
    if (*at == '"') break;
    at = appendEscape(at);
    if (at == nullptr) return fail("a string with valid escapes");
    const char* mark = findMark(at);
    scratch_.append(at, mark);
    if (mark == end_) return fail("the closing quote of a string");
    at = mark;
  }
  text = scratch_;
  at_ = at + 1;
  return true;
}

/// Appends what the escape at `at` stands for; returns the place behind it, or null if it is none.
const char* JsonCursor::appendEscape(const char* at) {
  if (end_ - at < 2) return nullptr;
  switch (at[1]) {
    case '"': case '\\': case '/': scratch_ += at[1]; return at + 2;
    case 'b': scratch_ += '\b'; return at + 2;
    case 'f': scratch_ += '\f'; return at + 2;
    case 'n': scratch_ += '\n'; return at + 2;
    case 'r': scratch_ += '\r'; return at + 2;
    case 't': scratch_ += '\t'; return at + 2;
    case 'u': break;
    default: return nullptr;
  }
  const int32_t unit = unitAt(at, end_);
  if (unit < 0) return nullptr;
  if (unit < 0xD800 || unit > 0xDFFF) {
    appendPoint(scratch_, static_cast<uint32_t>(unit));
    return at + 6;
  }
  const int32_t low = unit < 0xDC00 ? unitAt(at + 6, end_) : -1;
  if (low >= 0xDC00 && low <= 0xDFFF) {
    appendPoint(scratch_, 0x10000 + (static_cast<uint32_t>(unit - 0xD800) << 10) + static_cast<uint32_t>(low - 0xDC00));
    return at + 12;
  }
  scratch_ += '?';  // half a pair has no UTF-8; Java writes it so
  return at + 6;
}

template <typename Sink>
bool JsonCursor::walkKey(Sink& sink) {
  if (peek() != '"') return fail("a field name");
  std::string_view text;
  bool shared = false;
  if (!readString(text, shared)) return false;
  sink.string(text);
  sink.punctuation(':');
  return expect(':');
}

/// One value without recursion: `in_object` has a bit per open bracket.
template <typename Sink>
bool JsonCursor::walk(Sink& sink) {
  std::bitset<kDepthMax> in_object;
  size_t depth = 0;
  for (;;) {
    const char c = peek();
    std::string_view text;
    if (c == '{' || c == '[') {
      if (depth == kDepthMax) return fail("at most 1000 nested values");
      ++at_;
      sink.punctuation(c);
      const bool object = c == '{';
      const char close = object ? '}' : ']';
      if (!take(close)) {
        in_object[depth++] = object;
        if (object && !walkKey(sink)) return false;
        continue;
      }
      sink.punctuation(close);
    } else if (c == '"') {
      bool shared = false;
      if (!readString(text, shared)) return false;
      sink.string(text);
    } else if (c == '-' || isDigit(c)) {
      if (!readNumber(text)) return false;
      sink.number(text);
    } else {
      if (!readWord(text)) return false;
      sink.word(text);
    }
    bool another = false;
    while (depth > 0 && !another) {
      const bool object = in_object[depth - 1];
      if (take(',')) {
        sink.punctuation(',');
        if (object && !walkKey(sink)) return false;
        another = true;
      } else {
        const char close = object ? '}' : ']';
        if (!take(close)) return fail(object ? "',' or '}'" : "',' or ']'");
        sink.punctuation(close);
        --depth;
      }
    }
    if (!another) return true;
  }
}

bool JsonCursor::skipValue() {
  NoSink sink;
  return walk(sink);
}

bool JsonCursor::compactValue(std::string& out) {
  TextSink sink{out};
  return walk(sink);
}

void appendJsonString(std::string& out, std::string_view text, bool escape_pairs) {
  out += '"';
  size_t plain = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    const bool pair = escape_pairs && c >= 0xF0 && at + 3 < text.size();
    if (c >= 0x20 && c != '"' && c != '\\' && !pair) continue;
    out += text.substr(plain, at - plain);
    plain = at + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (!pair) {
          appendUnitEscape(out, c);
          break;
        }
        const auto low = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at + i]) & 0x3F); };
        const uint32_t point = static_cast<uint32_t>(c & 7) << 18 | low(1) << 12 | low(2) << 6 | low(3);
        appendUnitEscape(out, 0xD800 + ((point - 0x10000) >> 10));
        appendUnitEscape(out, 0xDC00 + ((point - 0x10000) & 0x3FF));
        at += 3;
        plain = at + 1;
    }
  }
  out += text.substr(plain);
  out += '"';
}

}  // namespace thalweg::format
