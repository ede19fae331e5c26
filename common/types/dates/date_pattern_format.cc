#include <charconv>

#include "common/types/dates/calendar_names.h"
#include "common/types/dates/date_pattern_items.h"
#include "common/types/dates/datetime_text.h"

namespace thalweg {

namespace {

constexpr int64_t kNanosPerDayMilli = 1'000'000;
constexpr int32_t kModifiedJulianEpoch = 40587;  // 1970-01-01

/// A timestamp taken apart once for all items of a pattern.
struct Parts {
  int32_t days;
  CivilDate date;
  int32_t millis_of_day;
  TimeOfDay time;

  explicit Parts(TimestampValue wall)
      : days(dateOfMillis(wall.millis)),
        date(civilFromDays(days)),
        millis_of_day(timeOfMillis(wall.millis)),
        time(timeOfDay(millis_of_day, wall.nanos)) {}

  int64_t value(DateField field) const;
};

int64_t Parts::value(DateField field) const {
  const auto clock = [](int hour, int cycle) { return hour % cycle == 0 ? cycle : hour % cycle; };
  switch (field) {
    case DateField::ERA: return date.year > 0 ? 1 : 0;
    case DateField::YEAR: return date.year;
    case DateField::YEAR_OF_ERA: return date.year > 0 ? date.year : 1 - date.year;
    case DateField::QUARTER: return (date.month + 2) / 3;
    case DateField::MONTH: return date.month;
    case DateField::DAY: return date.day;
    case DateField::DAY_OF_YEAR: return dayOfYear(days);
    case DateField::ALIGNED_DAY_OF_WEEK: return (date.day - 1) % 7 + 1;
    case DateField::DAY_OF_WEEK: return isoDayOfWeek(days);
    case DateField::LOCAL_DAY_OF_WEEK: return isoDayOfWeek(days) % 7 + 1;
    case DateField::WEEK_BASED_YEAR: return sundayWeek(days).year;
    case DateField::WEEK_OF_YEAR: return sundayWeek(days).week;
    case DateField::WEEK_OF_MONTH: return sundayWeekOfMonth(date);
    case DateField::JULIAN_DAY: return days + kModifiedJulianEpoch;
    case DateField::DAY_HALF: return time.hour / 12;
    case DateField::HOUR: return time.hour;
    case DateField::CLOCK_HOUR: return clock(time.hour, 24);
    case DateField::HALF_HOUR: return time.hour % 12;
    case DateField::CLOCK_HALF_HOUR: return clock(time.hour, 12);
    case DateField::MINUTE: return time.minute;
    case DateField::SECOND: return time.second;
    case DateField::NANO: return time.nano;
    case DateField::MILLI_OF_DAY: return millis_of_day;
    case DateField::NANO_OF_DAY: return millis_of_day * kNanosPerDayMilli + time.nano % kNanosPerMilli;
  }
  return 0;
}

void appendNumber(std::string& out, int64_t value, int width) {
  char digits[24];
  char* end = std::to_chars(digits, digits + sizeof digits, value < 0 ? -value : value).ptr;
  const auto length = static_cast<int>(end - digits);
  if (length < width) out.append(static_cast<size_t>(width - length), '0');
  out.append(digits, end);
}

void appendSignedNumber(std::string& out, int64_t value, const DateItem& item) {
  if (value < 0) {
    out += '-';
  } else if (item.sign == DateItem::Sign::WHEN_LONGER) {
    int64_t limit = 1;
    for (int i = 0; i < item.min_width && i < 18; ++i) limit *= 10;
    if (value >= limit) out += '+';
  }
  appendNumber(out, value, item.min_width);
}

std::string_view nameOf(DateField field, int64_t value, int letters) {
  const auto styled = [letters](std::string_view name) {
    return letters == 5 ? name.substr(0, 1) : letters == 4 ? name : name.substr(0, kShortNameLength);
  };
  const auto i = static_cast<size_t>(value);
  switch (field) {
    case DateField::ERA: return letters == 4 ? kFullEraNames[i] : letters == 5 ? kEraNames[i].substr(0, 1) : kEraNames[i];
    case DateField::MONTH: return styled(kMonthNames[i - 1]);
    case DateField::DAY_OF_WEEK: return styled(kDayNames[i - 1]);
    case DateField::QUARTER:
      return letters == 4 ? kQuarterNames[i - 1] : letters == 5 ? kShortQuarterNames[i - 1].substr(1) : kShortQuarterNames[i - 1];
    default: return kDayHalfNames[i];
  }
}

std::string_view dayPeriod(const TimeOfDay& time) {
  if (time.minute == 0 && time.hour == 0) return "midnight";
  if (time.minute == 0 && time.hour == 12) return "noon";
  if (time.hour < 6 || time.hour >= 21) return "at night";
  return time.hour < 12 ? "in the morning" : time.hour < 18 ? "in the afternoon" : "in the evening";
}

/// Appends one item; false if a timestamp has no such thing.
bool appendItem(std::string& out, const DateItem& item, const Parts& parts) {
  switch (item.kind) {
    case DateItem::Kind::LITERAL: out += item.text; return true;
    case DateItem::Kind::NUMBER: appendSignedNumber(out, parts.value(item.field), item); return true;
    case DateItem::Kind::TWO_DIGIT_YEAR: appendNumber(out, parts.value(item.field) % 100, 2); return true;
    case DateItem::Kind::FRACTION: {
      int32_t fraction = parts.time.nano;
      for (int i = item.letters; i < 9; ++i) fraction /= 10;
      appendNumber(out, fraction, item.letters);
      return true;
    }
    case DateItem::Kind::NAME: out += nameOf(item.field, parts.value(item.field), item.letters); return true;
    case DateItem::Kind::DAY_PERIOD: out += dayPeriod(parts.time); return true;
    case DateItem::Kind::OPTIONAL_BEGIN:
    case DateItem::Kind::OPTIONAL_END: return true;
    case DateItem::Kind::OFFSET:
    case DateItem::Kind::ZONE: return false;
  }
  return false;
}

}  // namespace

IsoWeek sundayWeek(int32_t days) {
  // The week belongs to the year of its Saturday.
  const int32_t saturday = days + 6 - isoDayOfWeek(days) % 7;
  const int32_t year = civilFromDays(saturday).year;
  return {year, (saturday - daysFromCivil(year, 1, 1)) / 7 + 1};
}

int sundayWeekOfMonth(const CivilDate& date) {
  const int32_t first = daysFromCivil(date.year, date.month, 1);
  return (date.day - 1 + isoDayOfWeek(first) % 7) / 7 + 1;
}

Status DatePattern::append(std::string& out, TimestampValue wall) const {
  const Parts parts(wall);
  if (program_->shape != Program::Shape::GENERAL && parts.date.year > 0) {
    char buffer[kDateTimeTextMax];
    char* end = program_->shape == Program::Shape::DATE ? writeDate(buffer, parts.days)
                                                        : writeTimestamp(buffer, {wall.millis - floorMod(wall.millis, 1000), 0, 0}, 0);
    out.append(buffer, program_->shape == Program::Shape::DATE_MINUTE ? end - 3 : end);
    return Status::ok();
  }
  size_t optional_depth = 0;
  size_t optional_begin = 0;
  for (size_t i = 0; i < program_->items.size(); ++i) {
    const DateItem& item = program_->items[i];
    if (item.kind == DateItem::Kind::OPTIONAL_BEGIN && optional_depth++ == 0) optional_begin = out.size();
    if (item.kind == DateItem::Kind::OPTIONAL_END) --optional_depth;
    const size_t begin = out.size();
    if (!appendItem(out, item, parts)) {
      if (optional_depth == 0) {
        return Status::runtime("date pattern '" + pattern() + "' asks for a zone with letter '" + std::string(1, item.letter) +
                               "', but a timestamp has none");
      }
      out.resize(optional_begin);  // an optional section prints all or nothing
      while (optional_depth > 0) {
        ++i;
        if (program_->items[i].kind == DateItem::Kind::OPTIONAL_BEGIN) ++optional_depth;
        if (program_->items[i].kind == DateItem::Kind::OPTIONAL_END) --optional_depth;
      }
      continue;
    }
    const auto written = static_cast<int>(out.size() - begin);
    if (written < item.pad_width) out.insert(begin, static_cast<size_t>(item.pad_width - written), ' ');
  }
  return Status::ok();
}

}  // namespace thalweg
