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

std::string_view trimBlanks(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
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
  const bool compact = to.precision <= kCompactDigits && text.size() <= kCompactTextMax;
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
  if (!compact && !fitsPrecision(result, to.precision)) return std::nullopt;
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
