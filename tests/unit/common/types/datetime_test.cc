#include "common/types/datetime.h"


#include "common/types/dates/datetime_text.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

int32_t day(std::string_view text) { return *parseDate(text); }
TimestampValue moment(std::string_view text) { return *parseTimestamp(text); }
std::string shown(int32_t days) { return dateTimeText(writeIsoDate, days); }
std::string shown(TimestampValue value) { return dateTimeText(writeIsoTimestamp, value); }

std::string asDate(std::string_view text) {
  const auto days = parseDate(text);
  return days ? shown(*days) : "null";
}
std::string asTime(std::string_view text, int precision = 3) {
  const auto millis = parseTime(text, precision);
  return millis ? dateTimeText(writeTime, *millis, 3) : "null";
}
std::string asTimestamp(std::string_view text, int precision = 9) {
  const auto value = parseTimestamp(text, precision);
  return value ? shown(*value) : "null";
}

TEST_CASE("civil dates and days agree over ten thousand years") {
  CHECK(daysFromCivil(1970, 1, 1) == 0);
  CHECK(daysFromCivil(1, 1, 1) == -719162);
  CHECK(daysFromCivil(9999, 12, 31) == 2932896);
  CHECK(daysFromCivil(1582, 10, 15) == daysFromCivil(1582, 10, 4) + 11);  // the proleptic calendar has no gap
  for (int32_t days = -800000; days < 3000000; days += 37) {
    const CivilDate date = civilFromDays(days);
    REQUIRE(daysFromCivil(date.year, date.month, date.day) == days);
  }
}

TEST_CASE("ISO weeks at the ends of years") {
  CHECK(isoWeek(day("2021-01-03")).week == 53);
  CHECK(isoWeek(day("2021-01-03")).year == 2020);
  CHECK(isoWeek(day("2018-12-31")).week == 1);
  CHECK(isoWeek(day("2018-12-31")).year == 2019);
  CHECK(isoWeek(day("1900-03-01")).week == 9);
}

TEST_CASE("month arithmetic clips to the month's end") {
  CHECK(shown(addMonths(day("2024-01-31"), 1)) == "2024-02-29");
  CHECK(shown(addMonths(day("2024-01-31"), 13)) == "2025-02-28");
  CHECK(shown(addMonths(day("1968-02-29"), -13)) == "1967-01-29");
  CHECK(shown(addMonths(moment("1969-12-31 23:59:59.999"), -100)) == "1961-08-31T23:59:59.999");
  CHECK(monthsBetween(day("2024-01-31"), day("2024-02-29")) == 1);
  CHECK(monthsBetween(day("2020-02-29"), day("2021-02-28")) == 12);
  CHECK(monthsBetween(day("2024-02-29"), day("2024-01-31")) == -1);
  CHECK(monthsBetween(moment("2024-01-31 10:00:00.5"), moment("2024-02-29 09:59:59")) == 0);
  CHECK(monthsBetween(moment("2024-02-29 09:59:59"), moment("2024-01-31 10:00:00.5")) == -1);
}

TEST_CASE("digits are cut towards the past, before 1970 too") {
  CHECK(shown(truncateToPrecision(moment("2024-05-05 00:00:00.987654321"), 6)) == "2024-05-05T00:00:00.987654");
  CHECK(shown(truncateToPrecision(moment("1969-12-31 23:59:59.987654321"), 1)) == "1969-12-31T23:59:59.900");
  CHECK(shown(truncateToPrecision(moment("1969-12-31 23:59:59.000000001"), 0)) == "1969-12-31T23:59:59");
  CHECK(truncateTimeToPrecision(45296789, 1) == 45296700);
  CHECK(timestampOfMicros(microsOf(moment("1969-12-31 23:59:59.123456"))) == moment("1969-12-31 23:59:59.123456"));
}

TEST_CASE("TIME wraps at midnight") {
  CHECK(addToTime(23 * 3600000, 2 * kMillisPerHour) == 3600000);
  CHECK(addToTime(0, -30 * kMillisPerMinute) == 84600000);
}

TEST_CASE("text becomes a date in the forms that CAST accepts") {
  CHECK(asDate("2024-2-9") == "2024-02-09");
  CHECK(asDate(" 2024-02-29 ") == "2024-02-29");
  CHECK(asDate("2024-02-29 12:34:56Z") == "2024-02-29");
  CHECK(asDate("2024") == "2024-01-01");
  CHECK(asDate("2024-02") == "2024-02-01");
  CHECK(asDate("24-02-29") == "0024-02-29");
  CHECK(asDate("0-1-1") == "0000-01-01");
  CHECK(asDate("2024 -02-29") == "2024-01-01");
  CHECK(asDate("\t2024-01-01") == "2024-01-01");
  for (const char* bad : {"", "2023-02-29", "2024-02-29T12:34:56", "2024/02/29", "20240229", "2024-13-01", "tomorrow",
                          "10000-01-01", "-2024-01-01", "2024- 2 - 9", "2024-", "2024--1", " 2024-02-29 10:00"}) {
    CHECK(asDate(bad) == "null");
  }
}

TEST_CASE("text becomes a time in the forms that CAST accepts") {
  CHECK(asTime("7:5:3") == "07:05:03.0");
  CHECK(asTime("12:34") == "12:34:00.0");
  CHECK(asTime("12") == "12:00:00.0");
  CHECK(asTime(" 12 : 34 : 56 ") == "12:34:56.0");
  CHECK(asTime("12:34:56.789") == "12:34:56.789");
  CHECK(asTime("12:34:56.7899") == "12:34:56.79");
  CHECK(asTime("12:34:56.7899", 0) == "12:34:56.0");
  CHECK(asTime("12:34:56.9999", 0) == "12:34:57.0");
  CHECK(asTime("12:34:56+01:00") == "13:34:56.0");
  CHECK(asTime("12:34:56-1") == "11:34:56.0");
  for (const char* bad : {"", " ", "24:00:00", "23:60:00", "12:34:60", "noon", "12:", "2024-02-29 12:34:56", "12:34.5", "-1:00:00"}) {
    CHECK(asTime(bad) == "null");
  }
}

