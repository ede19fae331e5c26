#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Answers = std::vector<std::string>;
const DataType kDate = DataType::date();
const DataType kTime = DataType::time(0);
const DataType kStamp = DataType::timestamp(3);
const DataType kInstant = DataType::timestampLtz(3);
const DataType kText = DataType::string();
const DataType kBig = DataType::bigint();
const DataType kInt = DataType::integer();

std::string extract(const std::string& unit, const DataType& type, const std::string& value) {
  return KernelHarness("EXTRACT", {DataType::symbol(), type}, {{0, s(unit)}}).of({value});
}

std::string rounded(std::string_view function, const DataType& type, const std::string& value, const std::string& unit,
                    std::string_view zone = "UTC") {
  return KernelHarness(function, {type, DataType::symbol()}, {{1, s(unit)}}, zone).of({value});
}

TEST_CASE("EXTRACT reads every unit of a date") {
  const std::vector<std::pair<std::string, std::string>> parts{
      {"MILLENNIUM", "3"}, {"CENTURY", "21"},   {"DECADE", "202"},       {"YEAR", "2020"}, {"QUARTER", "4"},
      {"MONTH", "12"},     {"WEEK", "53"},      {"DAY", "31"},           {"DOW", "5"},     {"DOY", "366"},
      {"ISODOW", "4"},     {"ISOYEAR", "2020"}, {"EPOCH", "1609372800"}, {"HOUR", "0"}};
  for (const auto& [unit, expected] : parts) {
    INFO(unit);
    CHECK(extract(unit, kDate, "2020-12-31") == expected);
  }
  CHECK(extract("WEEK", kDate, "2018-12-31") == "1");
  CHECK(extract("DOW", kDate, "1969-12-31") == "4");
}

TEST_CASE("EXTRACT reads timestamps, times and intervals") {
  CHECK(extract("MILLISECOND", kStamp, "2024-02-29 13:14:15.678") == "678");
  CHECK(extract("MICROSECOND", kStamp, "2024-02-29 13:14:15.678") == "678000");
  CHECK(extract("EPOCH", kStamp, "1900-03-01 06:07:08") == "-2203869172");
  CHECK(extract("HOUR", kStamp, "1969-12-31 23:59:59.999") == "23");
  CHECK(extract("MINUTE", kTime, "13:14:15") == "14");
  CHECK(extract("DAY", DataType::intervalSecond(), "273906000") == "3");
  CHECK(extract("HOUR", DataType::intervalSecond(), "273906000") == "4");
  CHECK(extract("MONTH", DataType::intervalMonth(), "31") == "7");
  CHECK(KernelHarness("YEAR", {kDate}).resultType() == kBig);
  CHECK(KernelHarness("DAYOFWEEK", {kStamp}).ofAll({{"2021-01-03 00:00:00"}, {"null"}}) == Answers{"1", "null"});
  CHECK(KernelHarness("HOUR", {kInstant}, {}, "Asia/Shanghai").runAll({{Value::timestamp({1707501600000, 0, 0})}}) ==
        std::vector<Value>{i(2)});
  CHECK(KernelHarness::refusal("EXTRACT", {DataType::symbol(), kDate}, {{0, s("FORTNIGHT")}}) != "");
  CHECK(KernelHarness::refusal("EXTRACT", {DataType::symbol(), kText}, {{0, s("YEAR")}}) != "");
  CHECK(KernelHarness::refusal("YEAR", {kTime}) == "a value of type TIME(0) has no YEAR");
}

TEST_CASE("FLOOR and CEIL go to the unit's beginning") {
  CHECK(rounded("FLOOR", kStamp, "2024-02-29 13:14:15.678", "HOUR") == "2024-02-29T13:00");
  CHECK(rounded("CEIL", kStamp, "2024-02-29 13:14:15.678", "WEEK") == "2024-03-03T00:00");
  CHECK(rounded("CEIL", kStamp, "2024-01-01 00:00:00", "MONTH") == "2024-01-01T00:00");
  CHECK(rounded("FLOOR", kStamp, "1969-05-17 12:30:45.5", "MINUTE") == "1969-05-17T12:30");
  CHECK(rounded("FLOOR", kStamp, "1969-05-17 12:30:45.5", "MILLENNIUM") == "1001-01-01T00:00");
  CHECK(rounded("FLOOR", kDate, "1969-05-17", "QUARTER") == "1969-04-01");
  CHECK(rounded("CEIL", kTime, "13:14:15", "MINUTE") == "13:15");
  CHECK(rounded("FLOOR", DataType::timestamp(9), "2024-02-29 13:14:15.123456789", "SECOND") == "2024-02-29T13:14:15");
  CHECK(KernelHarness::refusal("FLOOR", {kDate, DataType::symbol()}, {{1, s("FORTNIGHT")}}) != "");
}

