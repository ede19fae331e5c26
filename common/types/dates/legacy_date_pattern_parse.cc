// Reading text by a LegacyDatePattern, as SimpleDateFormat does: every item skips blanks and takes a number or name,
// numbers are greedy unless another number follows directly, values out of range run over into the next unit, and
// what the pattern leaves of the text is ignored.
#include <array>
#include <limits>
#include <optional>

#include "common/types/dates/calendar_names.h"
#include "common/types/dates/hybrid_calendar.h"
#include "common/types/dates/legacy_date_pattern_items.h"

namespace thalweg {

namespace {

constexpr int kCenturyYearsBack = 80;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

struct NamedOffset {
  std::string_view name;
  int hours;
};
constexpr std::array<NamedOffset, 15> kNamedOffsets = {{{"UTC", 0},  {"GMT", 0},   {"EST", -5}, {"EDT", -4}, {"CST", -6},
                                                        {"CDT", -5}, {"MST", -7},  {"MDT", -6}, {"PST", -8}, {"PDT", -7},
                                                        {"CET", 1},  {"CEST", 2},  {"WET", 0},  {"BST", 1},  {"JST", 9}}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool startsWithIgnoringCase(std::string_view text, std::string_view prefix) {
  if (text.size() < prefix.size()) return false;
  for (size_t i = 0; i < prefix.size(); ++i) {
    if (lower(text[i]) != lower(prefix[i])) return false;
  }
  return true;
}

int64_t instantOf(int64_t local_ms, ZoneCursor& zone) {
  const int64_t utc_ms = local_ms - (local_ms < kFirstZoneInfoMs ? standardOffsetMs(zone.zone()) : 0);
  return utc_ms < kFirstZoneInfoMs ? utc_ms : zone.toUtcMs(local_ms);
}

class Reader {
 public:
  Reader(std::string_view text, int64_t now_ms) : text_(text), century_start_(dateOfMillis(now_ms)) {
    century_start_ = addMonths(century_start_, -12 * kCenturyYearsBack);
  }

  bool read(const LegacyDateItem& item) {
    if (item.letter == 0) {
      if (!text_.substr(at_).starts_with(item.text)) return false;
      at_ += item.text.size();
      return true;
    }
    start_ = at_;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    if (at_ == text_.size()) return false;
    switch (item.letter) {
      case 'G': return readEra();
      case 'M':
      case 'L': return item.letters <= 2 ? readNumberInto(item, LenientDate::MONTH, -1) : readName(kMonthNames, LenientDate::MONTH, 0);
      case 'E': return readDayName();
      case 'a': return readDayHalf();
      case 'z':
      case 'Z': return readZone();
      case 'X': return readIsoZone(item.letters);
      default: return readNumberItem(item);
    }
  }

  int64_t result(ZoneCursor& zone) const {
    LenientDate date = date_;
    if (two_digit_year_ && date.days() < century_start_) date.set(LenientDate::YEAR, date.get(LenientDate::YEAR, 0) + 100);
    const int64_t local = millisOf(date.days(), 0) + millisOfDay();
    return offset_ms_ ? local - *offset_ms_ : instantOf(local, zone);
  }

 private:
  /// A number from here on, or up to the item's width; none if there is no digit.
  std::optional<int32_t> readNumber(const LegacyDateItem& item) {
    std::string_view text = text_;
    if (item.fixed_width) {
      const size_t end = start_ + static_cast<size_t>(item.letters);
      if (end > text.size()) return std::nullopt;
      text = text.substr(0, end);
    }
    const bool negative = at_ < text.size() && text[at_] == '-';
    size_t end = at_ + (negative ? 1 : 0);
    const size_t first = end;
    int64_t value = 0;
    for (; end < text.size() && isDigit(text[end]); ++end) {
      if (value < std::numeric_limits<int64_t>::max() / 10 - 1) value = value * 10 + (text[end] - '0');
    }
    if (end == first) return std::nullopt;
    at_ = end;
    return static_cast<int32_t>(negative ? -value : value);
  }

  bool readNumberInto(const LegacyDateItem& item, LenientDate::Field field, int32_t shift) {
    const std::optional<int32_t> value = readNumber(item);
    if (value) date_.set(field, *value + shift);
    return value.has_value();
  }

  bool readNumberItem(const LegacyDateItem& item) {
    if (item.letter == 'y' || item.letter == 'Y') return readYear(item);
    const std::optional<int32_t> value = readNumber(item);
    if (!value) return false;
    switch (item.letter) {
      case 'd': date_.set(LenientDate::DAY, *value); break;
      case 'D': date_.set(LenientDate::DAY_OF_YEAR, *value); break;
      case 'F': date_.set(LenientDate::DAY_OF_WEEK_IN_MONTH, *value); break;
      case 'w': date_.set(LenientDate::WEEK_OF_YEAR, *value); break;
      case 'W': date_.set(LenientDate::WEEK_OF_MONTH, *value); break;
      case 'u': date_.set(LenientDate::DAY_OF_WEEK, *value == 7 ? 1 : *value >= 1 && *value < 7 ? *value + 1 : *value); break;
      case 'H': setHour(*value); break;
      case 'k': setHour(*value == 24 ? 0 : *value); break;
      case 'K': setHalfHour(*value); break;
      case 'h': setHalfHour(*value == 12 ? 0 : *value); break;
      case 'm': minute_ = *value; break;
      case 's': second_ = *value; break;
      default: millis_ = *value; break;
    }
    return true;
  }

  bool readYear(const LegacyDateItem& item) {
    const size_t first = at_;
    std::optional<int32_t> value = readNumber(item);
    if (!value) return false;
    if (item.letters <= 2 && at_ - first == 2 && isDigit(text_[first])) {
      const int32_t start_year = civilFromDays(century_start_).year;
      two_digit_year_ = *value == start_year % 100;
      *value += start_year / 100 * 100 + (*value < start_year % 100 ? 100 : 0);
    }
    date_.set(item.letter == 'y' ? LenientDate::YEAR : LenientDate::WEEK_YEAR, *value);
    return true;
  }

  /// The longest of `names`, whole or cut short, in any case.
  template <size_t N>
  std::optional<int32_t> takeName(const std::array<std::string_view, N>& names, size_t short_length) {
    std::optional<int32_t> best;
    size_t best_length = 0;
    for (size_t i = 0; i < N; ++i) {
      for (const std::string_view name : {names[i], names[i].substr(0, short_length)}) {
        if (name.size() <= best_length || !startsWithIgnoringCase(text_.substr(at_), name)) continue;
        best = static_cast<int32_t>(i);
        best_length = name.size();
      }
    }
    at_ += best_length;
    return best;
  }

  template <size_t N>
  bool readName(const std::array<std::string_view, N>& names, LenientDate::Field field, int32_t shift) {
    const std::optional<int32_t> index = takeName(names, kShortNameLength);
    if (index) date_.set(field, *index + shift);
    return index.has_value();
  }

  bool readDayName() {
    const std::optional<int32_t> index = takeName(kDayNames, kShortNameLength);
    if (index) date_.set(LenientDate::DAY_OF_WEEK, *index == 6 ? 1 : *index + 2);
    return index.has_value();
  }

  bool readEra() {
    const std::optional<int32_t> index = takeName(kEraNames, 2);
    if (index) date_.setBeforeChrist(*index == 0);
    return index.has_value();
  }

  bool readDayHalf() {
    const std::optional<int32_t> index = takeName(kDayHalfNames, 2);
    if (!index) return false;
    day_half_ = *index;
    half_turn_ = ++turn_;
    return true;
  }

  void setHour(int32_t value) {
    hour_ = value;
    hour_turn_ = ++turn_;
  }
  void setHalfHour(int32_t value) {
    half_hour_ = value;
    half_hour_turn_ = ++turn_;
  }

  /// The hour of 24 and the one of 12 with its half of the day: the one given last counts.
  int64_t millisOfDay() const {
    const int both_turn = half_hour_turn_ != 0 && half_turn_ != 0 ? std::max(half_hour_turn_, half_turn_) : 0;
    const bool by_halves = hour_turn_ == 0 || both_turn > hour_turn_;
    const int64_t hour = by_halves ? half_hour_ + 12 * day_half_ : hour_;
    return ((hour * 60 + minute_) * 60 + second_) * 1000 + millis_;
  }

  bool takeDigit(int& value) {
    if (at_ >= text_.size() || !isDigit(text_[at_])) return false;
    value = value * 10 + (text_[at_++] - '0');
    return true;
  }

  /// `hh`, `hhmm` or `hh:mm` behind a sign; `letters` are those of X, 0 for z and Z.
  bool readClock(int sign, int letters, bool colon) {
    int hours = 0;
    int minutes = 0;
    if (!takeDigit(hours)) return false;
    if (!takeDigit(hours) && (letters > 0 || !colon)) return false;
    if (hours > 23) return false;
    if (letters != 1) {
      if (colon && (at_ >= text_.size() || text_[at_++] != ':')) return false;
      if (!takeDigit(minutes) || !takeDigit(minutes) || minutes > 59) return false;
    }
    offset_ms_ = sign * (hours * kMillisPerHour + minutes * kMillisPerMinute);
    return true;
  }

  int takeSign() {
    if (at_ >= text_.size() || (text_[at_] != '+' && text_[at_] != '-')) return 0;
    return text_[at_++] == '+' ? 1 : -1;
  }

  bool readIsoZone(int letters) {
    if (text_[at_] == 'Z') {
      ++at_;
      offset_ms_ = 0;
      return true;
    }
    const int sign = takeSign();
    return sign != 0 && readClock(sign, letters, letters == 3);
  }

  bool readZone() {
    if (const int sign = takeSign(); sign != 0) return readClock(sign, 0, false);
    const NamedOffset* best = nullptr;
    for (const NamedOffset& entry : kNamedOffsets) {
      const bool longer = best == nullptr || entry.name.size() > best->name.size();
      if (longer && startsWithIgnoringCase(text_.substr(at_), entry.name)) best = &entry;
    }
    if (best == nullptr) return false;
    at_ += best->name.size();
    offset_ms_ = best->hours * kMillisPerHour;
    if (best->name != "GMT") return true;
    const int sign = takeSign();
    return sign == 0 || readClock(sign, 0, true);
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t start_ = 0;  // of the item, before its blanks
  int32_t century_start_;
  LenientDate date_;
  bool two_digit_year_ = false;
  int64_t hour_ = 0, half_hour_ = 0, day_half_ = 0, minute_ = 0, second_ = 0, millis_ = 0;
  int turn_ = 0, hour_turn_ = 0, half_hour_turn_ = 0, half_turn_ = 0;
  std::optional<int64_t> offset_ms_;
};

/// `yyyy-MM-dd[ HH:mm:ss]` with every field in full width and range, after the change of calendars.
std::optional<int64_t> parseShape(LegacyDatePattern::Program::Shape shape, std::string_view text) {
  using Shape = LegacyDatePattern::Program::Shape;
  const std::string_view form = shape == Shape::DATE ? "dddd-dd-dd" : "dddd-dd-dd dd:dd:dd";
  if (shape == Shape::GENERAL || text.size() < form.size()) return std::nullopt;
  if (text.size() > form.size() && isDigit(text[form.size()])) return std::nullopt;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form[i] == 'd' ? !isDigit(text[i]) : text[i] != form[i]) return std::nullopt;
  }
  const auto two = [text](size_t i) { return (text[i] - '0') * 10 + (text[i + 1] - '0'); };
  const int year = two(0) * 100 + two(2);
  const int month = two(5);
  const int day = two(8);
  if (year <= 1582 || month < 1 || month > 12 || day < 1 || day > lengthOfMonth(year, month)) return std::nullopt;
  const int64_t midnight = millisOf(daysFromCivil(year, month, day), 0);
  if (shape == Shape::DATE) return midnight;
  return midnight + ((two(11) * 60 + two(14)) * 60 + two(17)) * kMillisPerSecond;
}

}  // namespace

std::optional<int64_t> LegacyDatePattern::parse(std::string_view text, ZoneCursor& zone, int64_t now_ms) const {
  if (const auto local_ms = parseShape(program_->shape, text)) return instantOf(*local_ms, zone);
  Reader reader(text, now_ms);
  for (const LegacyDateItem& item : program_->items) {
    if (!reader.read(item)) return std::nullopt;
  }
  return reader.result(zone);
}

int32_t toDate(std::string_view text, const LegacyDatePattern& pattern, int64_t now_ms) {
  ZoneCursor utc{TimeZone()};
  const std::optional<int64_t> instant = pattern.parse(text, utc, now_ms);
  return instant ? dateOfMillis(*instant) : kUnparsableDate;
}

int64_t unixTimestamp(std::string_view text, const LegacyDatePattern& pattern, ZoneCursor& zone, int64_t now_ms) {
  const std::optional<int64_t> instant = pattern.parse(text, zone, now_ms);
  return instant ? floorDiv(*instant, kMillisPerSecond) : std::numeric_limits<int64_t>::min();
}

}  // namespace thalweg
