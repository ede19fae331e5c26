#include "common/sql/parser.h"
#include "common/sql/unparser.h"

#include <catch2/catch.hpp>

namespace thalweg::sql {
namespace {

std::string written(std::string_view text) {
  auto statement = parseStatement(text);
  INFO(text);
  REQUIRE(statement);
  return unparse(**statement);
}

TEST_CASE("names and strings are quoted so that they read as themselves") {
  CHECK(quoteIdentifier("a`b") == "`a``b`");
  CHECK(quoteString("it's") == "'it''s'");
  CHECK(quoteString("it's é\\") == "u&'it''s \\00e9\\\\'");
  CHECK(quoteString("😀") == "u&'\\d83d\\de00'");
}

TEST_CASE("a query has one clause a line") {
  CHECK(written("select a.x, count(*) as n from c.d.a as a left outer join b on a.k = b.k, u where x > 1 "
                "group by a.x having count(*) > 1 order by n desc limit 3") ==
        "SELECT `a`.`x`, COUNT(*) AS `n`\n"
        "FROM `c`.`d`.`a` AS `a`\n"
        "LEFT JOIN `b` ON `a`.`k` = `b`.`k`,\n"
        "`u`\n"
        "WHERE `x` > 1\n"
        "GROUP BY `a`.`x`\n"
        "HAVING COUNT(*) > 1\n"
        "ORDER BY `n` DESC\n"
        "FETCH NEXT 3 ROWS ONLY");
  CHECK(written("select a from t union all (select b from u except select c from v)") ==
        "SELECT `a`\nFROM `t`\nUNION ALL\n(SELECT `b`\nFROM `u`\nEXCEPT\nSELECT `c`\nFROM `v`)");
  CHECK(written("with q as (select 1) select * from (values (1, 'a'), (2, 'b')) as v (x, y)") ==
        "WITH `q` AS (SELECT 1) SELECT *\nFROM (VALUES ROW(1, 'a'),\nROW(2, 'b')) AS `v` (`x`, `y`)");
}

TEST_CASE("expressions have Flink's spellings") {
  const auto expression = [](std::string_view text) { return unparse(**parseExpression(text)); };
  CHECK(expression("cast(a as int)") == "CAST(`a` AS INTEGER)");
  CHECK(expression("a between 1 and 10") == "`a` BETWEEN ASYMMETRIC 1 AND 10");
  CHECK(expression("trim(s)") == "TRIM(BOTH ' ' FROM `s`)");
  CHECK(expression("substring(s from 1 for 2)") == "SUBSTRING(`s`, 1, 2)");
  CHECK(expression("s || 'é'") == "`s` || u&'\\00e9'");
  CHECK(expression("a = any (1, 2)") == "`a` = SOME (1, 2)");
  CHECK(expression("json_object('a' : b)") == "JSON_OBJECT(KEY 'a' VALUE `b` NULL ON NULL)");
  CHECK(expression("json_query(s, '$.a')") ==
        "JSON_QUERY(`s`, '$.a' WITHOUT ARRAY WRAPPER NULL ON EMPTY NULL ON ERROR)");
  CHECK(expression("case when a then 1 end") == "CASE WHEN `a` THEN 1 ELSE NULL END");
  CHECK(expression("ts - interval '5' second") == "`ts` - INTERVAL '5' SECOND");
  CHECK(expression("cat.db.f(1)") == "`cat`.`db`.`f`(1)");
}

TEST_CASE("DDL has one column and one option a line") {
  CHECK(
      written("create table t (a int, b as a + 1, primary key (a) not enforced) comment 'x' with ('k'='v', 'l'='w')") ==
      "CREATE TABLE `t` (\n"
      "  `a` INTEGER,\n"
      "  `b` AS `a` + 1,\n"
      "  PRIMARY KEY (`a`) NOT ENFORCED\n"
      ")\n"
      "COMMENT 'x'\n"
      "WITH (\n"
      "  'k' = 'v',\n"
      "  'l' = 'w'\n"
      ")");
}

}  // namespace
}  // namespace thalweg::sql
