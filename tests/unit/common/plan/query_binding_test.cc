
#include "tests/unit/common/plan/binding.h"

#include <catch2/catch.hpp>

using namespace thalweg;

TEST_CASE("unnamed columns are numbered by place, equal names get numbers") {
  Binding b;
  CHECK(b.schema("SELECT id, id + 1, id, qty * 2 FROM orders") ==
        "(id INT NOT NULL, EXPR$1 INT NOT NULL, id0 INT NOT NULL, EXPR$3 INT)");
}

TEST_CASE("a time attribute is kept by a plain column and lost by any expression") {
  Binding b;
  CHECK(b.schema("SELECT ts, ts + INTERVAL '1' SECOND AS later FROM orders") ==
        "(ts TIMESTAMP(3) *ROWTIME*, later TIMESTAMP(3))");
  CHECK(b.error("SELECT * FROM TUMBLE(TABLE (SELECT CAST(ts AS TIMESTAMP(3)) AS t FROM orders), DESCRIPTOR(t), INTERVAL '1' MINUTE)")
            .code() != StatusCode::OK);
}

TEST_CASE("grouping keys and aggregates are columns of one aggregate") {
  Binding b;
  CHECK(b.schema("SELECT who, COUNT(*) AS c, SUM(qty) + 1 AS s, MIN(id) AS m FROM orders GROUP BY who HAVING SUM(qty) > 3") ==
        "(who STRING, c BIGINT NOT NULL, s INT, m INT NOT NULL)");
  CHECK(b.plan("SELECT who, SUM(qty), SUM(qty) * 2 FROM orders GROUP BY who") ==
        "Project(who, $a0 AS EXPR$1, ($a0 * 2) AS EXPR$2)\n"
        "  Aggregate(groupBy=[who], select=[SUM(qty) AS $a0])\n"
        "    Scan(table=[`default_catalog`.`default_database`.`orders`], columns=[id, who, price, qty, ts], "
        "watermark=[ts: (ts - INTERVAL SECOND '+0 00:00:05.000')])\n");
  CHECK(b.error("SELECT who, COUNT(*) FROM orders").message().find("neither a grouping key") != std::string::npos);
}

TEST_CASE("USING shows the shared column once and first") {
  Binding b;
  b.run("CREATE TABLE a (k INT, x INT) WITH ('connector' = 'datagen')");
  b.run("CREATE TABLE c (y INT, k INT) WITH ('connector' = 'datagen')");
  CHECK(b.schema("SELECT * FROM a JOIN c USING (k)") == "(k INT, x INT, y INT)");
  CHECK(b.schema("SELECT *, a.k AS ak FROM a NATURAL FULL JOIN c") == "(k INT, x INT, y INT, ak INT)");
  CHECK(b.schema("SELECT * FROM a JOIN c ON a.k = c.k") == "(k INT, x INT, y INT, k0 INT)");
  CHECK(b.error("SELECT k FROM a, c").message().find("ambiguous") != std::string::npos);
}

TEST_CASE("IN and EXISTS in WHERE are semi and anti joins") {
  Binding b;
  std::string plan = b.plan("SELECT id FROM orders WHERE who IN (SELECT name FROM people)");
  CHECK(plan.find("Join(type=[SEMI], on=[(who = name)])") != std::string::npos);
  plan = b.plan("SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM people p WHERE p.name = o.who AND p.city = 'x')");
  CHECK(plan.find("Join(type=[ANTI], on=[") != std::string::npos);
  CHECK(plan.find("nullAware") == std::string::npos);
  plan = b.plan("SELECT id FROM orders WHERE who NOT IN (SELECT name FROM people)");
  CHECK(plan.find("nullAware=[true]") != std::string::npos);
}

TEST_CASE("a correlated scalar sub-query is a LEFT join with an aggregate per key") {
  Binding b;
  std::string query = "SELECT name, (SELECT COUNT(*) FROM orders o WHERE o.who = p.name) AS n FROM people p";
  CHECK(b.schema(query) == "(name STRING, n BIGINT)");
  std::string plan = b.plan(query);
  CHECK(plan.find("Join(type=[LEFT]") != std::string::npos);
  CHECK(plan.find("Aggregate(groupBy=[$k") != std::string::npos);
}

