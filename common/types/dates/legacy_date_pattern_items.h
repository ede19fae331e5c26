// The compiled form of a LegacyDatePattern. Private to this room.
#pragma once

#include <string>
#include <vector>

#include "common/types/dates/legacy_date_pattern.h"

namespace thalweg {

struct LegacyDateItem {
  char letter = 0;  ///< 0: literal text
  int letters = 0;
  bool fixed_width = false;  ///< when read: takes exactly `letters` characters, because a number follows directly
  std::string text = {};
};

struct LegacyDatePattern::Program {
  enum class Shape : uint8_t { GENERAL, DATE, DATE_SECOND };

  std::string pattern;
  std::vector<LegacyDateItem> items;
  Shape shape = Shape::GENERAL;  ///< the commonest patterns have loops of their own
};

/// Before 1900 java.util.TimeZone knows no local mean time, only today's standard offset.
inline constexpr int64_t kFirstZoneInfoMs = -2'208'988'800'000;
int64_t standardOffsetMs(const TimeZone& zone);

}  // namespace thalweg
