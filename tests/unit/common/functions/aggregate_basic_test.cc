#include "tests/support/kernel_harness.h"
#include "tests/unit/common/functions/aggregate_harness.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace thalweg;
using namespace thalweg::testing;

namespace {

using Rows = std::vector<AggregateRow>;

Rows column(const std::vector<Value>& values) {
  Rows rows;
  for (const Value& value : values) rows.push_back({.arguments = {value}});
  return rows;
}
AggregateRow take(Value value) { return {.arguments = {std::move(value)}, .retract = true}; }
AggregateRow add(Value value) { return {.arguments = {std::move(value)}}; }

/// A small number or, one time in five, NULL.
std::vector<Value> smallOrNull(uint64_t random) {
  if (random % 5 == 0) return {null()};
  return {i(static_cast<int64_t>(random >> 8) % 20)};
}
std::vector<Value> present(const std::vector<std::vector<Value>>& rows) {
  std::vector<Value> values;
  for (const auto& row : rows) {
    if (!row[0].isNull()) values.push_back(row[0]);
  }
  return values;
}

}  // namespace

TEST_CASE("COUNT(*) counts rows and COUNT(x, y) those without NULL, both ways") {
  CHECK(AggregateHarness("COUNT", {}).after({{}, {}, {.chosen = false}}) == std::vector{i(1), i(2), i(2)});
  AggregateHarness pairs("COUNT", {DataType::integer(), DataType::string()}, {.needs_retraction = true});
  CHECK(pairs.resultType() == DataType::bigint(false));
  CHECK(pairs.after({{.arguments = {i(1), s("a")}}, {.arguments = {null(), s("a")}}, {.arguments = {i(1), null()}},
                     {.arguments = {i(2), s("b")}}, {.arguments = {i(1), s("a")}, .retract = true}}) ==
        std::vector{i(1), i(1), i(1), i(2), i(1)});
  CHECK(pairs.result({}) == i(0));
}

TEST_CASE("COUNT agrees with a naive count over random rows, filters and retractions") {
  AggregateHarness count("COUNT", {DataType::bigint()}, {.needs_retraction = true});
  count.compareWithOracle(smallOrNull, [](const auto& rows) { return i(static_cast<int64_t>(present(rows).size())); });
}

TEST_CASE("SUM keeps the integer type and wraps around") {
  AggregateHarness tiny("SUM", {DataType::tinyint()});
  CHECK(tiny.resultType() == DataType::tinyint());
  CHECK(tiny.after(column({i(100), null(), i(100)})) == std::vector{i(100), i(100), i(-56)});
  AggregateHarness wide("SUM", {DataType::bigint(false)});
  CHECK(wide.resultType() == DataType::bigint(false));
  CHECK(wide.after(column({i(std::numeric_limits<int64_t>::max()), i(1)})).back() ==
        i(std::numeric_limits<int64_t>::min()));
}

TEST_CASE("SUM of nothing is NULL and SUM0 of nothing is 0") {
  AggregateHarness sum("SUM", {DataType::integer()}, {.needs_retraction = true});
  CHECK(sum.result({}) == null());
  CHECK(sum.after({add(i(30)), add(null()), take(i(30)), take(null()), add(i(45))}) ==
        std::vector{i(30), i(30), null(), null(), i(45)});
  CHECK(AggregateHarness("$SUM0", {DataType::integer()}).result({}) == i(0));
  AggregateHarness global("SUM", {DataType::integer(false)}, {.global = true});
  CHECK(global.result({}) == null());
}

TEST_CASE("SUM agrees with a naive sum for every number type") {
  const auto total = [](const auto& rows) {
    if (present(rows).empty()) return null();
    int64_t sum = 0;
    for (const Value& value : present(rows)) sum += value.asInt();
    return i(sum);
  };
  for (const DataType& type : {DataType::smallint(), DataType::integer(), DataType::bigint()}) {
    AggregateHarness("SUM", {type}, {.needs_retraction = true}).compareWithOracle(smallOrNull, total);
    AggregateHarness("SUM", {type}).compareWithOracle(smallOrNull, total);
  }
  AggregateHarness doubles("SUM", {DataType::float64()}, {.needs_retraction = true, .tolerance = 1e-9});
  doubles.compareWithOracle([](uint64_t r) { return std::vector{d(static_cast<double>(r % 1000) / 8)}; },
                            [](const auto& rows) {
                              if (rows.empty()) return null();
                              double sum = 0;
                              for (const auto& row : rows) sum += row[0].asDouble();
                              return d(sum);
                            });
}

