#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Answers = std::vector<std::string>;
const DataType kInt = DataType::integer();
const DataType kBig = DataType::bigint();
const DataType kText = DataType::string();

TEST_CASE("COALESCE gives the first value that is not NULL") {
  KernelHarness three("COALESCE", {kInt, kBig, DataType::integer(false)});
  CHECK(three.resultType() == DataType::bigint(false));
  CHECK(three.ofAll({{"1", "20", "0"}, {"null", "null", "0"}, {"null", "9007199254740993", "0"}}) ==
        Answers{"1", "0", "9007199254740993"});
  KernelHarness text("COALESCE", {kText, kText});
  CHECK(text.resultType() == kText);
  CHECK(
      text.ofAll(
          {{"null", "a text longer than twelve bytes"}, {"another long text of some bytes", "x"}, {"null", "null"}}) ==
      Answers{"a text longer than twelve bytes", "another long text of some bytes", "null"});
  KernelHarness lists("COALESCE", {DataType::array(kInt), DataType::array(kInt)});
  CHECK(lists.runAll({{null(), Value::list({i(1)})}, {Value::list({i(2), null()}), null()}}) ==
        std::vector<Value>{Value::list({i(1)}), Value::list({i(2), null()})});
  CHECK(KernelHarness::refusal("COALESCE", {kInt, kText}).find("no common type") != std::string::npos);
  CHECK(KernelHarness("IFNULL", {kInt, kInt}).ofAll({{"null", "-1"}, {"5", "-1"}}) == Answers{"-1", "5"});
}

TEST_CASE("IF takes the second value for FALSE and NULL") {
  KernelHarness choose("IF", {DataType::boolean(), DataType::integer(false), DataType::decimal(2, 1, false)});
  CHECK(choose.resultType() == DataType::decimal(11, 1));
  CHECK(choose.ofAll({{"true", "1", "2.5"}, {"false", "1", "2.5"}, {"null", "1", "2.5"}}) ==
        Answers{"1.0", "2.5", "2.5"});
  CHECK(KernelHarness("IF", {DataType::boolean(false), DataType::character(1, false), DataType::character(3, false)})
            .resultType() == DataType::varchar(3, false));
  CHECK(KernelHarness::refusal("IF", {kInt, kInt, kInt}) == "argument 1 (condition) must be a BOOLEAN, but is INT");
}

TEST_CASE("NULLIF compares in the common type and keeps the first") {
  KernelHarness same("NULLIF", {kInt, DataType::decimal(3, 1)});
  CHECK(same.resultType() == kInt);
  CHECK(same.ofAll({{"10", "10.0"}, {"7", "10.0"}, {"null", "1.0"}, {"5", "null"}}) ==
        Answers{"null", "7", "null", "5"});
  CHECK(KernelHarness("NULLIF", {kText, kText}).ofAll({{"", ""}, {"paid", ""}}) == Answers{"null", "paid"});
  CHECK(KernelHarness::refusal("NULLIF", {kInt, kText}) != "");
}

TEST_CASE("GREATEST and LEAST are NULL if one argument is") {
  KernelHarness greatest("GREATEST", {kInt, DataType::decimal(7, 2)});
  CHECK(greatest.resultType() == DataType::decimal(12, 2));
  CHECK(greatest.ofAll({{"1", "2.25"}, {"null", "1"}, {"-7", "-99999.99"}}) == Answers{"2.25", "null", "-7.00"});
  CHECK(KernelHarness("LEAST", {kText, kText, kText}).of({"b", "a long text that is not inline", "c"}) ==
        "a long text that is not inline");
  CHECK(KernelHarness("GREATEST", {DataType::float64(), DataType::float64()}).of({"NaN", "1"}) == "NaN");
  CHECK(KernelHarness("LEAST", {DataType::float64(), DataType::float64()}).of({"NaN", "1"}) == "1.0");
  CHECK(KernelHarness("LEAST", {DataType::date(), DataType::date()}).of({"1950-01-01", "2000-01-01"}) == "1950-01-01");
  CHECK(KernelHarness::refusal("GREATEST", {DataType::array(kInt), DataType::array(kInt)}).find("no order") !=
        std::string::npos);
}

TEST_CASE("TYPEOF shows the type") {
  CHECK(KernelHarness("TYPEOF", {DataType::character(3, false)}).of({"abc"}) == "CHAR(3) NOT NULL");
  CHECK(KernelHarness("TYPEOF", {kText, DataType::boolean(false)}, {{1, b(true)}}).of({"x"}) == "VARCHAR(2147483647)");
}

}  // namespace
}  // namespace thalweg::testing
