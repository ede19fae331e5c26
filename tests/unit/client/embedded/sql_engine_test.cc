// What the engine knows of a statement besides its rows, and how its planning is given up.
#include "client/embedded/sql_engine.h"

#include "common/sql/parser.h"

#include <catch2/catch.hpp>

namespace thalweg::client {
namespace {

Result<StatementOutcome> run(SqlEngine& engine, const std::string& text) {
  ASSIGN_OR_RETURN(const sql::StatementPtr statement, sql::parseStatement(text));
  return engine.execute(statement, text);
}

/// `column direction` of each key of the result's order.
std::vector<std::string> orderOf(SqlEngine& engine, const std::string& query) {
  const auto outcome = run(engine, query);
  REQUIRE(outcome.isOk());
  outcome->job->cancel();
  (void)outcome->job->wait();
  std::vector<std::string> order;
  for (const SortKey& key : outcome->order) {
    order.push_back(outcome->schema.column(static_cast<size_t>(key.column)).name + (key.direction == SortDirection::DESCENDING ? " down" : " up"));
  }
  return order;
}

TEST_CASE("a statement is given up while its constants are folded") {
  SqlEngine engine;
  bool gives_up = true;
  engine.setInterrupted([&gives_up] { return gives_up; });
  CHECK(run(engine, "SELECT UPPER('a') AS a").status().code() == StatusCode::CANCELLED);
  gives_up = false;
  const auto outcome = run(engine, "SELECT UPPER('a') AS a");
  REQUIRE(outcome.isOk());
  CHECK(outcome->job->wait().isOk());
}

TEST_CASE("the changing result of a Top-N belongs in the order of partition and rank, if they are among its columns") {
  using Order = std::vector<std::string>;
  SqlEngine engine;
  REQUIRE(run(engine, "CREATE TABLE g (k INT, v STRING, n BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '5')").isOk());
  const std::string ranked = "(SELECT *, ROW_NUMBER() OVER (PARTITION BY v ORDER BY n DESC) AS r FROM g) WHERE r <= 3";
  CHECK(orderOf(engine, "SELECT r, v, n FROM " + ranked) == Order{"v up", "r up"});
  CHECK(orderOf(engine, "SELECT n + 1 AS m, r FROM " + ranked) == Order{"r up"});
  CHECK(orderOf(engine, "SELECT n AS m, v FROM " + ranked) == Order{"v up", "m down"});
  CHECK(orderOf(engine, "SELECT n + 1 AS m FROM " + ranked).empty());
  CHECK(orderOf(engine, "SELECT k, n FROM g ORDER BY n DESC, k LIMIT 3") == Order{"n down", "k up"});
  CHECK(orderOf(engine, "SELECT k, COUNT(*) AS c FROM g GROUP BY k").empty());
  REQUIRE(engine.session().configuration().set("execution.runtime-mode", "batch").isOk());
  CHECK(orderOf(engine, "SELECT k, n FROM g ORDER BY n DESC LIMIT 3").empty());
}

}  // namespace
}  // namespace thalweg::client
