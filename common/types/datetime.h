// Dates, times and timestamps as numbers: civil dates to and from days, arithmetic, precision.
//
// The calendar is proleptic Gregorian with year 0, as java.time. DATE is days since 1970-01-01, TIME is
// milliseconds of the day, TIMESTAMP a TimestampValue. Everything rounds towards the past, so that values
// before 1970 behave as those after. Text: datetime_text.h. Units (EXTRACT, FLOOR, …): time_unit.h.
#pragma once

#include <cstdint>

#include "common/types/value.h"

namespace thalweg {

inline constexpr int64_t kMillisPerSecond = 1000;
inline constexpr int64_t kMillisPerMinute = 60 * kMillisPerSecond;
inline constexpr int64_t kMillisPerHour = 60 * kMillisPerMinute;
inline constexpr int64_t kMillisPerDay = 24 * kMillisPerHour;
inline constexpr int32_t kNanosPerMilli = 1'000'000;

constexpr int64_t floorDiv(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }
constexpr int64_t floorMod(int64_t a, int64_t b) { return a - floorDiv(a, b) * b; }

struct CivilDate {
  int32_t year = 1970;
  int32_t month = 1;  ///< 1..12
  int32_t day = 1;    ///< 1..31
  bool operator==(const CivilDate&) const = default;
};

struct TimeOfDay {
  int32_t hour = 0;
  int32_t minute = 0;
  int32_t second = 0;
  int32_t nano = 0;  ///< 0..999999999
  bool operator==(const TimeOfDay&) const = default;
};

constexpr bool isLeapYear(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
constexpr int lengthOfMonth(int64_t year, int month) {
  return month == 2 ? (isLeapYear(year) ? 29 : 28) : (month == 4 || month == 6 || month == 9 || month == 11) ? 30 : 31;
}

/// Days since 1970-01-01; the date must exist, its year be within ±5 million.
constexpr int32_t daysFromCivil(int64_t year, int month, int day) {
  year -= month <= 2;
  const int64_t era = floorDiv(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return static_cast<int32_t>(era * 146097 + day_of_era - 719468);
}
/// The inverse, for any number of days within those years. Divisions are replaced by multiplications where they can be
/// (Neri and Schneider, Euclidean affine functions).
constexpr CivilDate civilFromDays(int32_t days) {
  constexpr int64_t kCyclesBefore = 14700;  // of 400 years, to make everything positive
  const auto n = static_cast<uint64_t>(days + 719468 + 146097 * kCyclesBefore);
  const uint64_t century = (4 * n + 3) / 146097;
  const auto day_of_century = static_cast<uint32_t>((4 * n + 3) % 146097 / 4);
  const uint64_t scaled = uint64_t{2939745} * (4 * day_of_century + 3);
  const auto day_of_year = static_cast<uint32_t>(scaled) / 2939745 / 4;  // from March 1st
  const uint32_t month_and_day = 2141 * day_of_year + 197913;
  const bool next_year = day_of_year >= 306;
  const auto year = static_cast<int32_t>(static_cast<int64_t>(100 * century + (scaled >> 32)) - 400 * kCyclesBefore);
  return {year + (next_year ? 1 : 0), static_cast<int32_t>(month_and_day >> 16) - (next_year ? 12 : 0),
          static_cast<int32_t>((month_and_day & 0xFFFF) / 2141) + 1};
}

/// Day of the week, Monday = 1 to Sunday = 7.
constexpr int isoDayOfWeek(int32_t days) { return static_cast<int>(floorMod(static_cast<int64_t>(days) + 3, 7)) + 1; }
constexpr int dayOfYear(int32_t days) { return days - daysFromCivil(civilFromDays(days).year, 1, 1) + 1; }
/// Year and number of the ISO week of a date.
struct IsoWeek {
  int32_t year = 1970;
  int32_t week = 1;
};
IsoWeek isoWeek(int32_t days);

// Parts of a wall-clock timestamp in milliseconds since the epoch.
constexpr int32_t dateOfMillis(int64_t millis) { return static_cast<int32_t>(floorDiv(millis, kMillisPerDay)); }
constexpr int32_t timeOfMillis(int64_t millis) { return static_cast<int32_t>(floorMod(millis, kMillisPerDay)); }
constexpr int64_t millisOf(int32_t days, int32_t millis_of_day) { return days * kMillisPerDay + millis_of_day; }
TimeOfDay timeOfDay(int32_t millis_of_day, int32_t nanos_of_milli = 0);
int32_t millisOfDay(const TimeOfDay& time);
TimestampValue timestampOf(const CivilDate& date, const TimeOfDay& time);

/// Adds months; a day past the month's end becomes its last day.
int32_t addMonths(int32_t days, int64_t months);
TimestampValue addMonths(TimestampValue value, int64_t months);
inline TimestampValue addMillis(TimestampValue value, int64_t millis) { return {value.millis + millis, value.nanos, 0}; }
/// Moves a TIME by an interval; wraps at midnight.
int32_t addToTime(int32_t millis_of_day, int64_t millis);
/// Whole months from `from` to `to`, towards zero; a month's end ends a month (01-31 to 02-29 is one).
int64_t monthsBetween(int32_t from, int32_t to);
int64_t monthsBetween(TimestampValue from, TimestampValue to);

/// Cuts the digits after the first `precision` (0..9) of the second, towards the past.
TimestampValue truncateToPrecision(TimestampValue value, int precision);
/// Cuts the digits of a TIME(precision), which keeps at most 3.
int32_t truncateTimeToPrecision(int32_t millis_of_day, int precision);

// The int64 columns of TIMESTAMP(4..6).
inline int64_t microsOf(TimestampValue value) { return value.millis * 1000 + value.nanos / 1000; }
inline TimestampValue timestampOfMicros(int64_t micros) {
  const int64_t millis = floorDiv(micros, 1000);
  return {millis, static_cast<int32_t>(micros - millis * 1000) * 1000, 0};
}

}  // namespace thalweg
