#include "common/config/configuration.h"

#include <algorithm>
#include <set>

#include "common/config/config_option.h"
#include "common/config/config_value.h"
#include "common/config/flink_keys.h"

#include <catch2/catch.hpp>

using namespace thalweg;
using namespace std::chrono_literals;

TEST_CASE("durations are read in all of Flink's forms") {
  CHECK(parseConfigDuration("10 s").value() == 10s);
  CHECK(parseConfigDuration("1min").value() == 1min);
  CHECK(parseConfigDuration(" 100ms ").value() == 100ms);
  CHECK(parseConfigDuration("2 DAYS").value() == 48h);
  CHECK(parseConfigDuration("500").value() == 500ms);
  CHECK(parseConfigDuration("7 micros").value() == 7us);
  CHECK(parseConfigDuration("0 ms").value() == 0ns);
  CHECK(parseConfigDuration("PT1H30M").value() == 90min);
  CHECK(parseConfigDuration("P1DT0.5S").value() == 24h + 500ms);
}

TEST_CASE("what is no duration is refused with the expected form") {
  for (const char* bad :
       {"", "s", "-1 s", "10 parsecs", "1.5 s", "10 s s", "99999999999 d", "P", "PT", "PT1", "PT-1S", "P1H"}) {
    const Status status = parseConfigDuration(bad).status();
    INFO(bad);
    CHECK(status.code() == StatusCode::INVALID_ARGUMENT);
    CHECK(status.message() ==
          "expected a duration such as '10 s', '1 min' or '100 ms', found '" + std::string(bad) + "'");
  }
}

TEST_CASE("memory sizes count in powers of 1024") {
  CHECK(parseConfigMemorySize("64mb").value() == 64LL << 20);
  CHECK(parseConfigMemorySize("1 GB").value() == 1LL << 30);
  CHECK(parseConfigMemorySize("512").value() == 512);
  CHECK(parseConfigMemorySize("20 kb").value() == 20 * 1024);
  for (const char* bad : {"", "mb", "-1", "1.5 gb", "9000000000 tb", "1 xb"})
    CHECK_FALSE(parseConfigMemorySize(bad).isOk());
}

TEST_CASE("booleans and numbers are whole words") {
  CHECK(parseConfigBool("TRUE").value());
  CHECK_FALSE(parseConfigBool(" false ").value());
  CHECK_FALSE(parseConfigBool("yes").isOk());
  CHECK(parseConfigInt("-1").value() == -1);
  CHECK_FALSE(parseConfigInt("1x").isOk());
  CHECK_FALSE(parseConfigInt("99999999999999999999").isOk());
  CHECK(parseConfigDouble("0.5").value() == 0.5);
  CHECK_FALSE(parseConfigDouble("half").isOk());
}

TEST_CASE("what is not set has the default of its option") {
  const Configuration configuration;
  CHECK(configuration.getInt("parallelism.default") == 1);
  CHECK(configuration.getEnum("execution.runtime-mode") == "STREAMING");
  CHECK(configuration.getDuration("pipeline.auto-watermark-interval") == 200ms);
  CHECK(configuration.getDurationMillis("pipeline.auto-watermark-interval") == 200);
  CHECK_FALSE(configuration.getBool("table.exec.mini-batch.enabled"));
  CHECK(configuration.getString("table.local-time-zone") == "default");
  CHECK_FALSE(configuration.contains("parallelism.default"));
}

TEST_CASE("values are set, read, listed by key and reset") {
  Configuration configuration;
  REQUIRE(configuration.set("parallelism.default", "4").isOk());
  REQUIRE(configuration.setPair("execution.runtime-mode=batch").isOk());
  CHECK(configuration.getInt("parallelism.default") == 4);
  CHECK(configuration.getEnum("execution.runtime-mode") == "BATCH");
  CHECK(configuration.entries().begin()->first == "execution.runtime-mode");
  REQUIRE(configuration.reset("parallelism.default").isOk());
  CHECK(configuration.getInt("parallelism.default") == 1);
  configuration.resetAll();
  CHECK(configuration.entries().empty());
}

