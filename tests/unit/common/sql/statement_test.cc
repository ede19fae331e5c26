#include "common/sql/parser.h"
#include "common/sql/unparser.h"
#include "tests/unit/common/sql/round_trip.h"

#include <catch2/catch.hpp>

namespace thalweg::sql {
namespace {

template <typename T>
T statementOf(std::string_view text) {
  auto statement = parseStatement(text);
  INFO(text << ": " << (statement ? "" : statement.status().message()));
  REQUIRE(statement);
  return as<T>(**statement);
}

TEST_CASE("CREATE TABLE knows its columns, constraints, watermark and clauses") {
  const auto table = statementOf<CreateTableStatement>(
      "CREATE TEMPORARY TABLE IF NOT EXISTS c.d.t (a INT NOT NULL COMMENT 'x', b AS a + 1, "
      "m STRING METADATA FROM 'k' VIRTUAL, p BIGINT PRIMARY KEY NOT ENFORCED, UNIQUE (a) NOT ENFORCED, "
      "WATERMARK FOR r.ts AS r.ts - INTERVAL '1' SECOND) COMMENT 'all' DISTRIBUTED BY HASH (a) INTO 4 BUCKETS "
      "PARTITIONED BY (p) WITH ('connector' = 'x', 'k' = 'v')");
  CHECK(table.temporary);
  CHECK(table.name.toString() == "c.d.t");
  const TableElements& elements = table.definition.elements;
  REQUIRE(elements.columns.size() == 4);
  CHECK(elements.columns[0].type->nullable == false);
  CHECK(elements.columns[1].kind == ColumnKind::COMPUTED);
  CHECK(elements.columns[2].metadata_key == "k");
  CHECK(elements.columns[2].is_virtual);
  REQUIRE(elements.constraints.size() == 2);
  CHECK(elements.constraints[0].columns[0].text == "p");
  CHECK(elements.constraints[0].enforced == false);
  CHECK(elements.watermark->column.toString() == "r.ts");
  CHECK(table.definition.distribution->buckets == 4);
  CHECK(table.definition.options[1].value == "v");
}

TEST_CASE("a view keeps its query's text as written") {
  CHECK(statementOf<CreateViewStatement>("CREATE VIEW v AS select  a  from t -- end").query_text ==
        "select  a  from t");
}

TEST_CASE("SET takes options with quotes and without") {
  const auto quoted = statementOf<SetStatement>("SET 'a.b' = 'c d'");
  CHECK(quoted.option->key == "a.b");
  CHECK(quoted.option->value == "c d");
  const auto bare = statementOf<SetStatement>("set execution.checkpointing.interval=10 s;");
  CHECK(bare.option->key == "execution.checkpointing.interval");
  CHECK(bare.option->value == "10 s");
  CHECK(statementOf<SetStatement>("SET x-y = file:///tmp/a").option->value == "file:///tmp/a");
  CHECK_FALSE(statementOf<SetStatement>("SET").option);
}

TEST_CASE("statement sets have two forms") {
  CHECK(statementOf<StatementSet>("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END")
            .inserts.size() == 2);
  CHECK(statementOf<StatementSet>("BEGIN STATEMENT SET; INSERT INTO a SELECT CASE WHEN x THEN 1 END; END;")
            .inserts.size() == 1);
}

TEST_CASE("types fold their synonyms") {
  const auto type = [](std::string_view text) { return unparse(*parseType(text)); };
  CHECK(type("integer") == "INTEGER");
  CHECK(type("DEC(5)") == "DECIMAL(5)");
  CHECK(type("NUMERIC(5, 2) NOT NULL") == "DECIMAL(5, 2) NOT NULL");
  CHECK(type("CHARACTER VARYING(3)") == "VARCHAR(3)");
  CHECK(type("DOUBLE PRECISION") == "DOUBLE");
  CHECK(type("INT ARRAY MULTISET") == "MULTISET< ARRAY< INTEGER > >");
  CHECK(type("TIMESTAMP(3) WITH LOCAL TIME ZONE") == "TIMESTAMP_LTZ(3)");
  CHECK(type("TIME(3) WITHOUT TIME ZONE") == "TIME(3)");
  CHECK(type("ROW(a INT 'c', `b c` STRING)") == "ROW< `a` INTEGER 'c', `b c` STRING >");
  CHECK(type("ARRAY<ARRAY<INT NOT NULL>>") == "ARRAY< ARRAY< INTEGER NOT NULL > >");
  CHECK(type("ROW<>") == "ROW<>");
  CHECK(type("c.db.udt") == "`c`.`db`.`udt`");
}

TEST_CASE("statements of every kind survive being written and read") {
  const std::string_view statements[] = {
      "SELECT DISTINCT a, b AS c, t.*, * FROM t WHERE a = 1",
      "SELECT /*+ BROADCAST(t1, t2), STATE_TTL('a' = '1d'), N(3) */ a FROM t /*+ OPTIONS('k'='v') */ AS x (a, b)",
      "SELECT a FROM t GROUP BY a, (b, c), ROLLUP(d, (e, f)), GROUPING SETS ((a), (b, c), (), CUBE(x)) HAVING COUNT(*) "
      "> 1",
      "SELECT a FROM t WINDOW w AS (PARTITION BY b), v AS (w ORDER BY c) QUALIFY ROW_NUMBER() OVER v = 1",
      "SELECT a FROM t ORDER BY a DESC NULLS FIRST, b LIMIT 3 OFFSET 2",
      "SELECT a FROM t OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY",
      "SELECT a UNION ALL SELECT b INTERSECT SELECT c EXCEPT SELECT d",
      "SELECT a UNION (SELECT b UNION SELECT c LIMIT 1)",
      "(SELECT a UNION SELECT b) INTERSECT SELECT c",
      "WITH RECURSIVE x (a, b) AS (SELECT 1, 2), y AS (VALUES (1, 'a'), (2, DEFAULT)) SELECT * FROM x, y",
      "SELECT * FROM a JOIN b ON x LEFT JOIN c USING (d, e) NATURAL FULL JOIN f CROSS JOIN g, h RIGHT JOIN i ON TRUE",
      "SELECT * FROM a JOIN (b LEFT JOIN c ON y) ON x",
      "SELECT * FROM ((SELECT 1) UNION (SELECT 2)) AS x, (VALUES 1, 2) AS y (v), ((SELECT 3)) z",
      "SELECT * FROM a, LATERAL TABLE(f(a.x)) AS t (y), LATERAL (SELECT 1), UNNEST(a.z) WITH ORDINALITY AS u (v, o)",
      "SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS w",
      "SELECT * FROM SESSION(DATA => TABLE t PARTITION BY (a, b), TIMECOL => DESCRIPTOR(ts), GAP => INTERVAL '1' DAY)",
      "SELECT * FROM c.d.f(TABLE t, x => 1)",
      "SELECT * FROM a JOIN b FOR SYSTEM_TIME AS OF a.ts AS c ON a.k = c.k",
      "SELECT * FROM t TABLESAMPLE BERNOULLI(10) REPEATABLE(3)",
      "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES FINAL LAST(A.x) AS y, RUNNING SUM(B.z) AS w "
      "ONE ROW PER MATCH AFTER MATCH SKIP TO FIRST B PATTERN (^ A B+? (C | D){2,3} {- E* -} PERMUTE(F, G) H{0,2} I? $) "
      "WITHIN INTERVAL '1' HOUR SUBSET S = (A, B) DEFINE A AS A.x > 1, B AS PREV(B.x, 2) < B.x) AS m",
      "TABLE c.d.t",
      "EXECUTE SELECT 1",
      "INSERT INTO c.d.t PARTITION (p = 'x', q = 1) (a, b.c) SELECT 1, 2 ON CONFLICT DO DEDUPLICATE",
      "INSERT OVERWRITE t /*+ OPTIONS('a'='b') */ VALUES (1), (2)",
      "EXECUTE INSERT INTO t (SELECT 1)",
      "UPSERT INTO t SELECT 1",
      "EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1; INSERT INTO u SELECT 2; END",
      "UPDATE t AS x SET a = 1, b = a + 2 WHERE c",
      "DELETE FROM t WHERE a IN (1, 2)",
      "TRUNCATE TABLE t",
      "CALL c.d.p(1, a => 'x')",
      "EXPLAIN PLAN FOR SELECT 1",
      "EXPLAIN ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN, PLAN_ADVICE INSERT INTO t SELECT 1",
      "EXPLAIN CHANGELOG_MODE, STATE SELECT 1",
      "EXPLAIN STATEMENT SET BEGIN INSERT INTO t SELECT 1; END",
      "EXPLAIN CREATE TABLE t WITH ('a'='b') AS SELECT 1",
      "COMPILE PLAN 'p' IF NOT EXISTS FOR INSERT INTO t SELECT 1",
      "COMPILE AND EXECUTE PLAN 'p' FOR STATEMENT SET BEGIN INSERT INTO t SELECT 1; END",
      "EXECUTE PLAN 'p'",
      "CREATE TABLE t (a INT, b AS a + 1 COMMENT 'it''s', CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED) WITH ('x'='y')",
      "CREATE TABLE t (b, a) DISTRIBUTED INTO 3 BUCKETS AS SELECT 1 AS a, 2 AS b",
      "CREATE OR REPLACE TABLE t AS SELECT 1",
      "REPLACE TABLE t WITH ('a'='b') AS SELECT 1",
      "CREATE TABLE t (a INT) USING CONNECTION c WITH ('a'='b') LIKE u (INCLUDING ALL EXCLUDING OPTIONS OVERWRITING "
      "WATERMARKS)",
      "CREATE TEMPORARY VIEW IF NOT EXISTS v (a, b) COMMENT 'x' AS SELECT 1, 2",
      "CREATE DATABASE IF NOT EXISTS c.d COMMENT 'x' WITH ('a'='b')",
      "CREATE CATALOG IF NOT EXISTS c COMMENT 'x' WITH ('type'='y')",
      "CREATE TEMPORARY SYSTEM FUNCTION IF NOT EXISTS f AS 'x' LANGUAGE JAVA USING JAR 'a', JAR 'b'",
      "CREATE FUNCTION c.d.f AS 'x' USING ARTIFACT 'a' WITH ('k'='v')",
      "ALTER TEMPORARY FUNCTION IF EXISTS f AS 'x' LANGUAGE PYTHON",
      "CREATE MODEL m INPUT (a INT, b STRING COMMENT 'x') OUTPUT (c STRING) COMMENT 'y' WITH ('provider'='z')",
      "CREATE TEMPORARY CONNECTION c WITH ('a'='b')",
      "CREATE OR ALTER MATERIALIZED TABLE t (a INT) PARTITIONED BY (a) WITH ('a'='b') "
      "START_MODE = FROM_NOW(INTERVAL '1' DAY) FRESHNESS = INTERVAL '1' MINUTE REFRESH_MODE = FULL AS SELECT 1",
      "ALTER TABLE IF EXISTS t ADD (a INT FIRST, b AS a AFTER c.d, PRIMARY KEY (a) NOT ENFORCED, WATERMARK FOR x AS x)",
      "ALTER TABLE t ADD IF NOT EXISTS PARTITION (a = 1) WITH ('k'='v') PARTITION (a = 2)",
      "ALTER TABLE t ADD DISTRIBUTION BY RANGE (a) INTO 2 BUCKETS",
      "ALTER TABLE t MODIFY a.b INT NOT NULL COMMENT 'x' AFTER c",
      "ALTER TABLE t MODIFY DISTRIBUTION INTO 2 BUCKETS",
      "ALTER TABLE t DROP (a, b.c)",
      "ALTER TABLE t DROP PRIMARY KEY",
      "ALTER TABLE t DROP CONSTRAINT c",
      "ALTER TABLE t DROP WATERMARK",
      "ALTER TABLE t DROP DISTRIBUTION",
      "ALTER TABLE t DROP IF EXISTS PARTITION (a = 1), PARTITION (a = 2)",
      "ALTER TABLE t RENAME a.b TO c",
      "ALTER TABLE t RENAME TO d.u",
      "ALTER TABLE t SET ('a'='b', 'a'='c')",
      "ALTER TABLE t RESET ('a', 'b')",
      "ALTER VIEW v AS SELECT 1",
      "ALTER VIEW v RENAME TO w",
      "ALTER DATABASE d SET ('a'='b')",
      "ALTER CATALOG c COMMENT 'x'",
      "ALTER MODEL IF EXISTS m RENAME TO n",
      "ALTER CONNECTION c RESET ('a')",
      "ALTER MATERIALIZED TABLE t SUSPEND",
      "ALTER MATERIALIZED TABLE t RESUME WITH ('a'='b')",
      "ALTER MATERIALIZED TABLE t REFRESH PARTITION (a = 1)",
      "ALTER MATERIALIZED TABLE t SET FRESHNESS = INTERVAL '3' HOUR",
      "ALTER MATERIALIZED TABLE t SET REFRESH_MODE = CONTINUOUS",
      "ALTER MATERIALIZED TABLE t AS SELECT 1",
      "DROP TEMPORARY SYSTEM FUNCTION IF EXISTS f",
      "DROP DATABASE IF EXISTS c.d CASCADE",
      "DROP MATERIALIZED TABLE IF EXISTS t",
      "DROP CATALOG c",
      "SHOW CATALOGS NOT ILIKE 'a%'",
      "SHOW DATABASES IN c LIKE 'x'",
      "SHOW USER FUNCTIONS FROM c.d ILIKE 'x'",
      "SHOW FULL MODULES",
      "SHOW MATERIALIZED TABLES FROM d",
      "SHOW COLUMNS IN c.d.t NOT LIKE 'x'",
      "SHOW PARTITIONS t PARTITION (a = 1)",
      "SHOW CREATE OR ALTER MATERIALIZED TABLE t",
      "SHOW CREATE VIEW v",
      "SHOW CURRENT DATABASE",
      "DESC CATALOG EXTENDED c",
      "DESCRIBE EXTENDED t",
      "DESCRIBE JOB 'abc'",
      "USE CATALOG c",
      "USE c.d",
      "USE MODULES a, b",
      "SET 'a' = 'b'",
      "SET",
      "RESET 'a'",
      "RESET",
      "LOAD MODULE m WITH ('a'='b')",
      "UNLOAD MODULE m",
      "ADD JAR 'x'",
      "REMOVE JAR 'x'",
      "STOP JOB 'x' WITH SAVEPOINT WITH DRAIN",
      "ANALYZE TABLE t PARTITION (a = 1, b) COMPUTE STATISTICS FOR COLUMNS a, b",
      "ANALYZE TABLE t COMPUTE STATISTICS FOR ALL COLUMNS",
      "QUIT",
  };
  for (std::string_view statement : statements) CHECK(roundTripFault(statement) == "");
}

TEST_CASE("words that are not reserved are names, reserved ones are not") {
  for (std::string_view name : {"key", "type", "source", "first", "last", "data", "model", "map", "json", "final",
                                "hop", "tumble", "session", "descriptor", "week", "größe", "_x", "a$b", "EXPR$0"}) {
    INFO(name);
    CHECK(parseStatement("SELECT t." + std::string(name) + " AS " + std::string(name) + " FROM " + std::string(name)));
  }
  for (std::string_view word : {"value", "date", "end", "order", "user", "one", "at", "by", "unknown", "second",
                                "start", "result", "method", "string", "raw", "within", "both", "no"}) {
    INFO(word);
    CHECK_FALSE(parseStatement("SELECT 1 AS " + std::string(word)));
    CHECK(parseStatement("SELECT 1 AS `" + std::string(word) + "`"));
  }
}

TEST_CASE("statements that Flink's parser refuses are refused") {
  const std::string_view statements[] = {
      "SELECT a WHERE b",
      "SELECT a FROM t LIMIT 1, 2",
      "SELECT a FROM t LIMIT -1",
      "SELECT a FROM t OFFSET 1 LIMIT 2",
      "SELECT a ORDER BY a UNION SELECT b",
      "SELECT * FROM (t)",
      "SELECT * FROM t AS x /*+ OPTIONS('a'='b') */",
      "SELECT * FROM t LEFT SEMI JOIN u ON x",
      "SELECT * FROM TABLE(UPPER(a))",
      "SELECT a MINUS SELECT b",
      "INSERT t SELECT 1",
      "INSERT INTO TABLE t SELECT 1",
      "INSERT INTO t PARTITION (a) SELECT 1",
      "CREATE TABLE t ()",
      "CREATE TABLE t (a)",
      "CREATE TABLE t (a INT,)",
      "CREATE TABLE t (a INT AS 1)",
      "CREATE TABLE t (a INT, b AS (SELECT 1))",
      "CREATE TABLE t (a INT, WATERMARK FOR a AS a, WATERMARK FOR b AS b)",
      "CREATE TABLE t (a INT) WITH (a = 'b')",
      "CREATE TEMPORARY SYSTEM VIEW v AS SELECT 1",
      "CREATE MATERIALIZED TABLE t FRESHNESS = '1' AS SELECT 1",
      "ALTER TABLE t ADD COLUMN a INT",
      "ALTER TABLE t COMMENT 'x'",
      "DROP TABLE a, b",
      "EXPLAIN CHANGELOG_MODE, CHANGELOG_MODE SELECT 1",
      "EXPLAIN CREATE TABLE t (a INT)",
      "EXECUTE STATEMENT SET BEGIN END",
      "EXECUTE STATEMENT SET BEGIN SELECT 1; END",
      "COMPILE PLAN 'x' FOR SELECT 1",
      "SHOW DATABASES FROM a.b",
      "SHOW TABLES ILIKE 'x'",
      "STOP JOB 'x' WITH DRAIN",
      "USE MODULES",
      "SELECT a; SELECT b",
      "",
      ";",
  };
  for (std::string_view statement : statements) {
    INFO(statement);
    CHECK_FALSE(parseStatement(statement));
  }
}

}  // namespace
}  // namespace thalweg::sql
