#include "common/types/decimal_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "common/types/wide_int.h"

namespace thalweg {

namespace {

constexpr int kMaxDigits = DataType::kMaxDecimalPrecision;
constexpr size_t kCompactTextMax = 18;
constexpr int kCompactDigits = 18;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The parts of a number as written: value = digits (without the point) * 10^exponent.
struct WrittenNumber {
  bool negative = false;
  std::string_view digits;  ///< significant ones, may have a point in between
  int count = 0;            ///< digits among them, the point aside
  int64_t exponent = 0;
};

/// Reads `e[+-]digits`; exponents that Java's 32-bit scale cannot hold are none.
std::optional<int64_t> readExponent(std::string_view text) {
  text.remove_prefix(1);
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty() || !std::all_of(text.begin(), text.end(), isDigit)) return std::nullopt;
  int32_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return negative ? -static_cast<int64_t>(value) : value;
}

std::optional<WrittenNumber> readNumber(std::string_view text) {
  WrittenNumber number;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    number.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  size_t at = 0;
  size_t point = std::string_view::npos;
  for (; at < text.size() && (isDigit(text[at]) || text[at] == '.'); ++at) {
    if (text[at] != '.') continue;
    if (point != std::string_view::npos) return std::nullopt;
    point = at;
  }
  const size_t all_digits = at - (point == std::string_view::npos ? 0 : 1);
  if (all_digits == 0) return std::nullopt;
  if (at < text.size()) {
    if ((text[at] | 0x20) != 'e') return std::nullopt;
    const std::optional<int64_t> exponent = readExponent(text.substr(at));
    if (!exponent) return std::nullopt;
    number.exponent = *exponent;
  }
  if (point != std::string_view::npos) number.exponent -= static_cast<int64_t>(at - point - 1);
  size_t first = 0;
  while (first < at && (text[first] == '0' || text[first] == '.')) ++first;
  number.digits = text.substr(first, at - first);
  const bool point_inside = point != std::string_view::npos && point > first;
  number.count = static_cast<int>(number.digits.size() - (point_inside ? 1 : 0));
  return number;
}

bool isBlank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

std::string_view trimBlanks(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes a sign off the front; true for a minus.
bool takeSign(std::string_view& text) {
  const bool negative = text[0] == '-';
  if (negative || text[0] == '+') text.remove_prefix(1);
  return negative;
}

/// Takes bytes off the front while `take` accepts them, and the one byte behind them, whatever it is; returns that byte.
template <typename Take>
char takeDigits(std::string_view& text, Take take) {
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (!take(c)) return c;
  }
  return 0;
}

/// Short text into few digits, as Flink's fast path reads it: the byte that ends the digits is passed over
/// ('12.9x' is 12.9, 'x' is 0), leading zeros count as digits, and what rounds away more than 18 digits is none.
std::optional<int128> parseCompact(std::string_view text, DecimalSpec to) {
  text = trimBlanks(text);
  if (text.empty()) return std::nullopt;
  const bool negative = takeSign(text);
  if (text.empty()) return std::nullopt;
  int64_t value = 0;
  int64_t digits = 0;
  int64_t point = -1;
  const char end = takeDigits(text, [&](char c) {
    if (c == '.' && point < 0) return point = digits, true;
    if (!isDigit(c)) return false;
    value = value * 10 + (c - '0');
    return ++digits, true;
  });
  int64_t exponent = 0;
  if ((end | 0x20) == 'e' && !text.empty()) {
    const bool downwards = takeSign(text);
    if (text.empty()) return std::nullopt;
    takeDigits(text, [&](char c) { return isDigit(c) ? exponent = exponent * 10 + (c - '0'), true : false; });
    if (downwards) exponent = -exponent;
  }
  if (!trimBlanks(text).empty()) return std::nullopt;
  if (point >= 0) exponent -= digits - point;
  if (digits + exponent > to.precision - to.scale) return std::nullopt;
  int128 result = value;
  const int64_t shift = exponent + to.scale;
  if (shift < -kCompactDigits) return std::nullopt;
  if (shift >= 0) {
    result *= powerOfTen(static_cast<int>(std::min<int64_t>(shift, kMaxDigits)));
  } else {
    const int128 unit = powerOfTen(static_cast<int>(-shift));
    result = (result + unit / 2) / unit;
  }
  return negative ? -result : result;
}

/// The first `keep` digits as a number, rounded half up by the digit after them.
uint128 leadingDigits(std::string_view digits, int64_t keep) {
  uint128 value = 0;
  for (char c : digits) {
    if (c == '.') continue;
    if (keep-- <= 0) return value + (c >= '5' ? 1 : 0);
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

int128 signedValue(uint128 v, bool negative) { return negative ? -static_cast<int128>(v) : static_cast<int128>(v); }

/// Digits of a magnitude below 10^39 at the end of a buffer; returns their beginning.
char* digitsBefore(char* end, uint128 v) {
  constexpr uint64_t kChunk = 1'000'000'000'000'000'000;
  while (v >= kChunk) {
    auto low = static_cast<uint64_t>(v % kChunk);
    v /= kChunk;
    for (int i = 0; i < 18; ++i, low /= 10) *--end = static_cast<char>('0' + low % 10);
  }
  auto rest = static_cast<uint64_t>(v);
  do {
    *--end = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  return end;
}

struct DigitText {
  char buffer[kDecimalTextMax];
  std::string_view text;
  explicit DigitText(int128 v) {
    char* end = buffer + sizeof buffer;
    const char* begin = digitsBefore(end, v < 0 ? -static_cast<uint128>(v) : static_cast<uint128>(v));
    text = {begin, static_cast<size_t>(end - begin)};
  }
};

char* writeText(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

char* writePlain(char* out, std::string_view digits, int scale) {
  const int whole = static_cast<int>(digits.size()) - scale;
  if (scale == 0) return writeText(out, digits);
  if (whole > 0) {
    out = writeText(out, digits.substr(0, static_cast<size_t>(whole)));
    *out++ = '.';
    return writeText(out, digits.substr(static_cast<size_t>(whole)));
  }
  out = writeText(out, "0.");
  std::memset(out, '0', static_cast<size_t>(-whole));
  return writeText(out - whole, digits);
}

}  // namespace

std::optional<int128> parseDecimal(std::string_view text, DecimalSpec to) {
  if (to.precision <= kCompactDigits && text.size() <= kCompactTextMax) return parseCompact(text, to);
  const std::optional<WrittenNumber> number = readNumber(trimBlanks(text));
  if (!number) return std::nullopt;
  if (number->count == 0) return 0;
  const int64_t shift = number->exponent + to.scale;
  const int64_t kept = number->count + shift;  // digits of the result before rounding
  if (kept > to.precision) return std::nullopt;
  if (kept < 0) return 0;
  uint128 value = leadingDigits(number->digits, kept);
  if (shift > 0) value *= static_cast<uint128>(powerOfTen(static_cast<int>(shift)));
  const int128 result = signedValue(value, number->negative);
  if (!fitsPrecision(result, to.precision)) return std::nullopt;
  return result;
}

std::optional<DecimalLiteral> parseDecimalLiteral(std::string_view text) {
  const std::optional<WrittenNumber> number = readNumber(text);
  if (!number || number->count > kMaxDigits || number->exponent > kMaxDigits || number->exponent < -kMaxDigits) {
    return std::nullopt;
  }
  const int grow = std::max(0, static_cast<int>(number->exponent));
  const int scale = std::max(0, -static_cast<int>(number->exponent));
  const int digits = number->count == 0 ? 1 : number->count + grow;
  if (digits > kMaxDigits) return std::nullopt;
  const uint128 value = leadingDigits(number->digits, number->count);
  return DecimalLiteral{signedValue(number->count == 0 ? 0 : value * static_cast<uint128>(powerOfTen(grow)), number->negative),
                        {std::max(digits, scale), scale}};
}

char* writeDecimal(char* out, int128 unscaled, int scale) {
  const DigitText digits(unscaled);
  if (unscaled < 0) *out++ = '-';
  return writePlain(out, digits.text, scale);
}

char* writeDecimalJava(char* out, int128 unscaled, int scale) {
  constexpr int kPlainExponentMin = -6;
  const DigitText digits(unscaled);
  if (unscaled < 0) *out++ = '-';
  const int exponent = static_cast<int>(digits.text.size()) - 1 - scale;
  if (scale == 0 || exponent >= kPlainExponentMin) return writePlain(out, digits.text, scale);
  *out++ = digits.text[0];
  if (digits.text.size() > 1) {
    *out++ = '.';
    out = writeText(out, digits.text.substr(1));
  }
  *out++ = 'E';
  return std::to_chars(out, out + 6, exponent).ptr;
}

void appendDecimal(std::string& out, int128 unscaled, int scale) {
  char buffer[kDecimalTextMax];
  out.append(buffer, writeDecimal(buffer, unscaled, scale));
}

void appendDecimalJava(std::string& out, int128 unscaled, int scale) {
  char buffer[kDecimalTextMax];
  out.append(buffer, writeDecimalJava(buffer, unscaled, scale));
}

std::string decimalText(int128 unscaled, int scale) {
  std::string text;
  appendDecimal(text, unscaled, scale);
  return text;
}

}  // namespace thalweg
