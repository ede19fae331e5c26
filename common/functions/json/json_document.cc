#include "common/functions/json/json_document.h"

#include <algorithm>
#include <charconv>

#include "common/functions/text/unicode.h"

namespace thalweg {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Four hexadecimal digits at `at`; false if there are none.
bool readHex(std::string_view text, size_t at, char32_t& code) {
  if (text.size() < at + 4) return false;
  code = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const char c = text[i];
    if (isDigit(c)) code = code * 16 + static_cast<char32_t>(c - '0');
    else if (c >= 'a' && c <= 'f') code = code * 16 + static_cast<char32_t>(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F') code = code * 16 + static_cast<char32_t>(c - 'A' + 10);
    else return false;
  }
  return true;
}

}  // namespace

bool JsonDocument::parse(std::string_view text) {
  text_ = text;
  at_ = 0;
  nodes_.clear();
  if (text.size() >= UINT32_MAX) return false;
  blanks();
  if (!value(0)) return false;
  // A number or word must not run on.
  const bool open_ended = kind(root()) != JsonKind::STRING && isScalar(root());
  return !open_ended || at_ == text_.size() || text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t';
}

void JsonDocument::blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) ++at_;
}

JsonDocument::Index JsonDocument::push(JsonKind kind, size_t begin) {
  nodes_.push_back({.kind = kind, .begin = static_cast<uint32_t>(begin)});
  return static_cast<Index>(nodes_.size() - 1);
}

void JsonDocument::close(Index i, size_t end) {
  nodes_[i].end = static_cast<uint32_t>(end);
  nodes_[i].next = static_cast<Index>(nodes_.size());
}

bool JsonDocument::value(int depth) {
  if (at_ == text_.size() || depth > kDepthMax) return false;
  switch (text_[at_]) {
    case '{': return object(depth);
    case '[': return array(depth);
    case '"': return string();
    case 't': return word("true", JsonKind::TRUE);
    case 'f': return word("false", JsonKind::FALSE);
    case 'n': return word("null", JsonKind::NULL_VALUE);
    default: return number();
  }
}

bool JsonDocument::object(int depth) {
  const Index self = push(JsonKind::OBJECT, at_++);
  blanks();
  if (at_ < text_.size() && text_[at_] == '}') {
    close(self, ++at_);
    return true;
  }
  while (true) {
    if (at_ == text_.size() || text_[at_] != '"' || !string()) return false;
    blanks();
    if (at_ == text_.size() || text_[at_++] != ':') return false;
    blanks();
    if (!value(depth + 1)) return false;
    blanks();
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    if (c == '}') break;
    if (c != ',') return false;
    blanks();
  }
  close(self, at_);
  return true;
}

bool JsonDocument::array(int depth) {
  const Index self = push(JsonKind::ARRAY, at_++);
  blanks();
  if (at_ < text_.size() && text_[at_] == ']') {
    close(self, ++at_);
    return true;
  }
  while (true) {
    if (!value(depth + 1)) return false;
    blanks();
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    if (c == ']') break;
    if (c != ',') return false;
    blanks();
  }
  close(self, at_);
  return true;
}

bool JsonDocument::string() {
  const Index self = push(JsonKind::STRING, ++at_);
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '"') {
      close(self, at_++);
      return true;
    }
    if (static_cast<unsigned char>(c) < 0x20) return false;
    if (c != '\\') continue;
    nodes_[self].escaped = true;
    if (++at_ == text_.size()) return false;
    char32_t code = 0;
    if (text_[at_] == 'u') {
      if (!readHex(text_, at_ + 1, code)) return false;
      at_ += 4;
    } else if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos) {
      return false;
    }
  }
  return false;
}

bool JsonDocument::number() {
  const size_t begin = at_;
  const auto digits = [this] {
    const size_t from = at_;
    while (at_ < text_.size() && isDigit(text_[at_])) ++at_;
    return at_ - from;
  };
  if (at_ < text_.size() && text_[at_] == '-') ++at_;
  const size_t first = at_;
  const size_t count = digits();
  if (count == 0 || (count > 1 && text_[first] == '0')) return false;
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    if (digits() == 0) return false;
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    if (digits() == 0) return false;
  }
  close(push(JsonKind::NUMBER, begin), at_);
  return true;
}

bool JsonDocument::word(std::string_view expected, JsonKind kind) {
  if (!text_.substr(at_).starts_with(expected)) return false;
  const Index self = push(kind, at_);
  at_ += expected.size();
  close(self, at_);
  return true;
}

void JsonDocument::appendString(std::string& out, Index i) const {
  if (nodes_[i].escaped) appendJsonUnescaped(out, token(i));
  else out.append(token(i));
}

bool JsonDocument::stringEquals(Index i, std::string_view text) const {
  if (!nodes_[i].escaped) return token(i) == text;
  std::string plain;
  appendString(plain, i);
  return plain == text;
}

JsonDocument::Index JsonDocument::find(Index object, std::string_view key) const {
  Index found = kNone;
  for (Index child = firstChild(object); child < next(object);) {
    const Index value = next(child);
    if (stringEquals(child, key)) found = value;
    child = next(value);
  }
  return found;
}

