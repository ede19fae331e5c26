
#include "tests/unit/common/plan/binding.h"

#include <catch2/catch.hpp>

using namespace thalweg;

TEST_CASE("INSERT casts to the table's types and fills missing columns with NULL") {
  Binding b;
  std::string plan = b.plan("INSERT INTO hole (id) SELECT id FROM orders");
  CHECK(plan.find("Sink(table=[`default_catalog`.`default_database`.`hole`])") == 0);
  CHECK(plan.find("CAST(id AS BIGINT") != std::string::npos);
  CHECK(b.error("INSERT INTO hole SELECT who FROM orders").message().find("needs 2 columns") != std::string::npos);
  CHECK(b.error("INSERT INTO hole SELECT who, who FROM orders").message().find("use CAST") != std::string::npos);
  CHECK(b.error("INSERT INTO hole (id, whoo) VALUES (1, 'x')").message().find("did you mean 'who'") != std::string::npos);
}

TEST_CASE("DESCRIBE shows keys, computed columns, metadata and the watermark") {
  Binding b;
  b.run("CREATE TABLE d (a INT PRIMARY KEY NOT ENFORCED, ts TIMESTAMP(3), c AS a + 1, "
        "f STRING METADATA FROM 'file.name' VIRTUAL, WATERMARK FOR ts AS ts) "
        "WITH ('connector' = 'filesystem', 'path' = '/x', 'format' = 'csv')");
  CHECK(b.rows("DESCRIBE d") ==
        "+I[a, INT, false, PRI(a), null, null]\n"
        "+I[ts, TIMESTAMP(3) *ROWTIME*, true, null, null, `ts`]\n"
        "+I[c, INT, false, null, AS `a` + 1, null]\n"
        "+I[f, STRING, true, null, METADATA FROM 'file.name' VIRTUAL, null]\n");
}

TEST_CASE("LIKE takes columns, watermark and options over") {
  Binding b;
  b.run("CREATE TABLE l (extra AS qty * 2) WITH ('number-of-rows' = '1') LIKE orders");
  CHECK(b.schema("SELECT * FROM l") ==
        "(id INT NOT NULL, who STRING, price DECIMAL(8, 2), qty INT, ts TIMESTAMP(3) *ROWTIME*, extra INT)");
  CHECK(b.error("CREATE TABLE clash (id BIGINT) LIKE orders").message().find("column 'id'") != std::string::npos);
}

TEST_CASE("the row time must be a timestamp of at most three digits") {
  Binding b;
  CHECK(b.error("CREATE TABLE w (ts TIMESTAMP(6), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen')").code() ==
        StatusCode::PLAN_ERROR);
}

TEST_CASE("ALTER TABLE refuses to drop what others need") {
  Binding b;
  b.run("CREATE TABLE t (a INT, b INT, c AS b + 1) WITH ('connector' = 'datagen')");
  CHECK(b.error("ALTER TABLE t DROP b").message().find("computed column 'c'") != std::string::npos);
  b.run("ALTER TABLE t ADD (d STRING FIRST)");
  b.run("ALTER TABLE t DROP (b, c)");
  CHECK(b.schema("SELECT * FROM t") == "(d STRING, a INT)");
}

TEST_CASE("temporary objects shadow permanent ones") {
  Binding b;
  b.run("CREATE TEMPORARY VIEW orders AS SELECT 1 AS single");
  CHECK(b.schema("SELECT * FROM orders") == "(single INT NOT NULL)");
  CHECK(b.error("DROP TABLE orders").message().find("hides") != std::string::npos);
  b.run("DROP TEMPORARY VIEW orders");
  CHECK(b.schema("SELECT id FROM orders") == "(id INT NOT NULL)");
}

TEST_CASE("SHOW TABLES lists by code point and heeds LIKE") {
  Binding b;
  CHECK(b.rows("SHOW TABLES LIKE '%o%e%'") == "+I[hole]\n+I[orders]\n+I[people]\n");
  CHECK(b.rows("SHOW CURRENT DATABASE") == "+I[default_database]\n");
}

TEST_CASE("settings are checked when they are set") {
  Binding b;
  CHECK(b.rows("SET 'parallelism.default' = '2'") == "+I[OK]\n");
  CHECK_FALSE(b.error("SET 'parallelism.defualt' = '2'").isOk());
}

TEST_CASE("table options are checked when the table is used") {
  Binding b;
  b.run("CREATE TABLE odd (a INT) WITH ('connector' = 'datagen', 'number-of-rowz' = '1')");
  CHECK(b.error("SELECT * FROM odd").message().find("did you mean 'number-of-rows'") != std::string::npos);
  CHECK(b.schema("SELECT * FROM orders /*+ OPTIONS('number-of-rows' = '1') */ WHERE FALSE").starts_with("(id INT"));
}
