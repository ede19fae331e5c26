#include "common/types/datetime.h"

#include <algorithm>
#include <array>

namespace thalweg {

namespace {

constexpr int64_t kMonthsPerYear = 12;

}  // namespace

IsoWeek isoWeek(int32_t days) {
  // The week belongs to the year of its Thursday.
  const int32_t thursday = days - isoDayOfWeek(days) + 4;
  const int32_t year = civilFromDays(thursday).year;
  return {year, (thursday - daysFromCivil(year, 1, 1)) / 7 + 1};
}

TimeOfDay timeOfDay(int32_t millis_of_day, int32_t nanos_of_milli) {
  const int32_t seconds = millis_of_day / 1000;
  return {seconds / 3600, seconds / 60 % 60, seconds % 60, millis_of_day % 1000 * kNanosPerMilli + nanos_of_milli};
}

int32_t millisOfDay(const TimeOfDay& time) {
  return ((time.hour * 60 + time.minute) * 60 + time.second) * 1000 + time.nano / kNanosPerMilli;
}

TimestampValue timestampOf(const CivilDate& date, const TimeOfDay& time) {
  return {millisOf(daysFromCivil(date.year, date.month, date.day), millisOfDay(time)), time.nano % kNanosPerMilli, 0};
}

int32_t addMonths(int32_t days, int64_t months) {
  const CivilDate date = civilFromDays(days);
  const int64_t month_index = date.year * kMonthsPerYear + date.month - 1 + months;
  const int64_t year = floorDiv(month_index, kMonthsPerYear);
  const int month = static_cast<int>(floorMod(month_index, kMonthsPerYear)) + 1;
  return daysFromCivil(year, month, std::min(date.day, lengthOfMonth(year, month)));
}

TimestampValue addMonths(TimestampValue value, int64_t months) {
  return {millisOf(addMonths(dateOfMillis(value.millis), months), timeOfMillis(value.millis)), value.nanos, 0};
}

int32_t addToTime(int32_t millis_of_day, int64_t millis) {
  return static_cast<int32_t>(floorMod(millis_of_day + millis % kMillisPerDay, kMillisPerDay));
}

int64_t monthsBetween(int32_t from, int32_t to) {
  if (to < from) return -monthsBetween(to, from);
  const CivilDate a = civilFromDays(from);
  const CivilDate b = civilFromDays(to);
  const int64_t months = (b.year - a.year) * kMonthsPerYear + b.month - a.month;
  return addMonths(from, months) > to ? months - 1 : months;
}

// The time of day counts only where the months end on the day of `to`, as in Flink.
int64_t monthsBetween(TimestampValue from, TimestampValue to) {
  const int32_t from_day = dateOfMillis(from.millis);
  const int32_t to_day = dateOfMillis(to.millis);
  const int64_t months = monthsBetween(from_day, to_day);
  return addMonths(from_day, months) == to_day && timeOfMillis(to.millis) < timeOfMillis(from.millis) ? months - 1 : months;
}

TimestampValue truncateToPrecision(TimestampValue value, int precision) {
  static constexpr std::array<int32_t, 10> kPowers = {1,       10,        100,        1'000,       10'000,
                                                      100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
  if (precision >= 9) return value;
  if (precision >= 3) return {value.millis, value.nanos - value.nanos % kPowers[static_cast<size_t>(9 - precision)], 0};
  return {value.millis - floorMod(value.millis, kPowers[static_cast<size_t>(3 - precision)]), 0, 0};
}

int32_t truncateTimeToPrecision(int32_t millis_of_day, int precision) {
  if (precision >= 3) return millis_of_day;
  return millis_of_day - millis_of_day % (precision == 0 ? 1000 : precision == 1 ? 100 : 10);
}

}  // namespace thalweg
