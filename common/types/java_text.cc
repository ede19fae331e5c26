#include "common/types/java_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "fast_float/fast_float.h"

namespace thalweg {

namespace {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

char* writeText(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

char* fill(char* out, char c, int count) {
  std::memset(out, c, static_cast<size_t>(count));
  return out + count;
}

/// Digits with the point after the first `point` of them.
char* writePlain(char* out, std::string_view digits, int point) {
  const int count = static_cast<int>(digits.size());
  if (point <= 0) {
    out = fill(writeText(out, "0."), '0', -point);
    return writeText(out, digits);
  }
  if (point >= count) {
    out = fill(writeText(out, digits), '0', point - count);
    return writeText(out, ".0");
  }
  out = writeText(out, digits.substr(0, static_cast<size_t>(point)));
  *out++ = '.';
  return writeText(out, digits.substr(static_cast<size_t>(point)));
}

char* writeWithExponent(char* out, std::string_view digits, int exponent) {
  *out++ = digits[0];
  *out++ = '.';
  out = digits.size() > 1 ? writeText(out, digits.substr(1)) : writeText(out, "0");
  *out++ = 'E';
  return std::to_chars(out, out + 6, exponent).ptr;
}

template <typename Float>
char* writeFloating(char* out, Float value) {
  if (std::isnan(value)) return writeText(out, "NaN");
  if (std::signbit(value)) *out++ = '-';
  if (std::isinf(value)) return writeText(out, "Infinity");
  if (value == 0) return writeText(out, "0.0");
  const FloatDigits shown = shortestDigits(value);
  char buffer[24];
  const char* end = std::to_chars(buffer, buffer + sizeof buffer, shown.digits).ptr;
  const std::string_view digits(buffer, static_cast<size_t>(end - buffer));
  const int point = static_cast<int>(digits.size()) + shown.exponent;
  return point > -3 && point < 8 ? writePlain(out, digits, point) : writeWithExponent(out, digits, point - 1);
}

const char* skipDigits(const char* at, const char* end) {
  while (at != end && isDigit(*at)) ++at;
  return at;
}

bool isTypeSuffix(char c) { return c == 'd' || c == 'D' || c == 'f' || c == 'F'; }

/// The end of `digits[.digits][e[+-]digits]`, or null if `at` does not begin such a number.
const char* decimalEnd(const char* at, const char* end) {
  const char* whole_end = skipDigits(at, end);
  auto digits = whole_end - at;
  at = whole_end;
  if (at != end && *at == '.') {
    const char* fraction_end = skipDigits(at + 1, end);
    digits += fraction_end - at - 1;
    at = fraction_end;
  }
  if (digits == 0) return nullptr;
  if (at == end || (*at | 0x20) != 'e') return at;
  ++at;
  if (at != end && (*at == '+' || *at == '-')) ++at;
  const char* exponent_end = skipDigits(at, end);
  return exponent_end == at ? nullptr : exponent_end;
}

/// `0x1.8p3` without its prefix; the exponent is required.
template <typename Float>
std::optional<Float> parseHex(std::string_view text) {
  const size_t exponent = text.find_first_of("pP");
  if (exponent == std::string_view::npos || text[0] == '-') return std::nullopt;
  Float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return text[exponent + 1] == '-' ? Float{0} : std::numeric_limits<Float>::infinity();
  return value;
}

template <typename Float>
std::optional<Float> parseUnsigned(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<Float>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<Float>::infinity();
  if (text.empty()) return std::nullopt;
  const bool suffixed = isTypeSuffix(text.back());
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
    // The suffix is a hexadecimal digit too, but it can only follow the exponent.
    return parseHex<Float>(text.substr(2, text.size() - 2 - (suffixed ? 1 : 0)));
  }
  if (suffixed) text.remove_suffix(1);
  const char* end = text.data() + text.size();
  if (decimalEnd(text.data(), end) != end) return std::nullopt;
  Float value = 0;
  fast_float::from_chars(text.data(), end, value);
  return value;
}

template <typename Float>
std::optional<Float> parseFloating(std::string_view text) {
  text = trimJava(text);
  if (text.empty()) return std::nullopt;
  const bool negative = text[0] == '-';
  if (negative || text[0] == '+') text.remove_prefix(1);
  const std::optional<Float> value = parseUnsigned<Float>(text);
  return value && negative ? -*value : value;
}

bool equalsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
         });
}

