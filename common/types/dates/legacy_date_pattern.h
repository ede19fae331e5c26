// LegacyDatePattern: a compiled pattern of java.text.SimpleDateFormat, as FROM_UNIXTIME, UNIX_TIMESTAMP, TO_DATE,
// CONVERT_TZ and DATE_FORMAT of text take it. Lenient (day 32 runs over), reads a prefix of the text, English
// names, Julian calendar before 1582-10-15.
//
// Compile once, use per row; formatting and parsing do not allocate. Threads: immutable after compile().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/status.h"
#include "common/types/time_zone.h"

namespace thalweg {

class LegacyDatePattern {
 public:
  static Result<LegacyDatePattern> compile(std::string_view pattern);

  // The cursor's zone is the formatter's. It should be made with Overlap::LATER, as java.util.Calendar decides.

  /// Appends the instant (milliseconds since 1970 UTC) as the zone's clock shows it.
  void append(std::string& out, int64_t utc_ms, ZoneCursor& zone) const;
  /// The instant that the beginning of `text` names in the zone, unless the text names a zone of its own. `now_ms`
  /// places two-digit years (from 80 years ago on). None if the text does not fit.
  std::optional<int64_t> parse(std::string_view text, ZoneCursor& zone, int64_t now_ms) const;

  // For single values: the zone without a cursor.
  void append(std::string& out, int64_t utc_ms, const TimeZone& zone) const {
    ZoneCursor cursor(zone, Overlap::LATER);
    append(out, utc_ms, cursor);
  }
  std::optional<int64_t> parse(std::string_view text, const TimeZone& zone, int64_t now_ms) const {
    ZoneCursor cursor(zone, Overlap::LATER);
    return parse(text, cursor, now_ms);
  }

  const std::string& pattern() const;

  struct Program;

 private:
  explicit LegacyDatePattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

/// What TO_DATE(text, pattern) gives for text that does not fit: +1705471-09-27, as Flink does.
inline constexpr int32_t kUnparsableDate = 622191233;
/// TO_DATE(text, pattern).
int32_t toDate(std::string_view text, const LegacyDatePattern& pattern, int64_t now_ms);
/// UNIX_TIMESTAMP(text, pattern) in seconds; text that does not fit gives the lowest BIGINT, as Flink does.
int64_t unixTimestamp(std::string_view text, const LegacyDatePattern& pattern, ZoneCursor& zone, int64_t now_ms);
inline int64_t unixTimestamp(std::string_view text, const LegacyDatePattern& pattern, const TimeZone& zone, int64_t now_ms) {
  ZoneCursor cursor(zone, Overlap::LATER);
  return unixTimestamp(text, pattern, cursor, now_ms);
}

}  // namespace thalweg
