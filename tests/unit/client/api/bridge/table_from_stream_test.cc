#include <sstream>

#include "client/api/thalweg/stream_table_environment.h"

#include <catch2/catch.hpp>

using namespace thalweg::api;
using Catch::Matchers::Contains;

namespace {

struct User {
  std::optional<std::string> name;
  std::optional<int32_t> score;
  std::optional<Instant> event_time;
};
BOOST_DESCRIBE_STRUCT(User, (), (name, score, event_time))

using Rows = std::vector<std::string>;

Rows rowsOf(TableResult result) {
  Rows rows;
  for (RowIterator it = result.collect(); it.hasNext();) rows.push_back(it.next().toString());
  return rows;
}

std::string printed(TableResult result) {
  std::ostringstream out;
  result.print(out);
  return out.str();
}

struct Fixture {
  StreamExecutionEnvironment env = StreamExecutionEnvironment::getExecutionEnvironment();
  StreamTableEnvironment tables = StreamTableEnvironment::create(env);
  DataStream<User> users = env.fromElements(User{"Alice", 4, Instant::ofEpochMilli(1000)}, User{"Bob", 6, Instant::ofEpochMilli(1001)},
                                            User{"Alice", 10, Instant::ofEpochMilli(1002)});
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a stream's columns are its record's fields") {
  const Table table = tables.fromDataStream(users);
  CHECK(table.getResolvedSchema().toString() == "(\n  `name` STRING,\n  `score` INT,\n  `event_time` TIMESTAMP_LTZ(9)\n)");
  CHECK(rowsOf(table.execute()) ==
        Rows{"+I[Alice, 4, 1970-01-01T00:00:01Z]", "+I[Bob, 6, 1970-01-01T00:00:01.001Z]", "+I[Alice, 10, 1970-01-01T00:00:01.002Z]"});
  CHECK(rowsOf(tables.fromDataStream(env.fromElements(1, 2)).execute()) == Rows{"+I[1]", "+I[2]"});
}

TEST_CASE_METHOD(Fixture, "a schema adds computed columns and watermarks") {
  const Table proctime = tables.fromDataStream(users, Schema::newBuilder().columnByExpression("proc_time", "PROCTIME()").build());
  CHECK(proctime.getResolvedSchema().toString() ==
        "(\n  `name` STRING,\n  `score` INT,\n  `event_time` TIMESTAMP_LTZ(9),\n  `proc_time` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME* AS PROCTIME()\n)");
  const Table rowtime = tables.fromDataStream(users, Schema::newBuilder()
                                                         .columnByExpression("rowtime", "CAST(event_time AS TIMESTAMP_LTZ(3))")
                                                         .watermark("rowtime", "rowtime - INTERVAL '10' SECOND")
                                                         .build());
  CHECK(rowtime.getResolvedSchema().toString() ==
        "(\n  `name` STRING,\n  `score` INT,\n  `event_time` TIMESTAMP_LTZ(9),\n"
        "  `rowtime` TIMESTAMP_LTZ(3) *ROWTIME* AS CAST(event_time AS TIMESTAMP_LTZ(3)),\n"
        "  WATERMARK FOR `rowtime`: TIMESTAMP_LTZ(3) AS rowtime - INTERVAL '10' SECOND\n)");
  CHECK(rowsOf(rowtime.select($("name"), $("rowtime")).execute())[1] == "+I[Bob, 1970-01-01T00:00:01.001Z]");
  const Table source = tables.fromDataStream(users, Schema::newBuilder().columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)").watermark("rowtime", "SOURCE_WATERMARK()").build());
  CHECK(source.getResolvedSchema().toString() ==
        "(\n  `name` STRING,\n  `score` INT,\n  `event_time` TIMESTAMP_LTZ(9),\n  `rowtime` TIMESTAMP_LTZ(3) *ROWTIME* METADATA,\n"
        "  WATERMARK FOR `rowtime`: TIMESTAMP_LTZ(3) AS SOURCE_WATERMARK()\n)");
}

TEST_CASE_METHOD(Fixture, "a declared schema casts and reorders") {
  const Table same = tables.fromDataStream(users, Schema::newBuilder().column("name", "STRING").column("score", "BIGINT").column("event_time", "TIMESTAMP_LTZ(3)")
                                                      .watermark("event_time", "SOURCE_WATERMARK()").build());
  CHECK(same.getResolvedSchema().toString() ==
        "(\n  `name` STRING,\n  `score` BIGINT,\n  `event_time` TIMESTAMP_LTZ(3) *ROWTIME*,\n"
        "  WATERMARK FOR `event_time`: TIMESTAMP_LTZ(3) AS SOURCE_WATERMARK()\n)");
  const Table moved = tables.fromDataStream(users, Schema::newBuilder().column("event_time", "TIMESTAMP_LTZ(3)").column("name", "STRING").column("score", "INT")
                                                       .watermark("event_time", "SOURCE_WATERMARK()").build());
  CHECK(moved.getResolvedSchema().toString() == "(\n  `event_time` TIMESTAMP_LTZ(3) *ROWTIME*,\n  `name` STRING,\n  `score` INT\n)");
  CHECK(rowsOf(moved.execute())[0] == "+I[1970-01-01T00:00:01Z, Alice, 4]");
  CHECK(rowsOf(tables.fromDataStream(users, Schema::newBuilder().column("score", "INT").build()).execute()) == Rows{"+I[4]", "+I[6]", "+I[10]"});
}

TEST_CASE_METHOD(Fixture, "a single column can be the whole record, as a structured type") {
  const DataType type = DataTypes::STRUCTURED("User", {DataTypes::FIELD("name", DataTypes::STRING()), DataTypes::FIELD("score", DataTypes::INT()),
                                                       DataTypes::FIELD("event_time", DataTypes::TIMESTAMP_LTZ(9))});
  const Table table = tables.fromDataStream(users, Schema::newBuilder().column("f0", type).build()).as("user");
  CHECK(table.getResolvedSchema().toString() == "(\n  `user` *User<`name` STRING,`score` INT,`event_time` TIMESTAMP_LTZ(9)>*\n)");
  CHECK(rowsOf(table.select($("user").get("name")).execute()) == Rows{"+I[Alice]", "+I[Bob]", "+I[Alice]"});
}

TEST_CASE_METHOD(Fixture, "what a schema cannot find is named") {
  CHECK_THROWS_WITH(tables.fromDataStream(users, Schema::newBuilder().column("nme", "STRING").build()),
                    Contains("Unable to find a field named 'nme' in the physical data type") && Contains("Currently available fields are: [name, score, event_time]"));
  CHECK_THROWS_WITH(tables.fromDataStream(users, Schema::newBuilder().column("name", "STRING").watermark("rt", "source_watermark()").build()),
                    Contains("Invalid column name 'rt' for rowtime attribute in watermark declaration. Available columns are: [name, score, event_time]"));
  CHECK_THROWS_WITH(tables.fromDataStream(users, Schema::newBuilder().columnByMetadata("ts", DataTypes::BIGINT(), "offset").build()), Contains("[rowtime]"));
  CHECK_THROWS_WITH(tables.fromDataStream(users, Schema::newBuilder().primaryKey("id").build()), Contains("Column 'id' does not exist"));
  CHECK_THROWS_AS(tables.fromDataStream(users, Schema::newBuilder().column("name", "ARRAY<INT>").build()), ValidationException);
  const auto other = StreamExecutionEnvironment::getExecutionEnvironment();
  CHECK_THROWS_WITH(tables.fromDataStream(other.fromElements(1)), Contains("another StreamExecutionEnvironment"));
  CHECK_THROWS_WITH(tables.fromDataStream(env.fromElements(Row::of(nullptr))), Contains("returns("));
}

TEST_CASE_METHOD(Fixture, "fields by expressions: renamed, picked, with time attributes") {
  const Table named = tables.fromDataStream(users, $("name").as("username"), $("score"));
  CHECK(named.getResolvedSchema().toString() == "(\n  `username` STRING,\n  `score` INT\n)");
  CHECK(rowsOf(named.execute())[1] == "+I[Bob, 6]");
  const Table timed = tables.fromDataStream(users, $("name"), $("pt").proctime());
  CHECK(timed.getResolvedSchema().toString() == "(\n  `name` STRING,\n  `pt` TIMESTAMP_LTZ(3) *PROCTIME*\n)");
  CHECK(rowsOf(tables.fromDataStream(env.fromElements(std::tuple<int64_t, std::string>(12, "Alice")), $("id"), $("name")).execute()) == Rows{"+I[12, Alice]"});
  CHECK_THROWS_WITH(tables.fromDataStream(users, $("name"), $("nope")), Contains("Expected: [name, score, event_time]"));
  CHECK_THROWS_WITH(tables.fromDataStream(users, $("name").proctime()), Contains("must not replace an existing field"));
  CHECK_THROWS_AS(tables.fromDataStream(users, $("name"), $("score") + 1), ValidationException);
}

TEST_CASE_METHOD(Fixture, "a changelog stream is read by its row kinds") {
  const auto changes = env.fromElements(Row::ofKind(RowKind::INSERT, "Alice", 12), Row::ofKind(RowKind::INSERT, "Bob", 5),
                                        Row::ofKind(RowKind::UPDATE_BEFORE, "Alice", 12), Row::ofKind(RowKind::UPDATE_AFTER, "Alice", 100));
  tables.createTemporaryView("InputTable", tables.fromChangelogStream(changes));
  CHECK(printed(tables.executeSql("SELECT f0 AS name, SUM(f1) AS score FROM InputTable GROUP BY f0")) ==
        "+----+--------------------------------+-------------+\n"
        "| op |                           name |       score |\n"
        "+----+--------------------------------+-------------+\n"
        "| +I |                          Alice |          12 |\n"
        "| +I |                            Bob |           5 |\n"
        "| -D |                          Alice |          12 |\n"
        "| +I |                          Alice |         100 |\n"
        "+----+--------------------------------+-------------+\n"
        "4 rows in set\n");
}

TEST_CASE_METHOD(Fixture, "an upsert stream is completed by its key") {
  const auto changes = env.fromElements(Row::ofKind(RowKind::INSERT, "Alice", 12), Row::ofKind(RowKind::INSERT, "Bob", 5), Row::ofKind(RowKind::UPDATE_AFTER, "Alice", 100));
  const Table table = tables.fromChangelogStream(changes, Schema::newBuilder().primaryKey("f0").build(), ChangelogMode::upsert());
  tables.createTemporaryView("InputTable", table);
  CHECK_THAT(table.getResolvedSchema().toString(), Contains("CONSTRAINT `PK_f0` PRIMARY KEY (`f0`) NOT ENFORCED"));
  CHECK(rowsOf(tables.executeSql("SELECT f0 AS name, SUM(f1) AS score FROM InputTable GROUP BY f0")) == Rows{"+I[Alice, 12]", "+I[Bob, 5]", "-U[Alice, 12]", "+U[Alice, 100]"});
  CHECK_THROWS_WITH(tables.fromChangelogStream(changes, Schema::newBuilder().build(), ChangelogMode::upsert()), Contains("primary key"));
}

TEST_CASE_METHOD(Fixture, "insert-only streams refuse other kinds when they come") {
  const auto changes = env.fromElements(Row::ofKind(RowKind::INSERT, "a"), Row::ofKind(RowKind::DELETE, "a"));
  CHECK_THROWS_WITH(rowsOf(tables.fromDataStream(changes).execute()), Contains("insert-only") && Contains("-D"));
}

TEST_CASE_METHOD(Fixture, "a rowtime column needs timestamps") {
  const Table table = tables.fromDataStream(users, Schema::newBuilder().columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)").build());
  CHECK_THROWS_WITH(rowsOf(table.execute()), Contains("has no timestamp"));
}

TEST_CASE_METHOD(Fixture, "views of streams") {
  const auto pairs = env.fromElements(std::tuple<int64_t, std::optional<std::string>>(12, "Alice"), std::tuple<int64_t, std::optional<std::string>>(0, "Bob"));
  tables.createTemporaryView("A", pairs);
  CHECK(tables.from("A").getResolvedSchema().toString() == "(\n  `f0` BIGINT NOT NULL,\n  `f1` STRING\n)");
  tables.createTemporaryView("B", pairs, Schema::newBuilder().column("f0", "BIGINT").column("f1", "STRING").build());
  CHECK(tables.from("B").getResolvedSchema().toString() == "(\n  `f0` BIGINT,\n  `f1` STRING\n)");
  tables.createTemporaryView("C", tables.fromDataStream(pairs).as("id", "name"));
  CHECK(tables.from("C").getResolvedSchema().toString() == "(\n  `id` BIGINT NOT NULL,\n  `name` STRING\n)");
  CHECK(rowsOf(tables.executeSql("SELECT a.f1, c.id FROM A a JOIN C c ON a.f0 = c.id WHERE c.id > 0")) == Rows{"+I[Alice, 12]"});
}
