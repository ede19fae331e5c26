#include "common/functions/conditions/comparison.h"

#include "common/columnar/builder.h"
#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

const DataType kInt = DataType::integer();
const DataType kBig = DataType::bigint();
const DataType kDouble = DataType::float64();
const DataType kText = DataType::string();

std::vector<std::string> compareAll(const DataType& type, const std::string& a, const std::string& b) {
  std::vector<std::string> answers;
  for (const char* op : {"=", "<>", "<", "<=", ">", ">="})
    answers.push_back(KernelHarness(op, {type, type}).of({a, b}));
  return answers;
}

const std::vector<std::string> kEqual{"true", "false", "false", "true", "false", "true"};
const std::vector<std::string> kLess{"false", "true", "true", "true", "false", "false"};
const std::vector<std::string> kGreater{"false", "true", "false", "false", "true", "true"};
const std::vector<std::string> kNull(6, "null");

TEST_CASE("every plain type compares in every encoding") {
  CHECK(compareAll(DataType::boolean(), "false", "true") == kLess);
  CHECK(compareAll(DataType::tinyint(), "5", "5") == kEqual);
  CHECK(compareAll(DataType::smallint(), "300", "-1") == kGreater);
  CHECK(compareAll(kInt, "-2147483648", "0") == kLess);
  CHECK(compareAll(kBig, "5000000000", "70000") == kGreater);
  CHECK(compareAll(DataType::decimal(10, 2), "-1.25", "5.00") == kLess);
  CHECK(compareAll(DataType::decimal(38, 2), "5.00", "5") == kEqual);
  CHECK(compareAll(DataType::float32(), "0.0", "-0.0") == kEqual);
  CHECK(compareAll(kDouble, "1e308", "Infinity") == kLess);
  CHECK(compareAll(DataType::date(), "1969-12-31", "2024-03-01") == kLess);
  CHECK(compareAll(DataType::time(0), "10:00:00", "09:59:59") == kGreater);
  CHECK(compareAll(DataType::timestamp(3), "2024-03-01 00:00:00", "2024-03-01 00:00:00") == kEqual);
  CHECK(compareAll(DataType::timestamp(9), "2024-06-01 00:00:00.000000001", "2024-06-01 00:00:00.000000002") == kLess);
  CHECK(compareAll(kInt, "null", "1") == kNull);
  CHECK(compareAll(kText, "a", "null") == kNull);
}

TEST_CASE("text compares by code point, without padding") {
  CHECK(compareAll(kText, "five", "five") == kEqual);
  CHECK(compareAll(kText, "five", "five ") == kLess);
  CHECK(compareAll(kText, "Five", "five") == kLess);
  CHECK(compareAll(kText, "é", "z") == kGreater);
  CHECK(compareAll(kText, "a long text that is kept outside", "a long text that is kept outsidf") == kLess);
  CHECK(compareAll(kText, "a long text that is kept outside", "a long text that is kept outside") == kEqual);
  CHECK(compareAll(kText, "twelve bytes", "twelve bytes!") == kLess);
  CHECK(compareAll(DataType::bytes(), "\xff", "a") == kGreater);
}

TEST_CASE("numbers of different types compare by value") {
  CHECK(KernelHarness("=", {DataType::decimal(10, 2), DataType::decimal(20, 8)}).of({"5.00", "5.00000000"}) == "true");
  CHECK(KernelHarness("<", {DataType::decimal(10, 2), kInt}).of({"4.99", "5"}) == "true");
  CHECK(KernelHarness(">", {kBig, kInt}).of({"4294967295", "-1"}) == "true");
  CHECK(KernelHarness("=", {kInt, kDouble}).of({"16777217", "16777217"}) == "true");
  CHECK(KernelHarness("<", {DataType::timestamp(3), DataType::timestamp(9)})
            .of({"2024-06-01 00:00:00.1", "2024-06-01 00:00:00.1000001"}) == "true");
}

TEST_CASE("what cannot be compared is refused") {
  CHECK(KernelHarness::refusal("=", {kInt, kText}) ==
        "cannot compare INT with STRING; cast one side to the type of the other");
  CHECK(KernelHarness::refusal("=", {kInt, DataType::boolean()}) != "");
  CHECK(KernelHarness::refusal("=", {DataType::date(), DataType::timestamp(3)}) != "");
  CHECK(KernelHarness::refusal("<", {DataType::array(kInt), DataType::array(kInt)}) != "");
  CHECK(KernelHarness::refusal("=", {DataType::intervalMonth(), DataType::intervalSecond()}) != "");
}

TEST_CASE("text is compared with dates and timestamps as such") {
  CHECK(KernelHarness("=", {DataType::date(), kText}).of({"2024-03-01", "2024-03-01"}) == "true");
  CHECK(KernelHarness(">=", {kText, DataType::timestamp(3)}).of({"2024-03-01 00:00:01", "2024-03-01 00:00:00"}) ==
        "true");
}

