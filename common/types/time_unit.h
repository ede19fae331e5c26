// Calendar units and what SQL does with them: EXTRACT, FLOOR and CEIL … TO unit, TIMESTAMPADD, TIMESTAMPDIFF.
//
// Timestamps are wall clock; for TIMESTAMP_LTZ the caller converts with its TimeZone before and after.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "common/types/datetime.h"

namespace thalweg {

enum class TimeUnit : uint8_t {
  YEAR,
  QUARTER,
  MONTH,
  WEEK,  ///< EXTRACT: ISO week; FLOOR and CEIL: weeks begin on Sunday
  DAY,
  HOUR,
  MINUTE,
  SECOND,
  MILLISECOND,  ///< EXTRACT: within the second
  MICROSECOND,  ///< EXTRACT: within the second
  NANOSECOND,   ///< EXTRACT: within the second
  DOW,          ///< day of the week, Sunday = 1
  ISODOW,       ///< day of the week, Monday = 1
  DOY,          ///< day of the year
  ISOYEAR,      ///< year of the ISO week
  DECADE,
  CENTURY,
  MILLENNIUM,
  EPOCH,  ///< seconds since 1970
};

/// By SQL spelling in any case, plurals (DAYS) and ODBC names (SQL_TSI_DAY) included.
std::optional<TimeUnit> parseTimeUnit(std::string_view name);
std::string_view timeUnitName(TimeUnit unit);

/// Whether a unit may be used in FLOOR and CEIL, and in TIMESTAMPADD and TIMESTAMPDIFF.
bool isFloorUnit(TimeUnit unit);
bool isArithmeticUnit(TimeUnit unit);

int64_t extractFromDate(TimeUnit unit, int32_t days);
int64_t extractFromTime(TimeUnit unit, int32_t millis_of_day);
int64_t extractFromTimestamp(TimeUnit unit, TimestampValue wall);
int64_t extractFromYearMonthInterval(TimeUnit unit, int32_t months);
int64_t extractFromDayTimeInterval(TimeUnit unit, int64_t millis);

// CEIL to units longer than a day looks at the date alone, and gives the next decade, century, millennium or quarter
// (but not year, month or week) even for the first day of one, as Flink does.
int32_t floorDate(TimeUnit unit, int32_t days);
int32_t ceilDate(TimeUnit unit, int32_t days);
int32_t floorTime(TimeUnit unit, int32_t millis_of_day);
int32_t ceilTime(TimeUnit unit, int32_t millis_of_day);
TimestampValue floorTimestamp(TimeUnit unit, TimestampValue wall);
TimestampValue ceilTimestamp(TimeUnit unit, TimestampValue wall);

/// TIMESTAMPADD. Units of a day and longer keep a DATE a DATE; shorter ones are for timestamps.
int32_t addUnits(TimeUnit unit, int64_t count, int32_t days);
TimestampValue addUnits(TimeUnit unit, int64_t count, TimestampValue wall);
/// TIMESTAMPDIFF(unit, from, to): whole units, towards zero. Dates are timestamps at midnight.
int64_t unitsBetween(TimeUnit unit, TimestampValue from, TimestampValue to);
int64_t unitsBetween(TimeUnit unit, int32_t from_days, int32_t to_days);

}  // namespace thalweg
