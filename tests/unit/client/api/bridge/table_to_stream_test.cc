#include <algorithm>
#include <atomic>

#include "client/api/thalweg/keyed_stream.h"
#include "client/api/thalweg/stream_table_environment.h"

#include <catch2/catch.hpp>

using namespace thalweg::api;
using Catch::Matchers::Contains;

namespace {

struct User {
  std::string name;
  int32_t score = 0;
};
BOOST_DESCRIBE_STRUCT(User, (), (name, score))

struct Swapped {
  int64_t score = 0;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(Swapped, (), (score, name))

using Rows = std::vector<std::string>;

template <typename T>
Rows textsOf(const DataStream<T>& stream) {
  Rows rows;
  for (const T& record : stream.executeAndCollect().toVector()) rows.push_back(textOf(record));
  return rows;
}

Rows sorted(Rows rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

struct Fixture {
  StreamExecutionEnvironment env = StreamExecutionEnvironment::getExecutionEnvironment();
  StreamTableEnvironment tables = StreamTableEnvironment::create(env);
  Table scores() { return tables.fromDataStream(env.fromElements(Row::of("Alice", 12), Row::of("Bob", 10), Row::of("Alice", 100))).as("name", "score"); }
  Table sums() {
    tables.createTemporaryView("InputTable", scores());
    return tables.sqlQuery("select name, sum(score) as totalScore from InputTable group by name");
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a table becomes rows with names") {
  CHECK(textsOf(tables.toDataStream(scores().filter($("score") > 10))) == Rows{"+I[Alice, 12]", "+I[Alice, 100]"});
  const auto names = tables.toDataStream(scores()).map([](const Row& row) { return row.getFieldAs<std::string>("name"); });
  CHECK(textsOf(names) == Rows{"Alice", "Bob", "Alice"});
}

TEST_CASE_METHOD(Fixture, "a table becomes records, by name and with casts") {
  CHECK(textsOf(tables.toDataStream<User>(scores())) == Rows{"User(Alice,12)", "User(Bob,10)", "User(Alice,100)"});
  CHECK(textsOf(tables.toDataStream<Swapped>(scores())) == Rows{"Swapped(12,Alice)", "Swapped(10,Bob)", "Swapped(100,Alice)"});
  CHECK(textsOf(tables.toDataStream<User>(scores().as("a", "b")))[1] == "User(Bob,10)");   // by position
  CHECK(textsOf(tables.toDataStream(scores(), DataTypes::ROW({DataTypes::FIELD("score", DataTypes::DOUBLE()), DataTypes::FIELD("name", DataTypes::STRING())})))[0] == "+I[12.0, Alice]");
  const auto named = [](const char* first, const char* second) {
    return DataTypes::STRUCTURED("User", {DataTypes::FIELD(first, DataTypes::INT()), DataTypes::FIELD(second, DataTypes::STRING())});
  };
  CHECK(textsOf(tables.toDataStream<User>(scores(), named("score", "name")))[2] == "User(Alice,100)");
  CHECK_THROWS_WITH(tables.toDataStream<User>(scores(), named("points", "name")), Contains("does not have the fields of the stream's record type"));
  CHECK(textsOf(tables.toDataStream<int64_t>(scores().select($("score")))) == Rows{"12", "10", "100"});
  CHECK_THROWS_WITH(tables.toDataStream<User>(scores().select($("name"))),
                    Contains("do not match.\nCause: Different number of columns.") && Contains("Sink schema:  [name: STRING NOT NULL, score: INT NOT NULL]"));
  CHECK_THROWS_WITH(tables.toDataStream<User>(scores().select($("score"), $("name")).as("x", "y")), Contains("Incompatible types for sink column"));
}

TEST_CASE_METHOD(Fixture, "an updating table is a changelog, and refused as inserts") {
  CHECK(textsOf(tables.toChangelogStream(sums())) == Rows{"+I[Alice, 12]", "+I[Bob, 10]", "-U[Alice, 12]", "+U[Alice, 112]"});
  CHECK_THROWS_WITH(tables.toDataStream(tables.sqlQuery("select name, sum(score) as totalScore from InputTable group by name")),
                    Contains("doesn't support consuming update changes which is produced by node GroupAggregate(groupBy=[name], select=[name, SUM(score) AS "));
  CHECK_THROWS_AS(tables.toChangelogStream(tables.from("InputTable").groupBy($("name")).select($("name")), Schema::newBuilder().build(), ChangelogMode::insertOnly()), ValidationException);
}

TEST_CASE_METHOD(Fixture, "an upsert changelog leaves old images out") {
  const Schema schema = Schema::newBuilder().column("name", DataTypes::STRING().notNull()).column("totalScore", DataTypes::INT()).primaryKey("name").build();
  CHECK(textsOf(tables.toChangelogStream(sums(), schema, ChangelogMode::upsert())) == Rows{"+I[Alice, 12]", "+I[Bob, 10]", "+U[Alice, 112]"});
  CHECK_THROWS_WITH(tables.toChangelogStream(tables.from("InputTable"), Schema::newBuilder().column("name", "STRING").column("score", "INT").build(), ChangelogMode::upsert()), Contains("primary key"));
}

TEST_CASE("batch mode gives final rows") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setRuntimeMode(RuntimeExecutionMode::BATCH);
  const auto tables = StreamTableEnvironment::create(env);
  tables.createTemporaryView("InputTable", tables.fromDataStream(env.fromElements(Row::of("Alice", 12), Row::of("Bob", 10), Row::of("Alice", 100))).as("name", "score"));
  const Table sums = tables.sqlQuery("select name, sum(score) as totalScore from InputTable group by name");
  CHECK(sorted(textsOf(tables.toChangelogStream(sums))) == Rows{"+I[Alice, 112]", "+I[Bob, 10]"});
  CHECK(sorted(textsOf(tables.toDataStream(sums))) == Rows{"+I[Alice, 112]", "+I[Bob, 10]"});
}

TEST_CASE("settings choose the mode; AUTOMATIC is refused") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  CHECK(StreamTableEnvironment::create(env, EnvironmentSettings::inBatchMode()).getConfig().get("execution.runtime-mode") == "batch");
  env.setRuntimeMode(RuntimeExecutionMode::AUTOMATIC);
  CHECK_THROWS_WITH(StreamTableEnvironment::create(env), Contains("AUTOMATIC"));
}

TEST_CASE_METHOD(Fixture, "a table run at once leaves the program pending, and what nobody reads does not run") {
  const Table table = tables.fromDataStream(env.fromElements(1, 2)).as("n");
  auto seen = std::make_shared<std::vector<int32_t>>();
  tables.toDataStream(table).addSink([seen](const Row& row) { seen->push_back(row.getFieldAs<int32_t>("n")); });
  tables.toDataStream(table.select(1 / ($("n") - 1)));   // would fail, but nobody reads it
  RowIterator rows = table.execute().collect();
  CHECK(rows.next().toString() == "+I[1]");
  CHECK(rows.next().toString() == "+I[2]");
  CHECK_FALSE(rows.hasNext());
  CHECK(seen->empty());
  env.execute();
  CHECK(*seen == std::vector<int32_t>{1, 2});
}

TEST_CASE_METHOD(Fixture, "a rowtime column becomes the timestamp of records") {
  tables.executeSql("CREATE TABLE g (name STRING, seq INT, event_time AS TO_TIMESTAMP_LTZ(seq * 1000, 3), WATERMARK FOR event_time AS event_time) WITH "
                    "('connector' = 'datagen', 'fields.name.length' = '2', 'fields.seq.kind' = 'sequence', 'fields.seq.start' = '1', 'fields.seq.end' = '3', 'rows-per-second' = '100000')");
  const Table table = tables.from("g").select($("name"), $("seq"), $("event_time"));
  const Table back = tables.fromDataStream(tables.toDataStream(table), Schema::newBuilder().columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)").watermark("rowtime", "SOURCE_WATERMARK()").build());
  CHECK(textsOf(tables.toDataStream(back.select($("seq"), $("rowtime").cast(DataTypes::STRING())))) ==
        Rows{"+I[1, 1970-01-01 00:00:01.000]", "+I[2, 1970-01-01 00:00:02.000]", "+I[3, 1970-01-01 00:00:03.000]"});
  const auto changes = tables.toChangelogStream(table, Schema::newBuilder().column("name", "string").column("seq", "int").columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)").build());
  CHECK(changes.executeAndCollect().toVector()[2].getArity() == 2);
  CHECK_THROWS_WITH(tables.toDataStream(table.select($("event_time"), $("event_time").as("again"))), Contains("more than one rowtime attribute column [event_time, again]"));
}

TEST_CASE_METHOD(Fixture, "a statement set joins the program") {
  tables.executeSql("CREATE TABLE nowhere (name STRING, score INT) WITH ('connector' = 'blackhole')");
  StreamStatementSet set = tables.createStatementSet();
  set.attachAsDataStream();                   // nothing to attach
  CHECK_THROWS_WITH(set.execute(), Contains("empty"));
  CHECK_THROWS_AS(set.addInsertSql("SELECT 1"), ValidationException);
  set.addInsert("nowhere", scores()).addInsertSql("INSERT INTO nowhere VALUES ('x', 1)");
  set.attachAsDataStream();
  env.execute();
  scores().executeInsert("nowhere").await();
}

TEST_CASE_METHOD(Fixture, "one table becomes several streams of one program") {
  tables.executeSql("CREATE TABLE g (seq INT) WITH ('connector' = 'datagen', 'fields.seq.kind' = 'sequence', 'fields.seq.start' = '1', 'fields.seq.end' = '2', 'rows-per-second' = '100000')");
  const auto sum = std::make_shared<std::atomic<int>>(0);
  for (int i = 0; i < 2; ++i) {
    tables.toDataStream(tables.from("g")).addSink([sum](const Row& row) { *sum += row.getFieldAs<int32_t>(0); });
  }
  env.execute();
  CHECK(*sum == 6);
}

TEST_CASE_METHOD(Fixture, "whoever produces updates is named, wherever it stands") {
  tables.createTemporaryView("t", scores());
  const auto refused = [&](const std::string& query, const std::string& node) {
    INFO(query);
    CHECK_THROWS_WITH(tables.toDataStream(tables.sqlQuery(query)), Contains("doesn't support consuming update changes which is produced by node " + node));
  };
  refused("SELECT name, COUNT(*) AS c FROM t GROUP BY name", "GroupAggregate(groupBy=[name]");
  refused("SELECT c + 1 FROM (SELECT COUNT(*) AS c FROM t)", "GroupAggregate(select=[COUNT(");
  refused("SELECT name FROM t UNION ALL SELECT CAST(COUNT(*) AS STRING) FROM t", "GroupAggregate(");
  refused("SELECT a.name, b.score FROM t a LEFT JOIN t b ON a.score = b.score + 1", "Join(joinType=[LeftOuterJoin]");
  refused("SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY score DESC) AS n FROM t) WHERE n < 2", "Rank(");
  refused("SELECT DISTINCT name FROM t", "GroupAggregate(groupBy=[name], select=[name])");
}

TEST_CASE("in batch mode a stream of changes is no table") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setRuntimeMode(RuntimeExecutionMode::BATCH);
  const auto tables = StreamTableEnvironment::create(env);
  const auto changes = env.fromElements(Row::ofKind(RowKind::INSERT, "a", 1), Row::ofKind(RowKind::DELETE, "a", 1));
  CHECK_THROWS_WITH(tables.toDataStream(tables.fromChangelogStream(changes)), Contains("INSERT-only"));
  const Schema schema = Schema::newBuilder().build();
  CHECK(textsOf(tables.toDataStream(tables.fromChangelogStream(env.fromElements(Row::of("a", 1)), schema, ChangelogMode::insertOnly()))) == Rows{"+I[a, 1]"});
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

TEST_CASE_METHOD(Fixture, "the older forms give records, or changes with a flag") {
  CHECK(textsOf(tables.toAppendStream(scores().filter($("score") > 10))) == Rows{"+I[Alice, 12]", "+I[Alice, 100]"});
  CHECK(textsOf(tables.toAppendStream<User>(scores()))[1] == "User(Bob,10)");
  const Table totals = sums();
  CHECK(textsOf(tables.toRetractStream(totals)) == Rows{"(true,+I[Alice, 12])", "(true,+I[Bob, 10])", "(false,-U[Alice, 12])", "(true,+U[Alice, 112])"});
  CHECK(textsOf(tables.toRetractStream<User>(totals)) ==
        Rows{"(true,User(Alice,12))", "(true,User(Bob,10))", "(false,User(Alice,12))", "(true,User(Alice,112))"});
  const DataType named = DataTypes::ROW({DataTypes::FIELD("who", DataTypes::STRING()), DataTypes::FIELD("points", DataTypes::BIGINT())});
  const auto rows = tables.toRetractStream(totals, named);
  CHECK(textsOf(rows.map([](const std::tuple<bool, Row>& change) { return std::get<1>(change).getFieldAs<int64_t>("points"); })) == Rows{"12", "10", "12", "112"});
  // Flagged rows are records like others: they cross tasks, and have keys.
  const auto counted = rows.keyBy([](const std::tuple<bool, Row>& change) { return std::get<1>(change).getFieldAs<std::string>(0); })
                           .map([](const std::tuple<bool, Row>& change) { return std::string(std::get<0>(change) ? "+" : "-") + std::get<1>(change).getFieldAs<std::string>(0); });
  CHECK(sorted(textsOf(counted)) == Rows{"+Alice", "+Alice", "+Bob", "-Alice"});
  CHECK_THROWS_WITH(tables.toAppendStream(totals), Contains("doesn't support consuming update changes"));
  CHECK_THROWS_AS(tables.toRetractStream(totals, DataTypes::ROW({DataTypes::FIELD("a", DataTypes::BOOLEAN())})), ValidationException);
}

#pragma GCC diagnostic pop
