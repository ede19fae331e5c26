#include "common/types/time_unit.h"

#include <array>
#include <string>

namespace thalweg {

namespace {

struct UnitName {
  std::string_view name;
  TimeUnit unit;
};

constexpr std::array<UnitName, 19> kUnitNames = {{{"YEAR", TimeUnit::YEAR},
                                                  {"QUARTER", TimeUnit::QUARTER},
                                                  {"MONTH", TimeUnit::MONTH},
                                                  {"WEEK", TimeUnit::WEEK},
                                                  {"DAY", TimeUnit::DAY},
                                                  {"HOUR", TimeUnit::HOUR},
                                                  {"MINUTE", TimeUnit::MINUTE},
                                                  {"SECOND", TimeUnit::SECOND},
                                                  {"MILLISECOND", TimeUnit::MILLISECOND},
                                                  {"MICROSECOND", TimeUnit::MICROSECOND},
                                                  {"NANOSECOND", TimeUnit::NANOSECOND},
                                                  {"DOW", TimeUnit::DOW},
                                                  {"ISODOW", TimeUnit::ISODOW},
                                                  {"DOY", TimeUnit::DOY},
                                                  {"ISOYEAR", TimeUnit::ISOYEAR},
                                                  {"DECADE", TimeUnit::DECADE},
                                                  {"CENTURY", TimeUnit::CENTURY},
                                                  {"MILLENNIUM", TimeUnit::MILLENNIUM},
                                                  {"EPOCH", TimeUnit::EPOCH}}};

/// Months of the units from a month up, 0 for others.
int64_t monthsOf(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::MONTH: return 1;
    case TimeUnit::QUARTER: return 3;
    case TimeUnit::YEAR: return 12;
    case TimeUnit::DECADE: return 120;
    case TimeUnit::CENTURY: return 1200;
    case TimeUnit::MILLENNIUM: return 12000;
    default: return 0;
  }
}

/// Milliseconds of the units from a week down, 0 for others.
int64_t millisOfUnit(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::WEEK: return 7 * kMillisPerDay;
    case TimeUnit::DAY: return kMillisPerDay;
    case TimeUnit::HOUR: return kMillisPerHour;
    case TimeUnit::MINUTE: return kMillisPerMinute;
    case TimeUnit::SECOND: return kMillisPerSecond;
    case TimeUnit::MILLISECOND: return 1;
    default: return 0;
  }
}

bool isTimeUnit(TimeUnit unit) { return unit >= TimeUnit::HOUR && unit <= TimeUnit::NANOSECOND; }

/// The first day of the period of `length` years that holds `year`; periods begin in years ≡ first (mod length).
int32_t firstDayOfYears(int64_t year, int64_t length, int64_t first) {
  return daysFromCivil(floorDiv(year - first, length) * length + first, 1, 1);
}

/// Ordinal of a century or millennium: years 1..n are the first, years 0 and before the ones below 0.
int64_t ordinalOfYears(int64_t year, int64_t length) {
  return year > 0 ? (year + length - 1) / length : (year - length + 1) / length;
}

int32_t sundayOnOrBefore(int32_t days) { return days - isoDayOfWeek(days) % 7; }

int64_t roundToMillis(TimeUnit unit, TimestampValue wall, bool up) {
  const int64_t step = millisOfUnit(unit);
  if (step == 0) return wall.millis;
  const int64_t rest = floorMod(wall.millis, step);
  if (rest != 0) return wall.millis - rest + (up ? step : 0);
  return wall.millis + (up && unit == TimeUnit::MILLISECOND && wall.nanos > 0 ? 1 : 0);
}

}  // namespace

std::optional<TimeUnit> parseTimeUnit(std::string_view name) {
  constexpr std::string_view kOdbcPrefix = "SQL_TSI_";
  std::string upper(name);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string_view word = upper;
  if (word.starts_with(kOdbcPrefix)) word.remove_prefix(kOdbcPrefix.size());
  if (word == "FRAC_SECOND") return TimeUnit::MICROSECOND;
  const bool plural = word.ends_with('S');
  if (plural) word.remove_suffix(1);
  for (const UnitName& entry : kUnitNames) {
    if (entry.name == word && (!plural || entry.unit <= TimeUnit::SECOND)) return entry.unit;
  }
  return std::nullopt;
}

std::string_view timeUnitName(TimeUnit unit) { return kUnitNames[static_cast<size_t>(unit)].name; }