TEST_CASE("instants are rounded on the wall clock, each hour of an autumn night by itself") {
  const auto floorHour = [](int64_t utc_ms) {
    KernelHarness floor("FLOOR", {kInstant, DataType::symbol()}, {{1, s("HOUR")}}, "America/New_York");
    return floor({Value::timestamp({utc_ms, 0, 0})}).asTimestamp().millis;
  };
  CHECK(floorHour(1730611800000) == 1730610000000);  // 05:30Z, the first 01:30
  CHECK(floorHour(1730615400000) == 1730613600000);  // 06:30Z, the second
  KernelHarness floor_day("FLOOR", {kInstant, DataType::symbol()}, {{1, s("DAY")}}, "America/New_York");
  CHECK(floor_day({Value::timestamp({1730667600000, 0, 0})}).asTimestamp().millis ==
        1730610000000);  // of the 25 hour day, with the offset of its evening
}

TEST_CASE("DATE_FORMAT writes Java's patterns") {
  const auto format = [](const std::string& pattern, const std::string& at) {
    return KernelHarness("DATE_FORMAT", {DataType::timestamp(9), kText}, {{1, s(pattern)}}).of({at});
  };
  CHECK(format("yyyy-MM-dd HH:mm:ss", "2024-02-09 03:04:05.006007008") == "2024-02-09 03:04:05");
  CHECK(format("yy/M/d h:m:s a", "1999-12-31 23:59:59.999999999") == "99/12/31 11:59:59 PM");
  CHECK(format("yyyyMMddHHmmssSSS", "2024-02-09 03:04:05.006007008") == "20240209030405006");
  CHECK(format("SSSSSSSSS", "2024-02-09 03:04:05.006007008") == "006007008");
  CHECK(format("'at' HH 'o''clock'", "1999-12-31 23:59:59") == "at 23 o'clock");
  CHECK(format("EEEE, d MMMM", "2024-02-09 00:00:00") == "Friday, 9 February");
  CHECK(KernelHarness("DATE_FORMAT", {kStamp, kText})
            .ofAll({{"2024-02-09 03:04:05", "dd.MM."}, {"2024-02-09 03:04:05", "HH"}, {"null", "HH"}}) ==
        Answers{"09.02.", "03", "null"});
  CHECK(KernelHarness("DATE_FORMAT", {kStamp, kText}, {{1, s("bogus pattern {")}}).failureOf({"2024-02-09 03:04:05"}) !=
        "");
  CHECK(KernelHarness::refusal("DATE_FORMAT", {kDate, kText}) != "");
}

TEST_CASE("DATE_FORMAT remembers a text only while it holds") {
  for (const char* pattern : {"yyyy-MM-dd", "yyyy-MM-dd HH", "HH:mm", "HH:mm:ss", "HH:mm:ss.SSS", "yyyy-MM-dd 'm'"}) {
    KernelHarness constant("DATE_FORMAT", {kStamp, kText}, {{1, s(pattern)}});
    KernelHarness column("DATE_FORMAT", {kStamp, kText});
    std::vector<KernelHarness::Row> rows, rows_with_pattern;
    for (int64_t at :
         {0, 1, 999, 1000, 59999, 60000, 3599999, 3600000, 86399999, 86400000, -1, -86400000, 86399998, 2}) {
      rows.push_back({Value::timestamp({at, 0, 0})});
      rows_with_pattern.push_back({Value::timestamp({at, 0, 0}), s(pattern)});
    }
    INFO(pattern);
    CHECK(constant.runAll(rows) == column.runAll(rows_with_pattern));
  }
}

