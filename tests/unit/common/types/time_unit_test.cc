#include "common/types/time_unit.h"


#include "common/types/dates/datetime_text.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

int32_t day(std::string_view text) { return *parseDate(text); }
TimestampValue moment(std::string_view text) { return *parseTimestamp(text); }
std::string shown(int32_t days) { return dateTimeText(writeIsoDate, days); }
std::string shown(TimestampValue value) { return dateTimeText(writeIsoTimestamp, value); }

TEST_CASE("units have plural and ODBC names") {
  CHECK(parseTimeUnit("days") == TimeUnit::DAY);
  CHECK(parseTimeUnit("SQL_TSI_MONTH") == TimeUnit::MONTH);
  CHECK(parseTimeUnit("isodow") == TimeUnit::ISODOW);
  CHECK_FALSE(parseTimeUnit("FORTNIGHT"));
  CHECK_FALSE(parseTimeUnit("CENTURYS"));
  CHECK(timeUnitName(TimeUnit::MILLENNIUM) == "MILLENNIUM");
}

TEST_CASE("EXTRACT takes every unit of a date") {
  const int32_t d = day("2018-12-31");
  CHECK(extractFromDate(TimeUnit::MILLENNIUM, d) == 3);
  CHECK(extractFromDate(TimeUnit::CENTURY, day("2000-01-01")) == 20);
  CHECK(extractFromDate(TimeUnit::DECADE, d) == 201);
  CHECK(extractFromDate(TimeUnit::QUARTER, d) == 4);
  CHECK(extractFromDate(TimeUnit::WEEK, d) == 1);
  CHECK(extractFromDate(TimeUnit::ISOYEAR, d) == 2019);
  CHECK(extractFromDate(TimeUnit::ISODOW, d) == 1);
  CHECK(extractFromDate(TimeUnit::DOW, d) == 2);
  CHECK(extractFromDate(TimeUnit::DOW, day("2021-01-03")) == 1);
  CHECK(extractFromDate(TimeUnit::DOY, day("2020-12-31")) == 366);
  CHECK(extractFromDate(TimeUnit::EPOCH, day("1969-12-31")) == -86400);
  CHECK(extractFromDate(TimeUnit::HOUR, d) == 0);
}

TEST_CASE("EXTRACT is right before 1970") {
  const TimestampValue t = moment("1969-12-31 23:59:58.123456789");
  CHECK(extractFromTimestamp(TimeUnit::YEAR, t) == 1969);
  CHECK(extractFromTimestamp(TimeUnit::DAY, t) == 31);
  CHECK(extractFromTimestamp(TimeUnit::HOUR, t) == 23);
  CHECK(extractFromTimestamp(TimeUnit::SECOND, t) == 58);
  CHECK(extractFromTimestamp(TimeUnit::MILLISECOND, t) == 123);
  CHECK(extractFromTimestamp(TimeUnit::MICROSECOND, t) == 123456);
  CHECK(extractFromTimestamp(TimeUnit::NANOSECOND, t) == 123456789);
  CHECK(extractFromTimestamp(TimeUnit::EPOCH, t) == -2);
}

TEST_CASE("EXTRACT from intervals keeps the sign") {
  CHECK(extractFromDayTimeInterval(TimeUnit::DAY, -273906789) == -3);
  CHECK(extractFromDayTimeInterval(TimeUnit::MINUTE, -273906789) == -5);
  CHECK(extractFromDayTimeInterval(TimeUnit::MILLISECOND, 273906789) == 789);
  CHECK(extractFromYearMonthInterval(TimeUnit::YEAR, -377) == -31);
  CHECK(extractFromYearMonthInterval(TimeUnit::MONTH, 377) == 5);
}

TEST_CASE("FLOOR goes to the unit's beginning, weeks to Sunday") {
  const int32_t d = day("1969-05-17");
  CHECK(shown(floorDate(TimeUnit::QUARTER, d)) == "1969-04-01");
  CHECK(shown(floorDate(TimeUnit::WEEK, d)) == "1969-05-11");
  CHECK(shown(floorDate(TimeUnit::WEEK, day("2024-03-03"))) == "2024-03-03");
  CHECK(shown(floorTimestamp(TimeUnit::CENTURY, moment("1969-05-17 12:30:45.5"))) == "1901-01-01T00:00");
  CHECK(shown(floorTimestamp(TimeUnit::MILLENNIUM, moment("2001-11-15 00:00:00"))) == "2001-01-01T00:00");
  CHECK(shown(floorTimestamp(TimeUnit::MINUTE, moment("1969-05-17 12:30:45.5"))) == "1969-05-17T12:30");
  CHECK(shown(floorTimestamp(TimeUnit::WEEK, moment("1969-05-17 12:30:45.5"))) == "1969-05-11T00:00");
  CHECK(shown(floorTimestamp(TimeUnit::SECOND, moment("2024-02-29 13:14:15.123456789"))) == "2024-02-29T13:14:15");
  CHECK(shown(floorDate(TimeUnit::MONTH, day("1500-05-05"))) == "1500-05-01");
}

