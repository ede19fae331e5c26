#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

const DataType kTiny = DataType::tinyint();
const DataType kSmall = DataType::smallint();
const DataType kInt = DataType::integer();
const DataType kBig = DataType::bigint();
const DataType kFloat = DataType::float32();
const DataType kDouble = DataType::float64();

std::string typeOf(std::string_view op, const DataType& a, const DataType& b) {
  return KernelHarness(op, {a, b}).resultType().toString();
}

TEST_CASE("integer arithmetic has the wider type and wraps") {
  KernelHarness tiny("+", {kTiny, kTiny});
  CHECK(tiny.resultType() == kTiny);
  CHECK(tiny.ofAll({{"127", "127"}, {"-128", "-128"}, {"7", "7"}, {"null", "1"}, {"-1", "-1"}}) ==
        std::vector<std::string>{"-2", "0", "14", "null", "-2"});
  KernelHarness mixed("+", {kTiny, kSmall});
  CHECK(mixed.resultType() == kSmall);
  CHECK(mixed.of({"127", "32767"}) == "-32642");
  CHECK(KernelHarness("*", {kSmall, kSmall}).of({"32767", "32767"}) == "1");
  CHECK(KernelHarness("-", {kInt, kInt}).of({"-2147483648", "1"}) == "2147483647");
  CHECK(KernelHarness("*", {kTiny, kBig}).of({"127", "9223372036854775807"}) == "9223372036854775681");
  CHECK(KernelHarness("*", {kBig, kBig}).of({"-9223372036854775808", "-1"}) == "-9223372036854775808");
}

TEST_CASE("integer division cuts towards zero and fails on zero") {
  KernelHarness divide("/", {kInt, kInt});
  CHECK(divide.ofAll({{"7", "2"}, {"-7", "2"}, {"-2147483648", "-1"}, {"null", "0"}, {"5", "null"}}) ==
        std::vector<std::string>{"3", "-3", "-2147483648", "null", "null"});
  CHECK(divide.failureOf({"1", "0"}).find("division by zero") != std::string::npos);
  CHECK(KernelHarness("/", {kSmall, kTiny}).resultType() == kSmall);
  CHECK(KernelHarness("/", {kBig, kInt}, {{1, i(10)}}).of({"-15"}) == "-1");
  CHECK(KernelHarness("/", {kBig, kInt}, {{1, i(0)}}).failureOf({"1"}) != "");
}

TEST_CASE("the remainder has the divisor's type and the dividend's sign") {
  KernelHarness mod("MOD", {kBig, kTiny});
  CHECK(mod.resultType() == kTiny);
  CHECK(mod.of({"-9223372036854775808", "-128"}) == "0");
  CHECK(mod.of({"-7", "3"}) == "-1");
  CHECK(KernelHarness("%", {kInt, kBig}).resultType() == kBig);
  CHECK(KernelHarness("%", {kSmall, kInt}, {{1, i(-2)}}).of({"-7"}) == "-1");
  CHECK(KernelHarness("%", {kInt, kInt}).of({"-2147483648", "-1"}) == "0");
  CHECK(KernelHarness("%", {kBig, kInt}).failureOf({"1", "0"}) != "");
  CHECK(KernelHarness::refusal("%", {kDouble, kInt}) != "");
  CHECK(KernelHarness::refusal("MOD", {kInt, kFloat}) != "");
}

TEST_CASE("approximate arithmetic is IEEE 754") {
  KernelHarness divide("/", {kDouble, kInt});
  CHECK(divide.resultType() == kDouble);
  CHECK(divide.ofAll({{"2.25", "2"}, {"1", "0"}, {"-1", "0"}, {"0", "0"}}) ==
        std::vector<std::string>{"1.125", "Infinity", "-Infinity", "NaN"});
  KernelHarness add("+", {kFloat, kInt});
  CHECK(add.resultType() == kFloat);
  CHECK(add.of({"-0.0", "-2147483648"}) == "-2.14748365E9");
  CHECK(KernelHarness("*", {kFloat, kFloat}).of({"-0.1", "-0.1"}) == "0.010000001");
  CHECK(typeOf("+", kDouble, kFloat) == "DOUBLE");
}

