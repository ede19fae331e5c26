#include <sstream>
#include <thread>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/table_environment.h"

#include <catch2/catch.hpp>

using namespace thalweg::api;
namespace table = thalweg::table;
using Catch::Matchers::Contains;

namespace {

using Rows = std::vector<std::string>;

Rows rowsOf(TableResult result) {
  Rows rows;
  for (RowIterator it = result.collect(); it.hasNext();) rows.push_back(it.next().toString());
  return rows;
}

struct Length : table::ScalarFunction {
  int32_t eval(const std::string& text) { return static_cast<int32_t>(text.size()); }
};
struct Describe : table::ScalarFunction {
  std::string eval(const std::optional<std::string>& text, int64_t n) { return text.value_or("nothing") + "/" + std::to_string(n); }
};
struct Pair : table::ScalarFunction {
  Row eval(const std::string& text) { return Row::of(text, static_cast<int32_t>(text.size())); }
  DataType getResultType() const override { return DataTypes::ROW({DataTypes::FIELD("a", DataTypes::STRING()), DataTypes::FIELD("b", DataTypes::INT())}); }
};
struct Nameless : table::ScalarFunction {
  Row eval(int32_t n) { return Row::of(n); }
};
struct Failing : table::ScalarFunction {
  int32_t eval(int32_t n) { return n == 2 ? throw std::runtime_error("two is too much") : n; }
};
struct Counting : table::ScalarFunction {
  int calls = 0;
  std::string prefix;
  void open(const table::FunctionContext& context) override { prefix = context.getJobParameter("pipeline.name", "unnamed"); }
  bool isDeterministic() const override { return false; }
  std::string eval(int32_t n) { return prefix + std::to_string(n) + "#" + std::to_string(++calls); }
};
struct FirstField : table::ScalarFunction {
  std::string eval(const Row& row) { return row.getFieldAs<std::string>(0); }
};

struct Split : table::TableFunction<std::string> {
  void eval(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) collect(word);
  }
};
struct Word {
  std::string word;
  int32_t length = 0;
};
BOOST_DESCRIBE_STRUCT(Word, (), (word, length))
struct SplitWords : table::TableFunction<Word> {
  void eval(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) collect({word, static_cast<int32_t>(word.size())});
  }
};

