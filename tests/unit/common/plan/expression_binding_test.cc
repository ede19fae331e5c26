
#include "tests/unit/common/plan/binding.h"

#include <catch2/catch.hpp>

using namespace thalweg;

TEST_CASE("literals have Flink's types") {
  Binding b;
  CHECK(b.schema("SELECT 1, 2147483648, 1.50, .5, 1e0, 'abc', '', x'0a', TRUE") ==
        "(EXPR$0 INT NOT NULL, EXPR$1 BIGINT NOT NULL, EXPR$2 DECIMAL(3, 2) NOT NULL, EXPR$3 DECIMAL(1, 1) NOT NULL, "
        "EXPR$4 DOUBLE NOT NULL, EXPR$5 CHAR(3) NOT NULL, EXPR$6 CHAR(0) NOT NULL, EXPR$7 BINARY(1) NOT NULL, "
        "EXPR$8 BOOLEAN NOT NULL)");
  CHECK(b.schema("SELECT DATE '2024-02-29', TIME '12:00:00', TIMESTAMP '2024-02-29 12:00:00.12', INTERVAL '14' MONTH, "
                 "INTERVAL '1 2:03' DAY TO MINUTE") ==
        "(EXPR$0 DATE NOT NULL, EXPR$1 TIME(0) NOT NULL, EXPR$2 TIMESTAMP(2) NOT NULL, EXPR$3 INTERVAL MONTH NOT NULL, "
        "EXPR$4 INTERVAL SECOND(3) NOT NULL)");
}

TEST_CASE("interval literals keep to their fields and digits") {
  Binding b;
  CHECK(b.error("SELECT INTERVAL '100' DAY").message().find("write a precision") != std::string::npos);
  CHECK(b.error("SELECT INTERVAL '13' HOUR TO MINUTE").code() == StatusCode::PLAN_ERROR);
  CHECK(b.error("SELECT INTERVAL '1 24' DAY TO HOUR").code() == StatusCode::PLAN_ERROR);
  CHECK(b.schema("SELECT INTERVAL '100' DAY(3) AS x") == "(x INTERVAL SECOND(3) NOT NULL)");
}

TEST_CASE("an unknown column is refused with its place and the nearest name") {
  Binding b;
  Status error = b.error("SELECT pirce FROM orders");
  CHECK(error.message() == "column 'pirce' is not known; did you mean 'price'?");
  CHECK(error.position().line == 1);
  CHECK(error.position().column == 8);
}

TEST_CASE("text literals take the type of what they are compared with") {
  Binding b;
  CHECK(b.schema("SELECT ts > '2024-01-01 00:00:00' AS a FROM orders") == "(a BOOLEAN)");
  CHECK(b.error("SELECT id = who FROM orders").message().find("cannot compare") != std::string::npos);
}

TEST_CASE("fields of rows are reached by dots, elements by brackets") {
  Binding b;
  CHECK(b.schema("SELECT people.home.zip, home.street AS s, tags[1] AS t FROM people") == "(zip INT, s STRING, t STRING)");
  CHECK(b.error("SELECT people.home.zap FROM people").message().find("did you mean 'zip'") != std::string::npos);
}

TEST_CASE("CASE takes the common type of its results") {
  Binding b;
  CHECK(b.schema("SELECT CASE WHEN id > 1 THEN 1 ELSE 2.5 END AS a, CASE id WHEN 1 THEN 'one' END AS b FROM orders") ==
        "(a DECIMAL(11, 1) NOT NULL, b CHAR(3))");
  CHECK(b.error("SELECT CASE WHEN TRUE THEN 1 ELSE TRUE END").message().find("no common type") != std::string::npos);
}

TEST_CASE("bare NULL is no result column") {
  Binding b;
  CHECK(b.error("SELECT NULL AS n").code() == StatusCode::PLAN_ERROR);
  CHECK(b.schema("SELECT CAST(NULL AS INT) AS n") == "(n INT)");
}
