// Reading text by a DatePattern, in java.time's two steps: first every item takes its piece of the text and sets a
// field, then the fields are resolved to one date and time, and all that were set must agree with it.
#include <algorithm>
#include <array>
#include <optional>

#include "common/types/dates/calendar_names.h"
#include "common/types/dates/date_pattern_items.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/java_text.h"
#include "common/types/time_zone.h"

namespace thalweg {

namespace {

constexpr int32_t kModifiedJulianEpoch = 40587;
constexpr int kYearMax = 999'999;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

struct Fields {
  std::array<int64_t, kDateFieldCount> values{};
  std::array<bool, kDateFieldCount> present{};

  bool has(DateField f) const { return present[static_cast<size_t>(f)]; }
  int64_t get(DateField f) const { return values[static_cast<size_t>(f)]; }
  std::optional<int64_t> find(DateField f) const { return has(f) ? std::optional(get(f)) : std::nullopt; }
  /// Sets a field, unless it has another value already: then false.
  bool set(DateField f, int64_t value) {
    if (has(f)) return get(f) == value;
    values[static_cast<size_t>(f)] = value;
    present[static_cast<size_t>(f)] = true;
    return true;
  }
  bool within(DateField f, int64_t min, int64_t max) const { return !has(f) || (get(f) >= min && get(f) <= max); }
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool read(const std::vector<DateItem>& items) { return readRange(items, 0, items.size()) && at_ == text_.size(); }
  const Fields& fields() const { return fields_; }

 private:
  bool readRange(const std::vector<DateItem>& items, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (items[i].kind == DateItem::Kind::OPTIONAL_BEGIN) {
        const Fields fields_before = fields_;
        const size_t at_before = at_;
        if (!readRange(items, i + 1, items[i].partner)) {
          fields_ = fields_before;
          at_ = at_before;
        }
        i = items[i].partner;
      } else if (!readPadded(items[i])) {
        return false;
      }
    }
    return true;
  }

  bool readPadded(const DateItem& item) {
    if (item.pad_width == 0) return readItem(item);
    const size_t end = at_ + static_cast<size_t>(item.pad_width);
    if (end > text_.size()) return false;
    while (at_ < end && text_[at_] == ' ') ++at_;
    const std::string_view whole = text_;
    text_ = text_.substr(0, end);
    const bool ok = readItem(item) && at_ == end;
    text_ = whole;
    return ok;
  }

  bool readItem(const DateItem& item) {
    switch (item.kind) {
      case DateItem::Kind::LITERAL:
        if (!text_.substr(at_).starts_with(item.text)) return false;
        at_ += item.text.size();
        return true;
      case DateItem::Kind::NUMBER:
      case DateItem::Kind::TWO_DIGIT_YEAR: return readNumber(item);
      case DateItem::Kind::FRACTION: return readFraction(item);
      case DateItem::Kind::NAME: return readName(item);
      case DateItem::Kind::OFFSET: return readOffset(item);
      case DateItem::Kind::ZONE: return readZone();
      default: return false;
    }
  }

  size_t digitsAhead(int max) const {
    size_t n = 0;
    while (n < static_cast<size_t>(max) && at_ + n < text_.size() && isDigit(text_[at_ + n])) ++n;
    return n;
  }

  bool readNumber(const DateItem& item) {
    const char sign = at_ < text_.size() ? text_[at_] : '\0';
    const bool negative = sign == '-';
    const bool positive = sign == '+';
    if (negative && item.sign == DateItem::Sign::NONE) return false;
    if (positive && item.sign != DateItem::Sign::WHEN_LONGER) return false;
    if (negative || positive) ++at_;
    const auto min = static_cast<size_t>(item.min_width);
    size_t count = digitsAhead(item.max_width + std::max(item.following_width, 0));
    if (count < min) return false;
    if (item.following_width > 0) {
      const auto reserved = static_cast<size_t>(item.following_width);
      count = std::max(min, count > reserved ? count - reserved : 0);
    }
    if (count > 18) return false;
    int64_t value = 0;
    for (size_t i = 0; i < count; ++i) value = value * 10 + (text_[at_ + i] - '0');
    at_ += count;
    if (negative && value == 0) return false;
    if (!negative && item.sign == DateItem::Sign::WHEN_LONGER && positive != (count > min)) return false;
    if (item.kind == DateItem::Kind::TWO_DIGIT_YEAR) value += 2000;
    return fields_.set(item.field, negative ? -value : value);
  }