TEST_CASE("IS DISTINCT FROM treats NULL as a value") {
  KernelHarness distinct("IS DISTINCT FROM", {kInt, kInt});
  CHECK(distinct.resultType() == DataType::boolean(false));
  CHECK(distinct.ofAll({{"1", "1"}, {"1", "2"}, {"1", "null"}, {"null", "null"}}) ==
        std::vector<std::string>{"false", "true", "true", "false"});
  CHECK(KernelHarness("IS NOT DISTINCT FROM", {kText, kText}).ofAll({{"a", "a"}, {"null", "a"}, {"null", "null"}}) ==
        std::vector<std::string>{"true", "false", "true"});
}

TEST_CASE("nested values are equal or not, NULL inside equals NULL") {
  const DataType array = DataType::array(kInt);
  KernelHarness arrays("=", {array, array});
  const Value one_null = Value::list({i(1), null()});
  CHECK(arrays.runAll({{Value::list({i(1), i(2)}), Value::list({i(1), i(2)})},
                       {Value::list({i(1), i(2)}), Value::list({i(2), i(1)})},
                       {one_null, one_null},
                       {one_null, Value::list({i(1)})},
                       {null(), one_null}}) == std::vector<Value>{b(true), b(false), b(true), b(false), null()});
  const DataType map = DataType::map(kText, kInt);
  KernelHarness maps("<>", {map, map});
  CHECK(maps.runAll({{Value::map({{s("x"), i(1)}, {s("y"), i(2)}}), Value::map({{s("y"), i(2)}, {s("x"), i(1)}})},
                     {Value::map({{s("x"), i(1)}}), Value::map({{s("x"), i(2)}})}}) ==
        std::vector<Value>{b(false), b(true)});
  const DataType row = DataType::row({{"p", kInt}, {"q", kText}});
  KernelHarness rows("=", {row, row});
  CHECK(rows.runAll({{Value::row({i(1), s("a")}), Value::row({i(1), s("a")})},
                     {Value::row({i(1), null()}), Value::row({i(1), s("a")})},
                     {Value::row({i(1), null()}), Value::row({i(1), null()})},
                     {null(), Value::row({i(1), s("a")})}}) == std::vector<Value>{b(true), b(false), b(true), null()});
}

TEST_CASE("IN is TRUE, FALSE, or NULL when a NULL might have matched") {
  const std::map<size_t, Value> constants{{1, i(10)}, {2, i(12)}};
  CHECK(KernelHarness("IN", {kInt, kInt, kInt}, constants).ofAll({{"10"}, {"11"}, {"null"}}) ==
        std::vector<std::string>{"true", "false", "null"});
  CHECK(KernelHarness("IN", {kInt, kInt, kInt}, {{1, i(3)}, {2, null()}}).ofAll({{"3"}, {"4"}, {"null"}}) ==
        std::vector<std::string>{"true", "null", "null"});
  CHECK(KernelHarness("IN", {kInt, kInt, kInt})
            .ofAll({{"5", "5", "9"}, {"3", "null", "9"}, {"9", "null", "9"}, {"3", "1", "2"}}) ==
        std::vector<std::string>{"true", "null", "true", "false"});
  std::map<size_t, Value> many;
  std::vector<DataType> types{kText};
  for (size_t at = 1; at < 12; ++at) {
    many[at] = s("value number " + std::to_string(at));
    types.push_back(kText);
  }
  CHECK(KernelHarness("IN", types, many).ofAll({{"value number 7"}, {"value number 70"}, {"null"}}) ==
        std::vector<std::string>{"true", "false", "null"});
  const DataType money = DataType::decimal(5, 2);
  CHECK(KernelHarness("IN", {money, kInt, DataType::decimal(2, 1)}).of({"2.50", "1", "2.5"}) == "true");
  CHECK(KernelHarness("IN", {kDouble, kDouble, kDouble}, {{1, d(0.0)}, {2, d(1.0)}}).of({"-0.0"}) == "true");
}

TEST_CASE("NOT and the predicates on truth know three values") {
  const DataType boolean = DataType::boolean();
  const auto all = [&](std::string_view name) {
    return KernelHarness(name, {boolean}).ofAll({{"true"}, {"false"}, {"null"}});
  };
  using Answers = std::vector<std::string>;
  CHECK(all("NOT") == Answers{"false", "true", "null"});
  CHECK(all("IS TRUE") == Answers{"true", "false", "false"});
  CHECK(all("IS NOT TRUE") == Answers{"false", "true", "true"});
  CHECK(all("IS FALSE") == Answers{"false", "true", "false"});
  CHECK(all("IS NOT FALSE") == Answers{"true", "false", "true"});
  CHECK(all("IS UNKNOWN") == Answers{"false", "false", "true"});
  CHECK(all("IS NOT UNKNOWN") == Answers{"true", "true", "false"});
  CHECK(KernelHarness("IS NULL", {DataType::array(kInt)}).runAll({{null()}, {Value::list({})}}) ==
        std::vector<Value>{b(true), b(false)});
  CHECK(KernelHarness::refusal("NOT", {kInt}).find("a BOOLEAN") != std::string::npos);
}

}  // namespace
}  // namespace thalweg::testing
