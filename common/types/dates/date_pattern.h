// DatePattern: a compiled pattern of java.time.format.DateTimeFormatter, as DATE_FORMAT of timestamps,
// TO_TIMESTAMP and TO_TIMESTAMP_LTZ take it. English names, proleptic calendar, strict about text.
//
// FROM_UNIXTIME, UNIX_TIMESTAMP, TO_DATE, CONVERT_TZ and DATE_FORMAT of text follow SimpleDateFormat instead:
// legacy_date_pattern.h. Compile once, use per row; formatting and parsing do not allocate.
// Threads: immutable after compile().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/status.h"
#include "common/types/datetime.h"

namespace thalweg {

class DatePattern {
 public:
  /// An unknown letter, a letter repeated too often or an unclosed quote is an error that shows the place.
  static Result<DatePattern> compile(std::string_view pattern);

  /// Appends the formatted wall-clock time. Fails if the pattern asks for what a timestamp has not (a zone).
  Status append(std::string& out, TimestampValue wall) const;

  /// Reads text that fits the pattern from start to end; missing fields default to 1970-01-01 00:00:00. The second's
  /// digits are cut to `precision`. None if the text does not fit or the fields make no date.
  std::optional<TimestampValue> parse(std::string_view text, int precision = 3) const;

  const std::string& pattern() const;

  struct Program;

 private:
  explicit DatePattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

/// TO_TIMESTAMP(text, pattern) with a valid pattern (with an invalid one the result is NULL): DatePattern::parse with
/// precision 3, else Flink's fallback, which reads 'yyyy-M-d h:m:s[.f]' and 'yyyy-M-d' whatever the pattern says.
std::optional<TimestampValue> toTimestamp(std::string_view text, const DatePattern& pattern);

}  // namespace thalweg
