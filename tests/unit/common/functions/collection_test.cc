#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace thalweg;
using namespace thalweg::testing;

namespace {

const DataType kInt = DataType::integer();
const DataType kText = DataType::string();
const DataType kInts = DataType::array(kInt);
const DataType kTexts = DataType::array(kText);
const DataType kMap = DataType::map(kText, kInt);

Value ints(std::vector<int64_t> numbers) {
  std::vector<Value> values;
  for (const int64_t number : numbers) values.push_back(i(number));
  return Value::list(std::move(values));
}
Value list(std::vector<Value> values) { return Value::list(std::move(values)); }
Value map(std::vector<std::pair<Value, Value>> entries) { return Value::map(std::move(entries)); }

const Value kFew = ints({3, 1, 2, 3});
const Value kNone = ints({});
const Value kHoles = list({null(), i(5), null(), i(1)});

}  // namespace

TEST_CASE("array elements are found by position, beyond the end is NULL") {
  KernelHarness item("ITEM", {kInts, kInt});
  CHECK(item.resultType() == kInt);
  CHECK(item.runAll({{kFew, i(1)}, {kFew, i(4)}, {kFew, i(5)}, {kNone, i(1)}, {null(), i(1)}, {kHoles, i(1)}, {kHoles, i(2)},
                     {kFew, null()}, {kFew, i(0)}, {kFew, i(-1)}}) ==
        std::vector{i(3), i(3), null(), null(), null(), null(), i(5), null(), null(), null()});
  CHECK(KernelHarness::refusal("ITEM", {kInts, kInt}, {{1, i(0)}}).find("start at 1") != std::string::npos);
  CHECK(KernelHarness::refusal("ITEM", {kInts, kText}) != "");
  CHECK(KernelHarness("ITEM", {kTexts, kInt})({list({s("short"), s("a text of more than twelve bytes")}), i(2)}) ==
        s("a text of more than twelve bytes"));
}

TEST_CASE("map values are found by key") {
  KernelHarness item("ITEM", {kMap, kText});
  const Value entries = map({{s("a"), i(1)}, {s(""), i(5)}, {s("none"), null()}});
  CHECK(item.runAll({{entries, s("a")}, {entries, s("")}, {entries, s("none")}, {entries, s("zz")}, {null(), s("a")},
                     {entries, null()}, {map({}), s("a")}}) ==
        std::vector{i(1), i(5), null(), null(), null(), null(), null()});
  CHECK(KernelHarness::refusal("ITEM", {kMap, kInt}) != "");
  KernelHarness short_keys("ITEM", {DataType::map(DataType::character(1, false), kInt), DataType::character(3, false)});
  CHECK(short_keys({map({{s("a"), i(1)}}), s("abc")}) == null());
}

TEST_CASE("CARDINALITY counts and ELEMENT takes the only element") {
  KernelHarness count("CARDINALITY", {kInts});
  CHECK(count.runAll({{kFew}, {kNone}, {null()}, {kHoles}}) == std::vector{i(4), i(0), null(), i(4)});
  CHECK(KernelHarness("CARDINALITY", {kMap})({map({{s("a"), i(1)}})}) == i(1));
  CHECK(KernelHarness::refusal("CARDINALITY", {kText}) != "");
  KernelHarness element("ELEMENT", {kInts});
  CHECK(element.runAll({{kNone}, {null()}, {ints({7})}, {list({null()})}}) == std::vector{null(), null(), i(7), null()});
  CHECK(element.failure({kFew}).find("found 4") != std::string::npos);
}

