// Adapters against the function they adapt, called row by row on Values: random columns, nulls, every encoding.
#include "common/functions/kernel_adapters.h"

#include "common/base/random.h"
#include "common/columnar/builder.h"
#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

VectorPtr randomColumn(Random& random, const DataType& type, size_t rows, int encoding) {
  const size_t size = encoding == 0 ? rows : encoding == 1 ? 1 : rows / 2 + 1;
  std::vector<Value> values;
  for (size_t row = 0; row < size; ++row) {
    if (random.nextChance(0.2))
      values.push_back(null());
    else if (type.isString())
      values.push_back(s(std::string(random.nextBelow(30), static_cast<char>('a' + random.nextBelow(26)))));
    else
      values.push_back(i(random.nextBetween(-100, 100)));
  }
  VectorPtr base = makeVector(type, values);
  if (encoding == 0) return base;
  if (encoding == 1) return Vector::constant(base, rows);
  MutableBufferPtr indices = Buffer::allocate(rows * sizeof(RowIndex));
  for (size_t row = 0; row < rows; ++row)
    indices->mutableAs<RowIndex>()[row] = static_cast<RowIndex>(random.nextBelow(size));
  return Vector::dictionary(base, indices, rows);
}

/// Runs `kernel` over random columns and compares each row with `oracle` of the row's values (NULL in, NULL out).
template <typename Oracle>
void checkAgainst(std::unique_ptr<ScalarKernel> kernel, const std::vector<DataType>& types, Oracle oracle,
                  bool sees_nulls = false) {
  TestContext test;
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const size_t rows = random.nextBelow(70);
    std::vector<VectorPtr> columns;
    for (const DataType& type : types)
      columns.push_back(randomColumn(random, type, rows, static_cast<int>(random.nextBelow(3))));
    Result<VectorPtr> result = kernel->evaluate(test.context, columns, rows);
    REQUIRE(result.isOk());
    REQUIRE((*result)->size() == rows);
    for (size_t row = 0; row < rows; ++row) {
      std::vector<Value> values;
      bool any_null = false;
      for (const VectorPtr& column : columns) {
        values.push_back(column->valueAt(row));
        any_null = any_null || values.back().isNull();
      }
      CHECK((*result)->valueAt(row) == (any_null && !sees_nulls ? null() : oracle(values)));
    }
  }
}

const DataType kBig = DataType::bigint();
const DataType kInt = DataType::integer();
const DataType kText = DataType::string();

TEST_CASE("a total function of one, two and three columns") {
  checkAgainst(functionKernel<int64_t(int64_t)>(kBig, [](int64_t a) { return a * 3; }), {kBig},
               [](const std::vector<Value>& v) { return i(v[0].asInt() * 3); });
  checkAgainst(functionKernel<int64_t(int64_t, int32_t)>(kBig, [](int64_t a, int32_t c) { return a - c; }),
               {kBig, kInt}, [](const std::vector<Value>& v) { return i(v[0].asInt() - v[1].asInt()); });
  checkAgainst(functionKernel<bool(int64_t, int64_t, int64_t)>(
                   DataType::boolean(), [](int64_t a, int64_t x, int64_t c) { return a < x && x < c; }),
               {kBig, kBig, kBig}, [](const std::vector<Value>& v) {
                 return b(v[0].asInt() < v[1].asInt() && v[1].asInt() < v[2].asInt());
               });
}

TEST_CASE("a function that may be NULL, and one that may fail") {
  checkAgainst(functionKernel<int32_t(int32_t)>(
                   kInt, [](int32_t a) { return a % 2 == 0 ? std::optional(a / 2) : std::nullopt; }),
               {kInt},
               [](const std::vector<Value>& v) { return v[0].asInt() % 2 == 0 ? i(v[0].asInt() / 2) : null(); });
  const auto divide = [](int64_t a, int64_t by, int64_t& out) -> Status {
    if (by == 0) return Status::runtime("by zero");
    out = a / by;
    return {};
  };
  std::unique_ptr<ScalarKernel> kernel = functionKernel<int64_t(int64_t, int64_t)>(kBig, divide);
  TestContext test;
  const VectorPtr columns[] = {makeVector(kBig, std::vector{i(6), null(), i(7)}),
                               makeVector(kBig, std::vector{i(2), i(0), null()})};
  Result<VectorPtr> result = kernel->evaluate(test.context, columns, 3);
  REQUIRE(result.isOk());  // never called on rows with a NULL
  CHECK((*result)->valueAt(0) == i(3));
  CHECK((*result)->isNull(1));
  const VectorPtr failing[] = {makeVector(kBig, std::vector{i(6)}), makeVector(kBig, std::vector{i(0)})};
  CHECK(kernel->evaluate(test.context, failing, 1).status().message() == "by zero");
}

