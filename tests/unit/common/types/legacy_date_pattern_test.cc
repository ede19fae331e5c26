#include "common/types/dates/legacy_date_pattern.h"

#include <limits>

#include "common/types/dates/datetime_text.h"
#include "common/types/dates/hybrid_calendar.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

constexpr int64_t kNowMs = 1'717'200'000'000;  // 2024-06-01

ZoneCursor cursor(std::string_view id) { return ZoneCursor(*TimeZone::of(id), Overlap::LATER); }

LegacyDatePattern compiled(std::string_view pattern) {
  auto result = LegacyDatePattern::compile(pattern);
  REQUIRE(result);
  return *result;
}

std::string format(int64_t seconds, std::string_view pattern, std::string_view zone = "UTC") {
  std::string out;
  ZoneCursor in_zone = cursor(zone);
  compiled(pattern).append(out, seconds * 1000, in_zone);
  return out;
}

std::string date(std::string_view text, std::string_view pattern) {
  return dateTimeText(writeIsoDate, toDate(text, compiled(pattern), kNowMs));
}

int64_t seconds(std::string_view text, std::string_view pattern, std::string_view zone = "UTC") {
  ZoneCursor in_zone = cursor(zone);
  return unixTimestamp(text, compiled(pattern), in_zone, kNowMs);
}

TEST_CASE("instants print in the zone by the letters of SimpleDateFormat") {
  CHECK(format(0, "yyyy-MM-dd HH:mm:ss", "Asia/Kolkata") == "1970-01-01 05:30:00");
  CHECK(format(1709210096, "yyyy/MM/dd HH", "Asia/Kolkata") == "2024/02/29 18");
  CHECK(format(1709210096, "EEE") == "Thu");
  CHECK(format(253402300799, "yyyy-MM-dd HH:mm:ss", "Asia/Kolkata") == "10000-01-01 05:29:59");
  CHECK(format(1711977255, "u|E|w|ww|W|YYYY|YY|F|G|D|k|K|h|S|SSS|L|LLL|MMMMM|z|zzzz|Z|X|a|y|yyy|yyyyy") ==
        "1|Mon|14|14|1|2024|24|1|AD|92|13|1|1|0|000|4|Apr|April|UTC|Coordinated Universal Time|+0000|Z|PM|2024|2024|02024");
  CHECK(format(0, "Z X XX XXX", "GMT-03:30") == "-0330 -03 -0330 -03:30");
  CHECK(format(1709210096, "yyyy-MM-dd'T'HH:mm:ss", "Asia/Kolkata") == "2024-02-29T18:04:56");
}

TEST_CASE("dates before the change of calendars are Julian") {
  CHECK(format(-12219292800, "yyyy-MM-dd") == "1582-10-15");
  CHECK(format(-12219292801, "yyyy-MM-dd") == "1582-10-04");
  CHECK(hybridFromDays(kFirstGregorianDay - 1) == CivilDate{1582, 10, 4});
  CHECK(date("1582-10-04", "yyyy-MM-dd") == "1582-10-14");
  CHECK(date("1582-10-15", "yyyy-MM-dd") == "1582-10-15");
  CHECK(date("0001-01-01", "yyyy-MM-dd") == "0000-12-30");
}

TEST_CASE("reading is lenient and stops where the pattern ends") {
  CHECK(date("29/02/2024", "dd/MM/yyyy") == "2024-02-29");
  CHECK(date("20240229", "yyyyMMdd") == "2024-02-29");
  CHECK(date("2024-02-29", "yyyyMMdd") == "2023-12-02");
  CHECK(date("2024-060", "yyyyMMdd") == "2024-01-29");
  CHECK(date("2024-05", "yyyyMMdd") == "2023-12-05");
  CHECK(date("02/29/24 11:05:06 PM", "dd/MM/yyyy") == "0026-04-30");
  CHECK(date("02/29/24 11:05:06 PM", "MM/dd/yy hh:mm:ss a") == "2024-02-29");
  CHECK(date("30.02.2024", "dd.MM.yyyy") == "2024-03-01");
  CHECK(date("Feb 29, 2024", "MMM d, yyyy") == "2024-02-29");
  CHECK(date("12:30", "HH:mm") == "1970-01-01");
  CHECK(date("2024-02-29 and more", "yyyy-MM-dd") == "2024-02-29");
}

TEST_CASE("text that does not fit gives Flink's odd date or the lowest BIGINT") {
  CHECK(date("2024", "dd/MM/yyyy") == "+1705471-09-27");
  CHECK(date("12:30", "yyyyMMdd") == "+1705471-09-27");
  CHECK(seconds("not a time", "yyyy-MM-dd HH:mm:ss") == std::numeric_limits<int64_t>::min());
}

TEST_CASE("seconds since 1970 depend on the zone, or on the offset in the text") {
  CHECK(seconds("2024-02-29 18:04:56.789", "yyyy-MM-dd HH:mm:ss", "Asia/Kolkata") == 1709210096);
  CHECK(seconds("1-2-2024 0:00", "dd-MM-yyyy HH:mm", "Asia/Kolkata") == 1706725800);
  CHECK(seconds("2024-02-29 12:00:00 +0000", "yyyy-MM-dd HH:mm:ss X", "Asia/Kolkata") == 1709208000);
  CHECK(seconds("2024-02-29 12:00:00.500", "yyyy-MM-dd HH:mm:ss.SSS", "Asia/Kolkata") == 1709188200);
  CHECK(seconds("2024-11-03 01:30:00", "yyyy-MM-dd HH:mm:ss", "America/New_York") == 1730615400);
  CHECK(seconds("2024-03-10 02:30:00", "yyyy-MM-dd HH:mm:ss", "America/New_York") == 1710055800);
}

TEST_CASE("two-digit years lie within a hundred years from 80 years ago") {
  CHECK(date("01/07/44", "dd/MM/yy") == "1944-07-01");
  CHECK(date("01/05/44", "dd/MM/yy") == "2044-05-01");
  CHECK(date("01/05/43", "dd/MM/yy") == "2043-05-01");
  CHECK(date("01/05/1", "dd/MM/yy") == "0001-04-29");
}

TEST_CASE("legacy patterns that mean nothing are refused") {
  for (const char* bad : {"no such pattern", "'open", "XXXX", "yyyy-MM-dd n"}) CHECK_FALSE(LegacyDatePattern::compile(bad));
}

}  // namespace
}  // namespace thalweg