TEST_CASE("a decimal sum is exact, and NULL only while it has more than 38 digits") {
  int128 nines = 0;
  for (int digit = 0; digit < 38; ++digit) nines = nines * 10 + 9;
  AggregateHarness sum("SUM", {DataType::decimal(38, 0)}, {.needs_retraction = true});
  CHECK(sum.resultType() == DataType::decimal(38, 0));
  CHECK(sum.after({add(Value::decimal(nines)), add(Value::decimal(nines)), add(Value::decimal(5)),
                   take(Value::decimal(nines)), take(Value::decimal(5)), add(Value::decimal(-nines))}) ==
        std::vector{Value::decimal(nines), null(), null(), null(), Value::decimal(nines), Value::decimal(0)});
  AggregateHarness negative("SUM", {DataType::decimal(38, 0)});
  CHECK(negative.after({add(Value::decimal(-nines)), add(Value::decimal(-1)), add(Value::decimal(1))}) ==
        std::vector{Value::decimal(-nines), null(), Value::decimal(-nines)});
  AggregateHarness small("SUM", {DataType::decimal(8, 2)});
  CHECK(small.resultType() == DataType::decimal(38, 2));
  CHECK(small.after(column({Value::decimal(125), null(), Value::decimal(-25)})) ==
        std::vector{Value::decimal(125), Value::decimal(125), Value::decimal(100)});
}

TEST_CASE("AVG keeps the integer type and cuts toward zero") {
  AggregateHarness avg("AVG", {DataType::integer()}, {.needs_retraction = true});
  CHECK(avg.resultType() == DataType::integer());
  CHECK(avg.after({add(i(-1)), add(i(-2)), add(i(-2)), take(i(-1)), take(i(-2)), take(i(-2))}) ==
        std::vector{i(-1), i(-1), i(-1), i(-2), i(-2), null()});
  AggregateHarness wide("AVG", {DataType::bigint()});
  const int64_t max = std::numeric_limits<int64_t>::max();
  CHECK(wide.after(column({i(max), i(1)})).back() == i(-4611686018427387904));
  CHECK(wide.after(column({i(9007199254740993), i(9007199254740993)})).back() == i(9007199254740993));
  avg.compareWithOracle(smallOrNull, [](const auto& rows) {
    if (present(rows).empty()) return null();
    int64_t sum = 0;
    for (const Value& value : present(rows)) sum += value.asInt();
    return i(sum / static_cast<int64_t>(present(rows).size()));
  });
}

TEST_CASE("AVG of decimals rounds half up at scale six or its own") {
  AggregateHarness avg("AVG", {DataType::decimal(10, 2)});
  CHECK(avg.resultType() == DataType::decimal(38, 6));
  CHECK(avg.after(column({Value::decimal(100), Value::decimal(200), Value::decimal(200)})).back() == Value::decimal(1666667));
  AggregateHarness fine("AVG", {DataType::decimal(18, 18)});
  CHECK(fine.resultType() == DataType::decimal(38, 18));
  AggregateHarness long_decimal("AVG", {DataType::decimal(20, 0)});
  CHECK(long_decimal.after(column({Value::decimal(2), Value::decimal(3), Value::decimal(3)})).back() == Value::decimal(2666667));
}

TEST_CASE("SUM and AVG of doubles follow IEEE") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(AggregateHarness("SUM", {DataType::float64()}, {.tolerance = 1e-12}).result(column({d(0.1), d(0.2), d(0.3)})) == d(0.6000000000000001));
  CHECK(AggregateHarness("SUM", {DataType::float64()}).result(column({d(1e308), d(1e308)})) == d(infinity));
  CHECK(AggregateHarness("AVG", {DataType::float64()}).result(column({d(nan), d(1)})) == d(nan));
  CHECK(AggregateHarness("AVG", {DataType::float32()}, {.tolerance = 1e-6}).result(column({d(1.5F), d(2.5F), d(-1.5F)})) ==
        d(0.8333333F));
}