TEST_CASE("window functions append their columns and take arguments by name") {
  Binding b;
  CHECK(b.schema("SELECT * FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE)") ==
        "(id INT NOT NULL, who STRING, price DECIMAL(8, 2), qty INT, ts TIMESTAMP(3) *ROWTIME*, "
        "window_start TIMESTAMP(3) NOT NULL, window_end TIMESTAMP(3) NOT NULL, window_time TIMESTAMP(3) NOT NULL *ROWTIME*)");
  CHECK(b.error("SELECT * FROM TABLE(TUMBLE(DATA => TABLE orders, TIMECOL => DESCRIPTOR(ts), LENGTH => INTERVAL '1' HOUR))")
            .message().find("there is no argument 'LENGTH'") != std::string::npos);
  CHECK(b.error("SELECT * FROM TUMBLE(TABLE orders, DESCRIPTOR(id), INTERVAL '1' MINUTE)").message().find("time attribute") !=
        std::string::npos);
}

TEST_CASE("grouping sets make keys nullable and answer GROUPING by the set's id") {
  Binding b;
  CHECK(b.schema("SELECT id, who, GROUPING(id) AS g, COUNT(*) AS c FROM orders GROUP BY GROUPING SETS ((id, who), (who), ())") ==
        "(id INT, who STRING, g BIGINT NOT NULL, c BIGINT NOT NULL)");
}

TEST_CASE("set operations widen their columns") {
  Binding b;
  CHECK(b.schema("SELECT id AS a FROM orders UNION ALL SELECT CAST(1 AS BIGINT) FROM people") == "(a BIGINT NOT NULL)");
  CHECK(b.error("SELECT id FROM orders UNION SELECT name FROM people").code() == StatusCode::PLAN_ERROR);
}

TEST_CASE("ORDER BY sees aliases, places, and columns that are not selected") {
  Binding b;
  CHECK(b.schema("SELECT who AS w FROM orders ORDER BY price DESC, w LIMIT 3") == "(w STRING)");
  CHECK(b.plan("SELECT who AS w FROM orders ORDER BY 1").find("Sort(orderBy=[w ASC])") != std::string::npos);
}

TEST_CASE("a view keeps the names of where it was made") {
  Binding b;
  b.run("CREATE VIEW v AS SELECT id, who FROM orders");
  b.run("CREATE DATABASE other");
  b.run("USE other");
  CHECK(b.schema("SELECT * FROM default_database.v") == "(id INT NOT NULL, who STRING)");
  CHECK(b.error("SELECT * FROM v").code() == StatusCode::PLAN_ERROR);
}

TEST_CASE("a sub-query that cannot be flattened is evaluated for each set of outer values") {
  Binding b;
  std::string query = "SELECT id, (SELECT SUM(i.qty) FROM orders i WHERE i.id < o.id) AS s FROM orders o";
  CHECK(b.schema(query) == "(id INT NOT NULL, s INT)");
  // The outer ids, each once, crossed with the inner rows, are the aggregate's keys.
  std::string plan = b.plan(query);
  CHECK(plan.find("Aggregate(groupBy=[$d0], select=[SUM(qty) AS $a0])") != std::string::npos);
  CHECK(plan.find("Aggregate(groupBy=[$d0])") != std::string::npos);
  CHECK(b.schema("SELECT DISTINCT who FROM orders a WHERE NOT EXISTS (SELECT 1 FROM people p WHERE NOT EXISTS "
                 "(SELECT 1 FROM orders c WHERE c.who = a.who AND c.qty = p.home.zip))") == "(who STRING)");
}

TEST_CASE("a view keeps its columns when its table gets more") {
  Binding b;
  b.run("CREATE VIEW all_people AS SELECT * FROM people");
  b.run("ALTER TABLE people ADD (age INT FIRST)");
  CHECK(b.schema("SELECT * FROM all_people") ==
        "(name STRING, city STRING, tags ARRAY<STRING>, home ROW<`street` STRING, `zip` INT>)");
  CHECK(b.rows("SHOW CREATE VIEW all_people").find("`people`.`name`, `people`.`city`") != std::string::npos);
}