TEST_CASE("text in and out") {
  checkAgainst(functionKernel<int32_t(std::string_view)>(
                   kInt, [](std::string_view a) { return static_cast<int32_t>(a.size()); }),
               {kText}, [](const std::vector<Value>& v) { return i(static_cast<int64_t>(v[0].asString().size())); });
  checkAgainst(
      functionKernel<std::string(std::string_view, std::string_view)>(
          kText, [](std::string_view a, std::string_view c, std::string& out) { out.append(a).append("-").append(c); }),
      {kText, kText}, [](const std::vector<Value>& v) { return s(v[0].asString() + "-" + v[1].asString()); });
  checkAgainst(
      functionKernel<std::string(std::string_view)>(kText, [](std::string_view a) { return a.substr(a.size() / 2); }),
      {kText}, [](const std::vector<Value>& v) { return s(v[0].asString().substr(v[0].asString().size() / 2)); });
  checkAgainst(functionKernel<std::string(std::string_view)>(kText,
                                                             [](std::string_view a, std::string& out) {
                                                               out = a;
                                                               return a.size() > 5;
                                                             }),
               {kText}, [](const std::vector<Value>& v) { return v[0].asString().size() > 5 ? v[0] : null(); });
}

TEST_CASE("a Nullable argument arrives, others make the row NULL") {
  checkAgainst(
      functionKernel<int64_t(Nullable<int64_t>)>(kBig, [](std::optional<int64_t> a) { return a.value_or(-1); }), {kBig},
      [](const std::vector<Value>& v) { return v[0].isNull() ? i(-1) : v[0]; }, true);
  checkAgainst(
      functionKernel<int64_t(int64_t, Nullable<int64_t>)>(
          kBig, [](int64_t a, std::optional<int64_t> c) { return a + c.value_or(0); }),
      {kBig, kBig},
      [](const std::vector<Value>& v) {
        return v[0].isNull() ? null() : i(v[0].asInt() + (v[1].isNull() ? 0 : v[1].asInt()));
      },
      true);
}

TEST_CASE("a value kernel sees rows as Values") {
  const ValueFunction add = [](EvalContext&, std::span<const Value> v) -> Result<Value> {
    return i(v[0].asInt() + v[1].asInt());
  };
  checkAgainst(valueKernel(kBig, add), {kBig, kBig},
               [](const std::vector<Value>& v) { return i(v[0].asInt() + v[1].asInt()); });
  const ValueFunction count = [](EvalContext&, std::span<const Value> v) -> Result<Value> {
    return i(v[0].isNull() ? 0 : 1);
  };
  checkAgainst(
      valueKernel(kBig, count, NullCalls::CALLED), {kBig},
      [](const std::vector<Value>& v) { return i(v[0].isNull() ? 0 : 1); }, true);
}

TEST_CASE("arguments can be picked and swapped") {
  checkAgainst(overArguments(
                   {1, 0}, functionKernel<int64_t(int64_t, int64_t)>(kBig, [](int64_t a, int64_t c) { return a - c; })),
               {kBig, kBig}, [](const std::vector<Value>& v) { return i(v[1].asInt() - v[0].asInt()); });
}

TEST_CASE("merging nulls leaves no text behind a NULL") {
  const VectorPtr text = makeVector(kText, std::vector{s("short"), s("a text of more than twelve bytes")});
  const VectorPtr nulls = makeVector(kBig, std::vector{i(1), null()});
  const VectorPtr merged = mergeArgumentNulls(text, {&nulls, 1});
  CHECK(merged->valueAt(0) == s("short"));
  CHECK(merged->isNull(1));
  CHECK(merged->data<StringRef>()[1].length == 0);
  CHECK(mergeArgumentNulls(merged, {&nulls, 1}) == merged);
}

}  // namespace
}  // namespace thalweg::testing