struct WeightedSum {
  int64_t sum = 0;
  int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(WeightedSum, (), (sum, count))
struct WeightedAverage : table::AggregateFunction<std::optional<int32_t>, WeightedSum> {
  WeightedSum createAccumulator() { return {}; }
  void accumulate(WeightedSum& acc, int32_t value, int32_t weight) {
    acc.sum += int64_t{value} * weight;
    acc.count += weight;
  }
  std::optional<int32_t> getValue(const WeightedSum& acc) {
    return acc.count == 0 ? std::nullopt : std::optional<int32_t>(static_cast<int32_t>(acc.sum / acc.count));
  }
};
struct RetractingAverage : WeightedAverage {
  void retract(WeightedSum& acc, int32_t value, int32_t weight) {
    acc.sum -= int64_t{value} * weight;
    acc.count -= weight;
  }
  void merge(WeightedSum& into, const WeightedSum& from) {
    into.sum += from.sum;
    into.count += from.count;
  }
};
struct Extremes {
  std::optional<int32_t> mn;
  std::optional<int32_t> mx;
};
BOOST_DESCRIBE_STRUCT(Extremes, (), (mn, mx))
struct MinMax : table::AggregateFunction<Extremes, Extremes> {
  Extremes createAccumulator() { return {}; }
  void accumulate(Extremes& acc, int32_t value) {
    acc.mn = acc.mn ? std::min(*acc.mn, value) : value;
    acc.mx = acc.mx ? std::max(*acc.mx, value) : value;
  }
  Extremes getValue(const Extremes& acc) { return acc; }
};
struct Top2 : table::TableAggregateFunction<std::tuple<int32_t, int32_t>, Extremes> {
  Extremes createAccumulator() { return {}; }
  void accumulate(Extremes& acc, int32_t value) {   // mx: first, mn: second
    if (!acc.mx || value > *acc.mx) acc.mn = std::exchange(acc.mx, value);
    else if (!acc.mn || value > *acc.mn) acc.mn = value;
  }
  void emitValue(const Extremes& acc, Collector<std::tuple<int32_t, int32_t>>& out) {
    if (acc.mx) out.collect({*acc.mx, 1});
    if (acc.mn) out.collect({*acc.mn, 2});
  }
};

struct Fixture {
  explicit Fixture(const EnvironmentSettings& settings = EnvironmentSettings::inStreamingMode()) : env(TableEnvironment::create(settings)) {}
  TableEnvironment env;
  Table source() const {
    return env
        .fromValues(DataTypes::ROW({DataTypes::FIELD("s", DataTypes::STRING()), DataTypes::FIELD("n", DataTypes::INT())}), row("hello world", 1), row("", 2),
                    row("a b c", 3));
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "scalar functions are found by SQL and by call()") {
  env.createTemporarySystemFunction("len", Length());
  env.createTemporarySystemFunction<Describe>("describe_it");
  env.createTemporarySystemFunction("twice", [](int32_t n) { return 2 * n; });
  env.createTemporaryView("src", source());
  CHECK(rowsOf(env.executeSql("SELECT len(s), TWICE(n) FROM src")) == Rows{"+I[11, 2]", "+I[0, 4]", "+I[5, 6]"});
  CHECK(rowsOf(source().select(call("len", $("s"))).execute()) == Rows{"+I[11]", "+I[0]", "+I[5]"});
  CHECK(rowsOf(env.executeSql("SELECT describe_it(NULLIF(s, ''), n) FROM src WHERE n < 3")) == Rows{"+I[hello world/1]", "+I[nothing/2]"});
  CHECK(env.listUserDefinedFunctions() == Rows{"describe_it", "len", "twice"});
  CHECK(env.dropTemporarySystemFunction("LEN"));
  CHECK_FALSE(env.dropTemporarySystemFunction("len"));
  CHECK_THROWS_AS(env.sqlQuery("SELECT len(s) FROM src"), ValidationException);
}

TEST_CASE_METHOD(Fixture, "functions stand in expressions without a name") {
  CHECK(rowsOf(source().select(call(Length(), $("s")), call([](int32_t n) { return 2 * n; }, $("n")).as("twice")).execute()) ==
        Rows{"+I[11, 2]", "+I[0, 4]", "+I[5, 6]"});
  CHECK(rowsOf(source().joinLateral(call(Split(), $("s")).as("w")).select($("w")).fetch(2).execute()).size() == 2);
  CHECK(rowsOf(source().select(call(WeightedAverage(), $("n"), 1).as("q")).execute()).back() == "+U[2]");
  CHECK_THROWS_WITH(source().select(call(Length(), $("n"))), Contains("argument 1 of 'Length' takes STRING NOT NULL"));
}

TEST_CASE_METHOD(Fixture, "an argument that cannot be missing makes a function strict") {
  env.createTemporarySystemFunction("twice", [](int32_t n) { return 2 * n; });
  const Table table = env.sqlQuery("SELECT twice(n) AS x, twice(1) AS y FROM (VALUES (1), (CAST(NULL AS INT))) AS t (n)");
  CHECK(table.getResolvedSchema().toString() == "(\n  `x` INT,\n  `y` INT NOT NULL\n)");
  CHECK(rowsOf(table.execute()) == Rows{"+I[2, 2]", "+I[null, 2]"});
}

TEST_CASE_METHOD(Fixture, "what does not fit a function is refused with its signature") {
  env.createTemporarySystemFunction("len", Length());
  env.createTemporaryView("src", source());
  CHECK_THROWS_WITH(env.sqlQuery("SELECT len(n) FROM src"), Contains("argument 1 of 'len' takes STRING NOT NULL, but was given INT"));
  CHECK_THROWS_AS(env.sqlQuery("SELECT len(s, s) FROM src"), ValidationException);
  CHECK_THROWS_WITH(env.createTemporarySystemFunction("len", Length()), Contains("A function named 'len' does already exist."));
  CHECK_THROWS_WITH(env.createTemporarySystemFunction("nameless", Nameless()), Contains("getResultType()"));
  CHECK_THROWS_AS(env.createTemporarySystemFunction("", Length()), ValidationException);
}

TEST_CASE_METHOD(Fixture, "what a function throws ends the job with the function's name") {
  env.createTemporarySystemFunction("failing", Failing());
  env.createTemporaryView("src", source());
  CHECK_THROWS_WITH(rowsOf(env.executeSql("SELECT failing(n) FROM src")), Contains("function 'failing' failed: two is too much"));
}

TEST_CASE_METHOD(Fixture, "open() sees settings, and a function keeps its fields from row to row") {
  env.getConfig().set("pipeline.name", "job ");
  env.createTemporarySystemFunction("counting", Counting());
  env.createTemporaryView("src", source());
  CHECK(rowsOf(env.executeSql("SELECT counting(n) FROM src")) == Rows{"+I[job 1#1]", "+I[job 2#2]", "+I[job 3#3]"});
}

TEST_CASE_METHOD(Fixture, "rows go in and out of functions") {
  env.createTemporarySystemFunction("pair", Pair());
  env.createTemporarySystemFunction("first_field", FirstField());
  const Table pairs = source().select(call("pair", $("s")).as("p"));
  CHECK(pairs.getResolvedSchema().toString() == "(\n  `p` ROW<`a` STRING, `b` INT>\n)");
  CHECK(rowsOf(pairs.select(call("first_field", $("p")), $("p").get("b")).execute()) == Rows{"+I[hello world, 11]", "+I[, 0]", "+I[a b c, 5]"});
  const Table mapped = source().map(call("pair", $("s")));
  CHECK(mapped.getResolvedSchema().toString() == "(\n  `a` STRING,\n  `b` INT\n)");
  CHECK(rowsOf(mapped.execute()) == Rows{"+I[hello world, 11]", "+I[, 0]", "+I[a b c, 5]"});
  CHECK(source().map(call("pair", $("s"))).as("x", "y").getResolvedSchema().getColumnNames() == Rows{"x", "y"});
  CHECK_THROWS_AS(source().map($("s")), ValidationException);
}

TEST_CASE_METHOD(Fixture, "async functions complete later, results keep their order") {
  struct Later : table::AsyncScalarFunction {
    void eval(table::CompletableFuture<std::string> result, int32_t n) {
      std::thread([result, n] {
        if (n == 99) result.completeExceptionally("no answer");
        else result.complete("answer " + std::to_string(n));
      }).detach();
    }
  };
  env.createTemporarySystemFunction("later", Later());
  env.createTemporaryView("src", source());
  CHECK(rowsOf(env.executeSql("SELECT later(n) FROM src")) == Rows{"+I[answer 1]", "+I[answer 2]", "+I[answer 3]"});
  CHECK_THROWS_WITH(rowsOf(env.executeSql("SELECT later(n + 98) FROM src")), Contains("function 'later' failed: no answer"));
}

TEST_CASE_METHOD(Fixture, "table functions are joined to each row") {
  env.createTemporarySystemFunction("split", Split());
  env.createTemporarySystemFunction("words", SplitWords());
  env.createTemporaryView("src", source());
  const Table all = env.sqlQuery("SELECT * FROM src, LATERAL TABLE(split(s))");
  CHECK(all.getResolvedSchema().toString() == "(\n  `s` STRING,\n  `n` INT,\n  `EXPR$0` STRING NOT NULL\n)");
  CHECK(rowsOf(all.execute()) == Rows{"+I[hello world, 1, hello]", "+I[hello world, 1, world]", "+I[a b c, 3, a]", "+I[a b c, 3, b]", "+I[a b c, 3, c]"});
  CHECK(rowsOf(env.executeSql("SELECT n, w FROM src LEFT JOIN LATERAL TABLE(split(s)) AS x(w) ON TRUE WHERE n < 3")) ==
        Rows{"+I[1, hello]", "+I[1, world]", "+I[2, null]"});
  const Table lateral = source().joinLateral(call("words", $("s")));
  CHECK(lateral.getResolvedSchema().getColumnNames() == Rows{"s", "n", "word", "length"});
  CHECK(rowsOf(source().joinLateral(call("split", $("s")).as("w")).select($("n"), $("w")).execute()) ==
        Rows{"+I[1, hello]", "+I[1, world]", "+I[3, a]", "+I[3, b]", "+I[3, c]"});
  CHECK(rowsOf(source().leftOuterJoinLateral(call("words", $("s"))).select($("n"), $("word"), $("length")).execute()) ==
        Rows{"+I[1, hello, 5]", "+I[1, world, 5]", "+I[2, null, null]", "+I[3, a, 1]", "+I[3, b, 1]", "+I[3, c, 1]"});
  CHECK(rowsOf(source().joinLateral(call("words", $("s")), $("n") + 2 == $("length")).select($("word")).execute()).empty());
  CHECK(rowsOf(source().flatMap(call("words", $("s"))).as("x", "y").execute()) == Rows{"+I[hello, 5]", "+I[world, 5]", "+I[a, 1]", "+I[b, 1]", "+I[c, 1]"});
  CHECK(rowsOf(env.fromCall("words", "to be").execute()) == Rows{"+I[to, 2]", "+I[be, 2]"});
  CHECK_THROWS_WITH(env.fromCall("nope", 1), Contains("fromCall() takes a table function"));
  CHECK(rowsOf(source().leftOuterJoinLateral(call("split", $("s")), lit(true)).execute()).size() == 6);
  CHECK_THROWS_WITH(source().leftOuterJoinLateral(call("split", $("s")), $("n") == 1), Contains("can only be empty or literal true"));
  env.createTemporarySystemFunction("len", Length());
  CHECK_THROWS_WITH(source().joinLateral(call("len", $("s"))), Contains("Table function expected"));
  CHECK_THROWS_WITH(source().flatMap(call("len", $("s"))), Contains("Table function expected"));
}

TEST_CASE_METHOD(Fixture, "aggregate functions fold groups and changelogs") {
  env.createTemporarySystemFunction("wavg", WeightedAverage());
  env.createTemporarySystemFunction("ravg", RetractingAverage());
  env.createTemporaryView("src", source());
  CHECK(rowsOf(env.executeSql("SELECT wavg(n, n) FROM src")) == Rows{"+I[1]", "-U[1]", "+U[2]"});
  CHECK(rowsOf(env.executeSql("SELECT s, wavg(n, 1) FROM src GROUP BY s")) == Rows{"+I[hello world, 1]", "+I[, 2]", "+I[a b c, 3]"});
  CHECK(rowsOf(source().groupBy($("s")).select($("s"), call("wavg", $("n"), 1)).execute()) == Rows{"+I[hello world, 1]", "+I[, 2]", "+I[a b c, 3]"});
  CHECK(rowsOf(env.executeSql("SELECT wavg(NULLIF(n, n), 1) FROM src")) == Rows{"+I[null]"});
  const std::string changing = "(SELECT n > 1 AS late, CAST(COUNT(*) AS INT) AS c FROM src GROUP BY n > 1)";
  CHECK(rowsOf(env.executeSql("SELECT ravg(c * 10, 1) FROM " + changing)).back() == "+U[15]");
  CHECK_THROWS_WITH(rowsOf(env.executeSql("SELECT wavg(c, 10) FROM " + changing)), Contains("function 'wavg' has no retract"));
}

TEST_CASE_METHOD(Fixture, "aggregate() spreads a result of several fields") {
  env.createTemporarySystemFunction("minmax", MinMax());
  CHECK(rowsOf(source().groupBy($("s")).aggregate(call("minmax", $("n")).as("x", "y")).select($("s"), $("x"), $("y")).execute()) ==
        Rows{"+I[hello world, 1, 1]", "+I[, 2, 2]", "+I[a b c, 3, 3]"});
  CHECK(rowsOf(source().aggregate(call("minmax", $("n"))).select($("mn"), $("mx")).execute()) ==
        Rows{"+I[1, 1]", "-U[1, 1]", "+U[1, 2]", "-U[1, 2]", "+U[1, 3]"});
  CHECK(rowsOf(source().groupBy($("s")).aggregate($("n").sum().as("q")).select($("*")).execute()) == Rows{"+I[hello world, 1]", "+I[, 2]", "+I[a b c, 3]"});
  CHECK_THROWS_AS(source().aggregate(call("minmax", $("n")).as("x")).select($("x")), ValidationException);
}

TEST_CASE_METHOD(Fixture, "table aggregate functions replace a group's rows") {
  env.createTemporarySystemFunction("top2", Top2());
  env.createTemporarySystemFunction("minmax", MinMax());
  const Table top = source().flatAggregate(call("top2", $("n"))).select($("*"));
  CHECK(top.getResolvedSchema().getColumnNames() == Rows{"f0", "f1"});
  CHECK(rowsOf(top.execute()) == Rows{"+I[1, 1]", "-D[1, 1]", "+I[2, 1]", "+I[1, 2]", "-D[2, 1]", "-D[1, 2]", "+I[3, 1]", "+I[2, 2]"});
  CHECK(rowsOf(source().groupBy($("s")).flatAggregate(call("top2", $("n")).as("v", "rank")).select($("s"), $("v"), $("rank")).execute()) ==
        Rows{"+I[hello world, 1, 1]", "+I[, 2, 1]", "+I[a b c, 3, 1]"});
  CHECK_THROWS_WITH(source().flatAggregate(call("minmax", $("n"))).select($("*")), Contains("table aggregate function"));
  CHECK_THROWS_WITH(source().aggregate(call("top2", $("n"))).select($("*")), Contains("flatAggregate()"));
  const Fixture batch(EnvironmentSettings::inBatchMode());
  batch.env.createTemporarySystemFunction("top2", Top2());
  CHECK(rowsOf(batch.source().flatAggregate(call("top2", $("n")).as("v", "rank")).select($("v"), $("rank")).execute()) == Rows{"+I[3, 1]", "+I[2, 2]"});
}

TEST_CASE_METHOD(Fixture, "functions of the program over group windows") {
  env.createTemporarySystemFunction("ravg", RetractingAverage());
  env.createTemporarySystemFunction("wavg", WeightedAverage());
  env.createTemporarySystemFunction("top2", Top2());
  env.executeSql("CREATE TABLE g (seq INT, t AS TO_TIMESTAMP_LTZ(seq * 1000, 3), WATERMARK FOR t AS t) WITH ('connector' = 'datagen', "
                 "'fields.seq.kind' = 'sequence', 'fields.seq.start' = '0', 'fields.seq.end' = '3', 'rows-per-second' = '100000')");
  const auto windowed = [&](const GroupWindow& window) { return env.from("g").window(window.on($("t")).as("w")).groupBy($("w")); };
  CHECK(rowsOf(windowed(Tumble::over(lit(2).seconds())).select($("w").start().cast(DataTypes::STRING()), call("wavg", $("seq"), 1)).execute()) ==
        Rows{"+I[1970-01-01 00:00:00.000, 0]", "+I[1970-01-01 00:00:02.000, 2]"});
  CHECK(rowsOf(windowed(Session::withGap(lit(5).seconds())).select(call("ravg", $("seq"), 1)).execute()) == Rows{"+I[1]"});
  CHECK(rowsOf(windowed(Tumble::over(lit(2).seconds())).flatAggregate(call("top2", $("seq")).as("v", "rank")).select($("w").end().cast(DataTypes::STRING()), $("v"), $("rank")).execute()) ==
        Rows{"+I[1970-01-01 00:00:02.000, 1, 1]", "+I[1970-01-01 00:00:02.000, 0, 2]", "+I[1970-01-01 00:00:04.000, 3, 1]", "+I[1970-01-01 00:00:04.000, 2, 2]"});
  CHECK(rowsOf(windowed(Tumble::over(lit(4).seconds())).aggregate(call("wavg", $("seq"), 1).as("q")).select($("q"), $("w").start().cast(DataTypes::STRING())).execute()) ==
        Rows{"+I[1, 1970-01-01 00:00:00.000]"});
}
