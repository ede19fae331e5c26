
#include "common/plan/catalog/connector_descriptor.h"

#include <catch2/catch.hpp>

using namespace thalweg;

namespace {

const Schema kSchema({{"id", DataType::integer()}, {"flag", DataType::boolean()}});

std::string problem(const OptionMap& options, TableUse use = TableUse::SOURCE) {
  auto found = resolveConnector("t", options, kSchema, use);
  return found.isOk() ? "" : found.status().message();
}

}  // namespace

TEST_CASE("an unknown connector is refused with the nearest name") {
  CHECK(problem({{"connector", "filesytem"}}) == "table t: unknown connector 'filesytem'; did you mean 'filesystem'?");
}

TEST_CASE("a connector of Flink's that is not built is refused by name") {
  auto found = resolveConnector("t", {{"connector", "kafka"}}, kSchema, TableUse::SOURCE);
  CHECK(found.status().code() == StatusCode::NOT_SUPPORTED);
}

TEST_CASE("format options are known under their format's name only") {
  OptionMap options = {{"connector", "filesystem"}, {"path", "/x"}, {"format", "csv"}, {"csv.null-literal", "~"}};
  CHECK(problem(options).empty());
  options["json.ignore-parse-errors"] = "true";
  CHECK(problem(options).find("unknown option 'json.ignore-parse-errors'") != std::string::npos);
}

TEST_CASE("values are checked against their option's type") {
  OptionMap options = {{"connector", "filesystem"}, {"path", "/x"}, {"format", "json"}};
  options["json.timestamp-format.standard"] = "UNIX";
  CHECK(problem(options) == "table t: option 'json.timestamp-format.standard' must be one of SQL|ISO-8601, but is 'UNIX'");
}

TEST_CASE("datagen's field options must name columns, and sequences need numbers and bounds") {
  OptionMap options = {{"connector", "datagen"}, {"fields.nope.min", "1"}};
  CHECK(problem(options).find("names the column 'nope'") != std::string::npos);
  CHECK(problem({{"connector", "datagen"}, {"fields.id.kind", "sequence"}, {"fields.id.start", "1"}})
            .find("'fields.id.end' is required") != std::string::npos);
  CHECK(problem({{"connector", "datagen"}, {"fields.flag.kind", "sequence"}}).find("cannot be a sequence") != std::string::npos);
}

TEST_CASE("boundedness follows from the options") {
  const auto bounded = [](const OptionMap& options) {
    auto found = resolveConnector("t", options, kSchema, TableUse::SOURCE);
    REQUIRE(found.isOk());
    return found->isBounded(options);
  };
  CHECK_FALSE(bounded({{"connector", "datagen"}}));
  CHECK(bounded({{"connector", "datagen"}, {"number-of-rows", "3"}}));
  OptionMap files = {{"connector", "filesystem"}, {"path", "/x"}, {"format", "csv"}};
  CHECK(bounded(files));
  files["source.monitor-interval"] = "1 s";
  CHECK_FALSE(bounded(files));
  CHECK_FALSE(bounded({{"connector", "nexmark"}, {"events.num", "0"}}));
  CHECK(bounded({{"connector", "nexmark"}, {"events.num", "100"}}));
}

TEST_CASE("sinks cannot be read, sources cannot be written") {
  CHECK(problem({{"connector", "blackhole"}}).find("can only be written") != std::string::npos);
  CHECK(problem({{"connector", "datagen"}}, TableUse::SINK).find("can only be read") != std::string::npos);
}

TEST_CASE("a changelog format reads and writes all kinds of rows") {
  OptionMap options = {{"connector", "filesystem"}, {"path", "/x"}, {"format", "debezium-json"}};
  auto found = resolveConnector("t", options, kSchema, TableUse::SOURCE);
  REQUIRE(found.isOk());
  CHECK(found->readMode() == ChangelogMode::all());
}
