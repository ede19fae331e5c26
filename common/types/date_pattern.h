// DatePattern: a compiled pattern of java.time.format.DateTimeFormatter, as DATE_FORMAT of timestamps,
// TO_TIMESTAMP and TO_TIMESTAMP_LTZ take it. English names, proleptic calendar, strict about text.
//
// FROM_UNIXTIME, UNIX_TIMESTAMP, TO_DATE, CONVERT_TZ and DATE_FORMAT of text follow SimpleDateFormat instead:
// legacy_date_pattern.h. Compile once, use per row; formatting and parsing do not allocate.
// Threads: immutable after compile().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/types/datetime.h"

namespace thalweg {

class DatePattern {
 public:
  /// An unknown letter or unclosed quote or section is an error that shows the place.
  static Result<DatePattern> compile(std::string_view pattern);

  /// Appends the formatted wall-clock time. Fails if the pattern asks for what a timestamp has not (a zone).
  Status append(std::string& out, TimestampValue wall) const;

  /// Reads text that fits the pattern from start to end; missing fields default to 1970-01-01 00:00:00. The second's
  /// digits are cut to `precision`. None if the text does not fit or the fields make no date.
  std::optional<TimestampValue> parse(std::string_view text, int precision = 3) const;

  const std::string& pattern() const { return pattern_; }

  enum class Field : uint8_t {
    LITERAL, ERA, YEAR, YEAR_OF_ERA, MONTH, MONTH_TEXT, DAY, DAY_OF_YEAR, QUARTER, QUARTER_TEXT, DAY_OF_WEEK,
    DAY_OF_WEEK_TEXT, WEEK_BASED_YEAR, WEEK_OF_YEAR, WEEK_OF_MONTH, ALIGNED_WEEK_OF_MONTH, AM_PM, HOUR, HOUR_1_24,
    HOUR_0_11, HOUR_1_12, MINUTE, SECOND, FRACTION, NANO, MILLI_OF_DAY, NANO_OF_DAY, JULIAN_DAY, PERIOD_OF_DAY,
    ZONE, OFFSET, OPTIONAL_START, OPTIONAL_END, PAD
  };
  struct Item {
    Field field = Field::LITERAL;
    char letter = 0;
    int16_t width = 0;
    int16_t adjacent = 0;  ///< digits that following number fields need when this one abuts them
    int32_t partner = -1;  ///< the item after the matching OPTIONAL_END
    std::string text = {};
  };

 private:
  enum class Shape : uint8_t { GENERAL, DATE, DATE_TIME, DATE_MINUTE };

  std::string pattern_;
  std::vector<Item> items_;
  Shape shape_ = Shape::GENERAL;  // the commonest patterns have hand-written loops
};

/// TO_TIMESTAMP(text, pattern): DatePattern::parse with precision 3, then Flink's fallback: what
/// java.sql.Timestamp.valueOf or java.sql.Date.valueOf reads, whatever the pattern says. None is NULL.
std::optional<TimestampValue> toTimestamp(std::string_view text, const DatePattern& pattern);
/// The same with an invalid or no pattern: only the fallback.
std::optional<TimestampValue> toTimestampFallback(std::string_view text);

}  // namespace thalweg