bool isFloorUnit(TimeUnit unit) { return isArithmeticUnit(unit); }

bool isArithmeticUnit(TimeUnit unit) {
  return monthsOf(unit) != 0 || millisOfUnit(unit) != 0 || unit == TimeUnit::MICROSECOND || unit == TimeUnit::NANOSECOND;
}

int64_t extractFromDate(TimeUnit unit, int32_t days) {
  const CivilDate date = civilFromDays(days);
  switch (unit) {
    case TimeUnit::YEAR: return date.year;
    case TimeUnit::QUARTER: return (date.month + 2) / 3;
    case TimeUnit::MONTH: return date.month;
    case TimeUnit::WEEK: return isoWeek(days).week;
    case TimeUnit::DAY: return date.day;
    case TimeUnit::DOW: return isoDayOfWeek(days) % 7 + 1;
    case TimeUnit::ISODOW: return isoDayOfWeek(days);
    case TimeUnit::DOY: return dayOfYear(days);
    case TimeUnit::ISOYEAR: return isoWeek(days).year;
    case TimeUnit::DECADE: return date.year / 10;
    case TimeUnit::CENTURY: return ordinalOfYears(date.year, 100);
    case TimeUnit::MILLENNIUM: return ordinalOfYears(date.year, 1000);
    case TimeUnit::EPOCH: return static_cast<int64_t>(days) * 86400;
    default: return 0;
  }
}

int64_t extractFromTime(TimeUnit unit, int32_t millis_of_day) {
  switch (unit) {
    case TimeUnit::HOUR: return millis_of_day / kMillisPerHour;
    case TimeUnit::MINUTE: return millis_of_day / kMillisPerMinute % 60;
    case TimeUnit::SECOND: return millis_of_day / kMillisPerSecond % 60;
    case TimeUnit::MILLISECOND: return millis_of_day % 1000;
    case TimeUnit::MICROSECOND: return millis_of_day % 1000 * 1000;
    case TimeUnit::NANOSECOND: return millis_of_day % 1000 * static_cast<int64_t>(kNanosPerMilli);
    case TimeUnit::EPOCH: return millis_of_day / kMillisPerSecond;
    default: return 0;
  }
}

int64_t extractFromTimestamp(TimeUnit unit, TimestampValue wall) {
  if (unit == TimeUnit::EPOCH) return floorDiv(wall.millis, kMillisPerSecond);
  if (!isTimeUnit(unit)) return extractFromDate(unit, dateOfMillis(wall.millis));
  const int64_t within_milli =
      unit == TimeUnit::MICROSECOND ? wall.nanos / 1000 : unit == TimeUnit::NANOSECOND ? wall.nanos : 0;
  return extractFromTime(unit, timeOfMillis(wall.millis)) + within_milli;
}

int64_t extractFromYearMonthInterval(TimeUnit unit, int32_t months) {
  return unit == TimeUnit::YEAR ? months / 12 : unit == TimeUnit::MONTH ? months % 12 : 0;
}

int64_t extractFromDayTimeInterval(TimeUnit unit, int64_t millis) {
  if (unit == TimeUnit::DAY) return millis / kMillisPerDay;
  return isTimeUnit(unit) ? extractFromTime(unit, static_cast<int32_t>(millis % kMillisPerDay)) : 0;
}

int32_t floorDate(TimeUnit unit, int32_t days) {
  const CivilDate date = civilFromDays(days);
  switch (unit) {
    case TimeUnit::MILLENNIUM: return firstDayOfYears(date.year, 1000, 1);
    case TimeUnit::CENTURY: return firstDayOfYears(date.year, 100, 1);
    case TimeUnit::DECADE: return firstDayOfYears(date.year, 10, 0);
    case TimeUnit::YEAR: return daysFromCivil(date.year, 1, 1);
    case TimeUnit::QUARTER: return daysFromCivil(date.year, (date.month - 1) / 3 * 3 + 1, 1);
    case TimeUnit::MONTH: return daysFromCivil(date.year, date.month, 1);
    case TimeUnit::WEEK: return sundayOnOrBefore(days);
    default: return days;
  }
}