void JsonDocument::appendCompact(std::string& out, Index i) const {
  switch (kind(i)) {
    case JsonKind::NUMBER: return appendNumber(out, i);
    case JsonKind::OBJECT: return appendObject(out, i);
    case JsonKind::ARRAY: {
      out.push_back('[');
      for (Index child = firstChild(i); child < next(i); child = next(child)) {
        if (child != firstChild(i)) out.push_back(',');
        appendCompact(out, child);
      }
      out.push_back(']');
      return;
    }
    case JsonKind::STRING: {
      std::string plain;
      appendString(plain, i);
      return appendJsonString(out, plain);
    }
    default: out.append(token(i));
  }
}

void JsonDocument::appendObject(std::string& out, Index i) const {
  std::vector<std::pair<std::string, Index>> members;
  for (Index child = firstChild(i); child < next(i);) {
    std::string key;
    appendString(key, child);
    const Index value = next(child);
    members.emplace_back(std::move(key), value);
    child = next(value);
  }
  std::ranges::stable_sort(members, {}, &std::pair<std::string, Index>::first);
  out.push_back('{');
  bool first = true;
  for (size_t m = 0; m < members.size(); ++m) {
    if (m + 1 < members.size() && members[m + 1].first == members[m].first) continue;
    if (!first) out.push_back(',');
    first = false;
    appendJsonString(out, members[m].first);
    out.push_back(':');
    appendCompact(out, members[m].second);
  }
  out.push_back('}');
}

void appendBigDecimal(std::string& out, std::string_view number) {
  const bool negative = number.starts_with('-');
  if (negative) number.remove_prefix(1);
  const size_t exponent_at = std::min(number.find_first_of("eE"), number.size());
  std::string digits;
  int64_t scale = 0;
  for (const char c : number.substr(0, exponent_at)) {
    if (c == '.') scale = 1;
    else digits.push_back(c);
  }
  if (scale != 0) scale = static_cast<int64_t>(exponent_at - number.find('.')) - 1;
  if (exponent_at < number.size()) {
    std::string_view exponent = number.substr(exponent_at + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    int64_t power = 0;
    constexpr int64_t kPowerMax = 1'000'000'000;
    if (std::from_chars(exponent.data(), exponent.data() + exponent.size(), power).ec != std::errc()) power = kPowerMax;
    scale -= std::clamp(power, -kPowerMax, kPowerMax);
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (negative && digits != "0") out.push_back('-');
  const auto count = static_cast<int64_t>(digits.size());
  const int64_t adjusted = count - 1 - scale;
  if (scale == 0) {
    out.append(digits);
  } else if (scale > 0 && adjusted >= -6) {
    if (count <= scale) digits.insert(0, static_cast<size_t>(scale - count + 1), '0');
    const size_t point = digits.size() - static_cast<size_t>(scale);
    out.append(digits, 0, point).append(1, '.').append(digits, point);
  } else {
    out.push_back(digits[0]);
    if (count > 1) out.append(1, '.').append(digits, 1);
    if (adjusted != 0) out.append(adjusted > 0 ? "E+" : "E").append(std::to_string(adjusted));
  }
}

void appendJsonString(std::string& out, std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  out.push_back('"');
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text.substr(begin, at - begin));
    begin = at + 1;
    out.push_back('\\');
    switch (c) {
      case '"': case '\\': out.push_back(c); break;
      case '\b': out.push_back('b'); break;
      case '\f': out.push_back('f'); break;
      case '\n': out.push_back('n'); break;
      case '\r': out.push_back('r'); break;
      case '\t': out.push_back('t'); break;
      default:
        out.append("u00");
        out.push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
        out.push_back(kDigits[c & 15]);
    }
  }
  out.append(text.substr(begin));
  out.push_back('"');
}

void appendJsonUnescaped(std::string& out, std::string_view inside) {
  for (size_t at = 0; at < inside.size(); ++at) {
    if (inside[at] != '\\' || at + 1 == inside.size()) {
      out.push_back(inside[at]);
      continue;
    }
    const char c = inside[++at];
    switch (c) {
      case 'b': out.push_back('\b'); continue;
      case 'f': out.push_back('\f'); continue;
      case 'n': out.push_back('\n'); continue;
      case 'r': out.push_back('\r'); continue;
      case 't': out.push_back('\t'); continue;
      case '"': case '\\': case '/': out.push_back(c); continue;
      default: break;
    }
    char32_t code = 0;
    if (c != 'u' || !readHex(inside, at + 1, code)) {
      out.push_back('\\');
      out.push_back(c);
      continue;
    }
    at += 4;
    char32_t low = 0;
    if (code >= 0xd800 && code < 0xdc00 && inside.substr(at + 1).starts_with("\\u") && readHex(inside, at + 3, low) &&
        low >= 0xdc00 && low < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      at += 6;
    } else if (code >= 0xd800 && code < 0xe000) {
      code = '?';  // half of a pair, as Java encodes it
    }
    appendCodePoint(out, code);
  }
}

}  // namespace thalweg
