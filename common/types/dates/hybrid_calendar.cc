#include "common/types/dates/hybrid_calendar.h"

namespace thalweg {

namespace {

constexpr int64_t kCutoverYear = 1582;

/// Days of a date of the Julian calendar.
int32_t daysFromJulian(int64_t year, int month, int day) {
  const int64_t shifted_year = month <= 2 ? year - 1 : year;
  const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return static_cast<int32_t>(365 * shifted_year + floorDiv(shifted_year, 4) + day_of_year - 719470);
}

CivilDate julianFromDays(int32_t days) {
  const int64_t shifted = static_cast<int64_t>(days) + 719470;
  const int64_t cycle = floorDiv(shifted, 1461);
  const auto day_of_cycle = static_cast<int32_t>(shifted - cycle * 1461);
  const int32_t year_of_cycle = std::min(day_of_cycle / 365, 3);
  const int32_t day_of_year = day_of_cycle - year_of_cycle * 365;
  const int32_t shifted_month = (5 * day_of_year + 2) / 153;
  const int32_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  return {static_cast<int32_t>(cycle * 4) + year_of_cycle + (month <= 2 ? 1 : 0), month, day_of_year - (153 * shifted_month + 2) / 5 + 1};
}

int32_t hybridNewYear(int64_t year) { return year <= kCutoverYear ? daysFromJulian(year, 1, 1) : daysFromCivil(year, 1, 1); }

/// The last day on or before `days` that is the given day of the week, Sunday = 1.
int32_t dayOfWeekOnOrBefore(int32_t days, int day_of_week) {
  return days - static_cast<int32_t>(floorMod(static_cast<int64_t>(isoDayOfWeek(days) % 7 + 1) - day_of_week, 7));
}

/// The day of week `week`, where week 1 is the one that holds `first`; day 0 is the week's Sunday.
int32_t dayOfWeekNumber(int32_t first, int32_t week, int day_of_week) {
  const int32_t sunday = dayOfWeekOnOrBefore(first, 1);
  const int32_t day = day_of_week == 0 ? sunday : dayOfWeekOnOrBefore(sunday + 6, day_of_week);
  return day + 7 * (week - 1);
}

}  // namespace

CivilDate hybridFromDays(int32_t days) { return days < kFirstGregorianDay ? julianFromDays(days) : civilFromDays(days); }

int32_t hybridDayOfYear(int32_t days) { return days - hybridNewYear(hybridFromDays(days).year) + 1; }

IsoWeek hybridWeek(int32_t days) {
  // The week belongs to the year of its Saturday.
  const int32_t saturday = days + 6 - isoDayOfWeek(days) % 7;
  const int32_t year = hybridFromDays(saturday).year;
  return {year, (saturday - hybridNewYear(year)) / 7 + 1};
}

int32_t LenientDate::daysInMonth(int32_t first_of_month, int latest) const {
  if (latest == turns_[DAY]) return first_of_month + get(DAY, 1) - 1;
  const bool by_week = latest == std::max(turns_[WEEK_OF_MONTH], has(WEEK_OF_MONTH) ? turns_[DAY_OF_WEEK] : 0) &&
                       turns_[WEEK_OF_MONTH] >= turns_[DAY_OF_WEEK_IN_MONTH] && has(WEEK_OF_MONTH);
  if (by_week) return dayOfWeekNumber(first_of_month, get(WEEK_OF_MONTH, 1), get(DAY_OF_WEEK, 0));
  return dayOfWeekOnOrBefore(first_of_month + 7 * get(DAY_OF_WEEK_IN_MONTH, 1) - 1, get(DAY_OF_WEEK, 1));
}

int32_t LenientDate::daysIn(bool gregorian, int64_t year) const {
  const auto first_of = [gregorian](int64_t y, int month) { return gregorian ? daysFromCivil(y, month, 1) : daysFromJulian(y, month, 1); };
  int latest = std::max({turns_[DAY], latestOf(WEEK_OF_MONTH, DAY_OF_WEEK), latestOf(DAY_OF_WEEK_IN_MONTH, DAY_OF_WEEK),
                         turns_[DAY_OF_YEAR], latestOf(WEEK_OF_YEAR, DAY_OF_WEEK)});
  if (latest == 0) {
    latest = std::max({turns_[WEEK_OF_MONTH], turns_[DAY_OF_WEEK_IN_MONTH], turns_[DAY_OF_WEEK], turns_[WEEK_OF_YEAR]});
  }
  const bool by_day_of_year = latest != 0 && latest == turns_[DAY_OF_YEAR];
  const bool by_week = has(WEEK_OF_YEAR) && latest != turns_[DAY] && !by_day_of_year &&
                       turns_[WEEK_OF_YEAR] > std::max(turns_[WEEK_OF_MONTH], turns_[DAY_OF_WEEK_IN_MONTH]);
  if (by_day_of_year) return first_of(year, 1) + get(DAY_OF_YEAR, 1) - 1;
  if (by_week) return dayOfWeekNumber(first_of(year, 1), get(WEEK_OF_YEAR, 1), get(DAY_OF_WEEK, 0));
  const int64_t month = get(MONTH, 0);
  return daysInMonth(first_of(year + floorDiv(month, 12), static_cast<int>(floorMod(month, 12)) + 1), latest);
}

int32_t LenientDate::days() const {
  constexpr int kYearMax = 5'000'000;
  if (has(WEEK_YEAR) && turns_[WEEK_YEAR] > turns_[YEAR]) {
    return dayOfWeekNumber(daysFromCivil(std::clamp(get(WEEK_YEAR, 1970), -kYearMax, kYearMax), 1, 1), get(WEEK_OF_YEAR, 1),
                           get(DAY_OF_WEEK, 0));
  }
  int64_t year = std::clamp(get(YEAR, 1970), -kYearMax, kYearMax);
  if (before_christ_) year = 1 - year;
  if (year > kCutoverYear) return daysIn(true, year);
  if (year < kCutoverYear) return daysIn(false, year);
  const int32_t gregorian = daysIn(true, year);
  return gregorian >= kFirstGregorianDay ? gregorian : daysIn(false, year);
}

}  // namespace thalweg
