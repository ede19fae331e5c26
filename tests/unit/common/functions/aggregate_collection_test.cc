#include "tests/support/kernel_harness.h"
#include "tests/unit/common/functions/aggregate_harness.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

using namespace thalweg;
using namespace thalweg::testing;

namespace {

using Rows = std::vector<AggregateRow>;
using Group = std::vector<std::vector<Value>>;

AggregateRow add(Value value) { return {.arguments = {std::move(value)}}; }
AggregateRow take(Value value) { return {.arguments = {std::move(value)}, .retract = true}; }
Rows column(const std::vector<Value>& values) {
  Rows rows;
  for (const Value& value : values) rows.push_back(add(value));
  return rows;
}
Value list(std::vector<Value> values) { return Value::list(std::move(values)); }

/// One of few words, some longer than twelve bytes, or NULL.
std::vector<Value> word(uint64_t random) {
  if (random % 6 == 0) return {null()};
  return {s(std::string((random >> 8) % 2 * 12, 'w') + std::to_string((random >> 16) % 8))};
}
std::vector<Value> smallNumber(uint64_t random) {
  if (random % 6 == 0) return {null()};
  return {i(static_cast<int64_t>((random >> 8) % 9) - 4)};
}
Value joined(const Group& group, const std::string& separator) {
  Value text;
  for (const auto& row : group) {
    if (row[0].isNull()) continue;
    text = s(text.isNull() ? row[0].asString() : text.asString() + separator + row[0].asString());
  }
  return text;
}
Group distinct(const Group& group) {
  Group kept;
  for (const auto& row : group) {
    if (std::ranges::find(kept, row) == kept.end()) kept.push_back(row);
  }
  return kept;
}
Value countOf(const Group& group) {
  int64_t count = 0;
  for (const auto& row : group) count += std::ranges::none_of(row, [](const Value& v) { return v.isNull(); });
  return i(count);
}

}  // namespace

TEST_CASE("FIRST_VALUE and LAST_VALUE skip NULL and go back over a changelog") {
  AggregateHarness first("FIRST_VALUE", {DataType::string()}, {.needs_retraction = true});
  CHECK(first.after({add(null()), add(s("pen")), add(s("ink")), take(s("pen")), add(s("cap")), take(s("ink"))}) ==
        std::vector{null(), s("pen"), s("pen"), s("ink"), s("ink"), s("cap")});
  AggregateHarness last("LAST_VALUE", {DataType::string()}, {.needs_retraction = true});
  CHECK(last.after({add(s("1A")), add(s("1B")), add(null()), take(s("1A")), take(s("1B"))}) ==
        std::vector{s("1A"), s("1B"), s("1B"), s("1B"), null()});
  const std::vector<DataType> types = {DataType::string(), DataType::integer(), DataType::array(DataType::integer())};
  for (const DataType& type : types) {
    const auto make = [&](uint64_t r) -> std::vector<Value> {
      if (type.isString()) return word(r);
      if (type.isInteger()) return smallNumber(r);
      return {list({i(static_cast<int64_t>(r % 3)), null()})};
    };
    AggregateHarness("FIRST_VALUE", {type}).compareWithOracle(make, [](const Group& group) {
      const auto it = std::ranges::find_if(group, [](const auto& row) { return !row[0].isNull(); });
      return it == group.end() ? null() : (*it)[0];
    });
    AggregateHarness("LAST_VALUE", {type}).compareWithOracle(make, [](const Group& group) {
      const auto it = std::find_if(group.rbegin(), group.rend(), [](const auto& row) { return !row[0].isNull(); });
      return it == group.rend() ? null() : (*it)[0];
    });
  }
}