TEST_CASE("CEIL goes to the next beginning") {
  CHECK(shown(ceilTimestamp(TimeUnit::YEAR, moment("1969-05-17 12:30:45.5"))) == "1970-01-01T00:00");
  CHECK(shown(ceilTimestamp(TimeUnit::SECOND, moment("2023-12-31 23:59:59.999"))) == "2024-01-01T00:00");
  CHECK(shown(ceilTimestamp(TimeUnit::HOUR, moment("1969-05-17 12:30:45.5"))) == "1969-05-17T13:00");
  CHECK(shown(ceilTimestamp(TimeUnit::WEEK, moment("2023-12-31 23:59:59.999"))) == "2023-12-31T00:00");
  CHECK(shown(ceilTimestamp(TimeUnit::DECADE, moment("2020-01-01 05:00:00"))) == "2030-01-01T00:00");
  CHECK(shown(ceilTimestamp(TimeUnit::MILLISECOND, moment("2024-04-01 00:00:00.000456789"))) == "2024-04-01T00:00:00.001");
  CHECK(shown(ceilDate(TimeUnit::QUARTER, day("2024-01-01"))) == "2024-01-01");
  CHECK(shown(ceilDate(TimeUnit::QUARTER, day("2024-04-01"))) == "2024-07-01");
  CHECK(shown(ceilDate(TimeUnit::MONTH, day("2024-04-01"))) == "2024-04-01");
  CHECK(shown(ceilDate(TimeUnit::WEEK, day("2024-01-01"))) == "2024-01-07");
}

TEST_CASE("FLOOR and CEIL of times stay within the day") {
  CHECK(floorTime(TimeUnit::HOUR, 47655000) == 46800000);
  CHECK(ceilTime(TimeUnit::MINUTE, 47655000) == 47700000);
  CHECK(ceilTime(TimeUnit::HOUR, 86399000) == 0);
}

TEST_CASE("TIMESTAMPADD clips month ends") {
  CHECK(shown(addUnits(TimeUnit::QUARTER, 1, moment("2024-01-31 10:00:00.5"))) == "2024-04-30T10:00:00.500");
  CHECK(shown(addUnits(TimeUnit::WEEK, 25, moment("1969-12-31 23:59:59"))) == "1970-06-24T23:59:59");
  CHECK(shown(addUnits(TimeUnit::YEAR, -13, day("2020-02-29"))) == "2007-02-28");
  CHECK(shown(addUnits(TimeUnit::MICROSECOND, -1, moment("1970-01-01 00:00:00"))) == "1969-12-31T23:59:59.999999");
  CHECK(shown(addUnits(TimeUnit::DECADE, 5, moment("1001-01-31 10:00:00.123"))) == "1051-01-31T10:00:00.123");
}

TEST_CASE("TIMESTAMPDIFF counts whole units towards zero") {
  const TimestampValue a = moment("2020-02-29 00:00:00");
  const TimestampValue b = moment("2024-02-28 23:59:59.999");
  CHECK(unitsBetween(TimeUnit::YEAR, a, b) == 3);
  CHECK(unitsBetween(TimeUnit::QUARTER, a, b) == 15);
  CHECK(unitsBetween(TimeUnit::MONTH, a, b) == 47);
  CHECK(unitsBetween(TimeUnit::WEEK, a, b) == 208);
  CHECK(unitsBetween(TimeUnit::SECOND, a, b) == 126230399);
  CHECK(unitsBetween(TimeUnit::SECOND, b, a) == -126230399);
  CHECK(unitsBetween(TimeUnit::DAY, day("2024-02-29"), day("2024-01-31")) == -29);
  CHECK(unitsBetween(TimeUnit::HOUR, day("2024-01-31"), day("2024-02-29")) == 696);
  CHECK(unitsBetween(TimeUnit::MONTH, moment("2001-02-28 00:00:01"), moment("1001-01-31 10:00:00")) == -12001);
}

TEST_CASE("TIMESTAMPDIFF below a second counts whole seconds, as Flink does") {
  const TimestampValue a = moment("2000-01-01 00:00:00.9");
  CHECK(unitsBetween(TimeUnit::NANOSECOND, a, moment("2000-01-01 00:00:01.100000001")) == 0);
  CHECK(unitsBetween(TimeUnit::MILLISECOND, a, moment("2000-01-01 00:00:02.1")) == 1000);
  CHECK(unitsBetween(TimeUnit::MICROSECOND, moment("2000-01-01 00:00:02.1"), a) == -1'000'000);
}

}  // namespace
}  // namespace thalweg
