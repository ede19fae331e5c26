// The calendar of java.util.GregorianCalendar: Julian before 1582-10-15, Gregorian from then on, lenient about
// fields out of range. Private to this room.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/types/datetime.h"

namespace thalweg {

inline constexpr int32_t kFirstGregorianDay = -141427;  ///< 1582-10-15

CivilDate hybridFromDays(int32_t days);
int32_t hybridDayOfYear(int32_t days);
/// Weeks begin on Sunday, the first of a year holds January 1st.
IsoWeek hybridWeek(int32_t days);

/// Which fields of a date were given last decides how the date is found, so every field knows its turn.
class LenientDate {
 public:
  enum Field : uint8_t { YEAR, MONTH, DAY, DAY_OF_YEAR, DAY_OF_WEEK, DAY_OF_WEEK_IN_MONTH, WEEK_OF_MONTH, WEEK_OF_YEAR, WEEK_YEAR, kFieldCount };

  void set(Field field, int32_t value) {
    values_[field] = value;
    turns_[field] = ++last_turn_;
  }
  bool has(Field field) const { return turns_[field] != 0; }
  int32_t get(Field field, int32_t otherwise) const { return has(field) ? values_[field] : otherwise; }
  void setBeforeChrist(bool before_christ) { before_christ_ = before_christ; }

  /// Days since 1970-01-01. Months count from 0 and days of the week from Sunday = 1, as the fields of Calendar do.
  int32_t days() const;

 private:
  int32_t daysIn(bool gregorian, int64_t year) const;
  int32_t daysInMonth(int32_t first_of_month, int latest) const;
  int latestOf(Field a, Field b) const { return has(a) && has(b) ? std::max(turns_[a], turns_[b]) : 0; }

  int32_t values_[kFieldCount] = {};
  int turns_[kFieldCount] = {};
  int last_turn_ = 0;
  bool before_christ_ = false;
};

}  // namespace thalweg
