#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Answers = std::vector<std::string>;
const DataType kTiny = DataType::tinyint();
const DataType kInt = DataType::integer();
const DataType kBig = DataType::bigint();
const DataType kFloat = DataType::float32();
const DataType kDouble = DataType::float64();
const DataType kMoney = DataType::decimal(8, 4);

Answers one(std::string_view function, const DataType& type, const Answers& values) {
  std::vector<Answers> rows;
  for (const std::string& value : values) rows.push_back({value});
  return KernelHarness(function, {type}).ofAll(rows);
}

TEST_CASE("ABS and SIGN keep the type") {
  CHECK(one("ABS", kTiny, {"-5", "127", "-128", "null"}) == Answers{"5", "127", "-128", "null"});
  CHECK(one("ABS", kInt, {"-2147483648", "-7"}) == Answers{"-2147483648", "7"});
  CHECK(one("ABS", kFloat, {"-1.5", "-0.0"}) == Answers{"1.5", "0.0"});
  CHECK(one("ABS", DataType::decimal(38, 2), {"-100.00"}) == Answers{"100.00"});
  CHECK(one("SIGN", kBig, {"16", "-9223372036854775808", "0"}) == Answers{"1", "-1", "0"});
  CHECK(one("SIGN", kDouble, {"0.5", "-1.0", "-0.0", "NaN"}) == Answers{"1.0", "-1.0", "-0.0", "NaN"});
  CHECK(one("SIGN", DataType::decimal(10, 2), {"2.25", "-100", "0"}) == Answers{"1.00", "-1.00", "0.00"});
  CHECK(one("SIGN", DataType::decimal(2, 2), {".25", "-.5"}) == Answers{"1.00", "-1.00"});
  CHECK(KernelHarness::refusal("ABS", {DataType::string()}) == "argument 1 (number) must be a number, but is STRING");
}

TEST_CASE("CEIL and FLOOR of every number") {
  CHECK(one("CEIL", kMoney, {"1234.5678", "-1234.5650", "9999.9999", "-0.5"}) ==
        Answers{"1235", "-1234", "10000", "0"});
  CHECK(one("FLOOR", kMoney, {"1234.5678", "-1234.5650", "-0.5"}) == Answers{"1234", "-1235", "-1"});
  CHECK(KernelHarness("CEILING", {kMoney}).resultType() == DataType::decimal(8, 0));
  CHECK(one("CEIL", kDouble, {"2.5", "-2.5", "1.005", "-0.5"}) == Answers{"3.0", "-2.0", "2.0", "-0.0"});
  CHECK(one("FLOOR", kFloat, {"2.5", "-0.4"}) == Answers{"2.0", "-1.0"});
  CHECK(one("FLOOR", kBig, {"9223372036854775807"}) == Answers{"9223372036854775807"});
}

TEST_CASE("ROUND rounds half up by the decimal text") {
  KernelHarness two("ROUND", {kDouble, kInt}, {{1, i(2)}});
  CHECK(two.ofAll({{"2.5"}, {"1.005"}, {"1.0e18"}, {"-0.5"}, {"null"}, {"NaN"}, {"Infinity"}}) ==
        Answers{"2.5", "1.01", "1.0E18", "-0.5", "null", "NaN", "Infinity"});
  CHECK(one("ROUND", kDouble, {"2.5", "-2.5", "-0.5", "-0.4"}) == Answers{"3.0", "-3.0", "-1.0", "0.0"});
  CHECK(KernelHarness("ROUND", {kDouble, kInt})
            .ofAll({{"1.0e18", "-1"}, {"1000e18", "-2"}, {"2.5", "-1"}, {"1250", "-2"}}) ==
        Answers{"1.0E18", "1.0E21", "0.0", "1300.0"});
  CHECK(KernelHarness("ROUND", {kFloat, kInt}, {{1, i(1)}}).ofAll({{"0.125"}, {"-0.4"}, {"2.5"}}) ==
        Answers{"0.1", "-0.4", "2.5"});
  CHECK(one("ROUND", kFloat, {"-0.4"}) == Answers{"0.0"});
  CHECK(KernelHarness("ROUND", {kInt, kInt})
            .ofAll({{"12345", "2"}, {"12345", "-1"}, {"-12345", "-2"}, {"-5", "-1"}, {"5", "-30"}}) ==
        Answers{"12345", "12350", "-12300", "-10", "0"});
  CHECK(KernelHarness("ROUND", {kTiny, kInt}, {{1, i(-1)}}).ofAll({{"15"}, {"-15"}, {"-1"}}) ==
        Answers{"20", "-20", "0"});
}

