#include "common/types/dates/legacy_date_pattern.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "common/types/dates/calendar_names.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/dates/hybrid_calendar.h"
#include "common/types/dates/legacy_date_pattern_items.h"

namespace thalweg {

namespace {

constexpr std::string_view kLetters = "GyMdkHmsSEDFwWahKzZYuXL";

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether a number in front of this item must keep to its width.
bool isDirectNumber(const LegacyDateItem& item) {
  constexpr std::string_view kNumbers = "ydHkmsSDFwWhKYu";
  if (item.letter == 'M' || item.letter == 'L') return item.letters <= 2;
  return item.letter != 0 && kNumbers.find(item.letter) != std::string_view::npos;
}

void addText(std::vector<LegacyDateItem>& items, std::string_view text) {
  if (items.empty() || items.back().letter != 0) items.emplace_back();
  items.back().text += text;
}

Result<std::vector<LegacyDateItem>> split(std::string_view pattern) {
  const auto error = [pattern](const std::string& what) {
    return Status::invalid("date pattern '" + std::string(pattern) + "' is not valid: " + what);
  };
  std::vector<LegacyDateItem> items;
  bool quoted = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\'') {
      if (i + 1 < pattern.size() && pattern[i + 1] == '\'') {
        addText(items, "'");
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (quoted || !isLetter(c)) {
      addText(items, pattern.substr(i, 1));
    } else {
      if (kLetters.find(c) == std::string_view::npos) return error("unknown pattern letter: " + std::string(1, c));
      size_t end = i;
      while (end < pattern.size() && pattern[end] == c) ++end;
      items.push_back({c, static_cast<int>(end - i), false, {}});
      if (c == 'X' && end - i > 3) return error("at most three letters X");
      i = end - 1;
    }
  }
  if (quoted) return error("a quote is not closed");
  for (size_t i = 0; i + 1 < items.size(); ++i) items[i].fixed_width = isDirectNumber(items[i + 1]);
  return items;
}

struct Parts {
  int32_t days;
  CivilDate date;
  int32_t millis_of_day;
  TimeOfDay time;
  int64_t offset_ms;