  bool readFraction(const DateItem& item) {
    const size_t count = digitsAhead(item.max_width);
    if (count < static_cast<size_t>(item.min_width)) return false;
    int64_t nanos = 0;
    for (size_t i = 0; i < 9; ++i) nanos = nanos * 10 + (i < count ? text_[at_ + i] - '0' : 0);
    at_ += count;
    return fields_.set(DateField::NANO, nanos);
  }

  /// Takes the longest of `names`, cut to `length`, that stands here; its value is its index plus `first`.
  template <size_t N>
  bool takeName(const std::array<std::string_view, N>& names, size_t length, DateField field, int64_t first) {
    size_t best = N;
    for (size_t i = 0; i < N; ++i) {
      const std::string_view name = names[i].substr(0, length);
      if (text_.substr(at_).starts_with(name) && (best == N || name.size() > names[best].substr(0, length).size())) best = i;
    }
    if (best == N) return false;
    at_ += names[best].substr(0, length).size();
    return fields_.set(field, static_cast<int64_t>(best) + first);
  }

  bool readName(const DateItem& item) {
    if (item.letters == 5) return readInitial(item);
    const size_t length = item.letters == 4 ? std::string_view::npos : kShortNameLength;
    switch (item.field) {
      case DateField::ERA:
        return item.letters == 4 ? takeName(kFullEraNames, length, item.field, 0) : takeName(kEraNames, length, item.field, 0);
      case DateField::MONTH: return takeName(kMonthNames, length, item.field, 1);
      case DateField::DAY_OF_WEEK: return takeName(kDayNames, length, item.field, 1);
      case DateField::QUARTER:
        return item.letters == 4 ? takeName(kQuarterNames, length, item.field, 1)
                                 : takeName(kShortQuarterNames, length, item.field, 1);
      default: return takeName(kDayHalfNames, length, item.field, 0);
    }
  }

  /// A first letter; of several names with it the last is meant.
  bool readInitial(const DateItem& item) {
    constexpr std::string_view kMonths = ".F..M.JASOND";
    constexpr std::string_view kDays = "M.WTF.S";
    constexpr std::string_view kQuarters = "1234";
    if (at_ == text_.size() || text_[at_] == '.' || item.field == DateField::ERA) return false;
    const std::string_view initials = item.field == DateField::MONTH ? kMonths : item.field == DateField::QUARTER ? kQuarters : kDays;
    const size_t found = initials.find(text_[at_++]);
    return found != std::string_view::npos && fields_.set(item.field, static_cast<int64_t>(found) + 1);
  }

  /// The value of an offset does not matter, its form does.
  bool readOffset(const DateItem& item) {
    const std::string_view rest = text_.substr(at_);
    if (item.letter == 'O') {
      if (!rest.starts_with("GMT")) return false;
      at_ += 3;
      if (at_ == text_.size() || (text_[at_] != '+' && text_[at_] != '-')) return true;
    } else if (item.letter == 'X' && rest.starts_with("Z")) {
      ++at_;
      return true;
    }
    if (at_ == text_.size() || (text_[at_] != '+' && text_[at_] != '-')) return false;
    ++at_;
    const bool colons = item.letter == 'Z' ? item.letters == 5 : item.letter == 'O' || item.letters == 3 || item.letters == 5;
    const bool hours_only = item.letter != 'Z' && item.letters == 1;
    const size_t hour_digits = digitsAhead(2);
    if (hour_digits == 0 || (hour_digits < 2 && item.letter != 'O')) return false;
    at_ += hour_digits;
    const bool more = at_ < text_.size() && (colons ? text_[at_] == ':' : isDigit(text_[at_]));
    if (!more) return hours_only || item.letter == 'O';
    if (colons) ++at_;
    if (digitsAhead(2) < 2) return false;
    at_ += 2;
    return true;
  }

