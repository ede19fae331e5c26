#include "common/sql/error_text.h"
#include "common/sql/parser.h"

#include <catch2/catch.hpp>

namespace thalweg::sql {
namespace {

Status faultOf(std::string_view text) {
  auto statement = parseStatement(text);
  REQUIRE_FALSE(statement);
  return statement.status();
}
std::string messageOf(std::string_view text) { return faultOf(text).message(); }

TEST_CASE("a failure spans the token at fault, in code points") {
  const SourcePosition position = faultOf("SELECT `größe`,\n  é FROM FROM t").position();
  CHECK(position.line == 2);
  CHECK(position.column == 10);
  CHECK(position.end_line == 2);
  CHECK(position.end_column == 13);
}

TEST_CASE("a failure says what was expected and what was found") {
  CHECK(messageOf("SELECT FROM t") ==
        "expected an expression but found the keyword FROM; as a name it needs back-ticks: `FROM`");
  CHECK(messageOf("SELECT a FROM t WHERE") == "expected an expression but found the end of the statement");
  CHECK(messageOf("CREATE TABLE t (order INT)") ==
        "expected a column name, a constraint or WATERMARK but found the reserved word ORDER; as a name it needs "
        "back-ticks: `order`");
  CHECK_THAT(messageOf("SELECT \"a\" FROM t"), Catch::Contains("double quotes"));
  CHECK_THAT(messageOf("SELECT 'a FROM t"), Catch::Contains("string literal without end"));
  CHECK_THAT(messageOf("SELECT a /* b"), Catch::Contains("comment without end"));
  CHECK_THAT(messageOf("SELECT @a"), Catch::Contains("unexpected character '@'"));
  CHECK_THAT(messageOf("SELECT '\xff'"), Catch::Contains("not valid UTF-8"));
  CHECK_THAT(messageOf("SELECT `" + std::string(257, 'a') + "`"), Catch::Contains("at most 256 characters"));
}

TEST_CASE("a misspelt keyword is named") {
  CHECK_THAT(messageOf("SELEC a FROM t"), Catch::Contains("did you mean SELECT?"));
  CHECK_THAT(messageOf("CREATE TABEL t (a INT)"), Catch::Contains("did you mean TABLE?"));
  CHECK_THAT(messageOf("SELECT a FORM t"), Catch::Contains("did you mean FROM instead of FORM?"));
  CHECK_THAT(messageOf("SELECT a FROM t WEHRE a = 1"), Catch::Contains("did you mean WHERE instead of WEHRE?"));
  CHECK_THAT(messageOf("SHOW TABELS"), Catch::Contains("did you mean TABLES?"));
  CHECK_THAT(messageOf("INSERT INOT t SELECT 1"), Catch::Contains("did you mean INTO?"));
}

TEST_CASE("what the dialect lacks is refused by name") {
  CHECK(faultOf("MERGE INTO t USING u ON a").code() == StatusCode::NOT_SUPPORTED);
  CHECK(faultOf("SELECT * FROM t PIVOT (SUM(a) FOR b IN (1))").code() == StatusCode::NOT_SUPPORTED);
  CHECK_THAT(messageOf("SELECT a != b"), Catch::Contains("write <>"));
}

TEST_CASE("a failure is drawn under the line") {
  const std::string text = "SELECT a,\n  FROM t";
  CHECK(renderError(text, faultOf(text)) ==
        "PARSE_ERROR at line 2, column 3: expected an expression but found the keyword FROM; as a name it needs "
        "back-ticks: `FROM`\n"
        "    FROM t\n"
        "    ^^^^");
}

TEST_CASE("a drawing survives odd positions and long lines") {
  CHECK(renderError("a", Status::parse("m")) == "PARSE_ERROR: m");
  CHECK(renderError("a", Status::parse("m", {7, 1, 7, 1})) == "PARSE_ERROR at line 7, column 1: m");
  CHECK(renderError("a", Status::parse("m", {1, 99, 1, 99})) == "PARSE_ERROR at line 1, column 99: m");
  CHECK(renderError("ab", Status::parse("m", {1, 3, 1, 3})) == "PARSE_ERROR at line 1, column 3: m\n  ab\n    ^");
  const std::string line = std::string(500, 'x') + "@" + std::string(500, 'y');
  const std::string drawing = renderError(line, Status::parse("m", {1, 501, 1, 501}));
  CHECK(drawing.find("..x") != std::string::npos);
  CHECK(drawing.size() < 400);
}

TEST_CASE("a drawing holds nothing a terminal would obey, and ends") {
  const std::string drawing = renderError("a\x1b[2J\xff", Status::parse("found '\x1b' and \xc3(", {1, 2, 1, 2}));
  CHECK(drawing == "PARSE_ERROR at line 1, column 2: found '\uFFFD' and \uFFFD(\n  a\uFFFD[2J\uFFFD\n   ^");
  CHECK(renderError("", Status::runtime(std::string(1000, 'x') + "yz")) ==
        "RUNTIME_ERROR: " + std::string(1000, 'x') + ".. (2 more characters)");
  CHECK(renderError("\xEF\xBB\xBFSELEC", Status::parse("m", {1, 1, 1, 5})) == "PARSE_ERROR at line 1, column 1: m\n  SELEC\n  ^^^^^");
}

TEST_CASE("a failure of a statement is placed in its script") {
  const auto placed = [](SourcePosition in_statement, SourcePosition statement) {
    const SourcePosition position = placedInScript(Status::plan("m", in_statement), statement).position();
    return std::vector<int>{position.line, position.column, position.end_line, position.end_column};
  };
  CHECK(placed({1, 8, 1, 9}, {1, 1, 1, 20}) == std::vector<int>{1, 8, 1, 9});
  CHECK(placed({1, 8, 1, 9}, {4, 11, 6, 2}) == std::vector<int>{4, 18, 4, 19});
  CHECK(placed({2, 3, 2, 9}, {4, 11, 6, 2}) == std::vector<int>{5, 3, 5, 9});
  CHECK(placed({1, 3, 2, 9}, {4, 11, 6, 2}) == std::vector<int>{4, 13, 5, 9});
  CHECK(placedInScript(Status::runtime("m"), {4, 1, 4, 9}).message() == "m (in the statement at line 4)");
  CHECK(placedInScript(Status::runtime("m"), {1, 1, 1, 9}).message() == "m");
}

}  // namespace
}  // namespace thalweg::sql