TEST_CASE("LISTAGG joins in arrival order with a separator, empty texts included") {
  AggregateHarness comma("LISTAGG", {DataType::string()});
  CHECK(comma.after(column({s("x"), null(), s("x"), s(""), s("y z")})) ==
        std::vector{s("x"), s("x"), s("x,x"), s("x,x,"), s("x,x,,y z")});
  CHECK(comma.result(column({null()})) == null());
  const AggregateOptions bar{.literals = {{1, s(" | ")}}, .literal_types = {{1, DataType::character(3, false)}}};
  AggregateHarness("LISTAGG", {DataType::string()}, bar).compareWithOracle(word, [](const Group& group) {
    return joined(group, " | ");
  });
  CHECK(AggregateHarness::refusal("LISTAGG", {{DataType::integer()}}) != "");
  CHECK(AggregateHarness::refusal("LISTAGG", {{DataType::string()}, {DataType::string()}}) != "");
  CHECK(AggregateHarness("LISTAGG", {DataType::varchar(10)}).resultType() == DataType::varchar(10));
}

TEST_CASE("LISTAGG and ARRAY_AGG over a changelog lose the oldest equal value") {
  const AggregateOptions changelog{.needs_retraction = true, .merges_in_order = false};
  AggregateHarness text("LISTAGG", {DataType::string()}, changelog);
  CHECK(text.after({add(s("pen")), add(s("ink")), take(s("ink")), add(s("ink")), add(s("cap")), take(s("pen")), take(s("ink"))}) ==
        std::vector{s("pen"), s("pen,ink"), s("pen"), s("pen,ink"), s("pen,ink,cap"), s("ink,cap"), s("cap")});
  text.compareWithOracle(word, [](const Group& group) { return joined(group, ","); });
  AggregateHarness array("ARRAY_AGG", {DataType::integer()}, changelog);
  array.compareWithOracle(
      [](uint64_t r) { return std::vector{i(static_cast<int64_t>(r % 100))}; },
      [](const Group& group) {
        std::vector<Value> values;
        for (const auto& row : group) values.push_back(row[0]);
        return group.empty() ? null() : list(values);
      },
      900);
}

TEST_CASE("ARRAY_AGG keeps NULL unless told to ignore it") {
  AggregateHarness keep("ARRAY_AGG", {DataType::string()});
  CHECK(keep.resultType() == DataType::array(DataType::string()));
  CHECK(keep.after(column({s("a"), null()})) == std::vector{list({s("a")}), list({s("a"), null()})});
  AggregateHarness ignore("ARRAY_AGG", {DataType::string()}, {.literals = {{1, s("IGNORE NULLS")}}});
  CHECK(ignore.after(column({null(), s("a")})) == std::vector{null(), list({s("a")})});
  AggregateHarness strict("ARRAY_AGG", {DataType::integer(false)});
  CHECK(strict.resultType() == DataType::array(DataType::integer(false), false));
  const DataType row_type = DataType::row({{"id", DataType::integer(false)}, {"tag", DataType::string()}}, false);
  const Value row = Value::row({i(1), s("")});
  CHECK(AggregateHarness("ARRAY_AGG", {row_type}).result(column({row, row})) == list({row, row}));
}

TEST_CASE("COLLECT counts values, skips NULL and is never NULL") {
  AggregateHarness collect("COLLECT", {DataType::integer()}, {.needs_retraction = true});
  CHECK(collect.resultType() == DataType::multiset(DataType::integer(), false));
  CHECK(collect.result({}) == Value::map({}));
  CHECK(collect.after({add(i(5)), add(null()), add(i(5)), add(i(2)), take(i(5)), take(i(2))}) ==
        std::vector{Value::map({{i(5), i(1)}}), Value::map({{i(5), i(1)}}), Value::map({{i(5), i(2)}}),
                    Value::map({{i(5), i(2)}, {i(2), i(1)}}), Value::map({{i(5), i(1)}, {i(2), i(1)}}),
                    Value::map({{i(5), i(1)}})});
  const auto multiset = [](const Group& group) {
    std::vector<std::pair<Value, Value>> entries;
    for (const auto& row : group) {
      if (row[0].isNull()) continue;
      const auto entry = std::ranges::find(entries, row[0], &std::pair<Value, Value>::first);
      if (entry == entries.end()) entries.emplace_back(row[0], i(1));
      else entry->second = i(entry->second.asInt() + 1);
    }
    return Value::map(entries);
  };
  collect.compareWithOracle(smallNumber, multiset);
  AggregateHarness("COLLECT", {DataType::string()}).compareWithOracle(word, multiset);
}