  /// The longest text here that names a zone.
  bool readZone() {
    const std::string_view rest = text_.substr(at_);
    size_t end = 0;
    while (end < rest.size() && rest[end] != ' ' && rest[end] != ']' && rest[end] != ')') ++end;
    for (; end > 0; --end) {
      if (!TimeZone::of(rest.substr(0, end))) continue;
      at_ += end;
      return true;
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
  Fields fields_;
};

/// Ranges of the fields that are used whatever the others are.
bool rangesHold(const Fields& f) {
  return f.within(DateField::YEAR_OF_ERA, 1, kYearMax) && f.within(DateField::YEAR, -kYearMax, kYearMax) &&
         f.within(DateField::WEEK_BASED_YEAR, -kYearMax, kYearMax) && f.within(DateField::MONTH, 1, 12) &&
         f.within(DateField::DAY, 1, 31) && f.within(DateField::LOCAL_DAY_OF_WEEK, 1, 7) &&
         f.within(DateField::JULIAN_DAY, -kYearMax * 365L, kYearMax * 365L) &&
         f.within(DateField::HOUR, 0, 23) && f.within(DateField::CLOCK_HOUR, 0, 24) && f.within(DateField::HALF_HOUR, 0, 11) &&
         f.within(DateField::CLOCK_HALF_HOUR, 0, 12) && f.within(DateField::MINUTE, 0, 59) && f.within(DateField::SECOND, 0, 59) &&
         f.within(DateField::NANO, 0, 999'999'999) && f.within(DateField::MILLI_OF_DAY, 0, kMillisPerDay - 1) &&
         f.within(DateField::NANO_OF_DAY, 0, kMillisPerDay * kNanosPerMilli - 1);
}

/// The year by era; false if fields disagree.
bool resolveYear(Fields& f) {
  if (!f.has(DateField::YEAR_OF_ERA)) return true;
  const bool before_christ = f.has(DateField::ERA) ? f.get(DateField::ERA) == 0 : f.has(DateField::YEAR) && f.get(DateField::YEAR) <= 0;
  return f.set(DateField::YEAR, before_christ ? 1 - f.get(DateField::YEAR_OF_ERA) : f.get(DateField::YEAR_OF_ERA));
}

int32_t sundayOnOrBefore(int32_t days) { return days - isoDayOfWeek(days) % 7; }

/// The date of a day of a week, counted from the week that holds `first`.
std::optional<int32_t> dayOfWeekNumber(int32_t first, int64_t week, int64_t iso_day, bool& ok) {
  ok = week >= 0 && week <= 54 && iso_day >= 1 && iso_day <= 7;
  return ok ? std::optional(static_cast<int32_t>(sundayOnOrBefore(first) + (week - 1) * 7 + iso_day % 7)) : std::nullopt;
}

/// The date that the fields name completely, if they do. Sets `ok` to false for a day that does not exist.
std::optional<int32_t> completeDate(const Fields& f, bool& ok) {
  if (f.has(DateField::JULIAN_DAY)) return static_cast<int32_t>(f.get(DateField::JULIAN_DAY) - kModifiedJulianEpoch);
  const bool has_day_of_week = f.has(DateField::DAY_OF_WEEK);
  if (!f.has(DateField::YEAR)) {
    if (!has_day_of_week || !f.has(DateField::WEEK_BASED_YEAR) || !f.has(DateField::WEEK_OF_YEAR)) return std::nullopt;
    return dayOfWeekNumber(daysFromCivil(f.get(DateField::WEEK_BASED_YEAR), 1, 1), f.get(DateField::WEEK_OF_YEAR),
                           f.get(DateField::DAY_OF_WEEK), ok);
  }
  const int64_t year = f.get(DateField::YEAR);
  if (f.has(DateField::MONTH)) {
    const auto month = static_cast<int>(f.get(DateField::MONTH));
    if (f.has(DateField::DAY)) {
      ok = f.get(DateField::DAY) <= lengthOfMonth(year, month);
      return ok ? std::optional(daysFromCivil(year, month, static_cast<int>(f.get(DateField::DAY)))) : std::nullopt;
    }
    if (has_day_of_week && f.has(DateField::WEEK_OF_MONTH)) {
      return dayOfWeekNumber(daysFromCivil(year, month, 1), f.get(DateField::WEEK_OF_MONTH), f.get(DateField::DAY_OF_WEEK), ok);
    }
  }
  if (!f.has(DateField::DAY_OF_YEAR)) return std::nullopt;
  ok = f.within(DateField::DAY_OF_YEAR, 1, isLeapYear(year) ? 366 : 365);
  return daysFromCivil(year, 1, 1) + static_cast<int32_t>(f.get(DateField::DAY_OF_YEAR)) - 1;
}

bool agrees(const Fields& f, int32_t days) {
  const CivilDate date = civilFromDays(days);
  const auto same = [&f](DateField field, int64_t value) { return !f.has(field) || f.get(field) == value; };
  return same(DateField::YEAR, date.year) && same(DateField::MONTH, date.month) && same(DateField::DAY, date.day) &&
         same(DateField::QUARTER, (date.month + 2) / 3) && same(DateField::DAY_OF_YEAR, dayOfYear(days)) &&
         same(DateField::DAY_OF_WEEK, isoDayOfWeek(days)) && same(DateField::ALIGNED_DAY_OF_WEEK, (date.day - 1) % 7 + 1) &&
         same(DateField::WEEK_BASED_YEAR, sundayWeek(days).year) && same(DateField::WEEK_OF_YEAR, sundayWeek(days).week) &&
         same(DateField::WEEK_OF_MONTH, sundayWeekOfMonth(date));
}

std::optional<int32_t> resolveDate(Fields& f) {
  if (f.has(DateField::LOCAL_DAY_OF_WEEK)) {
    const int64_t local = f.get(DateField::LOCAL_DAY_OF_WEEK);
    if (!f.set(DateField::DAY_OF_WEEK, local == 1 ? 7 : local - 1)) return std::nullopt;
  }
  if (!resolveYear(f)) return std::nullopt;
  bool ok = true;
  if (const std::optional<int32_t> days = completeDate(f, ok)) return ok && agrees(f, *days) ? days : std::nullopt;
  if (!ok) return std::nullopt;
  const int64_t year = f.find(DateField::YEAR).value_or(1970);
  const auto month = static_cast<int>(f.find(DateField::MONTH).value_or(1));
  const auto day = static_cast<int>(f.find(DateField::DAY).value_or(1));
  return daysFromCivil(year, month, std::min(day, lengthOfMonth(year, month)));
}

/// Takes the nanosecond or millisecond of the day apart; false if fields disagree.
bool resolvePartsOfDay(Fields& f) {
  const auto spread = [&f](const TimeOfDay& time) {
    return f.set(DateField::HOUR, time.hour) && f.set(DateField::MINUTE, time.minute) && f.set(DateField::SECOND, time.second);
  };
  if (f.has(DateField::NANO_OF_DAY)) {
    const int64_t nanos = f.get(DateField::NANO_OF_DAY);
    const TimeOfDay time = timeOfDay(static_cast<int32_t>(nanos / kNanosPerMilli), static_cast<int32_t>(nanos % kNanosPerMilli));
    if (!spread(time) || !f.set(DateField::NANO, time.nano)) return false;
  }
  if (!f.has(DateField::MILLI_OF_DAY)) return true;
  const TimeOfDay time = timeOfDay(static_cast<int32_t>(f.get(DateField::MILLI_OF_DAY)));
  if (f.has(DateField::NANO) && f.get(DateField::NANO) / kNanosPerMilli != time.nano / kNanosPerMilli) return false;
  if (!f.has(DateField::NANO)) f.set(DateField::NANO, time.nano);
  return spread(time);
}

/// Sets HOUR … NANO from the fields that imply them; false if any disagree.
bool resolveTime(Fields& f) {
  if (f.has(DateField::CLOCK_HOUR) && !f.set(DateField::HOUR, f.get(DateField::CLOCK_HOUR) % 24)) return false;
  if (f.has(DateField::CLOCK_HALF_HOUR) && !f.set(DateField::HALF_HOUR, f.get(DateField::CLOCK_HALF_HOUR) % 12)) return false;
  if (f.has(DateField::DAY_HALF) && f.has(DateField::HALF_HOUR)) {
    if (!f.set(DateField::HOUR, f.get(DateField::DAY_HALF) * 12 + f.get(DateField::HALF_HOUR))) return false;
  }
  if (!resolvePartsOfDay(f)) return false;
  const bool half_alone = f.has(DateField::DAY_HALF) && !f.has(DateField::HOUR) && !f.has(DateField::MINUTE) &&
                          !f.has(DateField::SECOND) && !f.has(DateField::NANO);
  if (half_alone) f.set(DateField::HOUR, f.get(DateField::DAY_HALF) * 12 + 6);  // its middle
  const auto same = [&f](DateField field, int64_t value) { return !f.has(field) || f.get(field) == value; };
  return !f.has(DateField::HOUR) ||
         (same(DateField::DAY_HALF, f.get(DateField::HOUR) / 12) && same(DateField::HALF_HOUR, f.get(DateField::HOUR) % 12));
}

std::optional<TimestampValue> resolve(Fields f) {
  if (!rangesHold(f) || !resolveTime(f)) return std::nullopt;
  const std::optional<int32_t> days = resolveDate(f);
  if (!days) return std::nullopt;
  const auto part = [&f](DateField field) { return static_cast<int32_t>(f.find(field).value_or(0)); };
  return timestampOf(civilFromDays(*days), {part(DateField::HOUR), part(DateField::MINUTE), part(DateField::SECOND), part(DateField::NANO)});
}

/// The common shapes, when every field has its full width. A pattern's hour 24 is none, unlike a cast's.
std::optional<TimestampValue> parseShape(DatePattern::Program::Shape shape, std::string_view text) {
  using Shape = DatePattern::Program::Shape;
  constexpr size_t kDateLength = 10;
  const size_t length = shape == Shape::DATE ? kDateLength : shape == Shape::DATE_MINUTE ? 16 : 19;
  if (shape == Shape::GENERAL || text.size() != length || text[7] != '-') return std::nullopt;
  if (shape != Shape::DATE && (text[kDateLength] != ' ' || text[13] != ':')) return std::nullopt;
  if (shape == Shape::DATE_SECOND && text[16] != ':') return std::nullopt;
  for (size_t i = 1; i < length; ++i) {
    if (!isDigit(text[i]) && !isDigit(text[i - 1])) return std::nullopt;
  }
  if (!isDigit(text.back()) || (shape != Shape::DATE && text.substr(11, 2) == "24")) return std::nullopt;
  if (shape != Shape::DATE_MINUTE) return parseTimestamp(text);
  char padded[20];
  text.copy(padded, length);
  std::copy_n(":00", 3, padded + length);
  return parseTimestamp({padded, length + 3});
}

/// `yyyy-M-d` with 1 or 2 digits of month and day, as java.sql.Date.valueOf.
std::optional<TimestampValue> parseFallback(std::string_view text) {
  text = trimJava(text);
  if (text.empty() || text[0] == '+') return std::nullopt;
  // Unlike a cast, this form needs every number.
  for (size_t i = 1; i < text.size(); ++i) {
    if (!isDigit(text[i]) && !isDigit(text[i - 1])) return std::nullopt;
  }
  return isDigit(text.back()) ? parseTimestampRunningOver(text) : std::nullopt;
}

}  // namespace

std::optional<TimestampValue> DatePattern::parse(std::string_view text, int precision) const {
  if (const auto value = parseShape(program_->shape, text)) return truncateToPrecision(*value, precision);
  Reader reader(text);
  if (!reader.read(program_->items)) return std::nullopt;
  const std::optional<TimestampValue> value = resolve(reader.fields());
  return value ? std::optional(truncateToPrecision(*value, precision)) : std::nullopt;
}

std::optional<TimestampValue> toTimestamp(std::string_view text, const DatePattern& pattern) {
  constexpr int kPrecision = 3;
  if (const auto value = pattern.parse(text, kPrecision)) return value;
  const std::optional<TimestampValue> value = parseFallback(text);
  return value ? std::optional(truncateToPrecision(*value, kPrecision)) : std::nullopt;
}

}  // namespace thalweg
