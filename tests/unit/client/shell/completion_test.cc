// What the Tab key offers.
#include "client/shell/completion.h"

#include <algorithm>

#include "client/embedded/sql_engine.h"
#include "common/sql/parser.h"

#include <catch2/catch.hpp>

namespace thalweg::shell {
namespace {

struct Shell {
  client::SqlEngine engine;

  Shell() {
    run("CREATE TABLE flights (origin STRING, `tail number` STRING) WITH ('connector' = 'datagen')");
    run("CREATE TABLE airports (original STRING) WITH ('connector' = 'datagen')");
  }
  void run(const std::string& text) { REQUIRE(engine.execute(*sql::parseStatement(text), text).isOk()); }
  Completion at(const std::string& before, const std::string& after = {}) { return completions(engine.session(), before, after); }
};

using Words = std::vector<std::string>;

TEST_CASE("columns complete before a table is named, and are the table's once it is") {
  Shell shell;
  CHECK(shell.at("SELECT origi").words == Words{"origin", "original"});
  CHECK(shell.at("SELECT * FROM flights\nWHERE origi").words == Words{"origin"});
  CHECK(shell.at("SELECT 1; SELECT origi").words == Words{"origin", "original"});
}

TEST_CASE("qualified and quoted names complete") {
  Shell shell;
  CHECK(shell.at("SELECT * FROM flights AS f WHERE f.ori").words == Words{"f.origin"});
  CHECK(shell.at("SELECT * FROM airports a WHERE a.ori").words == Words{"a.original"});
  CHECK(shell.at("SELECT * FROM default_database.fli").words == Words{"default_database.flights"});
  CHECK(shell.at("SELECT * FROM default_catalog.default_database.fli").words == Words{"default_catalog.default_database.flights"});
  CHECK(shell.at("SELECT `tai").words == Words{"`tail number`"});
  CHECK(shell.at("USE default_d").words == Words{"default_database"});
}

TEST_CASE("a setting's key gets its closing quote once") {
  Shell shell;
  const Completion open = shell.at("SET 'parallelism.de");
  CHECK(open.words == Words{"parallelism.default"});
  CHECK(open.typed == 14);
  CHECK(open.suffix == "'");
  CHECK(shell.at("SET 'parallelism.de", "'").suffix.empty());
  CHECK(shell.at("SET parallelism.de").suffix.empty());
}

TEST_CASE("keywords follow the case of what was typed") {
  Shell shell;
  CHECK(shell.at("SHOW JO").words == Words{"JOB", "JOBS", "JOIN"});
  CHECK(shell.at("begi").words == Words{"begin"});
}

}  // namespace
}  // namespace thalweg::shell
