#include "common/formats/cell_text.h"

#include <array>

#include "common/types/java_text.h"

namespace thalweg::format {
namespace {

/// Reads fixed forms from left to right; once something is missing, everything after fails too.
class FormReader {
 public:
  explicit FormReader(std::string_view text) : text_(text) {}

  bool done() const { return at_ == text_.size(); }
  bool ok() const { return ok_; }
  bool take(char c) {
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }
  void expect(char c) { ok_ = take(c) && ok_; }
  /// Between `min` and `max` digits.
  int32_t number(size_t min, size_t max) {
    int32_t value = 0;
    size_t digits = 0;
    for (; digits < max && at_ < text_.size() && isDigit(text_[at_]); ++digits) value = value * 10 + (text_[at_++] - '0');
    ok_ = ok_ && digits >= min;
    return value;
  }
  /// Up to nine digits, as nanoseconds.
  int32_t fraction() {
    const size_t begin = at_;
    int32_t nanos = number(0, 9);
    for (size_t digits = at_ - begin; digits < 9; ++digits) nanos *= 10;
    return nanos;
  }

 private:
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }

  std::string_view text_;
  size_t at_ = 0;
  bool ok_ = true;
};

CivilDate readDate(FormReader& reader, bool short_parts) {
  const size_t digits_min = short_parts ? 1 : 2;
  CivilDate date;
  date.year = reader.number(4, 4);
  reader.expect('-');
  date.month = reader.number(digits_min, 2);
  reader.expect('-');
  date.day = reader.number(digits_min, 2);
  return date;
}

TimeOfDay readTime(FormReader& reader, bool seconds_optional) {
  TimeOfDay time;
  time.hour = reader.number(2, 2);
  reader.expect(':');
  time.minute = reader.number(2, 2);
  if (seconds_optional && reader.done()) return time;
  reader.expect(':');
  time.second = reader.number(2, 2);
  if (reader.take('.')) time.nano = reader.fraction();
  return time;
}

bool exists(const CivilDate& date) {
  return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= lengthOfMonth(date.year, date.month);
}
bool exists(const TimeOfDay& time) { return time.hour <= 23 && time.minute <= 59 && time.second <= 59; }

constexpr std::array<int8_t, 256> makeBase64Values() {
  std::array<int8_t, 256> values{};
  for (auto& value : values) value = -1;
  for (int8_t i = 0; i < 26; ++i) {
    values[static_cast<size_t>('A' + i)] = i;
    values[static_cast<size_t>('a' + i)] = static_cast<int8_t>(26 + i);
  }
  for (int8_t i = 0; i < 10; ++i) values[static_cast<size_t>('0' + i)] = static_cast<int8_t>(52 + i);
  values['+'] = 62;
  values['/'] = 63;
  return values;
}
constexpr auto kBase64Values = makeBase64Values();
constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<int64_t> parseJsonInteger(std::string_view number, int64_t min, int64_t max) {
  if (const auto plain = parseJavaInteger(number, min, max)) return plain;
  if (number.find_first_of(".eE") == std::string_view::npos) return std::nullopt;
  const auto value = parseDouble(number);
  if (!value) return std::nullopt;
  // The bounds are powers of two or next to one: comparing with them as doubles is exact enough on both sides.
  if (!(*value > static_cast<double>(min) - 1.0 && *value < static_cast<double>(max) + 1.0)) return std::nullopt;
  return doubleToInt64(*value);
}

std::optional<int32_t> parseDateCell(std::string_view text, bool short_parts) {
  FormReader reader(text);
  const CivilDate date = readDate(reader, short_parts);
  if (!reader.ok() || !reader.done() || !exists(date)) return std::nullopt;
  return daysFromCivil(date.year, date.month, date.day);
}

std::optional<int32_t> parseTimeCell(std::string_view text, bool seconds_optional) {
  FormReader reader(text);
  const TimeOfDay time = readTime(reader, seconds_optional);
  if (!reader.ok() || !reader.done() || !exists(time)) return std::nullopt;
  return millisOfDay(time);
}

std::optional<TimestampValue> parseTimestampCell(std::string_view text, char separator, bool zulu) {
  FormReader reader(text);
  const CivilDate date = readDate(reader, false);
  reader.expect(separator);
  const TimeOfDay time = readTime(reader, false);
  if (zulu) reader.expect('Z');
  if (!reader.ok() || !reader.done() || !exists(date) || !exists(time)) return std::nullopt;
  return timestampOf(date, time);
}

bool decodeBase64(std::string_view text, std::string& out) {
  if (text.size() % 4 != 0) return false;
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  const size_t digits = text.size() - padding;
  uint32_t bits = 0;
  int count = 0;
  for (size_t i = 0; i < digits; ++i) {
    const int8_t value = kBase64Values[static_cast<unsigned char>(text[i])];
    if (value < 0) return false;
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 0xFF);
    }
  }
  return true;
}

void appendBase64(std::string& out, std::string_view bytes) {
  const auto digit = [&out](uint32_t bits) { out += kBase64Digits[bits & 63]; };
  const auto byte = [&bytes](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])); };
  size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const uint32_t bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    digit(bits >> 18);
    digit(bits >> 12);
    digit(bits >> 6);
    digit(bits);
  }
  if (i + 1 == bytes.size()) {
    digit(byte(i) >> 2);
    digit(byte(i) << 4);
    out += "==";
  } else if (i + 2 == bytes.size()) {
    const uint32_t bits = byte(i) << 8 | byte(i + 1);
    digit(bits >> 10);
    digit(bits >> 4);
    digit(bits << 2);
    out += '=';
  }
}

}  // namespace thalweg::format