TEST_CASE("DATE_FORMAT of text and of instants") {
  KernelHarness text("DATE_FORMAT", {kText, kText}, {{1, s("dd.MM.yyyy")}});
  CHECK(text.ofAll({{"2024-02-09 03:04:05"}, {"1999-12-31 23:59:59.5"}, {"2021-01-01"}, {"null"}}) ==
        Answers{"09.02.2024", "31.12.1999", "null", "null"});
  KernelHarness instant("DATE_FORMAT", {kInstant, kText}, {{1, s("yyyy-MM-dd HH:mm:ss.SSS")}}, "Asia/Shanghai");
  CHECK(instant({Value::timestamp({1707501600000, 0, 0})}) == s("2024-02-10 02:00:00.000"));
  CHECK(instant({Value::timestamp({615254400500, 0, 0})}) == s("1989-07-01 09:00:00.500"));
}

TEST_CASE("TO_DATE and TO_TIMESTAMP read text, NULL for what does not fit") {
  CHECK(KernelHarness("TO_DATE", {kText})
            .ofAll({{"2024-02-29"},
                    {"2024-2-9"},
                    {"29.02.2024"},
                    {"2024-02-29 10:00:00"},
                    {""},
                    {"2024-13-01"},
                    {" 2024-02-29"}}) ==
        Answers{"2024-02-29", "2024-02-09", "null", "2024-02-29", "null", "null", "2024-02-29"});
  CHECK(KernelHarness("TO_DATE", {kText, kText})
            .ofAll({{"29/02/2024", "dd/MM/yyyy"},
                    {"2024", "yyyy"},
                    {"30.02.2024", "dd.MM.yyyy"},
                    {"2024-02-29 23:59", "yyyyMMdd"}}) ==
        Answers{"2024-02-29", "2024-01-01", "2024-03-01", "2023-12-02"});
  KernelHarness stamp("TO_TIMESTAMP", {kText});
  CHECK(stamp.resultType() == kStamp);
  CHECK(stamp.ofAll({{"2024-02-29 12:34:56"},
                     {"2024-02-29 12:34:56.123456789"},
                     {"2024-02-29"},
                     {"2024-02-29T12:34:56"},
                     {""},
                     {"2024-02-29 12:34"},
                     {" 2024-02-29 12:34:56"}}) ==
        Answers{"2024-02-29T12:34:56", "2024-02-29T12:34:56.123", "2024-02-29T00:00", "null", "null", "null", "null"});
  CHECK(KernelHarness("TO_TIMESTAMP", {kText, kText})
            .ofAll({{"20240229", "yyyyMMdd"},
                    {"2024-02-29", "dd.MM.yyyy"},
                    {"02/29/24 11:05:06 PM", "MM/dd/yy hh:mm:ss a"},
                    {"2024-02-29 12:34:56", "no such pattern"}}) ==
        Answers{"2024-02-29T00:00", "2024-02-29T00:00", "2024-02-29T23:05:06", "null"});
  CHECK(KernelHarness::refusal("TO_DATE", {kDate}) != "");
}

TEST_CASE("TO_TIMESTAMP_LTZ reads numbers by precision and text by zone") {
  const auto number = [](int64_t precision, const DataType& type, const std::string& value) {
    return KernelHarness("TO_TIMESTAMP_LTZ", {type, kInt}, {{1, i(precision)}}).of({value});
  };
  CHECK(number(0, kBig, "1709210096") == "2024-02-29T12:34:56Z");
  CHECK(number(3, kBig, "-1") == "1969-12-31T23:59:59.999Z");
  CHECK(number(6, kBig, "1709210096789123") == "2024-02-29T12:34:56.789123Z");
  CHECK(number(9, kBig, "1709210096789123456") == "2024-02-29T12:34:56.789123456Z");
  CHECK(number(0, kBig, "9223372036854775807") == "null");
  CHECK(number(0, DataType::float64(), "1709210096.75") == "2024-02-29T12:34:56.750Z");
  CHECK(number(3, DataType::float64(), "-0.001") == "1969-12-31T23:59:59.999Z");
  CHECK(number(5, kBig, "1") == "1970-01-01T00:00:00.000010Z");
  CHECK(number(5, DataType::float64(), "1.5") == "1970-01-01T00:00:00.000010Z");
  CHECK(number(0, DataType::decimal(5, 2), "-1.75") == "1969-12-31T23:59:59Z");
  CHECK(number(3, DataType::decimal(3, 2), "-0.5") == "1970-01-01T00:00:00Z");
  CHECK(KernelHarness("TO_TIMESTAMP_LTZ", {kBig, kInt}).ofAll({{"5", "1"}, {"-7", "2"}}) ==
        Answers{"1970-01-01T00:00:00.500Z", "1969-12-31T23:59:59.930Z"});
  CHECK(KernelHarness("TO_TIMESTAMP_LTZ", {kBig, kInt}).failureOf({"5", "10"}) != "");
  CHECK(KernelHarness::refusal("TO_TIMESTAMP_LTZ", {kText, kText}, {{1, s("no such pattern")}}) != "");
  CHECK(KernelHarness("TO_TIMESTAMP_LTZ", {kBig}).resultType() == kInstant);
  CHECK(KernelHarness::refusal("TO_TIMESTAMP_LTZ", {kBig, kInt}, {{1, i(10)}}).find("0 to 9") != std::string::npos);
  CHECK(KernelHarness("TO_TIMESTAMP_LTZ", {kText}, {}, "America/New_York")
            .ofAll({{"2024-01-15 12:00:00"}}) == Answers{"2024-01-15T12:00:00Z"});
  CHECK(KernelHarness("TO_TIMESTAMP_LTZ", {kText}).failureOf({"nonsense"}).find("nonsense") != std::string::npos);
  KernelHarness tokyo("TO_TIMESTAMP_LTZ", {kText, kText, kText}, {{1, s("yyyy-MM-dd HH:mm:ss")}, {2, s("Asia/Tokyo")}});
  CHECK(tokyo.of({"2024-07-15 12:00:00.25"}) == "2024-07-15T03:00:00.250Z");
  CHECK(KernelHarness::refusal("TO_TIMESTAMP_LTZ", {kText, kText, kText}, {{1, s("yyyy")}, {2, s("Mars/Olympus")}}) !=
        "");
}

