#include "common/types/decimal.h"

#include <cmath>
#include <string>

#include "common/types/decimal_text.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

struct Number {
  int128 unscaled;
  DecimalSpec spec;
};

Number number(const std::string& text) {
  const auto literal = parseDecimalLiteral(text);
  REQUIRE(literal);
  return {literal->unscaled, literal->spec};
}

std::string shown(std::optional<int128> unscaled, int scale) {
  return unscaled ? decimalText(*unscaled, scale) : "null";
}

using Operation = std::optional<int128> (*)(int128, int, int128, int, DecimalSpec);

std::string compute(Operation op, const std::string& a, const std::string& b, DecimalSpec to) {
  const Number x = number(a);
  const Number y = number(b);
  return shown(op(x.unscaled, x.spec.scale, y.unscaled, y.spec.scale, to), to.scale);
}

std::string javaForm(const std::string& text) {
  std::string out;
  appendDecimalJava(out, number(text).unscaled, number(text).spec.scale);
  return out;
}

std::string parsed(const std::string& text, int precision, int scale) {
  return shown(parseDecimal(text, {precision, scale}), scale);
}

TEST_CASE("result types of decimal arithmetic follow the SQL Server rules that Flink adopted") {
  CHECK(addedDecimalSpec({4, 2}, {5, 4}) == DecimalSpec{7, 4});
  CHECK(multipliedDecimalSpec({4, 2}, {5, 4}) == DecimalSpec{10, 6});
  CHECK(dividedDecimalSpec({4, 2}, {5, 4}) == DecimalSpec{14, 8});
  CHECK(remainderDecimalSpec({4, 2}, {5, 4}) == DecimalSpec{5, 4});
  CHECK(dividedDecimalSpec({4, 2}, {10, 0}) == DecimalSpec{15, 13});
}

TEST_CASE("beyond 38 digits the scale gives way but keeps six") {
  CHECK(addedDecimalSpec({38, 18}, {38, 18}) == DecimalSpec{38, 17});
  CHECK(multipliedDecimalSpec({38, 18}, {38, 18}) == DecimalSpec{38, 6});
  CHECK(multipliedDecimalSpec({38, 18}, {4, 2}) == DecimalSpec{38, 15});
  CHECK(multipliedDecimalSpec({38, 18}, {10, 0}) == DecimalSpec{38, 7});
  CHECK(dividedDecimalSpec({38, 18}, {4, 2}) == DecimalSpec{38, 16});
  CHECK(dividedDecimalSpec({38, 18}, {38, 18}) == DecimalSpec{38, 6});
  CHECK(remainderDecimalSpec({38, 18}, {4, 2}) == DecimalSpec{20, 18});
  CHECK(averagedDecimalSpec({5, 2}) == DecimalSpec{38, 6});
  CHECK(averagedDecimalSpec({38, 18}) == DecimalSpec{38, 18});
  CHECK(summedDecimalSpec({8, 2}) == DecimalSpec{38, 2});
}

TEST_CASE("rounding and common types of decimals") {
  CHECK(roundedDecimalSpec({8, 4}, 2) == DecimalSpec{7, 2});
  CHECK(roundedDecimalSpec({8, 4}, 0) == DecimalSpec{5, 0});
  CHECK(roundedDecimalSpec({8, 4}, -1) == DecimalSpec{5, 0});
  CHECK(commonDecimalSpec({10, 0}, {2, 1}) == DecimalSpec{11, 1});
  CHECK(commonDecimalSpec({38, 0}, {38, 38}) == DecimalSpec{38, 0});
}

TEST_CASE("sums, products and quotients round half up") {
  CHECK(compute(addDecimals, "12.34", "0.0007", {7, 4}) == "12.3407");
  CHECK(compute(subtractDecimals, "-99.99", "9.9999", {7, 4}) == "-109.9899");
  CHECK(compute(multiplyDecimals, "-99.99", "9.9999", {10, 6}) == "-999.890001");
  CHECK(compute(divideDecimals, "12.34", "0.0007", {14, 8}) == "17628.57142857");
  CHECK(compute(divideDecimals, "-0.5", "1", {38, 0}) == "-1");
  CHECK(compute(divideDecimals, "2", "3", {38, 18}) == "0.666666666666666667");
  CHECK(compute(divideDecimals, "0", "3", {8, 6}) == "0.000000");
  CHECK(compute(remainderDecimals, "-99.99", "9.9999", {5, 4}) == "-9.9909");
  CHECK(compute(addDecimals, "99999999999999999999.999999999999999999", "99999999999999999999.999999999999999999",
                {38, 17}) == "200000000000000000000.00000000000000000");
}

TEST_CASE("a result with too many digits is no value") {
  CHECK(compute(multiplyDecimals, "99999999999999999999.999999999999999999", "99999999999999999999.999999999999999999",
                {38, 6}) == "null");
  CHECK(compute(addDecimals, "99999999999999999999999999999999999999", "1", {38, 0}) == "null");
  CHECK(shown(rescaleDecimal(9999, 2, {3, 1}), 1) == "null");
  CHECK(shown(rescaleDecimal(9994, 2, {3, 1}), 1) == "99.9");
}

TEST_CASE("remainders of numbers far apart are exact") {
  CHECK(compute(remainderDecimals, "10000000000000000000000000000000000000", "0.7", {38, 1}) == "0.2");
  CHECK(compute(remainderDecimals, "0.00000000000000000000000000000000000001",
                "99999999999999999999999999999999999999", {38, 38}) == "0.00000000000000000000000000000000000001");
}