/// Whether `bytes` begin with a well-formed code point; `length` is its length, or that of the malformed piece: the
/// longest beginning of a code point, or one byte.
bool utf8Piece(std::string_view bytes, size_t& length) {
  const auto byte = [bytes](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned lead = byte(0);
  length = 1;
  if (lead < 0x80) return true;
  const size_t wanted = lead >= 0xC2 && lead <= 0xDF ? 2 : (lead & 0xF0) == 0xE0 ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
  if (wanted == 0) return false;
  for (; length < wanted; ++length) {
    if (length == bytes.size()) return false;
    const unsigned least = length > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned most = length > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(length) < least || byte(length) > most) return false;
  }
  return true;
}

template <typename Int>
Int saturate(double value) {
  constexpr double kLimit = static_cast<double>(uint64_t{1} << (8 * sizeof(Int) - 1));
  if (std::isnan(value)) return 0;
  if (value >= kLimit) return std::numeric_limits<Int>::max();
  if (value < -kLimit) return std::numeric_limits<Int>::min();
  return static_cast<Int>(value);
}

}  // namespace

char* writeDouble(char* out, double value) { return writeFloating(out, value); }
char* writeFloat(char* out, float value) { return writeFloating(out, value); }

void appendDouble(std::string& out, double value) {
  char buffer[kDoubleTextMax];
  out.append(buffer, writeDouble(buffer, value));
}

void appendFloat(std::string& out, float value) {
  char buffer[kDoubleTextMax];
  out.append(buffer, writeFloat(buffer, value));
}

std::string doubleText(double value) {
  std::string text;
  appendDouble(text, value);
  return text;
}

std::string floatText(float value) {
  std::string text;
  appendFloat(text, value);
  return text;
}

std::optional<double> parseDouble(std::string_view text) { return parseFloating<double>(text); }
std::optional<float> parseFloat(std::string_view text) { return parseFloating<float>(text); }

std::optional<int64_t> parseInteger(std::string_view text, int64_t min, int64_t max) {
  text = trimSpaces(text);
  const char* at = text.data();
  const char* end = at + text.size();
  if (at == end) return std::nullopt;
  const bool negative = *at == '-';
  if (negative || *at == '+') {
    if (++at == end) return std::nullopt;
  }
  // Counts downwards, because the least integer has no positive counterpart.
  const int64_t limit = negative ? min : -max;
  int64_t value = 0;
  for (; at != end && *at != '.'; ++at) {
    if (!isDigit(*at)) return std::nullopt;
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, *at - '0', &value)) return std::nullopt;
    if (value < limit) return std::nullopt;
  }
  if (at != end && skipDigits(at + 1, end) != end) return std::nullopt;
  return negative ? value : -value;
}

std::optional<bool> parseBoolean(std::string_view text) {
  constexpr std::string_view kTrue[] = {"t", "true", "y", "yes", "1"};
  constexpr std::string_view kFalse[] = {"f", "false", "n", "no", "0"};
  for (std::string_view word : kTrue) {
    if (equalsIgnoringCase(text, word)) return true;
  }
  for (std::string_view word : kFalse) {
    if (equalsIgnoringCase(text, word)) return false;
  }
  return std::nullopt;
}

int64_t doubleToInt64(double value) { return saturate<int64_t>(value); }
int32_t doubleToInt32(double value) { return saturate<int32_t>(value); }

std::string_view trimJava(std::string_view text) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view trimSpaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string textOfBytes(std::string_view bytes) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    size_t length = 0;
    const bool valid = utf8Piece(bytes, length);
    out += valid ? bytes.substr(0, length) : kReplacement;
    bytes.remove_prefix(length);
  }
  return out;
}

// Eight bytes at a time: a byte goes on with a character if its top bits are 10.
size_t codePointCount(std::string_view text) {
  constexpr uint64_t kHighs = 0x8080808080808080;
  size_t following = 0;
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof(word));
    following += static_cast<size_t>(std::popcount(word & ~(word << 1) & kHighs));
  }
  for (; at < text.size(); ++at) following += (text[at] & 0xC0) == 0x80;
  return text.size() - following;
}

std::string_view prefixOfCodePoints(std::string_view text, size_t count) {
  if (text.size() <= count) return text;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xC0) == 0x80) continue;
    if (count-- == 0) return text.substr(0, i);
  }
  return text;
}

}  // namespace thalweg
