// In batch mode joins build their smaller sides and make no needless pairs.
#include <algorithm>
#include <fstream>

#include "client/embedded/sql_engine.h"
#include "common/sql/parser.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

namespace thalweg::client {

namespace {

std::string explained(SqlEngine& engine, const std::string& script) {
  const auto statements = sql::parseScript(script);
  REQUIRE(statements.isOk());
  std::string text;
  for (const auto& statement : *statements) {
    const auto outcome = engine.execute(statement);
    REQUIRE(outcome.status().message() == "");
    if (!outcome->table.rows.empty()) text = outcome->table.rows[0][0].asString();
  }
  const size_t plan = text.find("== Optimized Execution Plan ==");
  REQUIRE(plan != std::string::npos);
  return text.substr(plan);
}

/// The tables in the order in which the plan names them.
std::string tablesOf(const std::string& plan, const std::vector<std::string>& names) {
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string& name : names) found.emplace_back(plan.find("`" + name + "`"), name);
  std::sort(found.begin(), found.end());
  std::string text;
  for (const auto& [at, name] : found) text += name + " ";
  return text;
}

std::string fileTable(const std::string& name, const std::string& columns, const std::string& folder, size_t bytes) {
  std::ofstream(folder + "/" + name + ".csv") << std::string(bytes, '1');
  return "CREATE TABLE " + name + " (" + columns + ") WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = '" + folder + "/" + name + ".csv');\n";
}

const std::string kBatch = "SET 'execution.runtime-mode' = 'batch';\n";

}  // namespace

TEST_CASE("the largest table streams through what is built of the others") {
  const testing::TemporaryFolder folder;
  const std::string tables = fileTable("tiny", "a INT, s STRING", folder.path(), 100) + fileTable("huge", "a INT, b INT, n INT", folder.path(), 8'000'000) +
                             fileTable("medium", "b INT, s STRING", folder.path(), 100'000);
  const std::string query = "EXPLAIN SELECT tiny.s, medium.s, n FROM tiny, medium, huge WHERE tiny.a = huge.a AND medium.b = huge.b;";
  SqlEngine engine;
  REQUIRE(tablesOf(explained(engine, kBatch + tables + query), {"tiny", "medium", "huge"}) == "huge tiny medium ");
}

TEST_CASE("small tables keep the order in which they were written") {
  const testing::TemporaryFolder folder;
  const std::string tables = fileTable("p", "a INT", folder.path(), 100) + fileTable("q", "a INT", folder.path(), 5000);
  SqlEngine engine;
  REQUIRE(tablesOf(explained(engine, kBatch + tables + "EXPLAIN SELECT p.a FROM p, q WHERE p.a = q.a;"), {"p", "q"}) == "p q ");
}

TEST_CASE("tables that no condition connects are joined last") {
  const auto generated = [](const std::string& name) { return "CREATE TABLE " + name + " (x INT, y INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1');\n"; };
  const std::string tables = generated("a") + generated("b") + generated("c") + generated("d");
  SqlEngine engine;
  const std::string plan = explained(engine, kBatch + tables + "EXPLAIN SELECT a.y, b.x, c.x, d.x FROM a, d, b, c WHERE a.x = c.x AND b.y = c.y;");
  REQUIRE(tablesOf(plan, {"a", "b", "c", "d"}) == "a c b d ");
}

TEST_CASE("streaming queries keep their order") {
  const testing::TemporaryFolder folder;
  const std::string tables = fileTable("tiny", "a INT", folder.path(), 100) + fileTable("huge", "a INT", folder.path(), 8'000'000);
  SqlEngine engine;
  REQUIRE(tablesOf(explained(engine, "SET 'execution.runtime-mode' = 'streaming';\n" + tables + "EXPLAIN SELECT tiny.a FROM tiny, huge WHERE tiny.a = huge.a;"),
                   {"tiny", "huge"}) == "tiny huge ");
}

}  // namespace thalweg::client