  explicit Parts(int64_t utc_ms, int64_t local_ms)
      : days(dateOfMillis(local_ms)),
        date(hybridFromDays(days)),
        millis_of_day(timeOfMillis(local_ms)),
        time(timeOfDay(millis_of_day)),
        offset_ms(local_ms - utc_ms) {}
};

void appendNumber(std::string& out, int64_t value, int width) {
  char digits[24];
  if (value < 0) out += '-';
  char* end = std::to_chars(digits, digits + sizeof digits, std::abs(value)).ptr;
  const auto length = static_cast<int>(end - digits);
  if (length < width) out.append(static_cast<size_t>(width - length), '0');
  out.append(digits, end);
}

void appendYear(std::string& out, int64_t year, int letters) {
  if (letters == 2) {
    appendNumber(out, year % 100, 2);
  } else {
    appendNumber(out, year, letters);
  }
}

void appendName(std::string& out, std::string_view name, int letters) {
  out += letters >= 4 ? name : name.substr(0, kShortNameLength);
}

/// `+0530`, `+05:30` or `+05`.
void appendOffset(std::string& out, int64_t offset_ms, bool minutes, bool colon) {
  const int64_t size = std::abs(offset_ms) / kMillisPerMinute;
  out += offset_ms < 0 ? '-' : '+';
  appendNumber(out, size / 60, 2);
  if (!minutes) return;
  if (colon) out += ':';
  appendNumber(out, size % 60, 2);
}

void appendZoneName(std::string& out, const Parts& parts, const TimeZone& zone, int letters) {
  if (zone.isUtc()) {
    out += letters < 4 ? zone.id() : zone.id() == "GMT" ? "Greenwich Mean Time" : "Coordinated Universal Time";
    return;
  }
  out += "GMT";
  appendOffset(out, parts.offset_ms, true, true);
}

/// Letters of the date.
bool appendDateItem(std::string& out, const LegacyDateItem& item, const Parts& parts) {
  const int n = item.letters;
  switch (item.letter) {
    case 'G': out += kEraNames[parts.date.year > 0 ? 1 : 0]; return true;
    case 'y': appendYear(out, parts.date.year > 0 ? parts.date.year : 1 - parts.date.year, n); return true;
    case 'Y': appendYear(out, hybridWeek(parts.days).year, n); return true;
    case 'M':
    case 'L':
      if (n >= 3) {
        appendName(out, kMonthNames[static_cast<size_t>(parts.date.month - 1)], n);
      } else {
        appendNumber(out, parts.date.month, n);
      }
      return true;
    case 'd': appendNumber(out, parts.date.day, n); return true;
    case 'D': appendNumber(out, hybridDayOfYear(parts.days), n); return true;
    case 'F': appendNumber(out, (parts.date.day - 1) / 7 + 1, n); return true;
    case 'w': appendNumber(out, hybridWeek(parts.days).week, n); return true;
    case 'W': appendNumber(out, (parts.date.day - 1 + isoDayOfWeek(parts.days - parts.date.day + 1) % 7) / 7 + 1, n); return true;
    case 'E': appendName(out, kDayNames[static_cast<size_t>(isoDayOfWeek(parts.days) - 1)], n); return true;
    case 'u': appendNumber(out, isoDayOfWeek(parts.days), n); return true;
    default: return false;
  }
}

/// Letters of the time and the zone.
void appendTimeItem(std::string& out, const LegacyDateItem& item, const Parts& parts, const TimeZone& zone) {
  const int n = item.letters;
  const int hour = parts.time.hour;
  switch (item.letter) {
    case 'a': out += kDayHalfNames[hour < 12 ? 0 : 1]; return;
    case 'H': appendNumber(out, hour, n); return;
    case 'k': appendNumber(out, hour == 0 ? 24 : hour, n); return;
    case 'K': appendNumber(out, hour % 12, n); return;
    case 'h': appendNumber(out, hour % 12 == 0 ? 12 : hour % 12, n); return;
    case 'm': appendNumber(out, parts.time.minute, n); return;
    case 's': appendNumber(out, parts.time.second, n); return;
    case 'S': appendNumber(out, parts.millis_of_day % 1000, n); return;
    case 'z': appendZoneName(out, parts, zone, n); return;
    case 'Z': appendOffset(out, parts.offset_ms, true, false); return;
    case 'X':
      if (parts.offset_ms == 0) {
        out += 'Z';
      } else {
        appendOffset(out, parts.offset_ms, n > 1, n == 3);
      }
      return;
    default: out += item.text; return;
  }
}

}  // namespace

Result<LegacyDatePattern> LegacyDatePattern::compile(std::string_view pattern) {
  ASSIGN_OR_RETURN(auto items, split(pattern));
  const auto shape = pattern == "yyyy-MM-dd"            ? Program::Shape::DATE
                     : pattern == "yyyy-MM-dd HH:mm:ss" ? Program::Shape::DATE_SECOND
                                                        : Program::Shape::GENERAL;
  return LegacyDatePattern(std::make_shared<const Program>(Program{std::string(pattern), std::move(items), shape}));
}

int64_t standardOffsetMs(const TimeZone& zone) {
  constexpr int64_t kJanuaryMs = millisOf(daysFromCivil(2024, 1, 1), 0);
  constexpr int64_t kJulyMs = millisOf(daysFromCivil(2024, 7, 1), 0);
  return std::min(zone.offsetMsAt(kJanuaryMs), zone.offsetMsAt(kJulyMs));
}

const std::string& LegacyDatePattern::pattern() const { return program_->pattern; }

void LegacyDatePattern::append(std::string& out, int64_t utc_ms, ZoneCursor& zone) const {
  constexpr int kYearMax = 9999;
  const Parts parts(utc_ms, utc_ms < kFirstZoneInfoMs ? utc_ms + standardOffsetMs(zone.zone()) : zone.toLocalMs(utc_ms));
  if (program_->shape != Program::Shape::GENERAL && parts.days >= kFirstGregorianDay && parts.date.year <= kYearMax) {
    char buffer[kDateTimeTextMax];
    const TimestampValue wall{millisOf(parts.days, parts.millis_of_day - parts.millis_of_day % 1000), 0, 0};
    out.append(buffer, program_->shape == Program::Shape::DATE ? writeDate(buffer, parts.days) : writeTimestamp(buffer, wall, 0));
    return;
  }
  for (const LegacyDateItem& item : program_->items) {
    if (!appendDateItem(out, item, parts)) appendTimeItem(out, item, parts, zone.zone());
  }
}

}  // namespace thalweg