TEST_CASE("decimal results have Flink's precision and scale") {
  const DataType a = DataType::decimal(10, 2);
  const DataType b = DataType::decimal(6, 3);
  CHECK(typeOf("+", a, b) == "DECIMAL(12, 3)");
  CHECK(typeOf("*", a, b) == "DECIMAL(17, 5)");
  CHECK(typeOf("/", a, b) == "DECIMAL(20, 9)");
  CHECK(typeOf("%", a, b) == "DECIMAL(6, 3)");
  CHECK(typeOf("+", a, kInt) == "DECIMAL(13, 2)");
  CHECK(typeOf("*", a, kInt) == "DECIMAL(21, 2)");
  CHECK(typeOf("-", kInt, b) == "DECIMAL(14, 3)");
  CHECK(typeOf("/", kInt, b) == "DECIMAL(20, 7)");
  CHECK(typeOf("+", a, kDouble) == "DOUBLE");
  CHECK(typeOf("*", DataType::decimal(3, 3), kBig) == "DECIMAL(23, 3)");
  const DataType wide = DataType::decimal(38, 18);
  CHECK(typeOf("+", wide, wide) == "DECIMAL(38, 17)");
  CHECK(typeOf("*", wide, wide) == "DECIMAL(38, 6)");
  CHECK(typeOf("%", DataType::decimal(38, 0), kInt) == "INT");
}

TEST_CASE("decimal arithmetic rounds half up and is NULL where a value does not fit") {
  const DataType a = DataType::decimal(10, 2);
  const DataType b = DataType::decimal(6, 3);
  CHECK(KernelHarness("+", {a, b}).ofAll({{"12345678.90", "3.125"}, {"-0.05", "-0.001"}, {"null", "2.5"}}) ==
        std::vector<std::string>{"12345682.025", "-0.051", "null"});
  CHECK(KernelHarness("*", {a, b}).of({"99999999.99", "999.999"}) == "99999899990.00001");
  CHECK(KernelHarness("/", {a, b})
            .ofAll({{"12345678.90", "3.125"}, {"-0.05", "-0.001"}, {"0", "0.999"}, {"99999999.99", "999.999"}}) ==
        std::vector<std::string>{"3950617.248000000", "50.000000000", "0E-9", "100000.099990100"});
  CHECK(KernelHarness("%", {a, b}).of({"99999999.99", "999.999"}) == "99.990");
  CHECK(KernelHarness("/", {a, b}).failureOf({"1", "0"}) != "");
  CHECK(KernelHarness("%", {a, kInt}).failureOf({"1", "0"}) != "");
  const DataType big = DataType::decimal(38, 0);
  const std::string nines(38, '9');
  CHECK(KernelHarness("+", {big, kInt}).of({nines, "1"}) == "null");
  CHECK(KernelHarness("-", {big, kInt}).of({nines, "1"}) == nines.substr(0, 37) + "8");
  CHECK(KernelHarness("*", {big, big}).of({"12345678901234567890", "12345678901234567890"}) == "null");
  CHECK(KernelHarness("/", {big, kInt}).of({"12345678901234567890", "3"}) == "4115226300411522630.000000");
  CHECK(KernelHarness("%", {big, kInt}).of({"12345678901234567890", "7"}) == "-1");
  CHECK(KernelHarness("*", {DataType::decimal(3, 3), kBig}).of({".908", "9223372036854775807"}) ==
        "8374821809464136432.756");
}

TEST_CASE("a narrow decimal quotient equals the wide one") {
  KernelHarness narrow("/", {DataType::decimal(4, 2), DataType::decimal(2, 1)});  // DECIMAL(10, 6)
  KernelHarness wide("/", {DataType::decimal(4, 2), DataType::decimal(38, 1)});
  for (int a = -9999; a <= 9999; a += 37) {
    const int b = a % 89 == 0 ? 7 : a % 89;
    const Value left = Value::decimal(a);
    const std::string quotient = narrow.of({std::to_string(a) + "e-2", std::to_string(b) + "e-1"});
    INFO(a << " / " << b);
    // both are exact to six digits; compare as numbers
    CHECK(std::abs(std::stod(quotient) - static_cast<double>(a) / 10 / b) <= 5e-7 * 1.000001);
    CHECK_FALSE(left.isNull());
  }
  CHECK(wide.resultType().scale() >= 6);
}

