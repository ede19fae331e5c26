#include "common/sql/parser.h"

#include <catch2/catch.hpp>

namespace thalweg::sql {
namespace {

std::string repeat(std::string_view piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

std::string faultOf(const std::string& text) {
  auto statement = parseStatement(text);
  return statement ? "" : statement.status().message();
}

TEST_CASE("nesting is bounded, never a stack overflow") {
  CHECK(faultOf("SELECT " + repeat("(", 100) + "1" + repeat(")", 100)) == "");
  for (std::string_view open :
       {"(", "f(", "NOT ", "- ", "CASE WHEN ", "ARRAY[", "a + (", "(SELECT ", "CAST(", "EXISTS (SELECT ", "a IN (",
        "a BETWEEN ", "INTERVAL (", "JSON_OBJECT(", "TRIM(", "(1, "}) {
    INFO(open);
    CHECK_THAT(faultOf("SELECT " + repeat(open, 5000)), Catch::Contains("nested too deeply"));
  }
  CHECK_THAT(faultOf(repeat("(", 5000) + "SELECT 1"), Catch::Contains("nested too deeply"));
  CHECK_THAT(faultOf("SELECT * FROM " + repeat("(", 5000)), Catch::Contains("nested too deeply"));
  CHECK_THAT(faultOf("SELECT * FROM t GROUP BY " + repeat("ROLLUP(", 5000)), Catch::Contains("nested too deeply"));
  CHECK_THAT(faultOf("SELECT CAST(a AS " + repeat("ARRAY<", 5000)), Catch::Contains("nested too deeply"));
  CHECK_THAT(faultOf("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (" + repeat("(", 5000)),
             Catch::Contains("nested too deeply"));
  CHECK_THAT(faultOf("WITH a AS (" + repeat("WITH a AS (", 5000)), Catch::Contains("nested too deeply"));
}

TEST_CASE("chains of AND and OR may be of any length") {
  CHECK(faultOf("SELECT a" + repeat(" AND a", 100000)) == "");
  CHECK(faultOf("SELECT a" + repeat(" OR b = 1 AND c", 50000)) == "");
  CHECK(faultOf("SELECT a IN (1" + repeat(", 1", 100000) + ")") == "");
  CHECK(faultOf("VALUES (1)" + repeat(", (1)", 100000)) == "");
}

TEST_CASE("other long chains work up to the height of a tree and are refused beyond") {
  CHECK(faultOf("SELECT a" + repeat(" + a", 900)) == "");
  CHECK_THAT(faultOf("SELECT a" + repeat(" + a", 100000)), Catch::Contains("too deep"));
  CHECK_THAT(faultOf("SELECT a" + repeat("[1]", 100000)), Catch::Contains("too deep"));
  CHECK_THAT(faultOf("SELECT f(a)" + repeat(".b", 100000)), Catch::Contains("too deep"));
  CHECK_THAT(faultOf("SELECT a" + repeat(" IS NULL", 100000)), Catch::Contains("too deep"));
  CHECK_THAT(faultOf("SELECT a" + repeat(" LIKE a", 100000)), Catch::Contains("nested too deeply"));
  CHECK_THAT(faultOf("SELECT 1" + repeat(" UNION ALL SELECT 1", 100000)), Catch::Contains("too deep"));
  CHECK_THAT(faultOf("SELECT * FROM t" + repeat(" JOIN t ON a", 100000)), Catch::Contains("too deep"));
  CHECK_THAT(faultOf("SELECT * FROM t" + repeat(", t", 100000)), Catch::Contains("too deep"));
  CHECK_THAT(faultOf("SELECT CAST(a AS INT" + repeat(" ARRAY", 100000)), Catch::Contains("100 times"));
  CHECK_THAT(faultOf("SELECT " + repeat("(a" + repeat(" + a", 600) + ") + (", 3) + "b"), Catch::Contains("but found"));
}

TEST_CASE("a statement's length is bounded") {
  CHECK_THAT(faultOf("SELECT '" + std::string(kStatementBytesMax, 'x') + "'"), Catch::Contains("bytes"));
}

TEST_CASE("any bytes give an answer") {
  std::string text;
  unsigned state = 1;
  const std::string_view pieces[] = {
      "SELECT", "(",     ")",    "'",  "`",     "/*",     "*/",   "/*+",  "--",   "\n",         "\xff", "\xc3",
      "FROM",   "a",     ".",    ",",  "1",     "e5",     "CASE", "WHEN", "IN",   "BETWEEN",    "AND",  "[",
      "]",      "{",     "}",    "<",  ">",     "=",      "U&'",  "E'\\", "x'",   "INTERVAL",   "DAY",  "TO",
      "ROW",    "ARRAY", "CAST", "AS", "TABLE", "CREATE", "WITH", ";",    "OVER", "JSON_VALUE", "ON",   "NOT",
      "NULL",   "IS",    "$",    "?",  "*",     "-",      "+",    "|",    "||",   "=>"};
  for (int round = 0; round < 20000; ++round) {
    text.clear();
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525U + 1013904223U;
      text += pieces[(state >> 16) % std::size(pieces)];
      if (state % 3 != 0) text += ' ';
    }
    auto statement = parseStatement(text);
    if (!statement) CHECK_FALSE(statement.status().message().empty());
    static_cast<void>(splitScript(text));
    static_cast<void>(isStatementComplete(text));
  }
}

}  // namespace
}  // namespace thalweg::sql