TEST_CASE("constructors bring their parts to a common type") {
  KernelHarness array("ARRAY", {kInt, DataType::integer(false)});
  CHECK(array.resultType() == DataType::array(kInt, false));
  CHECK(array.runAll({{i(1), i(2)}, {null(), i(3)}}) == std::vector{ints({1, 2}), list({null(), i(3)})});
  CHECK(KernelHarness("ARRAY", {DataType::character(1, false), DataType::character(3, false)}).resultType() ==
        DataType::array(DataType::varchar(3, false), false));
  CHECK(KernelHarness("ARRAY", {DataType::integer(false), DataType::decimal(2, 1, false)}).resultType() ==
        DataType::array(DataType::decimal(11, 1, false), false));
  CHECK(KernelHarness::refusal("ARRAY", {kInt, kText}) != "");
  CHECK(KernelHarness::refusal("ARRAY", {DataType::null()}) != "");

  KernelHarness entries("MAP", {kText, kInt, kText, kInt});
  CHECK(entries.runAll({{s("a"), i(1), s("b"), i(2)}, {s("a"), i(1), s("a"), i(2)}, {s("a"), null(), s("b"), i(2)}}) ==
        std::vector{map({{s("a"), i(1)}, {s("b"), i(2)}}), map({{s("a"), i(2)}}), map({{s("a"), null()}, {s("b"), i(2)}})});
  CHECK(KernelHarness::refusal("MAP", {kText, kInt, kText}) != "");

  KernelHarness multiset("MULTISET", {kInt, kInt, kInt});
  CHECK(multiset({i(1), i(2), i(1)}) == map({{i(1), i(2)}, {i(2), i(1)}}));

  KernelHarness row("ROW", {kInt, DataType::character(1, false)});
  CHECK(row.resultType() == DataType::row({{"EXPR$0", kInt}, {"EXPR$1", DataType::character(1, false)}}, false));
  CHECK(row.runAll({{i(1), s("x")}, {null(), s("y")}}) == std::vector{Value::row({i(1), s("x")}), Value::row({null(), s("y")})});
}

TEST_CASE("arrays are searched with NULL as an element like others") {
  KernelHarness contains("ARRAY_CONTAINS", {kInts, kInt});
  CHECK(contains.runAll({{kFew, i(3)}, {kFew, i(9)}, {kNone, i(1)}, {null(), i(1)}, {kHoles, null()}, {kFew, null()}}) ==
        std::vector{b(true), b(false), b(false), null(), b(true), b(false)});
  CHECK(KernelHarness("ARRAY_CONTAINS", {kTexts, kText})({list({s("x"), s("a text of more than twelve bytes")}),
                                                          s("a text of more than twelve bytes")}) == b(true));
  KernelHarness position("ARRAY_POSITION", {kInts, kInt});
  CHECK(position.runAll({{kFew, i(2)}, {kFew, i(9)}, {kHoles, null()}, {null(), i(1)}}) == std::vector{i(3), i(0), null(), null()});
  KernelHarness remove("ARRAY_REMOVE", {kInts, kInt});
  CHECK(remove.runAll({{kFew, i(3)}, {kHoles, null()}, {kNone, i(1)}, {null(), i(1)}}) ==
        std::vector{ints({1, 2}), ints({5, 1}), kNone, null()});
  CHECK(KernelHarness::refusal("ARRAY_CONTAINS", {kInts, kText}) != "");
  CHECK(KernelHarness::refusal("ARRAY_APPEND", {kInts, DataType::decimal(2, 1)}) != "");
  CHECK(KernelHarness("ARRAY_CONTAINS", {DataType::array(DataType::bigint()), kInt})({ints({1, 2}), i(2)}) == b(true));
}

