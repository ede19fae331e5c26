#include "common/types/dates/datetime_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "common/types/java_text.h"

namespace thalweg {

namespace {

constexpr int kYearMax = 9999;
constexpr int32_t kNanosPerSecond = 1'000'000'000;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// A whole number of digits only, between blanks.
std::optional<int> parseNumber(std::string_view text) {
  text = trimJava(text);
  if (text.empty() || !std::all_of(text.begin(), text.end(), isDigit)) return std::nullopt;
  int value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

/// Cuts `text` at the first `separator`; the rest is none if there is no separator.
std::string_view cutAt(std::string_view& text, char separator, bool& found) {
  const size_t at = text.find(separator);
  found = at != std::string_view::npos;
  const std::string_view head = text.substr(0, at);
  text = found ? text.substr(at + 1) : std::string_view();
  return head;
}

/// Milliseconds of a fraction, rounded half up at the fourth digit.
std::optional<int> parseMillis(std::string_view text) {
  text = trimJava(text);
  if (!std::all_of(text.begin(), text.end(), isDigit)) return std::nullopt;
  int value = 0;
  for (size_t i = 0; i < 3; ++i) value = value * 10 + (i < text.size() ? text[i] - '0' : 0);
  return value + (text.size() > 3 && text[3] >= '5' ? 1 : 0);
}

/// `H[:m]` behind the sign of an offset, in minutes.
std::optional<int> parseOffset(std::string_view text) {
  bool has_minutes = false;
  const std::optional<int> hours = parseNumber(cutAt(text, ':', has_minutes));
  const std::optional<int> minutes = has_minutes ? parseNumber(text) : 0;
  constexpr int kUnitsMax = 10000;  // keeps the sum small; the result wraps anyway
  if (!hours || !minutes || *hours > kUnitsMax || *minutes > kUnitsMax) return std::nullopt;
  return *hours * 60 + *minutes;
}

std::optional<int> parseBelow(std::string_view text, int limit) {
  const std::optional<int> value = parseNumber(text);
  return value && *value < limit ? value : std::nullopt;
}

/// One or two digits at the front of `text`, removed from it; `otherwise` if there are none.
int takeTwoDigits(std::string_view& text, int otherwise) {
  size_t count = 0;
  int value = 0;
  for (; count < 2 && count < text.size() && isDigit(text[count]); ++count) value = value * 10 + (text[count] - '0');
  text.remove_prefix(count);
  return count == 0 ? otherwise : value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

/// Four digits, or a plus sign and more; -1 otherwise.
int takeYear(std::string_view& text) {
  constexpr size_t kPlainDigits = 4;
  constexpr size_t kDigitsMax = 6;
  const bool plus = take(text, '+');
  size_t count = 0;
  int year = 0;
  for (; count < text.size() && count <= kDigitsMax && isDigit(text[count]); ++count) year = year * 10 + (text[count] - '0');
  text.remove_prefix(count);
  const bool valid = plus ? count > kPlainDigits && count <= kDigitsMax : count == kPlainDigits;
  return valid ? year : -1;
}

/// `.fffffffff` of the second, at most nine digits; -1 for other text.
int32_t takeNanos(std::string_view& text) {
  if (!take(text, '.')) return 0;
  int32_t nanos = 0;
  int32_t unit = kNanosPerSecond / 10;
  for (; unit > 0 && !text.empty() && isDigit(text[0]); unit /= 10, text.remove_prefix(1)) nanos += (text[0] - '0') * unit;
  return nanos;
}

/// A clock of two-digit numbers, whose ranges are not looked at.
std::optional<TimeOfDay> takeClock(std::string_view text) {
  TimeOfDay time;
  time.hour = takeTwoDigits(text, 0);
  if (!take(text, ':')) return std::nullopt;
  time.minute = takeTwoDigits(text, 0);
  if (!take(text, ':')) return std::nullopt;
  time.second = takeTwoDigits(text, 0);
  time.nano = takeNanos(text);
  if (!text.empty()) return std::nullopt;
  return time;
}

/// Date and clock as they are written: of the ranges only the month's is looked at.
struct WrittenTimestamp {
  CivilDate date;
  TimeOfDay time;
};

std::optional<WrittenTimestamp> takeTimestamp(std::string_view text) {
  const int year = takeYear(text);
  if (year < 1 || !take(text, '-')) return std::nullopt;
  const int month = takeTwoDigits(text, 1);
  if (month < 1 || month > 12 || !take(text, '-')) return std::nullopt;
  const int day = takeTwoDigits(text, 1);
  if (day < 1 || day > 31) return std::nullopt;
  if (text.empty()) return WrittenTimestamp{{year, month, day}, {}};
  if (!take(text, ' ')) return std::nullopt;
  const std::optional<TimeOfDay> time = takeClock(text);
  return time ? std::optional(WrittenTimestamp{{year, month, day}, *time}) : std::nullopt;
}

/// `yyyy-MM-dd HH:mm:ss[.fffffffff]` with every number in full width, by far the commonest; the rest is left to the
/// slower way, errors too.
std::optional<TimestampValue> parseFullWidth(std::string_view text) {
  constexpr size_t kLength = 19;
  if (text.size() < kLength) return std::nullopt;
  bool bad = text[4] != '-' || text[7] != '-' || text[10] != ' ' || text[13] != ':' || text[16] != ':';
  const auto two = [text, &bad](size_t i) {
    const int tens = text[i] - '0';
    const int ones = text[i + 1] - '0';
    bad |= static_cast<unsigned>(tens) > 9 || static_cast<unsigned>(ones) > 9;
    return tens * 10 + ones;
  };
  const CivilDate date{two(0) * 100 + two(2), two(5), two(8)};
  TimeOfDay time{two(11), two(14), two(17), 0};
  bad |= date.year < 1 || date.month < 1 || date.month > 12 || date.day < 1 || time.hour > 23 || time.minute > 59 || time.second > 59;
  if (bad || date.day > lengthOfMonth(date.year, date.month)) return std::nullopt;
  text.remove_prefix(kLength);
  time.nano = takeNanos(text);
  if (!text.empty()) return std::nullopt;
  return timestampOf(date, time);
}

char* writeText(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

char* writeNumber(char* out, int64_t value) { return std::to_chars(out, out + 21, value).ptr; }

constexpr std::array<char, 200> kTwoDigits = [] {
  std::array<char, 200> digits{};
  for (size_t i = 0; i < digits.size(); ++i) digits[i] = static_cast<char>('0' + (i % 2 == 0 ? i / 20 : i / 2 % 10));
  return digits;
}();

char* writeTwo(char* out, int value) {
  std::memcpy(out, &kTwoDigits[static_cast<size_t>(value) * 2], 2);
  return out + 2;
}

/// The first `count` of nine digits of a second's fraction.
char* writeFraction(char* out, int32_t nanos, int count) {
  if (count == 3) {
    *out = static_cast<char>('0' + nanos / 100'000'000);
    return writeTwo(out + 1, nanos / 1'000'000 % 100);
  }
  int32_t unit = kNanosPerSecond / 10;
  for (int i = 0; i < count; ++i, unit /= 10) *out++ = static_cast<char>('0' + nanos / unit % 10);
  return out;
}

char* writeClock(char* out, const TimeOfDay& time) {
  out = writeTwo(out, time.hour);
  *out++ = ':';
  out = writeTwo(out, time.minute);
  *out++ = ':';
  return writeTwo(out, time.second);
}

/// Nothing, or a point and 3, 6 or 9 digits.
char* writeIsoFraction(char* out, int32_t nanos) {
  if (nanos == 0) return out;
  *out++ = '.';
  return writeFraction(out, nanos, nanos % 1'000'000 == 0 ? 3 : nanos % 1000 == 0 ? 6 : 9);
}

char* writeIsoClock(char* out, const TimeOfDay& time) {
  char* minutes_end = writeClock(out, time) - 3;
  if (time.second == 0 && time.nano == 0) return minutes_end;
  return writeIsoFraction(minutes_end + 3, time.nano);
}

TimeOfDay clockOf(TimestampValue value) { return timeOfDay(timeOfMillis(value.millis), value.nanos); }

/// The digits of a fraction that may not be left out, at least `least`.
int significantDigits(int32_t nanos, int least) {
  int count = 9;
  for (int32_t rest = nanos; count > least && rest % 10 == 0; rest /= 10) --count;
  return count;
}

}  // namespace

std::optional<int32_t> parseDate(std::string_view text) {
  const size_t blank = text.find(' ');
  if (blank != std::string_view::npos && blank > 0) text = text.substr(0, blank);
  bool has_month = false;
  bool has_day = false;
  const std::optional<int> year = parseNumber(cutAt(text, '-', has_month));
  std::optional<int> month = 1;
  std::optional<int> day = 1;
  if (has_month) {
    month = parseNumber(cutAt(text, '-', has_day));
    if (has_day) day = parseNumber(text);
  }
  if (!year || !month || !day || *year > kYearMax || *month < 1 || *month > 12) return std::nullopt;
  if (*day < 1 || *day > lengthOfMonth(*year, *month)) return std::nullopt;
  return daysFromCivil(*year, *month, *day);
}

std::optional<int32_t> parseTime(std::string_view text, int precision) {
  std::optional<int> offset = 0;
  size_t sign = text.find('-');
  if (sign == std::string_view::npos) sign = text.find('+');
  if (sign != std::string_view::npos) {
    offset = parseOffset(text.substr(sign + 1));
    if (offset && text[sign] == '-') offset = -*offset;
    text = text.substr(0, sign);
  }
  bool has_minute = false;
  bool has_second = false;
  bool has_fraction = false;
  const std::optional<int> hour = parseBelow(cutAt(text, ':', has_minute), 24);
  std::optional<int> minute = 0;
  std::optional<int> second = 0;
  std::optional<int> millis = 0;
  if (has_minute) minute = parseBelow(cutAt(text, ':', has_second), 60);
  if (has_second) second = parseBelow(cutAt(text, '.', has_fraction), 60);
  if (has_fraction) millis = parseMillis(text);
  if (!offset || !hour || !minute || !second || !millis) return std::nullopt;
  const int32_t time = addToTime(millisOfDay({*hour, *minute, *second, 0}), *millis + *offset * kMillisPerMinute);
  return truncateTimeToPrecision(time, precision);
}

std::optional<TimestampValue> parseTimestamp(std::string_view text, int precision) {
  if (const auto value = parseFullWidth(text)) return truncateToPrecision(*value, precision);
  std::optional<WrittenTimestamp> written = takeTimestamp(text);
  if (!written) return std::nullopt;
  CivilDate& date = written->date;
  TimeOfDay& time = written->time;
  const bool midnight = time.hour == 24 && time.minute == 0 && time.second == 0 && time.nano == 0;
  if (!midnight && (time.hour > 23 || time.minute > 59 || time.second > 59)) return std::nullopt;
  date.day = std::min(date.day, lengthOfMonth(date.year, date.month));
  if (midnight) time.hour = 0;
  TimestampValue value = truncateToPrecision(timestampOf(date, time), precision);
  if (midnight) value.millis += kMillisPerDay;
  return value;
}

std::optional<TimestampValue> parseTimestampRunningOver(std::string_view text) {
  const std::optional<WrittenTimestamp> written = takeTimestamp(text);
  if (!written) return std::nullopt;
  const CivilDate& date = written->date;
  const TimeOfDay& time = written->time;
  TimestampValue value = timestampOf({date.year, date.month, 1}, {0, 0, 0, time.nano});
  const int64_t minutes = time.hour * int64_t{60} + time.minute;
  value.millis += (date.day - 1) * kMillisPerDay + (minutes * 60 + time.second) * 1000;
  return value;
}

char* writeDate(char* out, int32_t days) { return writeIsoDate(out, days); }

char* writeTime(char* out, int32_t millis_of_day, int precision) {
  const TimeOfDay time = timeOfDay(millis_of_day);
  out = writeClock(out, time);
  if (precision <= 0) return out;
  *out++ = '.';
  return writeFraction(out, time.nano, std::min(precision, significantDigits(time.nano, 1)));
}

char* writeTimestamp(char* out, TimestampValue value, int precision) {
  out = writeDate(out, dateOfMillis(value.millis));
  *out++ = ' ';
  const TimeOfDay time = clockOf(value);
  out = writeClock(out, time);
  const int digits = significantDigits(time.nano, precision);
  if (digits == 0) return out;
  *out++ = '.';
  return writeFraction(out, time.nano, digits);
}

char* writeYearMonthInterval(char* out, int32_t months) {
  const int64_t size = months < 0 ? -static_cast<int64_t>(months) : months;
  *out++ = months < 0 ? '-' : '+';
  out = writeNumber(out, size / 12);
  *out++ = '-';
  return writeTwo(out, static_cast<int>(size % 12));
}

char* writeDayTimeInterval(char* out, int64_t millis) {
  *out++ = millis < 0 ? '-' : '+';
  const auto size = static_cast<uint64_t>(millis < 0 ? -millis : millis);
  out = writeNumber(out, static_cast<int64_t>(size / static_cast<uint64_t>(kMillisPerDay)));
  *out++ = ' ';
  const TimeOfDay time = timeOfDay(static_cast<int32_t>(size % static_cast<uint64_t>(kMillisPerDay)));
  out = writeClock(out, time);
  *out++ = '.';
  return writeFraction(out, time.nano, 3);
}

char* writeIsoDate(char* out, int32_t days) {
  const CivilDate date = civilFromDays(days);
  int32_t year = date.year;
  if (year < 0) {
    *out++ = '-';
    year = -year;
  } else if (year > kYearMax) {
    *out++ = '+';
  }
  if (year > kYearMax) {
    out = writeNumber(out, year);
  } else {
    out = writeTwo(writeTwo(out, year / 100), year % 100);
  }
  *out++ = '-';
  out = writeTwo(out, date.month);
  *out++ = '-';
  return writeTwo(out, date.day);
}

char* writeIsoTime(char* out, int32_t millis_of_day) { return writeIsoClock(out, timeOfDay(millis_of_day)); }

char* writeIsoTimestamp(char* out, TimestampValue value) {
  out = writeIsoDate(out, dateOfMillis(value.millis));
  *out++ = 'T';
  return writeIsoClock(out, clockOf(value));
}

char* writeIsoInstant(char* out, TimestampValue value) {
  out = writeIsoDate(out, dateOfMillis(value.millis));
  *out++ = 'T';
  const TimeOfDay time = clockOf(value);
  out = writeIsoFraction(writeClock(out, time), time.nano);
  *out++ = 'Z';
  return out;
}

char* writeIsoPeriod(char* out, int32_t months) {
  if (months == 0) return writeText(out, "P0D");
  *out++ = 'P';
  out = writeNumber(out, months);
  *out++ = 'M';
  return out;
}

char* writeIsoDuration(char* out, int64_t millis) {
  if (millis == 0) return writeText(out, "PT0S");
  out = writeText(out, "PT");
  const int64_t seconds = millis / 1000;
  const auto fraction = static_cast<int32_t>(millis % 1000);
  const auto part = [&out](int64_t value, char unit) {
    if (value == 0) return;
    out = writeNumber(out, value);
    *out++ = unit;
  };
  part(seconds / 3600, 'H');
  part(seconds / 60 % 60, 'M');
  if (seconds % 60 == 0 && fraction == 0) return out;
  if (seconds % 60 == 0 && fraction < 0) *out++ = '-';
  out = writeNumber(out, seconds % 60);
  if (fraction != 0) {
    const int32_t nanos = (fraction < 0 ? -fraction : fraction) * kNanosPerMilli;
    *out++ = '.';
    out = writeFraction(out, nanos, significantDigits(nanos, 0));
  }
  *out++ = 'S';
  return out;
}

}  // namespace thalweg