int32_t ceilDate(TimeUnit unit, int32_t days) {
  const int32_t floor = floorDate(unit, days);
  const bool first_of_year = floorDate(TimeUnit::YEAR, days) == days;
  switch (unit) {
    case TimeUnit::MILLENNIUM:
    case TimeUnit::CENTURY:
    case TimeUnit::DECADE: return addMonths(floor, monthsOf(unit));
    case TimeUnit::QUARTER: return first_of_year ? floor : addMonths(floor, monthsOf(unit));
    case TimeUnit::YEAR:
    case TimeUnit::MONTH: return floor == days ? floor : addMonths(floor, monthsOf(unit));
    case TimeUnit::WEEK: return floor == days ? floor : floor + 7;
    case TimeUnit::DAY: return days + 1;
    default: return days;
  }
}

int32_t floorTime(TimeUnit unit, int32_t millis_of_day) {
  const int64_t step = millisOfUnit(unit);
  if (monthsOf(unit) != 0 || step >= kMillisPerDay) return 0;
  return step == 0 ? millis_of_day : static_cast<int32_t>(millis_of_day - millis_of_day % step);
}

int32_t ceilTime(TimeUnit unit, int32_t millis_of_day) {
  const int32_t floor = floorTime(unit, millis_of_day);
  if (floor == millis_of_day || millisOfUnit(unit) >= kMillisPerDay) return floor;
  return addToTime(floor, millisOfUnit(unit));
}

TimestampValue floorTimestamp(TimeUnit unit, TimestampValue wall) {
  if (unit == TimeUnit::NANOSECOND) return wall;
  if (unit == TimeUnit::MICROSECOND) return {wall.millis, wall.nanos / 1000 * 1000, 0};
  if (unit == TimeUnit::WEEK || monthsOf(unit) != 0) {
    return {millisOf(floorDate(unit, dateOfMillis(wall.millis)), 0), 0, 0};
  }
  return {roundToMillis(unit, wall, false), 0, 0};
}

TimestampValue ceilTimestamp(TimeUnit unit, TimestampValue wall) {
  if (unit == TimeUnit::NANOSECOND) return wall;
  if (unit == TimeUnit::MICROSECOND) {
    const int32_t nanos = (wall.nanos + 999) / 1000 * 1000;
    return nanos == kNanosPerMilli ? TimestampValue{wall.millis + 1, 0, 0} : TimestampValue{wall.millis, nanos, 0};
  }
  if (unit == TimeUnit::WEEK || monthsOf(unit) != 0) {
    return {millisOf(ceilDate(unit, dateOfMillis(wall.millis)), 0), 0, 0};
  }
  return {roundToMillis(unit, wall, true), 0, 0};
}

int32_t addUnits(TimeUnit unit, int64_t count, int32_t days) {
  if (monthsOf(unit) != 0) return addMonths(days, count * monthsOf(unit));
  return static_cast<int32_t>(days + count * (millisOfUnit(unit) / kMillisPerDay));
}

TimestampValue addUnits(TimeUnit unit, int64_t count, TimestampValue wall) {
  if (monthsOf(unit) != 0) return addMonths(wall, count * monthsOf(unit));
  if (millisOfUnit(unit) != 0) return addMillis(wall, count * millisOfUnit(unit));
  const int64_t per_milli = unit == TimeUnit::MICROSECOND ? 1000 : kNanosPerMilli;
  const int64_t nanos = floorMod(count, per_milli) * (kNanosPerMilli / per_milli) + wall.nanos;
  return {wall.millis + floorDiv(count, per_milli) + nanos / kNanosPerMilli, static_cast<int32_t>(nanos % kNanosPerMilli), 0};
}

int64_t unitsBetween(TimeUnit unit, TimestampValue from, TimestampValue to) {
  if (monthsOf(unit) != 0) return monthsBetween(from, to) / monthsOf(unit);
  const int64_t millis = to.millis - from.millis;  // what is below a millisecond does not count, as in Flink
  const int64_t seconds = millis / 1000;
  switch (unit) {
    case TimeUnit::MILLISECOND: return seconds * 1000;
    case TimeUnit::MICROSECOND: return seconds * 1'000'000;
    case TimeUnit::NANOSECOND: return seconds * 1'000'000'000;
    default: return millisOfUnit(unit) == 0 ? 0 : millis / millisOfUnit(unit);
  }
}

int64_t unitsBetween(TimeUnit unit, int32_t from_days, int32_t to_days) {
  if (monthsOf(unit) != 0) return monthsBetween(from_days, to_days) / monthsOf(unit);
  return unitsBetween(unit, TimestampValue{millisOf(from_days, 0), 0, 0}, TimestampValue{millisOf(to_days, 0), 0, 0});
}

}  // namespace thalweg