TEST_CASE("DISTINCT passes each value once and takes it back with its last copy") {
  for (const bool retraction : {false, true}) {
    const AggregateOptions options{.distinct = true, .needs_retraction = retraction};
    for (const DataType& type : {DataType::bigint(), DataType::integer(), DataType::tinyint()}) {
      AggregateHarness("COUNT", {type}, options).compareWithOracle(smallNumber, [](const Group& group) {
        return countOf(distinct(group));
      });
      if (type == DataType::tinyint()) continue;
      AggregateHarness("SUM", {type}, options).compareWithOracle(smallNumber, [](const Group& group) {
        Value sum;
        for (const auto& row : distinct(group)) {
          if (!row[0].isNull()) sum = i(row[0].asInt() + (sum.isNull() ? 0 : sum.asInt()));
        }
        return sum;
      });
    }
    AggregateHarness("COUNT", {DataType::string()}, options).compareWithOracle(word, [](const Group& group) {
      return countOf(distinct(group));
    });
  }
  AggregateHarness("LISTAGG", {DataType::string()}, {.distinct = true}).compareWithOracle(word, [](const Group& group) {
    return joined(distinct(group), ",");
  });
  AggregateHarness pairs("COUNT", {DataType::integer(), DataType::string()}, {.distinct = true, .needs_retraction = true});
  pairs.compareWithOracle([](uint64_t r) { return std::vector{smallNumber(r)[0], word(r >> 24)[0]}; },
                          [](const Group& group) { return countOf(distinct(group)); });
}

