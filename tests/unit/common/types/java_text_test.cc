#include "common/types/java_text.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

TEST_CASE("doubles print as Java prints them") {
  CHECK(doubleText(1) == "1.0");
  CHECK(doubleText(-0.0) == "-0.0");
  CHECK(doubleText(0.001) == "0.001");
  CHECK(doubleText(1e-4) == "1.0E-4");
  CHECK(doubleText(9999999) == "9999999.0");
  CHECK(doubleText(1e7) == "1.0E7");
  CHECK(doubleText(12345678.9) == "1.23456789E7");
  CHECK(doubleText(0.1 + 0.2) == "0.30000000000000004");
  CHECK(doubleText(9.223372036854775807e18) == "9.223372036854776E18");
  CHECK(doubleText(1.7976931348623157e308) == "1.7976931348623157E308");
  CHECK(doubleText(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(doubleText(-std::numeric_limits<double>::infinity()) == "-Infinity");
}

TEST_CASE("doubles print as Java 17 does where it is not the shortest text") {
  CHECK(doubleText(4.9e-324) == "4.9E-324");
  CHECK(doubleText(2e23) == "1.9999999999999998E23");
  CHECK(doubleText(3.2030940192161184e25) == "3.2030940192161183E25");
  CHECK(floatText(2147483648.0F) == "2.14748365E9");
  CHECK(floatText(-2147483648.0F) == "-2.14748365E9");
  CHECK(floatText(9.9999998e10F) == "9.9999998E10");
  CHECK(floatText(9.6563153e24F) == "9.6563153E24");
  CHECK(floatText(1.4e-45F) == "1.4E-45");
}

TEST_CASE("floats print their own shortest text") {
  CHECK(floatText(0.1F) == "0.1");
  CHECK(floatText(12345679.0F) == "1.2345679E7");
  CHECK(floatText(16777216.0F) == "1.6777216E7");
  CHECK(floatText(9.223372e18F) == "9.223372E18");
  CHECK(floatText(3.4028235e38F) == "3.4028235E38");
  CHECK(floatText(9.999999e-4F) == "9.999999E-4");
}

TEST_CASE("text becomes a double as Double.parseDouble has it") {
  CHECK(parseDouble(" 42 ") == 42.0);
  CHECK(parseDouble("+7") == 7.0);
  CHECK(std::signbit(*parseDouble("-0")));
  CHECK(parseDouble("5.") == 5.0);
  CHECK(parseDouble(".5e1") == 5.0);
  CHECK(parseDouble("1e400") == std::numeric_limits<double>::infinity());
  CHECK(parseDouble("4.9E-325") == 0.0);
  CHECK(parseDouble("-Infinity") == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(*parseDouble("NaN")));
  CHECK(parseDouble("1.5d") == 1.5);
  CHECK(parseDouble("2F") == 2.0);
  CHECK(parseDouble("0x1.8p1") == 3.0);
  CHECK(parseDouble("0xfp0f") == 15.0);
  CHECK(parseFloat("0x1p635") == std::numeric_limits<float>::infinity());
  CHECK(parseDouble("0x1p-2000") == 0.0);
  for (const char* bad : {"", " ", ".", "--5", "1e", "0x1F", "0x", "1,000", "12abc", "inf", "nan", "infinity", "1 2", "d", "+"}) {
    CHECK_FALSE(parseDouble(bad));
  }
}

TEST_CASE("text becomes a float without passing through double") {
  CHECK(parseFloat("2147483648") == 2147483648.0F);
  CHECK(parseFloat("1.00000017881393432617187499") == 1.0000001F);
  CHECK(parseFloat("1e39") == std::numeric_limits<float>::infinity());
}

TEST_CASE("text becomes an integer after dropping blanks and fraction") {
  const auto int8 = [](std::string_view text) { return parseInteger(text, -128, 127); };
  CHECK(int8("  42 ") == 42);
  CHECK(int8("12.99") == 12);
  CHECK(int8("-12.99") == -12);
  CHECK(int8(".5") == 0);
  CHECK(int8("5.") == 5);
  CHECK(int8("007") == 7);
  CHECK(int8("+7") == 7);
  CHECK(int8("-128") == -128);
  CHECK_FALSE(int8("128"));
  CHECK_FALSE(int8("-129"));
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  CHECK(parseInteger("-9223372036854775808", kMin, kMax) == kMin);
  CHECK_FALSE(parseInteger("9223372036854775808", kMin, kMax));
  CHECK_FALSE(parseInteger("92233720368547758070", kMin, kMax));
  for (const char* bad : {"", " ", "+", "1e3", "0x1F", "1,000", "--5", "12abc", "12.9x", "1 2"}) CHECK_FALSE(int8(bad));
}

TEST_CASE("text becomes a boolean only from the ten known words") {
  CHECK(parseBoolean("TRUE") == true);
  CHECK(parseBoolean("y") == true);
  CHECK(parseBoolean("0") == false);
  CHECK(parseBoolean("No") == false);
  for (const char* bad : {"", "on", " true ", "maybe", "2"}) CHECK_FALSE(parseBoolean(bad));
}

TEST_CASE("doubles narrow to integers by saturating") {
  CHECK(doubleToInt64(1e19) == std::numeric_limits<int64_t>::max());
  CHECK(doubleToInt64(-1e19) == std::numeric_limits<int64_t>::min());
  CHECK(doubleToInt64(std::nan("")) == 0);
  CHECK(doubleToInt32(-1.9) == -1);
  CHECK(doubleToInt32(3e9) == std::numeric_limits<int32_t>::max());
}

TEST_CASE("lengths of text count code points") {
  CHECK(codePointCount("naïve ☃ 😀") == 9);
  CHECK(prefixOfCodePoints("Müller", 3) == "Mül");
  CHECK(prefixOfCodePoints("😀😃", 1) == "😀");
  CHECK(prefixOfCodePoints("😀😃", 5) == "😀😃");
  CHECK(prefixOfCodePoints("abc", 0).empty());
}

}  // namespace
}  // namespace thalweg
