// Reading and writing single values as text formats have them: numbers as Java's parsers take them, dates and times
// in the SQL and ISO forms, bytes as base64. Shared by csv and json; their differences are arguments.
//
// Parsers give nothing for other text. Threads: pure functions.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "common/types/datetime.h"

namespace thalweg::format {

/// Integer.parseInt and its kin: an optional sign and decimal digits, nothing else; none outside [min, max].
inline std::optional<int64_t> parseJavaInteger(std::string_view text, int64_t min, int64_t max);
/// The whole part of a JSON number, as Jackson's getIntValue: `7.0`, `50.7`, `1e2`; none outside [min, max].
std::optional<int64_t> parseJsonInteger(std::string_view number, int64_t min, int64_t max);

/// `yyyy-MM-dd`; with `short_parts` months and days may have one digit.
std::optional<int32_t> parseDateCell(std::string_view text, bool short_parts);
/// `HH:mm:ss` with up to nine digits of the second, cut to milliseconds; with `seconds_optional` also `HH:mm`.
std::optional<int32_t> parseTimeCell(std::string_view text, bool seconds_optional);
/// Date, `separator` (' ' or 'T') and time with up to nine digits of the second; `zulu`: a `Z` follows.
std::optional<TimestampValue> parseTimestampCell(std::string_view text, char separator, bool zulu);

/// Standard base64, without blanks; padding is required. Appends to `out`.
bool decodeBase64(std::string_view text, std::string& out);
void appendBase64(std::string& out, std::string_view bytes);

/// The value of 1 to 16 decimal digits and nothing else, else -1. Reads 16 bytes at `text`, whatever its size.
inline int64_t parseShortDigits(const char* text, size_t size) {
  // Eight digits at a time: neighbours are added up with a weight of 10, then pairs of 100, then fours of 10,000.
  const auto eight = [](uint64_t digits) {
    digits = digits * 10 + (digits >> 8);
    const uint64_t high = (digits & 0x000000FF000000FF) * (100 + (uint64_t{1'000'000} << 32));
    const uint64_t low = ((digits >> 16) & 0x000000FF000000FF) * (1 + (uint64_t{10'000} << 32));
    return (high + low) >> 32;
  };
  constexpr uint64_t kZeros = 0x3030303030303030;
  const auto wrong = [](uint64_t digits) { return (digits | (digits + 0x7676767676767676)) & 0x8080808080808080; };
  uint64_t first;
  std::memcpy(&first, text, 8);
  first ^= kZeros;
  if (size - 1 < 8) {
    first <<= 64 - 8 * size;
    return wrong(first) != 0 ? -1 : static_cast<int64_t>(eight(first));
  }
  if (size - 1 >= 16) return -1;
  uint64_t second;
  std::memcpy(&second, text + size - 8, 8);
  second ^= kZeros;
  first <<= 128 - 8 * size;
  if ((wrong(first) | wrong(second)) != 0) return -1;
  return static_cast<int64_t>(eight(first) * 100'000'000 + eight(second));
}

inline std::optional<int64_t> parseJavaInteger(std::string_view text, int64_t min, int64_t max) {
  const char* at = text.data();
  const char* end = at + text.size();
  bool negative = false;
  if (at != end && (*at == '-' || *at == '+')) negative = *at++ == '-';
  if (at == end) return std::nullopt;
  while (end - at > 18 && *at == '0') ++at;
  if (end - at > 19) return std::nullopt;
  uint64_t value = 0;
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned>(*at - '0');
    if (digit > 9) return std::nullopt;
    value = value * 10 + digit;
  }
  if (negative) {
    if (value > uint64_t{1} << 63) return std::nullopt;
    const auto number = static_cast<int64_t>(0 - value);
    return number < min ? std::nullopt : std::optional<int64_t>(number);
  }
  if (value > static_cast<uint64_t>(max)) return std::nullopt;
  return static_cast<int64_t>(value);
}

}  // namespace thalweg::format
