#include "common/sql/parser.h"
#include "common/sql/unparser.h"
#include "tests/unit/common/sql/round_trip.h"

#include <catch2/catch.hpp>

namespace thalweg::sql {
namespace {

std::string written(std::string_view text) {
  auto expr = parseExpression(text);
  return expr ? unparse(**expr) : expr.status().message();
}

TEST_CASE("arithmetic nests by how tightly operators bind") {
  CHECK(nestingOf("a + b * c - d") == "((`a` + (`b` * `c`)) - `d`)");
  CHECK(nestingOf("a - b - c") == "((`a` - `b`) - `c`)");
  CHECK(nestingOf("a || b + c") == "((`a` || `b`) + `c`)");
  CHECK(nestingOf("a + b || c") == "(`a` + (`b` || `c`))");
  CHECK(nestingOf("- a * b") == "((- `a`) * `b`)");
  CHECK(nestingOf("- a.b[1]") == "(- `a`.`b`[1])");
  CHECK(nestingOf("a % b / c") == "((`a` % `b`) / `c`)");
}

TEST_CASE("comparisons nest as in Flink: LIKE, IN and BETWEEN bind before =") {
  CHECK(nestingOf("a = b LIKE c") == "(`a` = (`b` LIKE `c`))");
  CHECK(nestingOf("a LIKE b = c") == "((`a` LIKE `b`) = `c`)");
  CHECK(nestingOf("a = b IN (1)") == "(`a` = (`b` IN (1)))");
  CHECK(nestingOf("a IN (1) = b") == "((`a` IN (1)) = `b`)");
  CHECK(nestingOf("a < b = c") == "((`a` < `b`) = `c`)");
  CHECK(nestingOf("a LIKE b LIKE c") == "(`a` LIKE (`b` LIKE `c`))");
  CHECK(nestingOf("a = b = SOME (1)") == "(`a` = (`b` = SOME (1)))");
  CHECK(nestingOf("a = b IS TRUE") == "((`a` = `b`) IS TRUE)");
  CHECK(nestingOf("a IS TRUE IS NOT FALSE") == "((`a` IS TRUE) IS NOT FALSE)");
}

TEST_CASE("NOT, AND and OR nest in this order, and BETWEEN takes its own AND") {
  CHECK(nestingOf("NOT a = b AND c OR d") == "(((NOT (`a` = `b`)) AND `c`) OR `d`)");
  CHECK(nestingOf("a OR b AND c") == "(`a` OR (`b` AND `c`))");
  CHECK(nestingOf("NOT a IS NULL") == "(NOT (`a` IS NULL))");
  CHECK(nestingOf("a BETWEEN 1 AND 2 AND c") == "((`a` BETWEEN ASYMMETRIC 1 AND 2) AND `c`)");
  CHECK(nestingOf("a NOT BETWEEN SYMMETRIC b OR e AND c = 2") ==
        "((`a` NOT BETWEEN SYMMETRIC (`b` OR `e`) AND `c`) = 2)");
  CHECK(nestingOf("a + NOT b + c") == "(`a` + (NOT (`b` + `c`)))");
}

TEST_CASE("chains of AND and of OR are one node") {
  auto expr = parseExpression("a AND b AND c AND (d AND e)");
  REQUIRE(expr);
  const OperatorCall& chain = as<OperatorCall>(**expr);
  CHECK(chain.op == "AND");
  CHECK(chain.operands.size() == 4);
  CHECK(as<OperatorCall>(**parseExpression("(a AND b) AND c")).operands.size() == 3);
}

TEST_CASE("needless parentheses go, needed ones stay") {
  CHECK(written("((a)) + (b * c)") == "`a` + `b` * `c`");
  CHECK(written("(a + b) * c") == "(`a` + `b`) * `c`");
  CHECK(written("a - (b - c)") == "`a` - (`b` - `c`)");
  CHECK(written("(a IS NULL) = b") == "(`a` IS NULL) = `b`");
  CHECK(written("NOT (a = 1)") == "NOT `a` = 1");
  CHECK(written("NOT (NOT a)") == "NOT (NOT `a`)");
  CHECK(written("a AND (b OR c)") == "`a` AND (`b` OR `c`)");
  CHECK(written("a LIKE (b LIKE c) ESCAPE d") == "`a` LIKE (`b` LIKE `c`) ESCAPE `d`");
}

TEST_CASE("special syntaxes are calls with arguments in a fixed order") {
  const auto call = [](std::string_view text) { return as<FunctionCall>(**parseExpression(text)); };
  CHECK(as<Symbol>(*call("EXTRACT(day FROM a)").args[0]).unit == TimeUnit::DAY);
  CHECK(as<Symbol>(*call("TIMESTAMPADD(SQL_TSI_HOUR, 1, a)").args[0]).text == "HOUR");
  CHECK_FALSE(as<Symbol>(*call("FLOOR(a TO lustrum)").args[1]).unit);
  CHECK(call("CEILING(a)").name.last() == "CEIL");
  CHECK(call("TRIM(a)").args.size() == 3);
  CHECK(as<Literal>(*call("TRIM(LEADING FROM a)").args[1]).text == " ");
  CHECK(as<Symbol>(*call("TRIM(TRAILING 'x' FROM a)").args[0]).text == "TRAILING");
  CHECK(call("SUBSTRING(a FROM 1 FOR 2)").args.size() == 3);
  CHECK(call("POSITION(a IN b)").args.size() == 2);
  CHECK(call("OVERLAY(a PLACING b FROM 1)").args.size() == 3);
  CHECK(call("CURRENT_DATE").bare);
  CHECK_FALSE(call("CURRENT_TIMESTAMP(3)").bare);
  CHECK(call("(a - b) DAY TO SECOND").name.last() == "MINUS_DATE");
}

TEST_CASE("JSON functions carry their clauses, defaults filled in") {
  const auto clauses = [](std::string_view text) { return *as<FunctionCall>(**parseExpression(text)).json; };
  const JsonClauses value = clauses("JSON_VALUE(a, '$.b' RETURNING INT NULL ON EMPTY DEFAULT 3 ON ERROR)");
  CHECK(value.returning->name == TypeName::INT);
  CHECK(value.on_empty.behavior == JsonBehavior::NULL_VALUE);
  CHECK(value.on_error.behavior == JsonBehavior::DEFAULT);
  const JsonClauses query = clauses("JSON_QUERY(a, '$.b' WITH WRAPPER EMPTY ARRAY ON EMPTY)");
  CHECK(query.wrapper == JsonWrapper::UNCONDITIONAL);
  CHECK(query.on_empty.behavior == JsonBehavior::EMPTY_ARRAY);
  CHECK(query.on_error.behavior == JsonBehavior::NULL_VALUE);
  CHECK(clauses("JSON_OBJECT('a' : 1, KEY 'b' VALUE 2)").nulls == JsonNulls::NULL_ON_NULL);
  CHECK(clauses("JSON_ARRAY(1, 2)").nulls == JsonNulls::ABSENT_ON_NULL);
  CHECK(as<FunctionCall>(**parseExpression("JSON_OBJECT(key VALUE 1, KEY key VALUE 2)")).args.size() == 4);
}

TEST_CASE("a CASE over a value is written as comparisons") {
  const std::string written = unparse(**parseStatement("SELECT CASE a WHEN 1, 2 THEN b ELSE c END"));
  CHECK(unparse(**parseStatement(written)) == written);
}

TEST_CASE("expressions survive being written and read") {
  const std::string_view expressions[] = {
      "a.b.c[1].d",
      "(a.b).c",
      "f(x).y[2]",
      "`odd ``name``` + `select`",
      "CASE WHEN a > 1 THEN 'x' WHEN b THEN 'y' ELSE c END",
      "CAST(a AS ROW<x INT NOT NULL 'first', y MAP<STRING, DECIMAL(10, 2) ARRAY>>)",
      "TRY_CAST(a AS TIMESTAMP(3) WITH LOCAL TIME ZONE)",
      "CAST(a AS STRUCTURED<'c.X', x INT>) = CAST(b AS RAW('c', 's'))",
      "CAST(a AS INTERVAL DAY(3) TO SECOND(6))",
      "(a, b) IN ((1, 2), ROW(3, 4))",
      "a IN (SELECT b FROM t) AND c NOT IN (VALUES 1, 2)",
      "a > ALL (SELECT 1) OR a = ANY (1, 2)",
      "EXISTS (SELECT 1 FROM t) AND NOT EXISTS (TABLE u)",
      "(SELECT MAX(a) FROM t) + 1",
      "((SELECT 1) UNION (SELECT 2))",
      "ARRAY[1, 2][1] = MAP['a', 1]['a']",
      "ARRAY(SELECT a FROM t)",
      "MULTISET[1] MULTISET UNION DISTINCT MULTISET[2] MULTISET INTERSECT b",
      "a MEMBER OF b AND c NOT SUBMULTISET OF d AND e IS NOT A SET",
      "a IS NOT DISTINCT FROM b AND c IS JSON OBJECT AND d IS UNKNOWN",
      "a SIMILAR TO 'x' ESCAPE '!' AND b NOT LIKE 'y' AND c ILIKE 'z'",
      "(a, b) OVERLAPS (c, d)",
      "COUNT(*) + COUNT(DISTINCT a, b) + SUM(ALL c)",
      "SUM(a) FILTER (WHERE b > 1) OVER (PARTITION BY c ORDER BY d DESC NULLS LAST ROWS BETWEEN 1 PRECEDING AND 2 "
      "FOLLOWING)",
      "SUM(a) OVER (w ORDER BY b RANGE INTERVAL '1' HOUR PRECEDING)",
      "LAST_VALUE(a) IGNORE NULLS OVER w",
      "LISTAGG(DISTINCT a, ',') WITHIN GROUP (ORDER BY b)",
      "ARRAY_AGG(a ORDER BY b DESC)",
      "JSON_VALUE(a, 'lax $.b' RETURNING BOOLEAN ERROR ON EMPTY)",
      "JSON_OBJECTAGG(KEY a VALUE b ABSENT ON NULL)",
      "JSON_ARRAYAGG(a NULL ON NULL)",
      "f(a => 1, b => DEFAULT, c => DESCRIPTOR(x, y), d => TABLE t PARTITION BY (p, q) ORDER BY r)",
      "f(TABLE t PARTITION BY p, MODEL m, (SELECT 1) PARTITION BY z)",
      "TIMESTAMPDIFF(MONTH, a, b) + EXTRACT(EPOCH FROM c)",
      "FLOOR(a TO HOUR) < CEIL(b TO MILLENNIUM)",
      "TRIM(BOTH 'x' FROM a) || SUBSTRING(b FROM 2) || OVERLAY(c PLACING d FROM 1 FOR 2)",
      "POSITION('a' IN b FROM 3) - POSITION(c IN d)",
      "`cat`.db.f(1) || UPPER(x) || `my fn`(y)",
      "LEFT(a, 1) || YEAR(b) || TRUNCATE(c, 1) || IF(d, e, f)",
      "TRANSLATE(a USING utf8) || CONVERT(b USING utf8)",
      "(a - b) YEAR TO MONTH = c",
      "LOCALTIME = CURRENT_TIME AND CURRENT_ROW_TIMESTAMP() > x",
      "u&'\\00e9' || E'\\t'",
  };
  for (std::string_view expression : expressions) {
    CHECK(roundTripFault("SELECT " + std::string(expression)) == "");
  }
}

TEST_CASE("what is no expression is refused") {
  for (std::string_view text :
       {"a IN ()", "a NOT b", "a IS", "CASE a END", "ROW()", "f(", "a +", "()", "a b", "1 2", "a != b", "a::INT",
        "CAST(a AS INT NOT NULL)", "SUBSTRING(a)", "TRIM(a, b)", "f(date => 1)"}) {
    INFO(text);
    auto expr = parseExpression(text);
    CHECK_FALSE(expr);
    if (!expr) CHECK(expr.status().code() == StatusCode::PARSE_ERROR);
  }
  CHECK(parseExpression("?").status().code() == StatusCode::PLAN_ERROR);
}

}  // namespace
}  // namespace thalweg::sql
