#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "client/api/thalweg/descriptors.h"
#include "client/api/thalweg/exception.h"

#include <catch2/catch.hpp>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace thalweg::api;
namespace d = thalweg::descriptors;
using Catch::Matchers::Contains;

namespace {

/// What the deprecated forms say on standard error.
class ErrorOutput {
 public:
  ErrorOutput() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~ErrorOutput() { std::cerr.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

std::string createText(const TableEnvironment& env, const std::string& table) {
  return env.executeSql("SHOW CREATE TABLE " + table).collect().next().getFieldAs<std::string>(0);
}

d::Schema logSchema() {
  d::Schema schema;
  schema.column("user_id", DataTypes::BIGINT())
      .column("user_name", DataTypes::STRING())
      .column("score", DataTypes::DECIMAL(10, 2))
      .column("log_ts", DataTypes::STRING())
      .column("part_field_0", DataTypes::STRING())
      .column("part_field_1", DataTypes::INT())
      .proctime("proc")
      .computedColumn("my_ts", "TO_TIMESTAMP(log_ts)")
      .watermarkFor("my_ts")
      .boundedOutOfOrderTimestamps(Duration::ofSeconds(5))
      .primaryKey("user_id");
  return schema;
}

constexpr const char* kColumns =
    "  `user_id` BIGINT NOT NULL,\n"
    "  `user_name` VARCHAR(2147483647),\n"
    "  `score` DECIMAL(10, 2),\n"
    "  `log_ts` VARCHAR(2147483647),\n"
    "  `part_field_0` VARCHAR(2147483647),\n"
    "  `part_field_1` INT,\n"
    "  `proc` AS PROCTIME(),\n"
    "  `my_ts` AS TO_TIMESTAMP(`log_ts`),\n"
    "  WATERMARK FOR `my_ts` AS `my_ts` - INTERVAL '5' SECOND,\n"
    "  CONSTRAINT `PK_user_id` PRIMARY KEY (`user_id`) NOT ENFORCED\n"
    ")\n"
    "PARTITIONED BY (`part_field_0`, `part_field_1`)\n";

struct File {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("thalweg_descriptors_" + std::to_string(::getpid()));
  File() { std::ofstream(path) << "a,1\nb,2\n"; }
  ~File() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("a kafka descriptor is the table that DDL would declare, and says so") {
  const auto env = TableEnvironment::create();
  const ErrorOutput errors;
  env.createTemporaryTable("MyTable", d::Kafka()
                                          .version("0.11")
                                          .topic("user_logs")
                                          .property("bootstrap.servers", "localhost:9092")
                                          .property("group.id", "test-group")
                                          .startFromEarliest()
                                          .sinkPartitionerRoundRobin()
                                          .format(d::Json().ignoreParseErrors(false))
                                          .schema(logSchema())
                                          .partitionedBy("part_field_0", "part_field_1"));
  const std::string expected = std::string("CREATE TEMPORARY TABLE `default_catalog`.`default_database`.`MyTable` (\n") + kColumns +
                               "WITH (\n  'connector' = 'kafka',\n  'format' = 'json',\n  'json.ignore-parse-errors' = 'false',\n"
                               "  'properties.bootstrap.servers' = 'localhost:9092',\n  'properties.group.id' = 'test-group',\n"
                               "  'scan.startup.mode' = 'earliest-offset',\n  'sink.partitioner' = 'round-robin',\n  'topic' = 'user_logs'\n)\n";
  CHECK(createText(env, "MyTable") == expected);
  CHECK_THAT(errors.text(), Contains("deprecated") && Contains(expected));
  CHECK_THROWS_WITH(env.from("MyTable"), Contains("connector 'kafka' is not built"));
}

TEST_CASE("a connector by name and options has today's name and values") {
  const auto env = TableEnvironment::create();
  const ErrorOutput errors;
  env.createTemporaryTable("MyTable", d::Connector("kafka-0.11")
                                          .option("topic", "user_logs")
                                          .option("scan.startup.mode", "earliest")
                                          .option("format", "json")
                                          .option("json.ignore-parse-errors", "true")
                                          .schema(logSchema())
                                          .partitionedBy("part_field_0", "part_field_1"));
  CHECK(createText(env, "MyTable") == std::string("CREATE TEMPORARY TABLE `default_catalog`.`default_database`.`MyTable` (\n") + kColumns +
                                          "WITH (\n  'connector' = 'kafka',\n  'format' = 'json',\n  'json.ignore-parse-errors' = 'true',\n"
                                          "  'scan.startup.mode' = 'earliest-offset',\n  'topic' = 'user_logs'\n)\n");
}

TEST_CASE("connect() declares files with times") {
  const File file;
  const auto env = TableEnvironment::create();
  const ErrorOutput errors;
  env.connect(d::FileSystem().path(file.path.string()))
      .withFormat(d::Csv().fieldDelimiter(','))
      .withSchema(d::Schema().field("id", DataTypes::STRING()).field("ts", DataTypes::BIGINT()).field("pt", DataTypes::TIMESTAMP(3)).proctime())
      .inAppendMode()
      .createTemporaryTable("timed");
  CHECK(env.from("timed").getResolvedSchema().toString() ==
        "(\n  `id` STRING,\n  `ts` BIGINT,\n  `pt` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME* AS PROCTIME()\n)");
  CHECK(env.sqlQuery("SELECT id, ts FROM timed").execute().collect().next().toString() == "+I[a, 1]");
  env.connect(d::FileSystem().path(file.path.string()))
      .withFormat(d::Csv())
      .withSchema(d::Schema()
                      .field("id", "STRING")
                      .field("ts", "BIGINT")
                      .field("rt", "TIMESTAMP(3)")
                      .rowtime(d::Rowtime().timestampsFromField("ts").watermarksPeriodicBounded(1500)))
      .createTemporaryTable("evented");
  CHECK(env.from("evented").getResolvedSchema().toString() ==
        "(\n  `id` STRING,\n  `ts` BIGINT,\n  `rt` TIMESTAMP_LTZ(3) *ROWTIME* AS TO_TIMESTAMP_LTZ(`ts`, 3),\n"
        "  WATERMARK FOR `rt`: TIMESTAMP_LTZ(3) AS `rt` - INTERVAL '1.500' SECOND\n)");
}

TEST_CASE("schemas of descriptors: what is missing is named") {
  CHECK_THROWS_WITH(d::Schema().field("t", "BIGINT").rowtime(d::Rowtime().watermarksPeriodicBounded(1)), Contains("timestampsFromField"));
  CHECK_THROWS_WITH(d::Schema().field("t", "BIGINT").rowtime(d::Rowtime().timestampsFromField("x")), Contains("watermarksPeriodicBounded"));
  CHECK_THROWS_WITH(d::Schema().proctime(), Contains("follows a field"));
  CHECK_THROWS_AS(d::Rowtime().watermarksPeriodicBounded(-1), ValidationException);
  CHECK_THAT(d::Schema().field("t", "TIMESTAMP(3)").rowtime(d::Rowtime().timestampsFromField("x").watermarksPeriodicAscending()).toSchema().toString(),
             Contains("INTERVAL '0.001' SECOND"));
  CHECK(d::Schema().field("b", "INT").from("a").toSchema().toString() == "(\n  `a` INT,\n  `b` AS `a`\n)");
  CHECK(d::Schema().field("n", "STRING").field("t", "TIMESTAMP(3)").rowtime(d::Rowtime().timestampsFromSource().watermarksFromSource()).toSchema().toString() ==
        "(\n  `n` STRING,\n  `t` TIMESTAMP_LTZ(3) METADATA FROM 'rowtime',\n  WATERMARK FOR `t` AS SOURCE_WATERMARK()\n)");
  CHECK(d::Schema().field("x", "STRING").watermarkFor("x").ascendingTimestamps().toSchema().toString() == "(\n  `x` STRING,\n  WATERMARK FOR `x` AS `x` - INTERVAL '0.001' SECOND\n)");
}

TEST_CASE("option keys of old DDL are taken, and shown in today's words") {
  const File file;
  const auto env = TableEnvironment::create();
  const ErrorOutput errors;
  env.sqlUpdate("CREATE TABLE old_table (id STRING, n INT) WITH ('connector.type' = 'filesystem', 'connector.path' = '" + file.path.string() +
                "', 'format.type' = 'csv', 'format.field-delimiter' = ',', 'format.derive-schema' = 'true', 'update-mode' = 'append')");
  CHECK_THAT(createText(env, "old_table"), Contains("WITH (\n  'connector' = 'filesystem',\n  'csv.field-delimiter' = ',',\n  'format' = 'csv',\n  'path' = '"));
  CHECK_THAT(errors.text(), Contains("use executeSql()") && Contains("today they are written WITH ('connector' = 'filesystem'"));
  CHECK(env.from("old_table").execute().collect().next().toString() == "+I[a, 1]");
}

TEST_CASE("INSERTs of sqlUpdate() wait for execute()") {
  const File file;
  const auto env = TableEnvironment::create(EnvironmentSettings::inBatchMode());
  const ErrorOutput errors;
  const std::string out = file.path.string() + "_out";
  env.executeSql("CREATE TABLE copied (n INT) WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = '" + out + "')");
  CHECK_THROWS_WITH(env.execute("nothing"), Contains("No statements to execute"));
  env.sqlUpdate("INSERT INTO copied VALUES (1)");
  env.sqlUpdate("INSERT INTO copied VALUES (2)");
  CHECK_FALSE(std::filesystem::exists(out));
  env.execute("copy").await();
  CHECK(env.sqlQuery("SELECT SUM(n) FROM copied").execute().collect().next().toString() == "+I[3]");
  CHECK_THROWS_WITH(env.sqlUpdate("SELECT 1"), Contains("sqlQuery()"));
  std::filesystem::remove_all(out);
}