TEST_CASE("MIN and MAX keep their type, skip NULL and keep a first NaN") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const AggregateOptions by_halves{.merges_in_order = false};  // a half that begins with a NaN keeps it
  AggregateHarness max("MAX", {DataType::float64()}, by_halves);
  CHECK(max.after(column({d(1), d(nan), d(5)})) == std::vector{d(1), d(1), d(5)});
  CHECK(AggregateHarness("MIN", {DataType::float64()}, by_halves).after(column({d(nan), d(5), d(7)})) == std::vector{d(nan), d(nan), d(nan)});
  CHECK(AggregateHarness("MAX", {DataType::boolean()}).after(column({b(false), null(), b(true)})) ==
        std::vector{b(false), b(false), b(true)});
  CHECK(AggregateHarness("MIN", {DataType::varchar(10)}).after(column({s("yy"), s("x"), s("longer than twelve")})) ==
        std::vector{s("yy"), s("x"), s("longer than twelve")});
  const Value early = Value::timestamp({1000, 5, 0});
  const Value late = Value::timestamp({1000, 6, 0});
  CHECK(AggregateHarness("MAX", {DataType::timestamp(9)}).after(column({early, late, early})) == std::vector{early, late, late});
  CHECK(AggregateHarness::refusal("MAX", {{DataType::array(DataType::integer())}}) != "");
  CHECK(AggregateHarness::refusal("MIN", {{DataType::bytes()}}) != "");
}

TEST_CASE("MIN and MAX over a changelog fall back to the next value") {
  AggregateHarness max("MAX", {DataType::integer()}, {.needs_retraction = true});
  CHECK(max.after({add(i(5)), add(i(9)), take(i(9)), add(i(2)), add(i(2)), take(i(5)), take(i(2)), take(i(2))}) ==
        std::vector{i(5), i(9), i(5), i(5), i(5), i(2), i(2), null()});
  const auto extreme = [](bool largest) {
    return [largest](const std::vector<std::vector<Value>>& rows) {
      Value best;
      for (const Value& value : present(rows)) {
        if (best.isNull() || (largest ? best.asInt() < value.asInt() : value.asInt() < best.asInt())) best = value;
      }
      return best;
    };
  };
  for (const bool retraction : {false, true}) {
    for (const DataType& type : {DataType::integer(), DataType::bigint(), DataType::date(), DataType::timestamp(3)}) {
      if (type.isTimestamp()) continue;
      AggregateHarness("MAX", {type}, {.needs_retraction = retraction}).compareWithOracle(smallOrNull, extreme(true));
      AggregateHarness("MIN", {type}, {.needs_retraction = retraction}).compareWithOracle(smallOrNull, extreme(false));
    }
  }
}

TEST_CASE("MIN and MAX of text agree with a naive search") {
  const auto words = [](uint64_t r) {
    return std::vector{s(std::string(static_cast<size_t>(r % 3) * 8, 'a') + std::to_string(r % 50))};
  };
  for (const bool retraction : {false, true}) {
    AggregateHarness("MAX", {DataType::string()}, {.needs_retraction = retraction})
        .compareWithOracle(words, [](const auto& rows) {
          Value best;
          for (const auto& row : rows) {
            if (best.isNull() || best.asString() < row[0].asString()) best = row[0];
          }
          return best;
        });
  }
}

TEST_CASE("variance and deviation have the argument's type and the sample forms need two values") {
  CHECK(AggregateHarness("VAR_SAMP", {DataType::integer(false)}).resultType() == DataType::integer());
  CHECK(AggregateHarness("STDDEV_POP", {DataType::integer(false)}).resultType() == DataType::integer(false));
  CHECK(AggregateHarness("STDDEV_POP", {DataType::integer()}).after(column({i(10), i(20), null(), i(60)})) ==
        std::vector{i(0), i(5), i(5), i(21)});
  CHECK(AggregateHarness("VARIANCE", {DataType::integer()}).after(column({i(10), i(20), i(60)})) ==
        std::vector{null(), i(50), i(700)});
  AggregateHarness pop("VAR_POP", {DataType::float64()}, {.tolerance = 1e-12});
  CHECK(pop.after(column({d(1.5), d(2.5), d(4.0), d(8.0)})) ==
        std::vector{d(0), d(0.25), d(1.0555555555555556), d(6.125000000000001)});
  AggregateHarness decimal("STDDEV_SAMP", {DataType::decimal(8, 2)});
  CHECK(decimal.resultType() == DataType::decimal(38, 6));
  CHECK(decimal.after(column({Value::decimal(100), Value::decimal(400), Value::decimal(450)})).back() ==
        Value::decimal(1892969));
}

TEST_CASE("deviation over a changelog goes back as Flink's does") {
  AggregateHarness pop("STDDEV_POP", {DataType::float64()}, {.needs_retraction = true, .tolerance = 1e-12});
  CHECK(pop.after({add(d(5)), add(d(9)), take(d(9)), add(d(2)), add(d(2)), take(d(5)), take(d(2))}) ==
        std::vector{d(0), d(2), d(0), d(1.5), d(1.4142135623730951), d(0), d(0)});
}
