// The value types of records beyond C++'s own: points in time, dates, durations, decimals, bytes.
//
//   Instant::ofEpochMilli(1000)                    1970-01-01T00:00:01Z      TIMESTAMP_LTZ(9)
//   LocalDateTime::parse("2024-05-05T07:00:00")    2024-05-05T07:00          TIMESTAMP(9)
//   LocalDate::of(2024, 5, 5), LocalTime::of(7, 0)                           DATE, TIME(0)
//   Duration::ofSeconds(5)                         PT5S                      INTERVAL SECOND(3)
//   Decimal("12.50")                               12.50                     DECIMAL(38, 18)
//
// parse() and the Decimal constructor throw ValidationException for other text. Threads: values.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/types/value.h"

namespace thalweg::api {

/// Opaque bytes; a column of BYTES.
struct Bytes {
  std::string data;
  auto operator<=>(const Bytes&) const = default;
};

class Duration {
 public:
  constexpr Duration() = default;
  /// Any std::chrono duration, cut to milliseconds.
  template <typename Rep, typename Period>
  constexpr Duration(std::chrono::duration<Rep, Period> value)  // NOLINT: meant to convert
      : millis_(std::chrono::duration_cast<std::chrono::milliseconds>(value).count()) {}
  static constexpr Duration ofMillis(int64_t n) { return Duration(n); }
  static constexpr Duration ofSeconds(int64_t n) { return Duration(n * 1000); }
  static constexpr Duration ofMinutes(int64_t n) { return Duration(n * 60'000); }
  static constexpr Duration ofHours(int64_t n) { return Duration(n * 3'600'000); }
  static constexpr Duration ofDays(int64_t n) { return Duration(n * 86'400'000); }
  static constexpr Duration zero() { return {}; }
  // As the older Time class names them.
  static constexpr Duration milliseconds(int64_t n) { return ofMillis(n); }
  static constexpr Duration seconds(int64_t n) { return ofSeconds(n); }
  static constexpr Duration minutes(int64_t n) { return ofMinutes(n); }
  static constexpr Duration hours(int64_t n) { return ofHours(n); }
  static constexpr Duration days(int64_t n) { return ofDays(n); }
  constexpr int64_t toMillis() const { return millis_; }
  std::string toString() const;
  auto operator<=>(const Duration&) const = default;

 private:
  explicit constexpr Duration(int64_t millis) : millis_(millis) {}
  int64_t millis_ = 0;
};
/// Flink's older name, as in `Time::seconds(5)`.
using Time = Duration;

/// A point on the time line, to the nanosecond.
class Instant {
 public:
  constexpr Instant() = default;
  explicit constexpr Instant(TimestampValue value) : value_(value) {}
  static Instant ofEpochMilli(int64_t millis) { return Instant(TimestampValue{millis, 0, 0}); }
  static Instant ofEpochSecond(int64_t seconds, int64_t nanos = 0);
  /// `2024-05-05T07:00:00.123Z`.
  static Instant parse(std::string_view text);
  int64_t toEpochMilli() const { return value_.millis; }
  Instant plus(Duration duration) const { return Instant({value_.millis + duration.toMillis(), value_.nanos, 0}); }
  Instant minus(Duration duration) const { return Instant({value_.millis - duration.toMillis(), value_.nanos, 0}); }
  TimestampValue value() const { return value_; }
  std::string toString() const;
  auto operator<=>(const Instant&) const = default;

 private:
  TimestampValue value_;
};

/// A wall-clock date and time without a zone, to the nanosecond.
class LocalDateTime {
 public:
  constexpr LocalDateTime() = default;
  explicit constexpr LocalDateTime(TimestampValue value) : value_(value) {}
  static LocalDateTime of(int year, int month, int day, int hour, int minute, int second = 0, int nano = 0);
  /// `2024-05-05T07:00:00[.fffffffff]`; seconds may be missing, a blank may stand for the T.
  static LocalDateTime parse(std::string_view text);
  LocalDateTime plus(Duration duration) const { return LocalDateTime({value_.millis + duration.toMillis(), value_.nanos, 0}); }
  TimestampValue value() const { return value_; }
  std::string toString() const;
  auto operator<=>(const LocalDateTime&) const = default;

 private:
  TimestampValue value_;
};

class LocalDate {
 public:
  constexpr LocalDate() = default;
  static LocalDate of(int year, int month, int day);
  static constexpr LocalDate ofEpochDay(int32_t days) { LocalDate date; date.days_ = days; return date; }
  static LocalDate parse(std::string_view text);
  int32_t toEpochDay() const { return days_; }
  std::string toString() const;
  auto operator<=>(const LocalDate&) const = default;

 private:
  int32_t days_ = 0;
};

/// A time of day, to the millisecond.
class LocalTime {
 public:
  constexpr LocalTime() = default;
  static LocalTime of(int hour, int minute, int second = 0, int milli = 0);
  static constexpr LocalTime ofMilliOfDay(int32_t millis) { LocalTime time; time.millis_ = millis; return time; }
  static LocalTime parse(std::string_view text);
  int32_t toMilliOfDay() const { return millis_; }
  std::string toString() const;
  auto operator<=>(const LocalTime&) const = default;

 private:
  int32_t millis_ = 0;
};

/// An exact decimal of up to 38 digits; as a column DECIMAL(38, 18).
class Decimal {
 public:
  constexpr Decimal() = default;
  constexpr Decimal(int128 unscaled, int scale) : unscaled_(unscaled), scale_(scale) {}
  Decimal(int value) : unscaled_(value) {}                            // NOLINT: meant to convert
  explicit Decimal(std::string_view text);
  int128 unscaled() const { return unscaled_; }
  int scale() const { return scale_; }
  double toDouble() const;
  /// As BigDecimal.toString.
  std::string toString() const;
  /// The unscaled value at another scale, rounded half up; throws when it has more than 38 digits.
  int128 atScale(int scale) const;
  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend Decimal operator-(const Decimal& a, const Decimal& b);
  friend Decimal operator*(const Decimal& a, const Decimal& b);
  Decimal& operator+=(const Decimal& other) { return *this = *this + other; }
  /// By value: 1.0 equals 1.00.
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }

 private:
  int128 unscaled_ = 0;
  int scale_ = 0;
};

}  // namespace thalweg::api
