// Cast kernels against castValue(), the reference, over rows of every type and in every encoding; and answers of Flink.
#include "common/types/cast_scalar.h"

#include <cmath>
#include <limits>

#include "common/columnar/builder.h"
#include "common/functions/function_registry.h"
#include "common/functions/strict_nulls.h"
#include "common/types/type_rules.h"
#include "common/types/value_text.h"
#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Answers = std::vector<std::string>;
const DataType kText = DataType::string();

struct CastResult {
  std::string error;
  std::vector<Value> values;
};

CastResult runCast(const DataType& from, const DataType& to, bool is_try, const VectorPtr& column,
                   EvalContext& context) {
  Result<std::unique_ptr<ScalarKernel>> kernel = makeCastKernel(from, to, is_try);
  REQUIRE(kernel.isOk());
  CastResult outcome;
  Result<VectorPtr> result = (*kernel)->evaluate(context, {&column, 1}, column->size());
  if (!result.isOk()) {
    outcome.error = result.status().message();
    return outcome;
  }
  const VectorPtr merged = mergeArgumentNulls(*result, {&column, 1});
  REQUIRE(merged->size() == column->size());
  CHECK(merged->physicalType() == to.physicalType());
  for (size_t row = 0; row < merged->size(); ++row) outcome.values.push_back(merged->valueAt(row));
  return outcome;
}

/// Values in row form, for messages.
std::string shown(const std::vector<Value>& values, const DataType& type) {
  std::string text;
  for (const Value& value : values) text += rowForm(value, type) + "; ";
  return text;
}

/// Checks one pair of types: kernel and reference agree on every value, whatever the encoding.
void checkPair(const DataType& from, const DataType& to, const std::vector<Value>& values, std::string_view zone) {
  INFO(from.toString() << " to " << to.toString());
  TestContext test(zone);
  const TimeZone session = *TimeZone::of(zone);
  std::vector<Value> wanted;
  for (const Value& value : values) wanted.push_back(value.isNull() ? value : tryCastValue(value, from, to, session));

  const VectorPtr flat = makeVector(from, values);
  const CastResult tried = runCast(from, to, true, flat, test.context);
  CHECK(tried.error == "");
  if (!(tried.values == wanted)) FAIL_CHECK(shown(tried.values, to) << " instead of " << shown(wanted, to));

  std::vector<RowIndex> order;
  std::vector<Value> reversed(wanted.rbegin(), wanted.rend());
  for (size_t row = values.size(); row-- > 0;) order.push_back(static_cast<RowIndex>(row));
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(order.data()), order.size() * sizeof(RowIndex));
  const VectorPtr dictionary = Vector::dictionary(flat, Buffer::copyOf(bytes), order.size());
  CHECK(runCast(from, to, true, dictionary, test.context).values == reversed);

  for (size_t row = 0; row < values.size(); ++row) {
    INFO("value " << rowForm(values[row], from));
    const VectorPtr constant = Vector::constant(flat->slice(row, 1), 2);
    const Result<Value> plain =
        values[row].isNull() ? Result<Value>(values[row]) : castValue(values[row], from, to, session);
    const CastResult got = runCast(from, to, false, constant, test.context);
    CHECK((got.error != "") == !plain.isOk());
    if (plain.isOk() && got.error.empty()) CHECK(got.values == std::vector<Value>{*plain, *plain});
    if (!plain.isOk()) CHECK_FALSE((castCanFail(from, to) == false));
  }
}

struct Sample {
  DataType type;
  std::vector<Value> values;
};

std::vector<Sample> samples() {
  const auto stamps = [](int precision) {
    std::vector<Value> values{null()};
    for (int64_t millis : {0L, -1L, 1709210096789L, -62135596800000L, 253402300799999L, -86400000L}) {
      for (int32_t nanos : {0, 1, 999999}) {
        if (precision > 3 && !(precision <= 6 && nanos % 1000 != 0))
          values.push_back(Value::timestamp({millis, nanos, 0}));
        else if (nanos == 0)
          values.push_back(Value::timestamp({precision < 3 ? millis - ((millis % 1000) + 1000) % 1000 : millis, 0, 0}));
      }
    }
    return values;
  };
  std::vector<Value> texts{null()};
  for (const char* text : {"42",
                           "  42 ",
                           "+7",
                           "-0",
                           "12.99",
                           "1e3",
                           "",
                           " ",
                           "127",
                           "128",
                           "2147483648",
                           "-9223372036854775808",
                           "NaN",
                           "-Infinity",
                           "0x1F",
                           ".5",
                           "5.",
                           "12abc",
                           "999.995",
                           "true",
                           "FALSE",
                           "t",
                           "no",
                           "on",
                           "2024-02-29",
                           "2024-2-9",
                           "2023-02-28",
                           "2024-02-29 12:34:56",
                           "2024-02-29 12:34:56.123456789",
                           "2024-02-29T12:34:56",
                           "23:59:59",
                           "7:5:3",
                           "12:34:56.789",
                           "tomorrow",
                           "a text of more than twelve bytes",
                           "Müller-Lüdenscheidt",
                           "😀😃😄😁"}) {
    texts.push_back(s(text));
  }
  return {
      {DataType::boolean(), {null(), b(true), b(false)}},
      {DataType::tinyint(), {null(), i(0), i(127), i(-128), i(1)}},
      {DataType::smallint(), {null(), i(0), i(32767), i(-32768), i(300)}},
      {DataType::integer(), {null(), i(0), i(2147483647), i(-2147483648), i(65536), i(-1)}},
      {DataType::bigint(), {null(), i(0), i(INT64_MAX), i(INT64_MIN), i(3000000000), i(128), i(-129), i(16777217)}},
      {DataType::float32(),
       {null(), d(std::numeric_limits<double>::infinity()), d(0.0), d(1.5), d(-1.5), d(static_cast<double>(3e9F)),
        d(static_cast<double>(0.1F))}},
      {DataType::float64(),
       {null(), d(std::nan("")), d(0.0), d(-0.0), d(127.99), d(-128.99), d(3e9), d(-3e9), d(1e19), d(1e300), d(0.1),
        d(-2.5)}},
      {DataType::decimal(6, 2),
       {null(), Value::decimal(0), Value::decimal(12345), Value::decimal(-99999), Value::decimal(50)}},
      {DataType::decimal(30, 6),
       {null(), Value::decimal(int128{1234567890123456789} * 10000000), Value::decimal(-5000),
        Value::decimal(127495000)}},
      {kText, texts},
      {DataType::varchar(40), texts},
      {DataType::character(5), {null(), s("ab   "), s("12345")}},
      {DataType::bytes(), {null(), s(""), s("Ada"), s("abcdefghijklmnop")}},
      {DataType::binary(3), {null(), s("Ada")}},
      {DataType::date(), {null(), i(0), i(-1), i(19782), i(-719162), i(2932896)}},
      {DataType::time(0), {null(), i(0), i(86399000), i(43200000)}},
      {DataType::time(3), {null(), i(1), i(86399999)}},
      {DataType::timestamp(0), stamps(0)},
      {DataType::timestamp(3), stamps(3)},
      {DataType::timestamp(6), stamps(6)},
      {DataType::timestamp(9), stamps(9)},
      {DataType::timestampLtz(3), stamps(3)},
      {DataType::timestampLtz(9), stamps(9)},
      {DataType::intervalMonth(), {null(), i(0), i(14), i(-27)}},
      {DataType::intervalSecond(), {null(), i(0), i(129600000), i(-1500)}},
  };
}

