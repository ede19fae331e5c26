// The compiled form of a DatePattern: what the letters of a pattern stand for. Private to this room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/types/dates/date_pattern.h"

namespace thalweg {

/// What a number or name in formatted text means.
enum class DateField : uint8_t {
  ERA,  ///< 0 BC, 1 AD
  YEAR,
  YEAR_OF_ERA,
  QUARTER,
  MONTH,
  DAY,
  DAY_OF_YEAR,
  ALIGNED_DAY_OF_WEEK,  ///< days of the month modulo 7
  DAY_OF_WEEK,          ///< Monday = 1
  LOCAL_DAY_OF_WEEK,    ///< Sunday = 1
  WEEK_BASED_YEAR,      ///< weeks begin on Sunday, the first holds January 1st
  WEEK_OF_YEAR,
  WEEK_OF_MONTH,
  JULIAN_DAY,  ///< modified Julian day
  DAY_HALF,    ///< 0 AM, 1 PM
  HOUR,        ///< 0..23
  CLOCK_HOUR,  ///< 1..24
  HALF_HOUR,   ///< 0..11
  CLOCK_HALF_HOUR,  ///< 1..12
  MINUTE,
  SECOND,
  NANO,
  MILLI_OF_DAY,
  NANO_OF_DAY,
};
inline constexpr size_t kDateFieldCount = static_cast<size_t>(DateField::NANO_OF_DAY) + 1;

struct DateItem {
  enum class Kind : uint8_t {
    LITERAL,
    NUMBER,
    TWO_DIGIT_YEAR,  ///< 2000..2099 when read
    FRACTION,        ///< digits of the second
    NAME,
    DAY_PERIOD,      ///< `in the morning`; only written
    OFFSET,          ///< +01:00 and the like; only read, then ignored
    ZONE,            ///< Europe/Berlin and the like; only read, then ignored
    OPTIONAL_BEGIN,
    OPTIONAL_END,
  };
  enum class Sign : uint8_t {
    NEGATIVE_ONLY,  ///< a minus sign
    NONE,
    WHEN_LONGER,  ///< a plus sign exactly when there are more digits than letters; a minus sign
  };

  Kind kind = Kind::LITERAL;
  DateField field = DateField::ERA;
  Sign sign = Sign::NONE;
  int min_width = 1;
  int max_width = 19;
  int following_width = 0;  ///< digits that directly following fixed-width numbers need; -1: itself of fixed width
  int letters = 1;          ///< how often the letter stands in the pattern
  char letter = 0;
  int pad_width = 0;     ///< blanks in front up to this width
  size_t partner = 0;    ///< of OPTIONAL_BEGIN: its OPTIONAL_END
  std::string text = {};  ///< of LITERAL
};

struct DatePattern::Program {
  enum class Shape : uint8_t { GENERAL, DATE, DATE_MINUTE, DATE_SECOND };

  std::string pattern;
  std::vector<DateItem> items;
  Shape shape = Shape::GENERAL;  ///< the commonest patterns have loops of their own
};

/// Year and number of the week that begins on Sunday and, in the first one, holds January 1st.
IsoWeek sundayWeek(int32_t days);
int sundayWeekOfMonth(const CivilDate& date);

}  // namespace thalweg
