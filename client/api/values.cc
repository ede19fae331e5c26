#include "client/api/thalweg/values.h"

#include "client/api/thalweg/exception.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/datetime.h"
#include "common/types/decimal.h"
#include "common/types/decimal_text.h"

namespace thalweg::api {
namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view form, std::string_view text) {
  throw ValidationException("expected " + std::string(what) + " of the form " + std::string(form) + ", found '" + std::string(text) + "'");
}

/// Text with a T into the form that the engine's casts read.
std::optional<TimestampValue> timestampOfIso(std::string_view text) {
  std::string copy(text);
  if (copy.size() < 16 || (copy[10] != 'T' && copy[10] != ' ')) return std::nullopt;
  copy[10] = ' ';
  if (copy.size() == 16) copy += ":00";
  return parseTimestamp(copy, 9);
}

template <typename T>
T orThrow(std::optional<T> value, const char* what) {
  if (!value) throw ValidationException(std::string("the decimal result of ") + what + " has more than 38 digits");
  return *value;
}

}  // namespace

std::string Duration::toString() const { return dateTimeText(writeIsoDuration, millis_); }

Instant Instant::ofEpochSecond(int64_t seconds, int64_t nanos) {
  const int64_t millis = seconds * 1000 + floorDiv(nanos, kNanosPerMilli);
  return Instant(TimestampValue{millis, static_cast<int32_t>(floorMod(nanos, kNanosPerMilli)), 0});
}

Instant Instant::parse(std::string_view text) {
  if (text.empty() || text.back() != 'Z') refuse("an instant", "2024-05-05T07:00:00Z", text);
  const auto value = timestampOfIso(text.substr(0, text.size() - 1));
  if (!value) refuse("an instant", "2024-05-05T07:00:00Z", text);
  return Instant(*value);
}

std::string Instant::toString() const { return dateTimeText(writeIsoInstant, value_); }

LocalDateTime LocalDateTime::of(int year, int month, int day, int hour, int minute, int second, int nano) {
  return LocalDateTime(timestampOf({year, month, day}, {hour, minute, second, nano}));
}

LocalDateTime LocalDateTime::parse(std::string_view text) {
  const auto value = timestampOfIso(text);
  if (!value) refuse("a date and time", "2024-05-05T07:00:00", text);
  return LocalDateTime(*value);
}

std::string LocalDateTime::toString() const { return dateTimeText(writeIsoTimestamp, value_); }

LocalDate LocalDate::of(int year, int month, int day) {
  if (month < 1 || month > 12 || day < 1 || day > lengthOfMonth(year, month)) {
    refuse("a date", "year, month, day", std::to_string(year) + "-" + std::to_string(month) + "-" + std::to_string(day));
  }
  return ofEpochDay(daysFromCivil(year, month, day));
}

LocalDate LocalDate::parse(std::string_view text) {
  const auto days = parseDate(text);
  if (!days) refuse("a date", "2024-05-05", text);
  return ofEpochDay(*days);
}

std::string LocalDate::toString() const { return dateTimeText(writeIsoDate, days_); }

LocalTime LocalTime::of(int hour, int minute, int second, int milli) {
  return ofMilliOfDay(millisOfDay({hour, minute, second, milli * kNanosPerMilli}));
}

LocalTime LocalTime::parse(std::string_view text) {
  const auto millis = parseTime(text);
  if (!millis) refuse("a time", "07:00:00", text);
  return ofMilliOfDay(*millis);
}

std::string LocalTime::toString() const { return dateTimeText(writeIsoTime, millis_); }

Decimal::Decimal(std::string_view text) {
  const auto literal = parseDecimalLiteral(text);
  if (!literal) refuse("a decimal of at most 38 digits", "12.50", text);
  unscaled_ = literal->unscaled;
  scale_ = literal->spec.scale;
}

double Decimal::toDouble() const { return decimalToDouble(unscaled_, {DataType::kMaxDecimalPrecision, scale_}); }

std::string Decimal::toString() const {
  std::string text;
  appendDecimalJava(text, unscaled_, scale_);
  return text;
}

int128 Decimal::atScale(int scale) const {
  const auto moved = rescaleDecimal(unscaled_, scale_, {DataType::kMaxDecimalPrecision, scale});
  if (!moved) throw ValidationException("the decimal " + toString() + " has more than 38 digits at scale " + std::to_string(scale));
  return *moved;
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  const int scale = std::max(a.scale_, b.scale_);
  return {orThrow(addDecimals(a.unscaled_, a.scale_, b.unscaled_, b.scale_, {38, scale}), "+"), scale};
}
Decimal operator-(const Decimal& a, const Decimal& b) {
  const int scale = std::max(a.scale_, b.scale_);
  return {orThrow(subtractDecimals(a.unscaled_, a.scale_, b.unscaled_, b.scale_, {38, scale}), "-"), scale};
}
Decimal operator*(const Decimal& a, const Decimal& b) {
  const int scale = std::min(a.scale_ + b.scale_, 38);
  return {orThrow(multiplyDecimals(a.unscaled_, a.scale_, b.unscaled_, b.scale_, {38, scale}), "*"), scale};
}
std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  return compareDecimals(a.unscaled_, a.scale_, b.unscaled_, b.scale_) <=> 0;
}

}  // namespace thalweg::api