TEST_CASE("the digits of ROUND and TRUNCATE choose a decimal's type") {
  const auto typed = [](std::string_view function, int64_t digits) {
    return KernelHarness(function, {kMoney, kInt}, {{1, i(digits)}}).resultType().toString();
  };
  CHECK(typed("ROUND", 2) == "DECIMAL(7, 2)");
  CHECK(typed("ROUND", 0) == "DECIMAL(5, 0)");
  CHECK(typed("ROUND", -2) == "DECIMAL(5, 0)");
  CHECK(typed("TRUNCATE", 1) == "DECIMAL(6, 1)");
  CHECK(typed("TRUNCATE", 6) == "DECIMAL(8, 4)");
  CHECK(KernelHarness("ROUND", {kMoney, kInt}).resultType() == kMoney);
  CHECK(KernelHarness("ROUND", {kMoney, kInt}, {{1, i(2)}}).ofAll({{"1234.5678"}, {"-1234.5650"}, {"9999.9999"}}) ==
        Answers{"1234.57", "-1234.57", "10000.00"});
  CHECK(KernelHarness("TRUNCATE", {kMoney, kInt}, {{1, i(-2)}}).of({"1234.5678"}) == "1200");
  CHECK(KernelHarness("ROUND", {kMoney, kInt}).of({"1234.5678", "1"}) == "1234.6000");
}

TEST_CASE("TRUNCATE cuts towards zero") {
  CHECK(KernelHarness("TRUNCATE", {kDouble, kInt}, {{1, i(1)}}).ofAll({{"2.55"}, {"-0.5"}, {"1.0e18"}}) ==
        Answers{"2.5", "-0.5", "1.0E18"});
  CHECK(one("TRUNCATE", kDouble, {"-0.5", "-2.5"}) == Answers{"0.0", "-2.0"});
  CHECK(KernelHarness("TRUNCATE", {kFloat, kInt}, {{1, i(1)}}).ofAll({{"0.7"}, {"0.3"}, {"0.125"}}) ==
        Answers{"0.6", "0.3", "0.1"});
  CHECK(KernelHarness("TRUNCATE", {kBig, kInt}).of({"9223372036854775807", "-3"}) == "9223372036854775000");
}

TEST_CASE("roots, powers and logarithms are IEEE values of DOUBLE") {
  CHECK(one("SQRT", kInt, {"16", "-7", "0"}) == Answers{"4.0", "NaN", "0.0"});
  CHECK(one("SQRT", DataType::decimal(10, 2), {"2.25"}) == Answers{"1.5"});
  CHECK(one("LN", kInt, {"0", "-7"}) == Answers{"-Infinity", "NaN"});
  CHECK(one("LN", kTiny, {"127"}) == Answers{"4.844187086458591"});
  CHECK(one("LOG2", kBig, {"8"}) == Answers{"3.0"});
  CHECK(one("EXP", kInt, {"2"}) == Answers{"7.38905609893065"});
  CHECK(KernelHarness("POWER", {kInt, kTiny}).ofAll({{"2", "-5"}, {"2", "127"}}) ==
        Answers{"0.03125", "1.7014118346046923E38"});
  CHECK(KernelHarness("POWER", {DataType::decimal(10, 2), kInt}).of({"2.25", "3"}) == "11.390625");
  CHECK(KernelHarness("LOG", {kInt, kBig}).of({"2", "16"}) == "4.0");
  CHECK(KernelHarness("ATAN2", {kInt, kInt}).of({"0", "1"}) == "0.0");
  CHECK(one("ASIN", kDouble, {"3.7"}) == Answers{"NaN"});
  CHECK(KernelHarness("PI", {}).of({}) == "3.141592653589793");
}

TEST_CASE("BIN, HEX and UNHEX") {
  CHECK(one("BIN", kTiny, {"10", "0"}) == Answers{"1010", "0"});
  CHECK(one("BIN", kInt, {"-1"}) == Answers{std::string(64, '1')});
  CHECK(one("HEX", kInt, {"10", "-2147483648"}) == Answers{"A", "FFFFFFFF80000000"});
  CHECK(one("HEX", DataType::string(), {"Flink", "", "ñ€"}) == Answers{"466C696E6B", "", "C3B1E282AC"});
  CHECK(one("UNHEX", DataType::string(), {"466C", "", "c3B1", "xyz1", "7", "abc", "xab"}) ==
        Answers{"[70, 108]", "[]", "[-61, -79]", "null", "[0]", "[0, -68]", "null"});
  CHECK(KernelHarness::refusal("BIN", {DataType::decimal(2, 1)}) != "");
}

TEST_CASE("random numbers keep their ranges, a seed repeats them") {
  KernelHarness random("RAND", {});
  CHECK(random.resultType() == DataType::float64(false));
  const Value first = random({});
  CHECK((first.asDouble() >= 0 && first.asDouble() < 1));
  // java.util.Random(42): nextDouble() and nextInt(100)
  CHECK(KernelHarness("RAND", {kInt}, {{0, i(42)}}).of({}) == "0.7275636800328681");
  CHECK(KernelHarness("RAND_INTEGER", {kInt, kInt}).ofAll({{"42", "100"}, {"42", "64"}}) == Answers{"30", "46"});
  CHECK(KernelHarness("RAND_INTEGER", {kInt}).failureOf({"0"}).find("must be positive") != std::string::npos);
  const std::string uuid = KernelHarness("UUID", {})({}).asString();
  CHECK(uuid.size() == 36);
  CHECK(uuid[14] == '4');
  CHECK(std::string("89ab").find(uuid[19]) != std::string::npos);
}

}  // namespace
}  // namespace thalweg::testing
