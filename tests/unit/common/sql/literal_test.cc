#include "common/sql/parser.h"
#include "common/sql/unparser.h"

#include <catch2/catch.hpp>

namespace thalweg::sql {
namespace {

Literal literalOf(std::string_view text) {
  auto expr = parseExpression(text);
  INFO(text << ": " << (expr ? "" : expr.status().message()));
  REQUIRE(expr);
  return as<Literal>(**expr);
}
std::string valueOf(std::string_view text) { return literalOf(text).text; }
std::string faultOf(std::string_view text) {
  auto expr = parseExpression(text);
  return expr ? "no fault" : expr.status().message();
}

TEST_CASE("numbers keep their digits and say which kind they are") {
  CHECK(literalOf("12").literal == LiteralKind::INTEGER);
  CHECK(valueOf("99999999999999999999999999") == "99999999999999999999999999");
  CHECK(literalOf("1.50").literal == LiteralKind::DECIMAL);
  CHECK(valueOf("1.50") == "1.50");
  CHECK(literalOf(".5").literal == LiteralKind::DECIMAL);
  CHECK(literalOf("5.").literal == LiteralKind::INTEGER);
  CHECK(valueOf("5.") == "5");
  CHECK(literalOf("1.5e-3").literal == LiteralKind::APPROXIMATE);
  CHECK(literalOf("1e400").literal == LiteralKind::APPROXIMATE);
  CHECK(literalOf("DECIMAL '12.50'").literal == LiteralKind::DECIMAL);
  CHECK(valueOf("DECIMAL '-12.50'") == "-12.50");
}

TEST_CASE("a sign before a number belongs to it") {
  CHECK(valueOf("-5") == "-5");
  CHECK(valueOf("- - 5") == "5");
  CHECK(valueOf("-(5)") == "-5");
  CHECK(valueOf("+1.5") == "1.5");
  CHECK(valueOf("-9223372036854775808") == "-9223372036854775808");
}

TEST_CASE("numbers are written as Flink writes them") {
  const auto written = [](std::string_view text) { return unparse(**parseExpression(text)); };
  CHECK(written("007") == "7");
  CHECK(written("00.10") == "0.10");
  CHECK(written("-.5") == "-0.5");
  CHECK(written("1e3") == "1E3");
  CHECK(written("123456789e0") == "1.23456789E8");
  CHECK(written(".5E1") == "5E0");
  CHECK(written("-2.5e-10") == "-2.5E-10");
}

TEST_CASE("plain strings know no escape but the doubled quote") {
  CHECK(valueOf("'it''s'") == "it's");
  CHECK(valueOf("''").empty());
  CHECK(valueOf("'back\\slash'") == "back\\slash");
  CHECK(valueOf("'-- no comment'") == "-- no comment");
  CHECK(valueOf("'line\nbreak'") == "line\nbreak");
  CHECK(valueOf("'größe 😀'") == "größe 😀");
}

TEST_CASE("string literals on lines of their own are joined, on one line they are refused") {
  CHECK(valueOf("'one'\n  ' two' -- and\n ' three'") == "one two three");
  CHECK_THAT(faultOf("'one' ' two'"), Catch::Contains("side by side"));
  CHECK(valueOf("x'00'\n'01'") == "0001");
}

TEST_CASE("Unicode literals take four digits, six behind a plus, and surrogate pairs") {
  CHECK(valueOf("U&'\\263A'") == "☺");
  CHECK(valueOf("u&'caf\\00E9'") == "café");
  CHECK(valueOf("U&'a!0062' UESCAPE '!'") == "ab");
  CHECK(valueOf("U&'\\\\'") == "\\");
  CHECK(valueOf("U&'\\D83D\\DE00'") == "😀");
  CHECK(valueOf("U&'\\+01F600'") == "😀");
  CHECK(valueOf("U&'!263A and \\' UESCAPE '!'") == "☺ and \\");
  CHECK_THAT(faultOf("U&'\\12'"), Catch::Contains("four hexadecimal digits"));
  CHECK_THAT(faultOf("U&'\\D83D'"), Catch::Contains("four hexadecimal digits"));
  CHECK_THAT(faultOf("U&'a' UESCAPE 'bb'"), Catch::Contains("one ASCII character"));
  CHECK_THAT(faultOf("U&'a' UESCAPE 'a'"), Catch::Contains("one ASCII character"));
}

TEST_CASE("E-literals take the escapes of C") {
  CHECK(valueOf("E'a\\tb\\n\\r\\b\\f'") == "a\tb\n\r\b\f");
  CHECK(valueOf("E'\\u263A\\U0001F600'") == "☺😀");
  CHECK(valueOf("E'\\x41\\101\\7'") == "AA\a");
  CHECK(valueOf("E'it''s \\'quoted\\''") == "it's 'quoted'");
  CHECK(valueOf("E'\\\\'") == "\\");
  CHECK(valueOf("E'\\q'") == "\\q");
  CHECK_THAT(faultOf("E'\\u12'"), Catch::Contains("expected an escape"));
}

TEST_CASE("binary literals keep their digits, even an odd number of them") {
  CHECK(literalOf("x'0aFf'").literal == LiteralKind::BINARY);
  CHECK(valueOf("x'0aFf'") == "0AFF");
  CHECK(valueOf("X''").empty());
  CHECK(valueOf("x'0aF'") == "0AF");
  CHECK_THAT(faultOf("x'0g'"), Catch::Contains("hexadecimal"));
}

TEST_CASE("character sets before a literal are checked and kept") {
  CHECK(literalOf("_UTF8'é'").charset == "UTF8");
  CHECK(literalOf("_ISO-8859-1'x'").charset == "ISO-8859-1");
  CHECK(literalOf("N'x'").charset == "ISO-8859-1");
  CHECK_THAT(faultOf("_foo'x'"), Catch::Contains("unknown character set"));
}

TEST_CASE("dates, times and timestamps keep their text") {
  CHECK(literalOf("DATE '2024-02-30'").literal == LiteralKind::DATE);
  CHECK(valueOf("date '2024-02-30'") == "2024-02-30");
  CHECK(literalOf("TIME '10:00:00.1'").literal == LiteralKind::TIME);
  CHECK(literalOf("TIMESTAMP '2024-01-01 00:00:00'").literal == LiteralKind::TIMESTAMP);
  CHECK(literalOf("TIMESTAMP WITH LOCAL TIME ZONE '2024-01-01 00:00:00'").literal == LiteralKind::TIMESTAMP_LTZ);
  CHECK(literalOf("{ts '2024-01-01 00:00:00'}").literal == LiteralKind::TIMESTAMP);
  CHECK_THAT(faultOf("TIMESTAMP_LTZ '2024-01-01 00:00:00'"), Catch::Contains("TIMESTAMP_LTZ"));
}

TEST_CASE("truth values and NULL are literals in any case") {
  CHECK(literalOf("true").literal == LiteralKind::BOOLEAN);
  CHECK(valueOf("Unknown") == "UNKNOWN");
  CHECK(literalOf("null").literal == LiteralKind::NULL_VALUE);
}

IntervalLiteral intervalOf(std::string_view text) {
  auto expr = parseExpression(text);
  INFO(text << ": " << (expr ? "" : expr.status().message()));
  REQUIRE(expr);
  return as<IntervalLiteral>(**expr);
}

TEST_CASE("intervals take all qualifiers and precisions") {
  CHECK(intervalOf("INTERVAL '1' DAY").qualifier.start == TimeUnit::DAY);
  CHECK(intervalOf("INTERVAL '1' days").qualifier.start == TimeUnit::DAY);
  const IntervalLiteral months = intervalOf("INTERVAL -'1-2' YEAR(4) TO MONTH");
  CHECK(months.negative);
  CHECK(months.text == "1-2");
  CHECK(months.qualifier.precision == 4);
  CHECK(months.qualifier.end == TimeUnit::MONTH);
  CHECK(months.qualifier.isYearMonth());
  const IntervalLiteral seconds = intervalOf("INTERVAL '1 02:03:04.567' DAY TO SECOND(3)");
  CHECK(seconds.qualifier.fractional_precision == 3);
  CHECK_FALSE(seconds.qualifier.isYearMonth());
  CHECK(intervalOf("INTERVAL '1.5' SECOND(2, 3)").qualifier.fractional_precision == 3);
  CHECK_THAT(faultOf("INTERVAL '1' YEAR TO DAY"), Catch::Contains("YEAR TO MONTH"));
  CHECK_THAT(faultOf("INTERVAL '1' MILLISECOND"), Catch::Contains("unit of time"));
}

TEST_CASE("an interval of a number is that many units") {
  CHECK(unparse(**parseExpression("INTERVAL 3 DAY")) == "INTERVAL '3' DAY");
  CHECK(unparse(**parseExpression("INTERVAL (a + 1) HOURS")) == "(`a` + 1) * INTERVAL '1' HOUR");
}

}  // namespace
}  // namespace thalweg::sql