TEST_CASE("DISTINCT keeps one NULL for ARRAY_AGG and counts all NaN as one") {
  AggregateHarness array("ARRAY_AGG", {DataType::bigint()}, {.distinct = true});
  CHECK(array.after(column({null(), i(1), null(), i(1)})).back() == list({null(), i(1)}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  AggregateHarness count("COUNT", {DataType::float64()}, {.distinct = true});
  CHECK(count.after(column({d(nan), d(1), d(-nan), d(0.0), d(-0.0)})).back() == i(3));
}

TEST_CASE("PERCENTILE interpolates, takes arrays and frequencies, and goes back") {
  const auto literal = [](double p) {
    return AggregateOptions{.literals = {{1, d(p)}}, .literal_types = {{1, DataType::float64(false)}}, .needs_retraction = true};
  };
  AggregateHarness median("PERCENTILE", {DataType::float64()}, literal(0.5));
  CHECK(median.after({add(d(10)), add(d(20)), add(null()), add(d(40)), take(d(20)), take(d(10)), take(d(40))}) ==
        std::vector{d(10), d(15), d(15), d(20), d(25), d(40), null()});
  AggregateHarness tenth("PERCENTILE", {DataType::float64()}, literal(0.1));
  CHECK(tenth.after(column({d(5), d(8)})).back() == d(5.300000000000001));
  AggregateOptions several = literal(0);
  several.literals[1] = list({Value::decimal(0), Value::decimal(5), Value::decimal(9)});
  several.literal_types[1] = DataType::array(DataType::decimal(2, 1, false), false);
  AggregateHarness spread("PERCENTILE", {DataType::float64()}, several);
  CHECK(spread.resultType() == DataType::array(DataType::float64()));
  CHECK(spread.after(column({d(5), d(8)})).back() == list({d(5), d(6.5), d(7.699999999999999)}));
  AggregateHarness weighted("PERCENTILE", {DataType::float64(), DataType::bigint()}, literal(0.5));
  CHECK(weighted.after({{.arguments = {d(5), i(3)}}, {.arguments = {d(8), i(0)}}, {.arguments = {d(9), i(3)}},
                        {.arguments = {d(9), i(3)}, .retract = true}}) == std::vector{d(5), d(5), d(7), d(5)});
  CHECK(AggregateHarness::refusal("PERCENTILE", {{DataType::integer()}, {DataType::float64(), d(1.5)}}) != "");
  CHECK(AggregateHarness::refusal("PERCENTILE", {{DataType::integer()}, {DataType::float64()}}) != "");
}

TEST_CASE("APPROX_COUNT_DISTINCT is exact for small counts and close for large ones") {
  AggregateHarness count("APPROX_COUNT_DISTINCT", {DataType::integer()});
  CHECK(count.after(column({i(10), i(20), null(), i(20)})) == std::vector{i(1), i(2), i(2), i(2)});
  AggregateHarness large("APPROX_COUNT_DISTINCT", {DataType::bigint()});
  Rows rows;
  constexpr int64_t kDistinct = 5000;
  for (int64_t n = 0; n < kDistinct; ++n) rows.push_back(add(i(n * 7919)));
  const int64_t estimate = large.after(rows).back().asInt();
  CHECK(std::abs(estimate - kDistinct) < kDistinct / 25);
}

TEST_CASE("SINGLE_VALUE fails on a second row and forgets a row taken back") {
  AggregateHarness only("SINGLE_VALUE", {DataType::string()}, {.needs_retraction = true});
  CHECK(only.result({}) == null());
  CHECK(only.after({add(s("Ida")), take(s("Ida")), add(null()), take(null()), add(s("Jon"))}) ==
        std::vector{s("Ida"), null(), null(), null(), s("Jon")});
  CHECK(only.failure(column({null(), s("Jon")})).find("more than one row") != std::string::npos);
}

TEST_CASE("JSON_OBJECTAGG sorts by key, fails on a second one, and forgets what is taken back") {
  const std::vector<DataType> types = {DataType::string(), DataType::integer()};
  AggregateHarness object("JSON_OBJECTAGG_NULL_ON_NULL", types, {.needs_retraction = true});
  CHECK(object.resultType() == DataType::varchar(2000, false));
  CHECK(object.result({}) == s("{}"));
  CHECK(object.after({{.arguments = {s("pen"), i(5)}}, {.arguments = {s("ink"), null()}}, {.arguments = {s("ink"), null()}, .retract = true},
                      {.arguments = {s("ink"), i(2)}}}) ==
        std::vector{s(R"({"pen":5})"), s(R"({"ink":null,"pen":5})"), s(R"({"pen":5})"), s(R"({"ink":2,"pen":5})")});
  AggregateHarness absent("JSON_OBJECTAGG_ABSENT_ON_NULL", types);
  CHECK(absent.after({{.arguments = {s("a"), null()}}, {.arguments = {s("b\""), i(1)}}}) == std::vector{s("{}"), s(R"({"b\"":1})")});
  CHECK(absent.failure({{.arguments = {s("a"), i(1)}}, {.arguments = {s("a"), i(1)}}}).find("'a' again") != std::string::npos);
  CHECK(absent.failure({{.arguments = {null(), i(1)}}}) != "");
  CHECK(AggregateHarness::refusal("JSON_OBJECTAGG_NULL_ON_NULL", {{DataType::integer()}, {DataType::integer()}}) != "");
}

TEST_CASE("JSON_ARRAYAGG keeps arrival order and takes back the oldest equal value") {
  AggregateHarness array("JSON_ARRAYAGG_ABSENT_ON_NULL", {DataType::integer()}, {.needs_retraction = true, .merges_in_order = false});
  CHECK(array.after({add(i(9)), add(i(5)), add(null()), take(i(9)), add(i(9))}) ==
        std::vector{s("[9]"), s("[9,5]"), s("[9,5]"), s("[5]"), s("[5,9]")});
  AggregateHarness nulls("JSON_ARRAYAGG_NULL_ON_NULL", {DataType::string()});
  CHECK(nulls.after(column({s("ada"), null(), s("z\"q")})) == std::vector{s(R"(["ada"])"), s(R"(["ada",null])"), s(R"(["ada",null,"z\"q"])")});
  AggregateHarness raw("JSON_ARRAYAGG_ABSENT_ON_NULL", {DataType::string()}, {.literals = {{1, s("RAW")}}});
  CHECK(raw.result(column({s("{\"b\": 1, \"a\": 2}")})) == s(R"([{"a":2,"b":1}])"));
}