TEST_CASE("TIMESTAMPADD keeps the type, but a DATE with hours becomes a TIMESTAMP(6)") {
  const auto add = [](const std::string& unit, const DataType& type) {
    return KernelHarness("TIMESTAMPADD", {DataType::symbol(), kInt, type}, {{0, s(unit)}});
  };
  CHECK(add("MONTH", kStamp).of({"1", "2024-01-31 10:00:00.5"}) == "2024-02-29T10:00:00.500");
  CHECK(add("QUARTER", kStamp).of({"25", "1969-12-31 23:59:59"}) == "1976-03-31T23:59:59");
  CHECK(add("WEEK", kDate).of({"-13", "2020-02-29"}) == "2019-11-30");
  CHECK(add("HOUR", kDate).resultType() == DataType::timestamp(6));
  CHECK(add("HOUR", kDate).of({"-13", "2020-02-29"}) == "2020-02-28T11:00");
  CHECK(add("SECOND", kTime).of({"5", "23:59:58"}) == "00:00:03");
  CHECK(KernelHarness::refusal("TIMESTAMPADD", {DataType::symbol(), kInt, kText}, {{0, s("DAY")}}) != "");
}

TEST_CASE("TIMESTAMPDIFF counts whole units towards zero") {
  const auto diff = [](const std::string& unit, const DataType& a, const DataType& b, const std::string& from,
                       const std::string& to) {
    return KernelHarness("TIMESTAMPDIFF", {DataType::symbol(), a, b}, {{0, s(unit)}}).of({from, to});
  };
  CHECK(diff("MONTH", kDate, kDate, "2024-01-31", "2024-02-29") == "1");
  CHECK(diff("DAY", kDate, kStamp, "2024-02-29", "2024-01-31 10:00:00.5") == "-28");
  CHECK(diff("SECOND", kStamp, kStamp, "2024-01-31 10:00:00.5", "2024-02-29 09:59:59") == "2505598");
  CHECK(diff("YEAR", kStamp, kStamp, "2020-02-29 00:00:00", "2024-02-28 23:59:59.999") == "3");
  CHECK(diff("DAY", kTime, kTime, "10:00:00", "12:00:00") == "0");
  CHECK(diff("WEEK", kStamp, kStamp, "2023-12-25 00:00:00", "2024-01-01 00:00:00") == "1");
  const auto minus = [](const std::string& unit, const DataType& type, const std::string& to, const std::string& from) {
    return KernelHarness("MINUS_DATE", {type, type, DataType::symbol()}, {{2, s(unit)}}).of({to, from});
  };
  CHECK(minus("DAY", kDate, "2024-01-31", "2024-01-01") == "PT720H");
  CHECK(minus("MONTH", kDate, "2024-01-31", "2020-05-15") == "P44M");
  CHECK(minus("MONTH", kDate, "1968-02-29", "2020-05-15") == "P-626M");
  CHECK(minus("DAY", kStamp, "2023-12-31 00:00:00", "2024-01-01 00:00:00") == "PT-24H");
}

