// Reading and writing single values as text formats have them: numbers as Java's parsers take them, dates and times
// in the SQL and ISO forms, bytes as base64. Shared by csv and json; their differences are arguments.
//
// Parsers give nothing for other text. Threads: pure functions.
#pragma once

#include <cstdint>
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
