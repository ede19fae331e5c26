// Offset changes of a region, read from the compiled IANA database (TZif files, RFC 8536). Private to this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// From `begin_utc_s` on the zone's clock is `offset_s` ahead of UTC.
struct OffsetChange {
  int64_t begin_utc_s;
  int32_t offset_s;
};

/// How years after the last recorded change go on.
struct YearlyRule {
  /// The day and second of a year when clocks change, by the wall clock before the change.
  struct Moment {
    enum class Form : uint8_t { JULIAN_WITHOUT_LEAP_DAY, DAY_OF_YEAR, WEEKDAY } form = Form::WEEKDAY;
    int day = 0;    ///< of the year (1..365, or 0..365), or the weekday, Sunday = 0
    int week = 0;   ///< 1..5, 5 the last
    int month = 0;  ///< 1..12
    int32_t second = 7200;
  };
  int32_t standard_offset_s = 0;
  int32_t summer_offset_s = 0;
  bool has_summer = false;
  Moment summer_begin;
  Moment summer_end;
};

struct ZoneFile {
  int32_t first_offset_s = 0;  ///< before the first change
  std::vector<OffsetChange> changes;
  std::optional<YearlyRule> rule;
};

/// None if the bytes are not a well-formed file of version 2 or later.
std::optional<ZoneFile> parseZoneFile(std::string_view bytes);
/// A POSIX TZ text such as `CET-1CEST,M3.5.0,M10.5.0/3`.
std::optional<YearlyRule> parseYearlyRule(std::string_view text);
/// The two changes of a year by the rule, in order of time.
std::vector<OffsetChange> changesInYear(const YearlyRule& rule, int year);

}  // namespace thalweg