TEST_CASE("arrays as sets keep the order of first appearance") {
  const Value other = list({null(), i(9), i(1)});
  KernelHarness distinct("ARRAY_DISTINCT", {kInts});
  CHECK(distinct.runAll({{kFew}, {kNone}, {null()}, {kHoles}}) == std::vector{ints({3, 1, 2}), kNone, null(), list({null(), i(5), i(1)})});
  KernelHarness unite("ARRAY_UNION", {kInts, kInts});
  CHECK(unite.runAll({{kFew, ints({3, 4})}, {kHoles, other}, {kNone, ints({1})}, {null(), kFew}}) ==
        std::vector{ints({3, 1, 2, 4}), list({null(), i(5), i(1), i(9)}), ints({1}), null()});
  KernelHarness except("ARRAY_EXCEPT", {kInts, kInts});
  CHECK(except.runAll({{kFew, ints({3, 4})}, {kHoles, other}, {ints({1, 1, 2}), ints({2})}, {kFew, null()}}) ==
        std::vector{ints({1, 2}), ints({5}), ints({1}), null()});
  KernelHarness intersect("ARRAY_INTERSECT", {kInts, kInts});
  CHECK(intersect.runAll({{kFew, ints({3, 4})}, {kHoles, other}, {kFew, kNone}}) == std::vector{ints({3}), list({null(), i(1)}), kNone});
  std::vector<int64_t> many;
  for (int64_t n = 0; n < 100; ++n) many.push_back(n % 60);
  CHECK(distinct({ints(many)}) == ints({many.begin(), many.begin() + 60}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(KernelHarness("ARRAY_DISTINCT", {DataType::array(DataType::float64())})({list({d(nan), d(-nan), d(1)})}) == list({d(nan), d(1)}));
  CHECK(KernelHarness("ARRAY_UNION", {kInts, DataType::array(DataType::bigint())}).resultType() == DataType::array(DataType::bigint()));
  CHECK(KernelHarness::refusal("ARRAY_UNION", {kInts, kTexts}) != "");
}

TEST_CASE("arrays grow, join, turn and are cut") {
  KernelHarness append("ARRAY_APPEND", {kInts, kInt});
  CHECK(append.runAll({{kFew, i(9)}, {kNone, null()}, {null(), i(1)}}) == std::vector{ints({3, 1, 2, 3, 9}), list({null()}), null()});
  CHECK(KernelHarness("ARRAY_PREPEND", {kInts, kInt})({kFew, i(9)}) == ints({9, 3, 1, 2, 3}));
  CHECK(KernelHarness("ARRAY_APPEND", {DataType::array(DataType::integer(false), false), kInt}).resultType() == DataType::array(kInt));
  KernelHarness concat("ARRAY_CONCAT", {kTexts, kTexts, kTexts});
  CHECK(concat.runAll({{list({s("a")}), list({}), list({null(), s("a text of more than twelve bytes")})}, {list({}), null(), list({})}}) ==
        std::vector{list({s("a"), null(), s("a text of more than twelve bytes")}), null()});
  CHECK(KernelHarness("ARRAY_REVERSE", {kInts}).runAll({{kFew}, {kHoles}}) == std::vector{ints({3, 2, 1, 3}), list({i(1), null(), i(5), null()})});
  KernelHarness from("ARRAY_SLICE", {kInts, kInt});
  CHECK(from.runAll({{kFew, i(2)}, {kFew, i(-2)}, {kFew, i(0)}, {kFew, i(100)}, {kFew, i(-100)}, {kFew, null()}}) ==
        std::vector{ints({1, 2, 3}), ints({2, 3}), kFew, kNone, kFew, null()});
  KernelHarness between("ARRAY_SLICE", {kInts, kInt, kInt});
  CHECK(between.runAll({{kFew, i(2), i(3)}, {kFew, i(-3), i(-2)}, {kFew, i(0), i(2)}, {kFew, i(3), i(2)}, {kFew, i(2), i(100)},
                        {kFew, i(-100), i(2)}}) ==
        std::vector{ints({1, 2}), ints({1, 2}), ints({3, 1}), kNone, ints({1, 2, 3}), ints({3, 1})});
}

TEST_CASE("arrays are sorted with NULLs where they are wanted") {
  CHECK(KernelHarness("ARRAY_SORT", {kInts}).runAll({{kFew}, {kHoles}, {kNone}, {null()}}) ==
        std::vector{ints({1, 2, 3, 3}), list({null(), null(), i(1), i(5)}), kNone, null()});
  KernelHarness way("ARRAY_SORT", {kInts, DataType::boolean()});
  CHECK(way.runAll({{kFew, b(false)}, {kHoles, b(false)}, {kFew, b(true)}, {kFew, null()}}) ==
        std::vector{ints({3, 3, 2, 1}), list({i(5), i(1), null(), null()}), ints({1, 2, 3, 3}), null()});
  KernelHarness nulls("ARRAY_SORT", {kInts, DataType::boolean(), DataType::boolean()});
  CHECK(nulls.runAll({{kHoles, b(true), b(false)}, {kHoles, b(false), b(true)}}) ==
        std::vector{list({i(1), i(5), null(), null()}), list({null(), null(), i(5), i(1)})});
  CHECK(KernelHarness("ARRAY_SORT", {kTexts})({list({s("b"), s("B"), s("a"), s("É")})}) == list({s("B"), s("a"), s("b"), s("É")}));
  CHECK(KernelHarness::refusal("ARRAY_SORT", {DataType::array(kInts)}) != "");
}

TEST_CASE("ARRAY_MAX and ARRAY_MIN pass over NULL, ARRAY_JOIN may replace it") {
  CHECK(KernelHarness("ARRAY_MAX", {kInts}).runAll({{kFew}, {kNone}, {null()}, {kHoles}}) == std::vector{i(3), null(), null(), i(5)});
  CHECK(KernelHarness("ARRAY_MIN", {kInts}).runAll({{kFew}, {kHoles}}) == std::vector{i(1), i(1)});
  CHECK(KernelHarness("ARRAY_MAX", {kTexts})({list({s("b"), s("B"), s("ä")})}) == s("ä"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(KernelHarness("ARRAY_MAX", {DataType::array(DataType::float64())})({list({d(nan), d(1)})}) == d(nan));
  KernelHarness join("ARRAY_JOIN", {kTexts, kText});
  const Value texts = list({s("x"), null(), s("")});
  CHECK(join.runAll({{texts, s(", ")}, {list({}), s(",")}, {null(), s(",")}, {texts, null()}}) ==
        std::vector{s("x, "), s(""), null(), null()});
  KernelHarness replaced("ARRAY_JOIN", {kTexts, kText, kText});
  CHECK(replaced.runAll({{texts, s(""), s("?")}, {texts, s(","), null()}}) == std::vector{s("x?"), null()});
  CHECK(KernelHarness::refusal("ARRAY_JOIN", {kInts, kText}) != "");
}

TEST_CASE("maps are taken apart and put together") {
  const Value entries = map({{s("a"), i(1)}, {s("b"), null()}});
  CHECK(KernelHarness("MAP_KEYS", {kMap}).runAll({{entries}, {map({})}, {null()}}) == std::vector{list({s("a"), s("b")}), list({}), null()});
  CHECK(KernelHarness("MAP_VALUES", {kMap})({entries}) == list({i(1), null()}));
  KernelHarness pairs("MAP_ENTRIES", {kMap});
  CHECK(pairs.resultType() == DataType::array(DataType::row({{"key", kText}, {"value", kInt}})));
  CHECK(pairs({entries}) == list({Value::row({s("a"), i(1)}), Value::row({s("b"), null()})}));
  KernelHarness zip("MAP_FROM_ARRAYS", {kTexts, kInts});
  CHECK(zip.runAll({{list({s("x"), s("y")}), ints({10, 20})}, {list({s("a"), s("a")}), ints({1, 2})}, {null(), ints({1})},
                    {list({}), kNone}}) ==
        std::vector{map({{s("x"), i(10)}, {s("y"), i(20)}}), map({{s("a"), i(2)}}), null(), map({})});
  CHECK(zip.failure({list({s("x")}), ints({1, 2})}).find("2 values") != std::string::npos);
  KernelHarness unite("MAP_UNION", {kMap, kMap});
  CHECK(unite.runAll({{entries, map({{s("b"), i(2)}, {s("c"), i(3)}})}, {entries, null()}}) ==
        std::vector{map({{s("a"), i(1)}, {s("b"), i(2)}, {s("c"), i(3)}}), null()});
}
