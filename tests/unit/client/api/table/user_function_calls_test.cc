// Ways to call a function of the program: overloads, arguments that may be left out, any number of them, later rows.
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

struct Twice : table::ScalarFunction {
  using Evals = table::Signatures<int64_t(int64_t), std::string(const std::string&), double(double, int32_t)>;
  int64_t eval(int64_t n) { return 2 * n; }
  std::string eval(const std::string& text) { return text + text; }
  double eval(double value, int32_t times) { return value * times; }
};

/// One signature fits as it is, the one before it with a cast.
struct Kind : table::ScalarFunction {
  using Evals = table::Signatures<std::string(double), std::string(int64_t), std::string(const std::optional<int32_t>&)>;
  std::string eval(double) { return "double"; }
  std::string eval(int64_t) { return "bigint"; }
  std::string eval(const std::optional<int32_t>& n) { return n ? "int" : "none"; }
};

struct Sum : table::ScalarFunction {
  int64_t eval(table::VarArgs<int64_t> numbers) {
    int64_t sum = 0;
    for (const int64_t n : numbers) sum += n;
    return sum;
  }
};

struct Join : table::ScalarFunction {
  std::string eval(const std::string& separator, const table::VarArgs<std::optional<std::string>>& parts) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : separator) + part.value_or("?");
    return text;
  }
};

struct Padded : table::ScalarFunction {
  std::string eval(const std::string& text, int32_t width, table::OptionalArgument<std::string> fill) {
    return std::string(static_cast<size_t>(width) - text.size(), fill.value_or(".")[0]) + text;
  }
};

struct Range : table::TableFunction<int64_t> {
  using Evals = table::Signatures<void(int64_t), void(int64_t, int64_t)>;
  void eval(int64_t end) { eval(0, end); }
  void eval(int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) collect(n);
  }
};

struct Total {
  int64_t sum = 0;
};
BOOST_DESCRIBE_STRUCT(Total, (), (sum))
struct Weighted : table::AggregateFunction<int64_t, Total> {
  using Accumulates = table::Signatures<void(Total&, int64_t), void(Total&, int64_t, int64_t)>;
  Total createAccumulator() { return {}; }
  void accumulate(Total& total, int64_t value) { total.sum += value; }
  void accumulate(Total& total, int64_t value, int64_t weight) { total.sum += value * weight; }
  int64_t getValue(const Total& total) { return total.sum; }
};

struct Letter {
  std::string letter;
  int32_t place = 0;
};
BOOST_DESCRIBE_STRUCT(Letter, (), (letter, place))
struct Letters : table::AsyncTableFunction<Letter> {
  void eval(table::CompletableFuture<std::vector<Letter>> result, const std::string& text) {
    std::thread([result, text] {
      if (text == "!") return result.completeExceptionally("no letters");
      std::vector<Letter> letters;
      for (size_t i = 0; i < text.size(); ++i) letters.push_back({text.substr(i, 1), static_cast<int32_t>(i)});
      result.complete(std::move(letters));
    }).detach();
  }
};

struct Fixture {
  TableEnvironment env = TableEnvironment::create();
  Rows query(const std::string& sql) const { return rowsOf(env.executeSql(sql)); }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a function may have several signatures") {
  env.createTemporarySystemFunction("twice", Twice());
  CHECK(query("SELECT twice(4), twice('ab'), twice(CAST(1.5 AS DOUBLE), 3)") == Rows{"+I[8, abab, 4.5]"});
  CHECK(env.sqlQuery("SELECT twice(4) AS a, twice('ab') AS b").getResolvedSchema().toString() == "(\n  `a` BIGINT NOT NULL,\n  `b` STRING NOT NULL\n)");
  CHECK(rowsOf(env.fromValues(row(3)).as("n").select(call("twice", $("n")), call(Twice(), $("n"), 2)).execute()) == Rows{"+I[6, 6.0]"});
  CHECK_THROWS_WITH(env.sqlQuery("SELECT twice(TRUE)"), Contains("no signature of 'twice' takes (BOOLEAN NOT NULL)") &&
                                                            Contains("twice(BIGINT NOT NULL), twice(STRING NOT NULL), twice(DOUBLE NOT NULL, INT NOT NULL)"));
  CHECK_THROWS_AS(env.sqlQuery("SELECT twice(1, 2, 3)"), ValidationException);
}

TEST_CASE_METHOD(Fixture, "a signature that fits as it is comes before one that needs casts") {
  env.createTemporarySystemFunction("kind", Kind());
  CHECK(query("SELECT kind(CAST(1 AS BIGINT)), kind(1), kind(CAST(1 AS DOUBLE)), kind(CAST(1 AS SMALLINT))") == Rows{"+I[bigint, int, double, double]"});
}

TEST_CASE_METHOD(Fixture, "the rest of the arguments may be any number") {
  env.createTemporarySystemFunction("total", Sum());
  env.createTemporarySystemFunction("joined", Join());
  CHECK(query("SELECT total(), total(1), total(1, 2, CAST(3 AS BIGINT)), total(1, CAST(NULL AS INT))") == Rows{"+I[0, 1, 6, null]"});
  CHECK(query("SELECT joined('-'), joined('-', 'a'), joined('-', 'a', CAST(NULL AS STRING), 'c')") == Rows{"+I[, a, a-?-c]"});
  CHECK_THROWS_WITH(env.sqlQuery("SELECT total(1, 'a')"), Contains("argument 2 of 'total' takes BIGINT NOT NULL"));
  CHECK_THROWS_AS(env.sqlQuery("SELECT joined()"), ValidationException);
}

TEST_CASE_METHOD(Fixture, "an optional argument may be left out or NULL") {
  env.createTemporarySystemFunction("padded", Padded());
  CHECK(query("SELECT padded('ab', 4), padded('ab', 4, '*'), padded('ab', 4, CAST(NULL AS STRING))") == Rows{"+I[..ab, **ab, ..ab]"});
  CHECK_THROWS_AS(env.sqlQuery("SELECT padded('ab')"), ValidationException);
  CHECK_THROWS_AS(env.sqlQuery("SELECT padded('ab', 4, '*', 1)"), ValidationException);
}

TEST_CASE_METHOD(Fixture, "table and aggregate functions may have several signatures, too") {
  env.createTemporarySystemFunction("numbers", Range());
  env.createTemporarySystemFunction("weighted", Weighted());
  CHECK(query("SELECT * FROM LATERAL TABLE(numbers(2))") == Rows{"+I[0]", "+I[1]"});
  CHECK(query("SELECT * FROM LATERAL TABLE(numbers(5, 7))") == Rows{"+I[5]", "+I[6]"});
  CHECK(query("SELECT weighted(n), weighted(n, 10) FROM (VALUES (1), (2)) AS t (n)").back() == "+U[3, 30]");
}

TEST_CASE_METHOD(Fixture, "rows of an asynchronous table function come later, in their order") {
  env.createTemporarySystemFunction("letters", Letters());
  env.executeSql("CREATE TEMPORARY VIEW words AS SELECT * FROM (VALUES ('ab'), (''), ('c')) AS t (w)");
  CHECK(query("SELECT w, letter, place FROM words, LATERAL TABLE(letters(w))") == Rows{"+I[ab, a, 0]", "+I[ab, b, 1]", "+I[c, c, 0]"});
  CHECK(query("SELECT w, letter FROM words LEFT JOIN LATERAL TABLE(letters(w)) ON TRUE").size() == 4);
  CHECK_THROWS_WITH(query("SELECT * FROM LATERAL TABLE(letters('!'))"), Contains("function 'letters' failed: no letters"));
}