TEST_CASE("every cast of plain types does what castValue does") {
  std::vector<DataType> targets{DataType::varchar(3),   DataType::character(8),  DataType::varbinary(2),
                                DataType::binary(6),    DataType::decimal(4, 1), DataType::decimal(38, 10),
                                DataType::timestamp(1), DataType::timestamp(7)};
  for (const Sample& sample : samples()) targets.push_back(sample.type);
  for (const Sample& sample : samples()) {
    for (const DataType& to : targets) {
      if (!supportsExplicitCast(sample.type, to)) continue;
      // a column of months is INT; castValue keeps numbers beyond
      if (sample.type.kind() == TypeKind::BIGINT && to.kind() == TypeKind::INTERVAL_YEAR_MONTH) continue;
      checkPair(sample.type, to, sample.values, sample.type.isTemporal() || to.isTemporal() ? "Asia/Kolkata" : "UTC");
    }
  }
}

TEST_CASE("instants are cast through the session zone, gaps and overlaps included") {
  std::vector<Value> walls{null()};
  for (int64_t millis :
       {1710035999000L, 1710037800000L, 1710039600000L, 1730595599000L, 1730597400000L, 1730599200000L}) {
    walls.push_back(Value::timestamp({millis, 0, 0}));
  }
  checkPair(DataType::timestamp(3), DataType::timestampLtz(3), walls, "America/New_York");
  checkPair(DataType::timestampLtz(3), DataType::timestamp(3), walls, "America/New_York");
  checkPair(DataType::timestampLtz(3), kText, walls, "America/New_York");
}

TEST_CASE("nested values are cast element by element") {
  const DataType ints = DataType::array(DataType::integer());
  const std::vector<Value> lists{Value::list({i(1), i(2), i(300)}), Value::list({}), Value::list({null(), i(-1)}),
                                 null()};
  for (const DataType& element : {DataType::bigint(), DataType::tinyint(), kText, DataType::decimal(6, 1)}) {
    checkPair(ints, DataType::array(element), lists, "UTC");
  }
  const DataType texts = DataType::array(kText);
  checkPair(texts, ints,
            {Value::list({s("7"), s("8")}), Value::list({s("9"), null()}), null(), Value::list({s("1"), s("two")})},
            "UTC");
  const DataType map = DataType::map(kText, DataType::float64());
  checkPair(map, DataType::map(DataType::varchar(1), kText),
            {Value::map({{s("w"), d(1.5)}, {s("h"), d(20.25)}}), Value::map({}), null()}, "UTC");
  const DataType row = DataType::row({{"sku", kText}, {"cnt", DataType::integer()}});
  const DataType other = DataType::row({{"a", DataType::character(4)}, {"b", DataType::smallint()}});
  checkPair(row, other,
            {Value::row({s("A1"), i(3)}), Value::row({null(), null()}), null(), Value::row({s("B22222"), i(-70000)})},
            "UTC");
  for (const DataType& type : {ints, map, row}) checkPair(type, kText, {null()}, "UTC");
  checkPair(row, kText, {Value::row({s("A1"), i(3)}), Value::row({null(), null()})}, "UTC");
}

TEST_CASE("a failed cast names the value and the type") {
  TestContext test;
  const std::vector<Value> values{s("1"), s("12abc")};
  const std::string error = runCast(kText, DataType::integer(), false, makeVector(kText, values), test.context).error;
  CHECK(error.find("12abc") != std::string::npos);
  CHECK(error.find("INT") != std::string::npos);
}

}  // namespace
}  // namespace thalweg::testing
