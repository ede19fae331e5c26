#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/table_environment.h"

#include <catch2/catch.hpp>

using namespace thalweg::api;

namespace {

/// The only value of `SELECT expression`.
std::string valueOf(const Expression& expression) {
  const auto env = TableEnvironment::create(EnvironmentSettings::inBatchMode());
  RowIterator rows = env.fromValues(row(7, "Alice", 2.5)).as("n", "name", "d").select(expression).execute().collect();
  const std::string text = rows.next().toString();
  return text.substr(3, text.size() - 4);
}

}  // namespace

TEST_CASE("operators and literals") {
  CHECK(valueOf($("n") + 1) == "8");
  CHECK(valueOf(10 - $("n") * 2) == "-4");
  CHECK(valueOf($("n") / 2) == "3");
  CHECK(valueOf($("n") % 4) == "3");
  CHECK(valueOf(-$("n")) == "-7");
  CHECK(valueOf($("n") > 5 && $("name") == "Alice") == "true");
  CHECK(valueOf(!($("n") <= 5 || $("n") != 7)) == "true");
  CHECK(valueOf($("n").between(1, 7)) == "true");
  CHECK(valueOf($("n").notBetween(1, 7)) == "false");
  CHECK(valueOf($("n").in(1, 2, 7)) == "true");
  CHECK(valueOf($("n").isNull()) == "false");
  CHECK(valueOf($("d").ceil()) == "3.0");
  CHECK(valueOf($("name").overlay("XY", 2)) == "AXYce");
  CHECK(valueOf(lit("a--").trimTrailing("-")) == "a");
  CHECK(valueOf(timestampDiff("DAY", lit(LocalDate::of(2024, 2, 28)), lit(LocalDate::of(2024, 3, 1)))) == "2");
  CHECK(($("n") + 1).asSerializableString() == "`n` + 1");
  CHECK(valueOf(lit(Instant::ofEpochSecond(61, 5'000'000))) == "1970-01-01T00:01:01.005Z");
  CHECK(Decimal("12.50").toDouble() == 12.5);
  CHECK(valueOf($("n").isDistinctFrom(7)) == "false");
  CHECK(valueOf(nullOf(DataTypes::INT()).isNull()) == "true");
  CHECK(valueOf(ifThenElse($("n") > 5, "big", "small")) == "big");
  CHECK(valueOf(lit(int64_t{5}).typeOf()) == "BIGINT NOT NULL");
  CHECK(valueOf(lit(1.5f) + $("d")) == "4.0");
  CHECK(valueOf(lit(Decimal("12.50"))) == "12.50");
  CHECK(valueOf(lit(LocalDate::of(2024, 2, 29))) == "2024-02-29");
  CHECK(valueOf(lit(LocalDateTime::parse("2024-05-05T07:00:00.123"))) == "2024-05-05T07:00:00.123");
  CHECK(valueOf(lit(Instant::ofEpochMilli(1001))) == "1970-01-01T00:00:01.001Z");
  CHECK(valueOf(lit(std::vector<int>{1, 2})) == "[1, 2]");
  CHECK(valueOf(lit(5, DataTypes::STRING())) == "5");
}

TEST_CASE("built-in functions as methods") {
  CHECK(valueOf($("name").upperCase()) == "ALICE");
  CHECK(valueOf($("name").substring(2, 3)) == "lic");
  CHECK(valueOf($("name").charLength()) == "5");
  CHECK(valueOf($("name").like("A%")) == "true");
  CHECK(valueOf(lit("  x ").trim()) == "x");
  CHECK(valueOf(lit("xxa").trimLeading("x")) == "a");
  CHECK(valueOf($("name").replace("Al", "El")) == "Elice");
  CHECK(valueOf(lit("li").position($("name"))) == "2");
  CHECK(valueOf($("name").lpad(7, "*")) == "**Alice");
  CHECK(valueOf($("name").regexpReplace("[aeiou]", "_")) == "Al_c_");
  CHECK(valueOf(concat($("name"), "-", "x")) == "Alice-x");
  CHECK(valueOf(concatWs(",", $("name"), "x")) == "Alice,x");
  CHECK(valueOf($("n").power(2)) == "49.0");
  CHECK(valueOf($("d").floor()) == "2.0");
  CHECK(valueOf($("n").cast(DataTypes::DOUBLE())) == "7.0");
  CHECK(valueOf($("name").tryCast(DataTypes::INT())) == "null");
  CHECK(valueOf(coalesce(nullOf(DataTypes::INT()), $("n"))) == "7");
  CHECK(valueOf(greatest($("n"), 9)) == "9");
  CHECK(valueOf(array(1, 2, 3).at(2)) == "2");
  CHECK(valueOf(array(1, 2, 3).cardinality()) == "3");
  CHECK(valueOf(map("k", 1).at("k")) == "1");
  CHECK(valueOf(row(1, "b").get(1)) == "b");
  CHECK(valueOf(lit("2024-05-05").toDate().extract("MONTH")) == "5");
  CHECK(valueOf(lit(LocalDateTime::parse("2024-05-05T07:10:11")).floor("HOUR")) == "2024-05-05T07:00");
  CHECK(valueOf(lit(LocalDateTime::parse("2024-05-05T07:00:00")) + lit(90).minutes()) == "2024-05-05T08:30");
  CHECK(valueOf(lit(LocalDateTime::parse("2024-05-05T07:00:00.100")) + lit(1400).millis()) == "2024-05-05T07:00:01.500");
  CHECK(valueOf(lit(LocalDateTime::parse("2024-05-05T07:00:00")) + lit(300).seconds()) == "2024-05-05T07:05");
  CHECK(valueOf(lit(LocalDate::of(2024, 1, 31)) + lit(1).months()) == "2024-02-29");
  CHECK(valueOf(lit(LocalDate::of(2024, 1, 1)) + lit(2).weeks()) == "2024-01-15");
  CHECK(valueOf(call("UPPER", "a")) == "A");
  CHECK(valueOf(callSql("n + 1")) == "8");
}

TEST_CASE("expressions print as SQL, and misuse is refused") {
  CHECK(($("a") + 1 > 5 && $("b").like("x%")).toString() == "`a` + 1 > 5 AND `b` LIKE 'x%'");
  CHECK($("t").rowtime().toString() == "rowtime(`t`)");
  CHECK_THROWS_AS($("a").distinct(), ValidationException);
  CHECK_THROWS_AS($("a").rows(), ValidationException);
  CHECK_THROWS_AS($("a").over($("w")), ValidationException);
  CHECK_THROWS_AS($("a").extract("FORTNIGHT"), ValidationException);
  CHECK_THROWS_AS(valueOf($("nome")), ValidationException);
  CHECK_THROWS_AS(valueOf(call("NO_SUCH_FUNCTION", 1)), ValidationException);
}