TEST_CASE("decimals of different scales compare by value") {
  CHECK(compareDecimals(10, 1, 100, 2) == 0);
  CHECK(compareDecimals(-11, 1, -100, 2) < 0);
  CHECK(compareDecimals(powerOfTen(38) - 1, 0, 1, 38) > 0);
  CHECK(compareDecimals(-(powerOfTen(38) - 1), 0, -1, 38) < 0);
}

TEST_CASE("doubles become decimals by their shortest text") {
  CHECK(shown(decimalFromDouble(0.1, {20, 18}), 18) == "0.100000000000000000");
  CHECK(shown(decimalFromDouble(static_cast<double>(0.1F), {20, 18}), 18) == "0.100000001490116120");
  CHECK(shown(decimalFromDouble(-128.99, {4, 1}), 1) == "-129.0");
  CHECK(shown(decimalFromDouble(1e19, {12, 2}), 2) == "null");
  CHECK(shown(decimalFromDouble(4.9e-324, {38, 38}), 38) == "0." + std::string(38, '0'));
  CHECK_FALSE(decimalFromDouble(std::nan(""), {38, 0}));
}

TEST_CASE("decimals become integers and doubles") {
  CHECK(decimalToInt64(number("12345678901234567890.123456").unscaled, 6) == -6101065172474983726);
  CHECK(decimalToInt64(-25, 1) == -2);
  CHECK(decimalToDouble(number("-3000000000.5").unscaled, {30, 1}) == -3.0000000005E9);
  CHECK(decimalToDouble(number("12345678901234567890.123456").unscaled, {30, 6}) == 1.2345678901234567E19);
}

TEST_CASE("rounding to digits on either side of the point") {
  CHECK(shown(roundDecimalAt(1234, 2, 1), 2) == "12.30");
  CHECK(shown(roundDecimalAt(1235, 2, 1), 2) == "12.40");
  CHECK(shown(roundDecimalAt(-1235, 2, 1), 2) == "-12.40");
  CHECK(shown(roundDecimalAt(1234, 2, -1), 2) == "10.00");
  CHECK(shown(truncateDecimalAt(-99999, 4, 2), 4) == "-9.9900");
  CHECK(shown(floorDecimal(-9999, 2), 0) == "-100");
  CHECK(shown(ceilDecimal(-9999, 2), 0) == "-99");
  CHECK_FALSE(roundDecimalAt(powerOfTen(38) - 1, 0, -1));
}

TEST_CASE("decimals print plainly in casts and with exponents in rows") {
  CHECK(decimalText(1, 7) == "0.0000001");
  CHECK(javaForm("0.0000001") == "1E-7");
  CHECK(javaForm("0.0000000") == "0E-7");
  CHECK(javaForm("0.000000") == "0.000000");
  CHECK(javaForm("-0.0000010") == "-0.0000010");
  CHECK(javaForm("0.00000000000100") == "1.00E-12");
  CHECK(javaForm("-99999999999999999999999999999999999999") == "-99999999999999999999999999999999999999");
}

TEST_CASE("text becomes a decimal by Java's grammar") {
  CHECK(parsed("  42 ", 5, 2) == "42.00");
  CHECK(parsed("1e3", 10, 0) == "1000");
  CHECK(parsed("1e3", 5, 2) == "null");
  CHECK(parsed(".5", 10, 0) == "1");
  CHECK(parsed("5.", 10, 0) == "5");
  CHECK(parsed("-999.994", 5, 2) == "-999.99");
  CHECK(parsed("999.995", 5, 2) == "1000.00");
  CHECK(parsed("999.99500000000000000", 5, 2) == "null");
  CHECK(parsed("0.005", 5, 2) == "0.01");
  CHECK(parsed("0000000007", 3, 2) == "null");  // short text: its zeros count as digits
  CHECK(parsed("0000000007", 20, 2) == "7.00");
  CHECK(parsed("0.5", 2, 2) == "null");
  CHECK(parsed("1e400", 38, 4) == "null");
  CHECK(parsed("4.9E-325", 38, 2) == "0.00");
  CHECK(parsed("4.9E-325", 5, 2) == "null");
  CHECK(parsed("1e-20", 5, 2) == "0.00");
  CHECK(parsed("12.9x", 5, 2) == "12.90");
  CHECK(parsed("12.9x", 38, 2) == "null");
  CHECK(parsed("x", 5, 2) == "0.00");
  CHECK(parsed("1e", 5, 2) == "1.00");
  CHECK(parsed("1e-400", 38, 4) == "0.0000");
  for (const char* bad : {"", " ", "-", "--5", "12abc", "12.5 7", "1e+", "NaN", "0x1F", "1,000", "1.2.3", "1e99999999999"}) {
    CHECK(parsed(bad, 5, 2) == "null");
  }
}

TEST_CASE("literals keep the digits that were written") {
  CHECK(number("1.50").spec == DecimalSpec{3, 2});
  CHECK(number(".5").spec == DecimalSpec{1, 1});
  CHECK(number("0.10").spec == DecimalSpec{2, 2});
  CHECK(number("1e3").spec == DecimalSpec{4, 0});
  CHECK_FALSE(parseDecimalLiteral("100000000000000000000000000000000000000"));
}

}  // namespace
}  // namespace thalweg
