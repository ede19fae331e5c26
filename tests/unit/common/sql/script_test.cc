#include "common/sql/script.h"
#include "common/sql/parser.h"

#include <catch2/catch.hpp>

namespace thalweg::sql {
namespace {

std::vector<std::string> textsOf(std::string_view script) {
  std::vector<std::string> texts;
  for (const ScriptStatement& statement : splitScript(script)) texts.push_back(statement.text);
  return texts;
}
using Texts = std::vector<std::string>;

TEST_CASE("a script is cut at semicolons outside of quotes and comments") {
  CHECK(textsOf("SELECT 1; SELECT 2") == Texts{"SELECT 1", "SELECT 2"});
  CHECK(textsOf("SELECT ';' AS a; -- no; \n SELECT `;` /* ; */ FROM t;") ==
        Texts{"SELECT ';' AS a", "SELECT `;` /* ; */ FROM t"});
  CHECK(textsOf(" ;;\n-- nothing\n;") == Texts{});
  CHECK(textsOf("SELECT E'\\';' ; b") == Texts{"SELECT E'\\';'", "b"});
}

TEST_CASE("a statement set is one statement") {
  const std::string set =
      "EXECUTE STATEMENT SET\nBEGIN\nINSERT INTO t SELECT CASE WHEN a THEN 1 END; INSERT INTO u SELECT 1;\nEND";
  CHECK(textsOf(set + "; SELECT 1") == Texts{set, "SELECT 1"});
  const std::string begin = "BEGIN STATEMENT SET;\nINSERT INTO t SELECT 1;\nEND";
  CHECK(textsOf(begin + ";\nSELECT 1;") == Texts{begin, "SELECT 1"});
  CHECK(textsOf("EXPLAIN STATEMENT SET BEGIN INSERT INTO t SELECT 1; END; x").size() == 2);
}

TEST_CASE("positions are those within the script") {
  const auto pieces = splitScript("SELECT 1;\n  SELECT\n 2 ;");
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[1].position.line == 2);
  CHECK(pieces[1].position.column == 3);
  CHECK(pieces[1].position.end_line == 3);
  CHECK(pieces[1].position.end_column == 2);
  auto statements = parseScript("SELECT 1;\n  SELECT\n 2 ;");
  REQUIRE(statements);
  CHECK((*statements)[1]->position.line == 2);
  auto failed = parseScript("SELECT 1; SELECT\n FROM t;");
  REQUIRE_FALSE(failed);
  CHECK(failed.status().position().line == 2);
  CHECK(failed.status().position().column == 2);
}

TEST_CASE("text that does not split into tokens spoils its own statement only, if it can") {
  CHECK(textsOf("SELECT @; SELECT 2") == Texts{"SELECT @", "SELECT 2"});
  CHECK(textsOf("SELECT 1; SELECT 'a; b") == Texts{"SELECT 1", "SELECT 'a; b"});
  CHECK(textsOf("@") == Texts{"@"});
}

TEST_CASE("a shell reads on until a statement is whole") {
  CHECK(isStatementComplete("SELECT 1;"));
  CHECK(isStatementComplete(""));
  CHECK(isStatementComplete("-- only a comment"));
  CHECK(isStatementComplete("SELECT 1; -- done"));
  CHECK_FALSE(isStatementComplete("SELECT 1"));
  CHECK_FALSE(isStatementComplete("SELECT ';"));
  CHECK_FALSE(isStatementComplete("SELECT 1 /* ;"));
  CHECK_FALSE(isStatementComplete("SELECT 1; SELECT"));
  CHECK_FALSE(isStatementComplete("BEGIN STATEMENT SET; INSERT INTO t SELECT 1;"));
  CHECK_FALSE(isStatementComplete("BEGIN STATEMENT SET;"));
  CHECK(isStatementComplete("BEGIN STATEMENT SET; INSERT INTO t SELECT 1; END;"));
  CHECK(isStatementComplete("SELECT @;"));
}

}  // namespace
}  // namespace thalweg::sql