TEST_CASE("OVERLAPS is true when periods touch, whichever way round their ends are") {
  KernelHarness points("OVERLAPS", {kDate, kDate, kDate, kDate});
  CHECK(points.ofAll({{"2024-01-01", "2024-01-10", "2024-01-05", "2024-01-15"},
                      {"2024-01-01", "2024-01-05", "2024-01-05", "2024-01-15"},
                      {"2024-01-01", "2024-01-05", "2024-01-06", "2024-01-15"},
                      {"2024-01-10", "2024-01-01", "2024-01-15", "2024-01-05"}}) ==
        Answers{"true", "true", "false", "true"});
  KernelHarness lengths("OVERLAPS", {kDate, DataType::intervalMonth(), kDate, kDate});
  CHECK(lengths.ofAll({{"2024-01-01", "1", "2024-01-05", "2024-01-15"},
                       {"2024-01-01", "1", "2024-06-01", "2024-06-02"}}) == Answers{"true", "false"});
  KernelHarness stamps("OVERLAPS", {kStamp, DataType::intervalSecond(), kStamp, DataType::intervalSecond()});
  CHECK(stamps.ofAll({{"2024-01-01 00:00:00", "1000", "2024-01-01 00:00:01", "1000"},
                      {"2024-01-01 00:00:00", "1000", "2024-01-01 00:00:01.001", "1000"}}) == Answers{"true", "false"});
}

TEST_CASE("FROM_UNIXTIME and UNIX_TIMESTAMP use the session zone") {
  KernelHarness from("FROM_UNIXTIME", {kBig}, {}, "Asia/Kolkata");
  CHECK(from.ofAll({{"0"}, {"1709210096"}, {"-1"}, {"null"}, {"253402300799"}}) ==
        Answers{"1970-01-01 05:30:00", "2024-02-29 18:04:56", "1970-01-01 05:29:59", "null", "10000-01-01 05:29:59"});
  CHECK(KernelHarness("FROM_UNIXTIME", {kInt, kText}, {{1, s("yyyy/MM/dd HH")}}, "Asia/Kolkata").of({"86400"}) ==
        "1970/01/02 05");
  KernelHarness unix_time("UNIX_TIMESTAMP", {kText}, {}, "Asia/Kolkata");
  CHECK(unix_time.ofAll({{"1970-01-01 05:30:00"}, {"2024-02-29 18:04:56.789"}, {"null"}}) ==
        Answers{"0", "1709210096", "null"});
  CHECK(KernelHarness("UNIX_TIMESTAMP", {kText, kText}, {{1, s("yyyy-MM-dd HH:mm:ss X")}})
            .of({"2024-02-29 12:00:00 +0000"}) == "1709208000");
  CHECK(KernelHarness("UNIX_TIMESTAMP", {}).of({}) == "1714892400");
}

TEST_CASE("CONVERT_TZ moves text between zones") {
  KernelHarness convert("CONVERT_TZ", {kText, kText, kText});
  CHECK(convert.ofAll({{"2024-01-15 12:00:00", "UTC", "Asia/Tokyo"},
                       {"2024-11-03 01:30:00", "America/New_York", "UTC"},
                       {"2024-03-10 02:30:00", "America/New_York", "UTC"},
                       {"null", "UTC", "UTC"}}) ==
        Answers{"2024-01-15 21:00:00", "2024-11-03 06:30:00", "2024-03-10 07:30:00", "null"});
}

TEST_CASE("functions that read the clock see the session zone") {
  CHECK(KernelHarness("CURRENT_DATE", {}, {}, "Asia/Tokyo").of({}) == "2024-05-05");
  CHECK(KernelHarness("CURRENT_TIME", {}, {}, "Asia/Tokyo").of({}) == "16:00");
  CHECK(KernelHarness("LOCALTIMESTAMP", {}, {}, "Asia/Tokyo").of({}) == "2024-05-05T16:00");
  CHECK(KernelHarness("NOW", {}, {}, "Asia/Tokyo").of({}) == "2024-05-05T07:00:00Z");
  CHECK(KernelHarness("CURRENT_WATERMARK", {kStamp}).of({"2024-05-05 07:00:00"}) == "null");
}

}  // namespace
}  // namespace thalweg::testing
