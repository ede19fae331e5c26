#include "common/types/dates/date_pattern.h"


#include "common/types/dates/datetime_text.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

DatePattern compiled(std::string_view pattern) {
  auto result = DatePattern::compile(pattern);
  REQUIRE(result);
  return *result;
}

std::string format(std::string_view text, std::string_view pattern) {
  std::string out;
  const Status status = compiled(pattern).append(out, *parseTimestamp(text));
  return status.isOk() ? out : "failed";
}

std::string parsed(std::string_view text, std::string_view pattern) {
  const auto value = toTimestamp(text, compiled(pattern));
  return value ? dateTimeText(writeIsoTimestamp, *value) : "null";
}

TEST_CASE("timestamps print by the letters of java.time") {
  constexpr std::string_view kFirst = "2024-02-09 03:04:05.006007008";
  CHECK(format(kFirst, "yyyy-MM-dd HH:mm:ss") == "2024-02-09 03:04:05");
  CHECK(format(kFirst, "yyyy-MM-dd HH:mm") == "2024-02-09 03:04");
  CHECK(format(kFirst, "yyyy-MM-dd") == "2024-02-09");
  CHECK(format(kFirst, "yy/M/d h:m:s a") == "24/2/9 3:4:5 AM");
  CHECK(format(kFirst, "yyyyMMddHHmmssSSS") == "20240209030405006");
  CHECK(format(kFirst, "SSSSSS|SSSSSSSSS|D") == "006007|006007008|40");
  CHECK(format(kFirst, "dd. MMM yyyy, EEEE d MMMM, EEE Q") == "09. Feb 2024, Friday 9 February, Fri 1");
  CHECK(format(kFirst, "'at' HH 'o''clock' kk") == "at 03 o'clock 03");
  CHECK(format("0009-07-04 00:00:00.1", "yyyy yy kk h a") == "0009 09 24 12 AM");
  CHECK(format("2024-04-01 13:14:15.123", "e|ee|c|w|ww|W|YYYY|YY|F|G|GGGG|GGGGG|u|q|QQ|QQQ|QQQQ|MMMMM|L|A|n|N|g|B") ==
        "2|02|2|14|14|1|2024|24|1|AD|Anno Domini|A|2024|2|02|Q2|2nd quarter|A|4|47655123|123000000|47655123000000|60401|in the afternoon");
  CHECK(format("2020-12-31 05:00:00", "w YYYY W F") == "1 2021 5 3");
  CHECK(format("2024-04-01 03:00:00", "yyyy[-MM ppH] ppppd") == "2024-04  3    1");
  CHECK(format("2024-04-01 03:00:00", "") == "");
}

TEST_CASE("a zone is what a timestamp cannot print") {
  CHECK(format("2024-04-01 03:00:00", "yyyy z") == "failed");
  CHECK(format("2024-04-01 03:00:00", "yyyy[ XXX]") == "2024");
}

TEST_CASE("patterns that mean nothing are refused") {
  for (const char* bad : {"bogus pattern {", "no such pattern", "MMMMMM", "HHH", "'open", "yyyy]", "SSSSSSSSSS", "cc", "pp"}) {
    CHECK_FALSE(DatePattern::compile(bad));
  }
  CHECK(DatePattern::compile("j").status().message() == "date pattern 'j' is not valid: unknown pattern letter: j");
}

TEST_CASE("text is read by the same letters") {
  CHECK(parsed("29/02/2024", "dd/MM/yyyy") == "2024-02-29T00:00");
  CHECK(parsed("20240229", "yyyyMMdd") == "2024-02-29T00:00");
  CHECK(parsed("20240229101112123", "yyyyMMddHHmmssSSS") == "2024-02-29T10:11:12.123");
  CHECK(parsed("2024-02-29 23:59", "yyyy-MM-dd HH:mm") == "2024-02-29T23:59");
  CHECK(parsed("Feb 29, 2024", "MMM d, yyyy") == "2024-02-29T00:00");
  CHECK(parsed("02/29/24 11:05:06 PM", "MM/dd/yy hh:mm:ss a") == "2024-02-29T23:05:06");
  CHECK(parsed("2024-060", "yyyy-DDD") == "2024-02-29T00:00");
  CHECK(parsed("Thu 2024-02-29", "EEE yyyy-MM-dd") == "2024-02-29T00:00");
  CHECK(parsed("2024-02", "yyyy-MM[-dd]") == "2024-02-01T00:00");
  CHECK(parsed("12:30", "HH:mm") == "1970-01-01T12:30");
  CHECK(parsed("2024", "yyyy") == "2024-01-01T00:00");
  CHECK(parsed("2024-02-29 11", "yyyy-MM-dd hh") == "2024-02-29T00:00");
  CHECK(parsed("2024-W09-4", "YYYY-'W'ww-e") == "2024-02-28T00:00");
  CHECK(parsed("2024-02-29T10:11:12+02:00", "yyyy-MM-dd'T'HH:mm:ssXXX") == "2024-02-29T10:11:12");
  CHECK(parsed("2024-02-29 Europe/Paris", "yyyy-MM-dd VV") == "2024-02-29T00:00");
  CHECK(parsed("12 BC", "y G") == "-0011-01-01T00:00");
  CHECK(parsed("2024-02-29 01:02:03.4567", "yyyy-MM-dd HH:mm:ss.SSSS") == "2024-02-29T01:02:03.456");
}

TEST_CASE("text that does not fit falls back to the plain forms, or is no timestamp") {
  CHECK(parsed("2024-02-29", "yyyy-MM-dd HH:mm") == "2024-02-29T00:00");
  CHECK(parsed("2024-2-9 1:2:3", "yyyy") == "2024-02-09T01:02:03");
  CHECK(parsed(" 2024-02-29 01:02:03.4567 ", "HH:mm") == "2024-02-29T01:02:03.456");
  for (const char* bad : {"29.02.2024", "", "garbage", "2024-13-01", "Feb 29, 2024"}) {
    CHECK(parsed(bad, "yyyy-MM-dd HH:mm") == "null");
  }
  CHECK(parsed("Fri 2024-02-29", "EEE yyyy-MM-dd") == "null");
  CHECK(parsed("2024-02-29 11 pm", "yyyy-MM-dd hh a") == "null");
  CHECK(parsed("february 2024", "MMMM yyyy") == "null");
  CHECK(parsed("2902024", "ddMMyyyy") == "null");
}

}  // namespace
}  // namespace thalweg
