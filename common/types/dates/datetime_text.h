// Text of dates, times, timestamps and intervals: what Flink's casts read, and the two forms it writes.
//
// The SQL form is what CAST to STRING gives (`2024-05-05 07:00:00.000`), the ISO form what result rows print
// (java.time's toString: `2024-05-05T07:00`). write… functions return the end of what they wrote into a buffer of
// at least kDateTimeTextMax bytes. Zones: callers turn an instant into wall clock first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/types/datetime.h"

namespace thalweg {

/// Room for any date, time, timestamp or interval in either form.
inline constexpr size_t kDateTimeTextMax = 64;

/// CAST to DATE: '2024-02-29', '2024-2-9', '2024-02', '2024', blanks around each part, anything after a blank
/// dropped. Years 0 to 9999.
std::optional<int32_t> parseDate(std::string_view text);
/// CAST to TIME: 'H:m:s.fff' with parts missing from the right and blanks around each part; rounded to milliseconds,
/// then cut to `precision` digits. An offset ('+1', '-01:30') is added, as Flink does. Milliseconds of the day.
std::optional<int32_t> parseTime(std::string_view text, int precision = 3);
/// CAST to TIMESTAMP: 'yyyy-M-d', then optionally ' H:m:s[.fffffffff]'; no blanks around, no 'T', years from 1. The
/// separators must be there, a number between them may be missing. Digits past `precision` are cut. As java.time's
/// smart resolving has it, a day that its month has not, up to 31, is the month's last, and 24:00:00 is the next day.
std::optional<TimestampValue> parseTimestamp(std::string_view text, int precision = 9);
/// The same forms as java.sql.Timestamp.valueOf reads them: days, hours, minutes and seconds beyond their range run
/// over into what is above them.
std::optional<TimestampValue> parseTimestampRunningOver(std::string_view text);

// SQL form.
char* writeDate(char* out, int32_t days);
/// Writes at most `precision` digits of the second, and no zeros at their end but the first.
char* writeTime(char* out, int32_t millis_of_day, int precision);
/// Writes `precision` digits of the second, and further ones only if they are not zero.
char* writeTimestamp(char* out, TimestampValue value, int precision);
char* writeYearMonthInterval(char* out, int32_t months);  ///< `+2-11`
char* writeDayTimeInterval(char* out, int64_t millis);    ///< `+1 02:03:04.567`

// ISO form.
char* writeIsoDate(char* out, int32_t days);
char* writeIsoTime(char* out, int32_t millis_of_day);        ///< `07:00`, `07:00:01.500`
char* writeIsoTimestamp(char* out, TimestampValue value);    ///< LocalDateTime: `2024-05-05T07:00`
char* writeIsoInstant(char* out, TimestampValue value);      ///< Instant: `2024-05-05T07:00:00Z`
char* writeIsoPeriod(char* out, int32_t months);             ///< Period: `P14M`
char* writeIsoDuration(char* out, int64_t millis);           ///< Duration: `PT36H`

/// `dateTimeText(writeIsoTimestamp, value)`: the written text as a string.
template <typename Write, typename... Args>
std::string dateTimeText(Write write, Args... args) {
  char buffer[kDateTimeTextMax];
  return {buffer, write(buffer, args...)};
}

}  // namespace thalweg
