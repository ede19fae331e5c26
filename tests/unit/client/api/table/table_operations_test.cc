#include <algorithm>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/table_environment.h"

#include <catch2/catch.hpp>

using namespace thalweg::api;
using Catch::Matchers::Contains;

namespace {

std::vector<std::string> rowsOf(const Table& table) {
  std::vector<std::string> rows;
  for (RowIterator it = table.execute().collect(); it.hasNext();) rows.push_back(it.next().toString());
  return rows;
}

std::vector<std::string> sorted(std::vector<std::string> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

using Rows = std::vector<std::string>;

struct Fixture {
  TableEnvironment env = TableEnvironment::create(EnvironmentSettings::inBatchMode());
  Table scores = env.fromValues(row("Alice", 12), row("Bob", 10), row("Alice", 100)).as("name", "score");
};

}  // namespace

TEST_CASE_METHOD(Fixture, "select, as and names of unnamed columns") {
  CHECK(rowsOf(scores.select($("score"), $("name"))) == Rows{"+I[12, Alice]", "+I[10, Bob]", "+I[100, Alice]"});
  CHECK(scores.select($("score") + 1, $("name").as("n"), $("score").cast(DataTypes::BIGINT())).getResolvedSchema().getColumnNames() == Rows{"_c0", "n", "score"});
  CHECK(scores.select($("*")).getResolvedSchema().getColumnNames() == Rows{"name", "score"});
  CHECK(scores.select(withoutColumns($("name"))).getResolvedSchema().getColumnNames() == Rows{"score"});
  CHECK(scores.select(withColumns(range("name", "score"))).getResolvedSchema().getColumnNames() == Rows{"name", "score"});
  CHECK(scores.as("a").getResolvedSchema().getColumnNames() == Rows{"a", "score"});
  CHECK_THROWS_WITH(scores.select($("nam")), Contains("nam") && Contains("name"));
  CHECK_THROWS_AS(scores.as("a", "b", "c"), ValidationException);
  CHECK_THROWS_AS(scores.as("a", "a"), ValidationException);
}

TEST_CASE_METHOD(Fixture, "filter and distinct") {
  CHECK(rowsOf(scores.filter($("score") > 10)).size() == 2);
  CHECK(rowsOf(scores.where($("name") == "Bob")) == Rows{"+I[Bob, 10]"});
  CHECK(sorted(rowsOf(scores.select($("name")).distinct())) == Rows{"+I[Alice]", "+I[Bob]"});
  CHECK_THROWS_AS(scores.filter($("score")), ValidationException);
}

TEST_CASE_METHOD(Fixture, "groups and aggregates") {
  const Table sums = scores.groupBy($("name")).select($("name"), $("score").sum().as("total"), $("score").count(), $("score").max() - $("score").min());
  CHECK(sums.getResolvedSchema().getColumnNames() == Rows{"name", "total", "EXPR$1", "_c3"});
  CHECK(sorted(rowsOf(sums)) == Rows{"+I[Alice, 112, 2, 88]", "+I[Bob, 10, 1, 0]"});
  CHECK(rowsOf(scores.select($("name").count().distinct())) == Rows{"+I[2]"});
  CHECK(rowsOf(scores.select($("score").avg())) == Rows{"+I[40]"});
  CHECK_THROWS_AS(scores.groupBy($("name")).select($("score")), ValidationException);
}

TEST_CASE_METHOD(Fixture, "columns are added, replaced, renamed and dropped") {
  CHECK(rowsOf(scores.addColumns($("score") * 2, lit("x").as("tag")).limit(1)) == Rows{"+I[Alice, 12, 24, x]"});
  CHECK_THROWS_WITH(scores.addColumns(lit(1).as("name")), Contains("name") && Contains("addOrReplaceColumns"));
  CHECK(rowsOf(scores.addOrReplaceColumns($("name").upperCase().as("name")).limit(1)) == Rows{"+I[ALICE, 12]"});
  CHECK(scores.renameColumns($("score").as("points")).getResolvedSchema().getColumnNames() == Rows{"name", "points"});
  CHECK_THROWS_AS(scores.renameColumns($("nope").as("x")), ValidationException);
  CHECK_THROWS_AS(scores.renameColumns($("score")), ValidationException);
  CHECK(scores.dropColumns($("score")).getResolvedSchema().getColumnNames() == Rows{"name"});
  CHECK_THROWS_AS(scores.dropColumns($("nope")), ValidationException);
  CHECK_THROWS_AS(scores.dropColumns($("name"), $("score")), ValidationException);
}

TEST_CASE_METHOD(Fixture, "joins") {
  const Table cities = env.fromValues(row("Alice", "Oslo"), row("Carol", "Rome")).as("who", "city");
  CHECK(sorted(rowsOf(scores.join(cities, $("name") == $("who")).select($("name"), $("score"), $("city")))) == Rows{"+I[Alice, 100, Oslo]", "+I[Alice, 12, Oslo]"});
  CHECK(rowsOf(scores.join(cities).where($("name") == $("who")).select($("city"))).size() == 2);
  CHECK(sorted(rowsOf(scores.leftOuterJoin(cities, $("name") == $("who")).select($("name"), $("city")).distinct())) == Rows{"+I[Alice, Oslo]", "+I[Bob, null]"});
  CHECK(sorted(rowsOf(scores.rightOuterJoin(cities, $("name") == $("who")).select($("who"), $("score")))) == Rows{"+I[Alice, 100]", "+I[Alice, 12]", "+I[Carol, null]"});
  CHECK(rowsOf(scores.fullOuterJoin(cities, $("name") == $("who"))).size() == 4);
  CHECK_THROWS_WITH(scores.join(scores, lit(true)), Contains("[name, score]"));
  const TableEnvironment other = TableEnvironment::create();
  CHECK_THROWS_AS(scores.join(other.fromValues(row(1))), ValidationException);
}

TEST_CASE_METHOD(Fixture, "set operations") {
  const Table more = env.fromValues(row("Bob", 10), row("Zoe", 1)).as("name", "score");
  CHECK(rowsOf(scores.unionAll(more)).size() == 5);
  CHECK(rowsOf(scores.union_(more)).size() == 4);
  CHECK(rowsOf(scores.intersect(more)) == Rows{"+I[Bob, 10]"});
  CHECK(rowsOf(scores.intersectAll(more)) == Rows{"+I[Bob, 10]"});
  CHECK(sorted(rowsOf(scores.minus(more))) == Rows{"+I[Alice, 100]", "+I[Alice, 12]"});
  CHECK(rowsOf(scores.minusAll(more)).size() == 2);
  CHECK(rowsOf(scores.filter($("name").in(more.select($("name"))))) == Rows{"+I[Bob, 10]"});
  CHECK_THROWS_AS(scores.unionAll(more.select($("name"))), ValidationException);
}

TEST_CASE_METHOD(Fixture, "order, offset and fetch are one operator") {
  CHECK(rowsOf(scores.orderBy($("score").desc())) == Rows{"+I[Alice, 100]", "+I[Alice, 12]", "+I[Bob, 10]"});
  CHECK(rowsOf(scores.orderBy($("name").asc(), $("score").desc()).offset(1).fetch(1)) == Rows{"+I[Alice, 12]"});
  CHECK(rowsOf(scores.orderBy($("score")).limit(1, 1)) == Rows{"+I[Alice, 12]"});
  CHECK_THROWS_AS(scores.offset(-1), ValidationException);
  CHECK_THROWS_AS(scores.fetch(-1), ValidationException);
  const TableEnvironment streaming = TableEnvironment::create();
  const Table top = streaming.fromValues(row(3), row(1), row(2)).as("n").orderBy($("n").desc()).fetch(1);
  CHECK(rowsOf(top).front() == "+I[3]");
}

TEST_CASE("group windows and over windows of the Table API") {
  const TableEnvironment env = TableEnvironment::create();
  env.executeSql("CREATE TABLE bids (seq INT, ts AS TO_TIMESTAMP_LTZ(seq * 1000, 3), WATERMARK FOR ts AS ts) WITH "
                 "('connector' = 'datagen', 'fields.seq.kind' = 'sequence', 'fields.seq.start' = '0', 'fields.seq.end' = '9', "
                 "'rows-per-second' = '100000')");
  const Table bids = env.from("bids");
  const Table tumbled = bids.window(Tumble::over(lit(5).seconds()).on($("ts")).as("w")).groupBy($("w")).select($("w").start().as("s"), $("w").end(), $("seq").sum().as("sum"));
  CHECK(sorted(rowsOf(tumbled)) == Rows{"+I[1970-01-01T00:00, 1970-01-01T00:00:05, 10]", "+I[1970-01-01T00:00:05, 1970-01-01T00:00:10, 35]"});
  const Table slid = bids.window(Slide::over(lit(10).seconds()).every(lit(5).seconds()).on($("ts")).as("w")).groupBy($("w")).select($("seq").count().as("n"));
  CHECK(rowsOf(slid) == Rows{"+I[5]", "+I[10]", "+I[5]"});
  const Table sessions = bids.window(Session::withGap(lit(3).seconds()).on($("ts")).as("w")).groupBy($("w")).select($("w").rowtime(), $("seq").max());
  CHECK(rowsOf(sessions) == Rows{"+I[1970-01-01T00:00:11.999Z, 9]"});
  const Table over = bids.window(Over::orderBy($("ts")).preceding(rowInterval(1)).following(CURRENT_ROW).as("w")).select($("seq"), $("seq").sum().over($("w")).as("s"));
  CHECK(rowsOf(over.filter($("seq") == 9)) == Rows{"+I[9, 17]"});
  const Table running = bids.window(Over::partitionBy($("seq") % 2).orderBy($("ts")).as("w")).select($("seq"), $("seq").sum().over($("w")));
  CHECK(rowsOf(running.filter($("seq") == 8)) == Rows{"+I[8, 20]"});

  CHECK_THROWS_AS(bids.window(Tumble::over(lit(5).seconds()).as("w")), ValidationException);
  CHECK_THROWS_AS(bids.window(Tumble::over(lit(5).seconds()).on($("ts"))), ValidationException);
  CHECK_THROWS_AS(bids.window(Slide::over(lit(5).seconds()).on($("ts")).as("w")), ValidationException);
  CHECK_THROWS_WITH(bids.window(Tumble::over(rowInterval(5)).on($("ts")).as("w")), Catch::Contains("Event-time grouping windows on row intervals"));
  CHECK_THROWS_AS(bids.window(Tumble::over(lit(5).seconds()).on($("ts")).as("w")).groupBy($("seq")), ValidationException);
  CHECK_THROWS_AS(bids.window(Over::orderBy($("ts"))).select($("seq")), ValidationException);
}

TEST_CASE("windows that count rows fire when they are full") {
  const TableEnvironment env = TableEnvironment::create();
  env.executeSql("CREATE TABLE numbers (n INT, p AS PROCTIME()) WITH ('connector' = 'datagen', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', "
                 "'fields.n.end' = '9', 'rows-per-second' = '100000')");
  const Table numbers = env.from("numbers");
  const auto over = [&](const GroupWindow& window) { return numbers.window(window.on($("p")).as("w")); };
  CHECK(rowsOf(over(Tumble::over(rowInterval(4))).groupBy($("w")).select($("n").sum().as("s"), $("n").count())) == Rows{"+I[6, 4]", "+I[22, 4]"});
  CHECK(rowsOf(over(Slide::over(rowInterval(4)).every(rowInterval(3))).groupBy($("w")).select($("n").min(), $("n").max())) ==
        Rows{"+I[0, 3]", "+I[3, 6]", "+I[6, 9]"});
  CHECK(rowsOf(over(Slide::over(rowInterval(2)).every(rowInterval(4))).groupBy($("w")).select($("n").sum() + 100)) == Rows{"+I[101]", "+I[109]", "+I[117]"});
  CHECK(sorted(rowsOf(over(Tumble::over(rowInterval(2))).groupBy($("w"), $("n") % 2).select(($("n") % 2).as("odd"), $("n").sum()))) ==
        Rows{"+I[0, 10]", "+I[0, 2]", "+I[1, 12]", "+I[1, 4]"});
  CHECK(rowsOf(over(Tumble::over(rowInterval(4))).groupBy($("w")).select(($("n") % 2).sum().distinct().as("s"))) == Rows{"+I[1]", "+I[1]"});
  const Table counted = over(Tumble::over(rowInterval(2))).groupBy($("w"), $("n")).select($("n"));
  CHECK(rowsOf(counted).empty());

  CHECK_THROWS_AS(over(Tumble::over(rowInterval(2))).groupBy($("w")).select($("n")), ValidationException);
  CHECK_THROWS_AS(over(Tumble::over(rowInterval(0))), ValidationException);
  CHECK_THROWS_AS(over(Slide::over(rowInterval(2)).every(lit(1).seconds())), ValidationException);
  CHECK_THROWS_AS(over(Session::withGap(rowInterval(2))), ValidationException);
  CHECK_THROWS_WITH(over(Tumble::over(rowInterval(2))).groupBy($("w")).select($("w").start()), Catch::Contains("cannot be selected for a row-count window"));
  const TableEnvironment batch = TableEnvironment::create(EnvironmentSettings::inBatchMode());
  CHECK_THROWS_WITH(batch.fromValues(row(1)).as("n").addColumns(call("PROCTIME").as("p")).window(Tumble::over(rowInterval(2)).on($("p")).as("w")),
                    Catch::Contains("batch mode"));
}