TEST_CASE("text becomes a timestamp in the forms that CAST accepts") {
  CHECK(asTimestamp("2024-02-29") == "2024-02-29T00:00");
  CHECK(asTimestamp("2024-2-9 1:2:3") == "2024-02-09T01:02:03");
  CHECK(asTimestamp("2024-02-29 12:34:56.") == "2024-02-29T12:34:56");
  CHECK(asTimestamp("2024-02-29 12:34:56.9999999", 3) == "2024-02-29T12:34:56.999");
  CHECK(asTimestamp("1969-12-31 23:59:59.5", 0) == "1969-12-31T23:59:59");
  CHECK(asTimestamp("9999-12-31 23:59:59.999999999") == "9999-12-31T23:59:59.999999999");
  CHECK(asTimestamp("+12024-01-01") == "+12024-01-01T00:00");
  CHECK(asTimestamp("2024-2- :2:3") == "2024-02-01T00:02:03");
  CHECK(asTimestamp("2024-02-30") == "2024-02-29T00:00");
  CHECK(asTimestamp("2023-02-29 10:00:00") == "2023-02-28T10:00");
  CHECK(asTimestamp("2024-02-29 24:00:00") == "2024-03-01T00:00");
  for (const char* bad : {"", " 2024-02-29 ", "2024-02-29T12:34:56", "2024-02-29 12:34", "2024", "2024-02", "24-02-29",
                          "0000-01-01", "-0001-01-01", "12024-01-01", "+2024-01-01", "2024-02-32", "2023-00-29",
                          "2024-02-29 24:00:01", "2024-02-29 12:34:56Z", "2024-02-29 12:34:56.1234567890",
                          "2024-02-29  12:34:56", "2024-111-01"}) {
    CHECK(asTimestamp(bad) == "null");
  }
}

TEST_CASE("timestamps print exactly the digits of their precision") {
  const auto sql = [](std::string_view text, int precision) { return dateTimeText(writeTimestamp, moment(text), precision); };
  CHECK(sql("2024-06-01 00:00:00", 0) == "2024-06-01 00:00:00");
  CHECK(sql("2024-06-01 00:00:00", 3) == "2024-06-01 00:00:00.000");
  CHECK(sql("2024-06-01 00:00:00.1", 9) == "2024-06-01 00:00:00.100000000");
  CHECK(sql("2024-06-01 00:00:00.5", 0) == "2024-06-01 00:00:00.5");
  CHECK(dateTimeText(writeTime, 84600000, 0) == "23:30:00");
  CHECK(dateTimeText(writeTime, 84600500, 3) == "23:30:00.5");
  CHECK(dateTimeText(writeTime, 84600567, 2) == "23:30:00.56");
}

TEST_CASE("rows print date-time in the form of java.time") {
  CHECK(shown(moment("2024-05-05 07:00:00")) == "2024-05-05T07:00");
  CHECK(shown(moment("2024-05-05 06:59:59.999")) == "2024-05-05T06:59:59.999");
  CHECK(shown(moment("2024-05-05 00:00:00.0000001")) == "2024-05-05T00:00:00.000000100");
  CHECK(dateTimeText(writeIsoInstant, moment("2024-05-05 07:00:00")) == "2024-05-05T07:00:00Z");
  CHECK(dateTimeText(writeIsoInstant, moment("2024-05-05 07:00:00.12")) == "2024-05-05T07:00:00.120Z");
  CHECK(dateTimeText(writeIsoTime, 0) == "00:00");
  CHECK(dateTimeText(writeIsoTime, 45045001) == "12:30:45.001");
  CHECK(shown(622191233) == "+1705471-09-27");
  CHECK(shown(daysFromCivil(-1, 2, 3)) == "-0001-02-03");
}

TEST_CASE("intervals print in SQL and in ISO form") {
  CHECK(dateTimeText(writeYearMonthInterval, 35) == "+2-11");
  CHECK(dateTimeText(writeYearMonthInterval, -35) == "-2-11");
  CHECK(dateTimeText(writeDayTimeInterval, int64_t{93784567}) == "+1 02:03:04.567");
  CHECK(dateTimeText(writeDayTimeInterval, int64_t{-93784567}) == "-1 02:03:04.567");
  CHECK(dateTimeText(writeIsoPeriod, 14) == "P14M");
  CHECK(dateTimeText(writeIsoPeriod, -626) == "P-626M");
  CHECK(dateTimeText(writeIsoPeriod, 0) == "P0D");
  CHECK(dateTimeText(writeIsoDuration, int64_t{36} * kMillisPerHour) == "PT36H");
  CHECK(dateTimeText(writeIsoDuration, int64_t{93784567}) == "PT26H3M4.567S");
  CHECK(dateTimeText(writeIsoDuration, -473352 * kMillisPerHour - 1) == "PT-473352H-0.001S");
  CHECK(dateTimeText(writeIsoDuration, -(208979 * kMillisPerHour + 59 * kMillisPerMinute + 59999)) == "PT-208979H-59M-59.999S");
  CHECK(dateTimeText(writeIsoDuration, int64_t{0}) == "PT0S");
}

}  // namespace
}  // namespace thalweg
