// Every scalar function over whatever types it accepts: no crash, and the same answer in every encoding.
#include <algorithm>

#include "common/base/random.h"
#include "common/columnar/builder.h"
#include "common/functions/function_registry.h"
#include "common/types/type_rules.h"
#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

struct Sample {
  DataType type;
  std::vector<Value> values;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> kSamples{
      {DataType::integer(), {null(), i(0), i(1), i(-7), i(2147483647), i(3)}},
      {DataType::bigint(), {null(), i(INT64_MIN), i(2), i(-1), i(1709210096)}},
      {DataType::float64(), {null(), d(0.5), d(-2.5), d(1e300), d(-0.0)}},
      {DataType::decimal(10, 2), {null(), Value::decimal(12345), Value::decimal(-50), Value::decimal(0)}},
      {DataType::boolean(), {null(), b(true), b(false)}},
      {DataType::string(),
       {null(), s(""), s("abc"), s("a,b=c"), s("a text of more than twelve bytes"), s("2024-02-29 12:34:56"),
        s("{\"a\":[1,2]}"), s("[0-9]+"), s("😀é")}},
      {DataType::bytes(), {null(), s(""), s("bytes \x01\x7f"), s("Müller and so on, long enough")}},
      {DataType::date(), {null(), i(0), i(19782), i(-1)}},
      {DataType::timestamp(3), {null(), Value::timestamp({1709210096789, 0, 0}), Value::timestamp({-1, 0, 0})}},
      {DataType::timestampLtz(9), {null(), Value::timestamp({1709210096789, 123456, 0})}},
      {DataType::array(DataType::integer()), {null(), Value::list({}), Value::list({i(3), null(), i(1), i(3)})}},
      {DataType::array(DataType::string()), {null(), Value::list({s("b"), null(), s("a long text, not inline")})}},
      {DataType::map(DataType::string(), DataType::integer()),
       {null(), Value::map({{s("k"), i(1)}, {s("l"), null()}}), Value::map({})}},
      {DataType::row({{"p", DataType::integer()}, {"q", DataType::string()}}),
       {null(), Value::row({i(1), null()}), Value::row({i(2), s("x")})}},
  };
  return kSamples;
}

constexpr size_t kRows = 7;
constexpr size_t kCallsMax = 14;

/// Runs one function over arguments of the given samples, if it takes them. Whether it did.
bool tryCall(const ScalarFunction& function, const std::vector<const Sample*>& arguments, Random& random) {
  std::vector<DataType> types;
  for (const Sample* argument : arguments) types.push_back(argument->type);
  if (!KernelHarness::refusal(function.name, types).empty()) return false;
  KernelHarness harness(function.name, types);
  for (size_t at = 0; at < types.size(); ++at) {  // the samples are not all good for a cast, as of text to a date
    if (castCanFail(types[at], harness.resolvedCall().arguments[at].type)) return false;
  }
  std::vector<KernelHarness::Row> rows(kRows);
  for (KernelHarness::Row& row : rows) {
    for (const Sample* argument : arguments) row.push_back(argument->values[random.nextBelow(argument->values.size())]);
  }
  if (!harness.survives(rows)) {  // some rows fail: the others must still agree
    for (const KernelHarness::Row& row : rows) harness.survives({row});
  }
  return true;
}

void sweep(const ScalarFunction& function, Random& random) {
  size_t calls = 0;
  const size_t most = std::min<size_t>(function.max_arguments, 3);
  for (size_t count = function.min_arguments; count <= most; ++count) {
    std::vector<size_t> pick(count, 0);
    for (;;) {
      std::vector<const Sample*> arguments;
      for (const size_t at : pick) arguments.push_back(&samples()[at]);
      std::string text = function.name;
      for (const Sample* argument : arguments) text += " " + argument->type.toString();
      INFO(text);
      try {
        if (calls < kCallsMax * (count + 1) && tryCall(function, arguments, random)) ++calls;
      } catch (const std::exception& error) {
        FAIL_CHECK(error.what());  // kernels do not throw
      }
      size_t place = 0;
      while (place < count && ++pick[place] == samples().size()) pick[place++] = 0;
      if (place == count) break;
    }
  }
}

/// Functions whose clauses the binder adds as keywords.
bool hasClauses(const ScalarFunction& function) {
  const std::string& name = function.name;
  return name.starts_with("JSON_") && name != "JSON_STRING" && name != "JSON_QUOTE" && name != "JSON_UNQUOTE";
}

TEST_CASE("every function agrees with itself in every encoding") {
  Random random(11);
  for (const ScalarFunction* function : FunctionRegistry::instance().scalars()) {
    INFO(function->name);
    if (!hasClauses(*function)) sweep(*function, random);
  }
}

TEST_CASE("every cast survives the samples") {
  TestContext test;
  for (const Sample& from : samples()) {
    for (const Sample& to : samples()) {
      if (!supportsExplicitCast(from.type, to.type)) continue;
      INFO(from.type.toString() << " to " << to.type.toString());
      Result<std::unique_ptr<ScalarKernel>> kernel = makeCastKernel(from.type, to.type, true);
      REQUIRE(kernel.isOk());
      const VectorPtr column = makeVector(from.type, from.values);
      Result<VectorPtr> result = (*kernel)->evaluate(test.context, {&column, 1}, column->size());
      CHECK(result.isOk());
    }
  }
}

}  // namespace
}  // namespace thalweg::testing
