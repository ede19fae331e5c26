#include "common/types/time_zone.h"


#include "common/types/dates/datetime_text.h"
#include "common/types/zone_file.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

int64_t ms(std::string_view text) { return parseTimestamp(text)->millis; }
std::string shown(int64_t millis) { return dateTimeText(writeIsoTimestamp, TimestampValue{millis, 0, 0}); }

TimeZone zone(std::string_view id) {
  auto result = TimeZone::of(id);
  REQUIRE(result);
  return *result;
}

TEST_CASE("a gap moves forward and an overlap has two answers") {
  const TimeZone york = zone("America/New_York");
  CHECK(shown(york.toUtcMs(ms("2024-03-10 01:59:59"))) == "2024-03-10T06:59:59");
  CHECK(shown(york.toUtcMs(ms("2024-03-10 02:30:00"))) == "2024-03-10T07:30");
  CHECK(shown(york.toUtcMs(ms("2024-03-10 03:00:00"))) == "2024-03-10T07:00");
  CHECK(shown(york.toUtcMs(ms("2024-11-03 01:30:00"))) == "2024-11-03T05:30");
  CHECK(shown(york.toUtcMs(ms("2024-11-03 01:30:00"), Overlap::LATER)) == "2024-11-03T06:30");
  CHECK(shown(york.toUtcMs(ms("2024-11-03 02:00:00"), Overlap::LATER)) == "2024-11-03T07:00");
  CHECK(shown(york.toLocalMs(ms("2024-03-10 06:59:59"))) == "2024-03-10T01:59:59");
  CHECK(shown(york.toLocalMs(ms("2024-03-10 07:00:00"))) == "2024-03-10T03:00");
}

TEST_CASE("rules go on for ever, and there was local time before them") {
  const TimeZone york = zone("America/New_York");
  CHECK(york.offsetMsAt(ms("2100-07-01 00:00:00")) == -4 * 3600000);
  CHECK(york.offsetMsAt(ms("9999-07-01 00:00:00")) == -4 * 3600000);
  CHECK(york.offsetMsAt(ms("9999-12-31 00:00:00")) == -5 * 3600000);
  CHECK(york.offsetMsAt(ms("0001-01-01 00:00:00")) == -(4 * 3600 + 56 * 60 + 2) * 1000);
  CHECK(zone("Asia/Kolkata").offsetMsAt(ms("9999-07-01 00:00:00")) == 19800000);
  CHECK(zone("Asia/Shanghai").offsetMsAt(ms("1989-07-01 00:00:00")) == 9 * 3600000);
}

TEST_CASE("a cursor gives the same answers as its zone") {
  const TimeZone berlin = zone("Europe/Berlin");
  ZoneCursor cursor(berlin);
  ZoneCursor later(berlin, Overlap::LATER);
  for (int64_t t = ms("1890-01-01 00:00:00"); t < ms("2300-01-01 00:00:00"); t += 7 * 1800000 + 86400000 * 3) {
    REQUIRE(cursor.toLocalMs(t) == berlin.toLocalMs(t));
  }
  for (int64_t t = ms("2024-03-30 00:00:00"); t < ms("2024-11-01 00:00:00"); t += 900000) {
    REQUIRE(cursor.toUtcMs(t) == berlin.toUtcMs(t));
    REQUIRE(later.toUtcMs(t) == berlin.toUtcMs(t, Overlap::LATER));
  }
}

TEST_CASE("zone ids are those of java.time") {
  CHECK(TimeZone().id() == "UTC");
  CHECK(TimeZone().isUtc());
  CHECK(zone("UTC+8").offsetMsAt(0) == 28800000);
  CHECK(zone("GMT-03:00").id() == "GMT-03:00");
  CHECK(zone("+0530").id() == "+05:30");
  CHECK(zone("-18:00").offsetMsAt(0) == -64800000);
  CHECK(zone("Z").isUtc());
  CHECK(zone("PST").id() == "America/Los_Angeles");
  CHECK(zone("EST").offsetMsAt(0) == -18000000);
  for (const char* bad : {"", "Mars/Olympus", "GMT+800", "+19:00", "../etc/passwd", "/etc/localtime", "utc", "posix/UTC", "+1:00"}) {
    CHECK_FALSE(TimeZone::of(bad));
  }
  CHECK(TimeZone::of("Mars/Olympus").status().message().find("Mars/Olympus") != std::string::npos);
}

TEST_CASE("the session takes only ids that both of Java's libraries know") {
  for (const char* good : {"UTC", "Europe/Berlin", "GMT+08:00", "GMT+8", "CET"}) CHECK(TimeZone::ofSession(good));
  for (const char* bad : {"UTC+8", "+05:30", "PST", "Z", "GMT+8:00"}) CHECK_FALSE(TimeZone::ofSession(bad));
}

TEST_CASE("unknown ids are GMT to java.util.TimeZone") {
  CHECK(TimeZone::ofLenient("nowhere").isUtc());
  CHECK(TimeZone::ofLenient("UTC+8").isUtc());
  CHECK(TimeZone::ofLenient("GMT+800").offsetMsAt(0) == 28800000);
  CHECK(TimeZone::ofLenient("Asia/Tokyo").offsetMsAt(0) == 32400000);
}

TEST_CASE("yearly rules of POSIX are understood in all their forms") {
  const auto first = [](std::string_view text) { return changesInYear(*parseYearlyRule(text), 2024)[0]; };
  CHECK(shown(first("CET-1CEST,M3.5.0,M10.5.0/3").begin_utc_s * 1000) == "2024-03-31T01:00");
  CHECK(first("IST-1GMT0,M10.5.0,M3.5.0/1").offset_s == 3600);
  CHECK(shown(first("<-02>2<-01>,M3.5.0/-1,M10.5.0/0").begin_utc_s * 1000) == "2024-03-31T01:00");
  CHECK(shown(first("AAA3BBB,J60/0,J300/0").begin_utc_s * 1000) == "2024-03-01T03:00");
  CHECK(shown(first("AAA3BBB,59/0,300/0").begin_utc_s * 1000) == "2024-02-29T03:00");
  CHECK(parseYearlyRule("<+0330>-3:30")->standard_offset_s == 12600);
  for (const char* bad : {"", "CET", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0", "<CET-1"}) CHECK_FALSE(parseYearlyRule(bad));
}

TEST_CASE("a damaged zone file is refused") {
  CHECK_FALSE(parseZoneFile(""));
  CHECK_FALSE(parseZoneFile("TZif2 and then some text that is no header at all"));
  std::string huge = "TZif2" + std::string(39, '\xff');
  CHECK_FALSE(parseZoneFile(huge));
  CHECK_FALSE(parseZoneFile(huge + huge));
}

}  // namespace
}  // namespace thalweg