TEST_CASE("an unknown key is an error that suggests the nearest") {
  Configuration configuration;
  const Status status = configuration.set("paralelism.default", "2");
  CHECK(status.code() == StatusCode::NOT_FOUND);
  CHECK(status.message() == "unknown configuration key 'paralelism.default'; did you mean 'parallelism.default'?");
  CHECK(configuration.reset("no.such.thing.at.all").message() == "unknown configuration key 'no.such.thing.at.all'");
}

TEST_CASE("a value of the wrong form is refused when it is set") {
  Configuration configuration;
  CHECK(configuration.set("parallelism.default", "many").message() ==
        "configuration key 'parallelism.default': expected a whole number, found 'many'");
  CHECK(configuration.set("parallelism.default", "0").message() ==
        "configuration key 'parallelism.default': expected at least 1, found '0'");
  CHECK(configuration.set("execution.runtime-mode", "fast").message() ==
        "configuration key 'execution.runtime-mode': expected one of STREAMING|BATCH|AUTOMATIC, found 'fast'");
  CHECK_FALSE(configuration.setPair("parallelism.default").isOk());
  CHECK(configuration.entries().empty());
}

TEST_CASE("keys of Flink's without effect are accepted with a warning that names them") {
  Configuration configuration;
  for (const char* key :
       {"table.optimizer.join-reorder-enabled", "state.backend.local-recovery", "execution.checkpointing.incremental",
        "metrics.reporter.mine.interval", "metrics.reporter.mine.filter.includes", "rest.port"}) {
    INFO(key);
    CHECK(configuration.set(key, "anything").isOk());
    REQUIRE(ignoredKeyWarning(key).has_value());
    CHECK(ignoredKeyWarning(key)->find(key) != std::string::npos);
    CHECK(configuration.find(key) == "anything");
  }
  CHECK_FALSE(ignoredKeyWarning("parallelism.default").has_value());
  CHECK_FALSE(findIgnoredFlinkKey("metrics.reporter").has_value());
  CHECK_FALSE(findIgnoredFlinkKey("metrics.reporter..x").has_value());
}

TEST_CASE("a key that would change answers may only be set to its default") {
  Configuration configuration;
  CHECK(configuration.set("table.exec.legacy-cast-behaviour", "DISABLED").isOk());
  CHECK(configuration.set("table.exec.legacy-cast-behaviour", "ENABLED").code() == StatusCode::NOT_SUPPORTED);
  CHECK(configuration.set("table.sql-dialect", "hive").code() == StatusCode::NOT_SUPPORTED);
}

TEST_CASE("older names lead to the present ones") {
  Configuration configuration;
  REQUIRE(configuration.set("execution.type", "batch").isOk());
  CHECK(configuration.getEnum("execution.runtime-mode") == "BATCH");
  CHECK(configuration.find("execution.type") == "batch");
  CHECK(configuration.set("state.checkpoints.dir", "x").isOk());
  CHECK(configuration.find("execution.checkpointing.dir") == "x");
}

TEST_CASE("the table of options is sorted, described, and its defaults are valid") {
  const auto options = configOptions();
  CHECK(std::is_sorted(options.begin(), options.end(), [](const auto& a, const auto& b) { return a.key < b.key; }));
  std::set<std::string_view> seen;
  for (const ConfigOption& option : options) {
    INFO(option.key);
    CHECK(seen.insert(option.key).second);
    CHECK_FALSE(option.description.empty());
    CHECK_FALSE(findIgnoredFlinkKey(option.key).has_value());
    if (!option.default_value.empty()) CHECK(checkConfigValue(option, option.default_value).isOk());
    CHECK((option.type == ConfigType::ENUM) == !option.enum_values.empty());
  }
  for (const std::string_view key : ignoredFlinkKeys()) {
    INFO(key);
    CHECK(seen.insert(key).second);
    CHECK(findConfigOption(key).isOk());
  }
}