TEST_CASE("unary minus keeps the type") {
  CHECK(KernelHarness("NEGATE", {kTiny}).ofAll({{"127"}, {"-128"}, {"null"}}) ==
        std::vector<std::string>{"-127", "-128", "null"});
  CHECK(KernelHarness("NEGATE", {kDouble}).of({"0"}) == "-0.0");
  CHECK(KernelHarness("NEGATE", {DataType::decimal(38, 0)}).of({"-1"}) == "1");
  CHECK(KernelHarness("NEGATE", {DataType::intervalMonth()}).of({"1"}) == "P-1M");
  CHECK(KernelHarness::refusal("NEGATE", {DataType::string()}).find("a number or an interval") != std::string::npos);
}

TEST_CASE("dates move by intervals") {
  const DataType date = DataType::date();
  KernelHarness months("+", {date, DataType::intervalMonth()});
  CHECK(months.resultType() == date);
  CHECK(months.ofAll(
            {{"2024-01-31", "1"}, {"2023-03-31", "-1"}, {"1968-02-29", "12"}, {"null", "1"}, {"2000-12-31", "13"}}) ==
        std::vector<std::string>{"2024-02-29", "2023-02-28", "1969-02-28", "null", "2002-01-31"});
  CHECK(KernelHarness("-", {date, DataType::intervalMonth()}).of({"2024-01-31", "13"}) == "2022-12-31");
  KernelHarness days("+", {date, DataType::intervalSecond()});
  CHECK(days.of({"2024-01-31", "2592000000"}) == "2024-03-01");
  CHECK(days.of({"2024-01-31", "18000000"}) == "2024-01-31");
  CHECK(KernelHarness("-", {date, DataType::intervalSecond()}).of({"2024-03-01", "90000000"}) == "2024-02-29");
  CHECK(KernelHarness("+", {DataType::intervalSecond(), date}).of({"172800000", "2024-01-31"}) == "2024-02-02");
  CHECK(KernelHarness::refusal("+", {date, kInt}) != "");
  CHECK(KernelHarness::refusal("+", {date, DataType::timestamp(3)}) != "");
}

TEST_CASE("timestamps and times move by intervals") {
  KernelHarness months("+", {DataType::timestamp(3), DataType::intervalMonth()});
  CHECK(months.of({"2024-02-29 23:59:59.999", "12"}) == "2025-02-28T23:59:59.999");
  CHECK(months.of({"1969-12-31 23:59:59.999", "1"}) == "1970-01-31T23:59:59.999");
  CHECK(KernelHarness("-", {DataType::timestamp(3), DataType::intervalSecond()})
            .of({"2000-02-28 12:00:00.001", "1000"}) == "2000-02-28T11:59:59.001");
  CHECK(KernelHarness("+", {DataType::timestamp(6), DataType::intervalSecond()})
            .of({"2024-06-01 00:00:00.123456", "500"}) == "2024-06-01T00:00:00.623456");
  CHECK(KernelHarness("+", {DataType::timestamp(9), DataType::intervalSecond()})
            .of({"2024-06-01 00:00:00.123456789", "1000"}) == "2024-06-01T00:00:01.123456789");
  CHECK(KernelHarness("-", {DataType::timestamp(9), DataType::intervalMonth()}).of({"2024-06-01 00:00:00.1", "1"}) ==
        "2024-05-01T00:00:00.100");
  KernelHarness time("+", {DataType::time(0), DataType::intervalSecond()});
  CHECK(time.ofAll({{"23:30:00", "3600000"}, {"00:00:00", "-1800000"}}) == std::vector<std::string>{"00:30", "23:30"});
}

TEST_CASE("intervals add, subtract and multiply") {
  const DataType day = DataType::intervalSecond();
  const DataType month = DataType::intervalMonth();
  CHECK(KernelHarness("+", {day, day}).of({"86400000", "7200000"}) == "PT26H");
  CHECK(KernelHarness("-", {month, month}).of({"12", "2"}) == "P10M");
  CHECK(KernelHarness("*", {day, kInt}).of({"86400000", "3"}) == "PT72H");
  CHECK(KernelHarness("*", {kInt, day}).of({"2", "10800000"}) == "PT6H");
  CHECK(KernelHarness::refusal("+", {day, month}) != "");
}

}  // namespace
}  // namespace thalweg::testing
