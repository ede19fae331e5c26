#include "common/expr/evaluator.h"

#include <algorithm>

#include "common/base/random.h"
#include "common/columnar/builder.h"
#include "common/functions/function_registry.h"
#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

const DataType kInt = DataType::integer();
const DataType kBig = DataType::bigint();
const DataType kBool = DataType::boolean();
const DataType kText = DataType::string();

BoundExprPtr column(int index, const DataType& type) { return BoundExpr::column(index, type); }
BoundExprPtr literal(const Value& value, const DataType& type) { return BoundExpr::literal(value, type); }

/// A call with the result type that resolve() gives; arguments must have the resolved types.
BoundExprPtr call(std::string_view name, std::vector<BoundExprPtr> args) {
  const ScalarFunction* function = FunctionRegistry::instance().scalar(name);
  REQUIRE(function != nullptr);
  std::vector<ArgumentInfo> infos;
  for (const BoundExprPtr& arg : args)
    infos.push_back({arg->type, arg->isLiteral() ? std::optional(arg->value) : std::nullopt});
  Result<ResolvedSignature> resolved = function->resolve(infos);
  REQUIRE(resolved.isOk());
  for (size_t at = 0; at < args.size(); ++at) args[at] = BoundExpr::cast(args[at], resolved->argument_types[at]);
  return BoundExpr::call(function, std::move(args), resolved->result_type);
}

std::vector<std::vector<Value>> evaluate(std::vector<BoundExprPtr> expressions, const Batch& batch) {
  TestContext test;
  Result<std::unique_ptr<ExprProgram>> program = ExprProgram::compile(std::move(expressions));
  REQUIRE(program.isOk());
  Result<std::vector<VectorPtr>> results = (*program)->evaluate(test.context, batch);
  if (!results.isOk()) FAIL(results.status().message());
  std::vector<std::vector<Value>> values;
  for (const VectorPtr& result : *results) {
    REQUIRE(result->size() == batch.rows());
    values.emplace_back();
    for (size_t row = 0; row < batch.rows(); ++row) values.back().push_back(result->valueAt(row));
  }
  return values;
}

std::string failureOf(const BoundExprPtr& expression, const Batch& batch) {
  TestContext test;
  Result<std::unique_ptr<ExprProgram>> program = ExprProgram::compile({expression});
  REQUIRE(program.isOk());
  return (*program)->evaluate(test.context, batch).status().message();
}

std::vector<RowIndex> select(const BoundExprPtr& condition, const Batch& batch) {
  TestContext test;
  Result<std::unique_ptr<ExprProgram>> program = ExprProgram::compile({condition});
  REQUIRE(program.isOk());
  std::vector<RowIndex> rows;
  const Status status = (*program)->select(test.context, batch, rows);
  if (!status.isOk()) FAIL(status.message());
  return rows;
}

Batch numbers() {
  return Batch(5, {makeVector(kInt, std::vector{i(1), i(0), null(), i(-3), i(4)}),
                   makeVector(kInt, std::vector{i(10), i(20), i(30), null(), i(50)}),
                   makeVector(kBool, std::vector{b(true), b(false), null(), b(true), null()})});
}

TEST_CASE("columns come through as they are") {
  const Batch batch = numbers();
  TestContext test;
  Result<std::unique_ptr<ExprProgram>> program = ExprProgram::compile({column(1, kInt), column(0, kInt)});
  REQUIRE(program.isOk());
  Result<std::vector<VectorPtr>> results = (*program)->evaluate(test.context, batch);
  REQUIRE(results.isOk());
  CHECK((*results)[0] == batch.column(1));
  CHECK((*results)[1] == batch.column(0));
}

TEST_CASE("calls, casts and literals") {
  const BoundExprPtr sum = call("+", {column(0, kInt), literal(i(1), kInt)});
  const BoundExprPtr text = BoundExpr::cast(sum, kText);
  const auto values = evaluate({sum, text, literal(s("x"), kText)}, numbers());
  CHECK(values[0] == std::vector<Value>{i(2), i(1), null(), i(-2), i(5)});
  CHECK(values[1] == std::vector<Value>{s("2"), s("1"), null(), s("-2"), s("5")});
  CHECK(values[2] == std::vector<Value>(5, s("x")));
}

TEST_CASE("constant arguments give constants") {
  TestContext test;
  const BoundExprPtr sum = call("+", {literal(i(1), kInt), literal(i(2), kInt)});
  Result<std::unique_ptr<ExprProgram>> program = ExprProgram::compile({sum});
  Result<std::vector<VectorPtr>> results = (*program)->evaluate(test.context, numbers());
  REQUIRE(results.isOk());
  CHECK((*results)[0]->isConstant());
  Result<Value> value = evaluateConstant(sum, test.context);
  REQUIRE(value.isOk());
  CHECK(*value == i(3));
}

TEST_CASE("a NULL constant makes a strict call NULL") {
  const auto values = evaluate({call("+", {column(0, kInt), literal(null(), kInt)})}, numbers());
  CHECK(values[0] == std::vector<Value>(5, null()));
}

TEST_CASE("equal parts are computed once, random ones are not shared") {
  const ScalarFunction* random = FunctionRegistry::instance().scalar("RAND");
  const auto draw = [&] { return BoundExpr::call(random, {}, DataType::float64(false)); };
  const auto values = evaluate({draw(), draw()}, numbers());
  CHECK(values[0] != values[1]);
  const BoundExprPtr a = call("*", {call("+", {column(0, kInt), column(1, kInt)}), literal(i(2), kInt)});
  const BoundExprPtr again = call("*", {call("+", {column(0, kInt), column(1, kInt)}), literal(i(2), kInt)});
  TestContext test;
  Result<std::unique_ptr<ExprProgram>> program = ExprProgram::compile({a, again});
  Result<std::vector<VectorPtr>> results = (*program)->evaluate(test.context, numbers());
  REQUIRE(results.isOk());
  CHECK((*results)[0] == (*results)[1]);
}

TEST_CASE("AND and OR know three values") {
  std::vector<Value> left, right;
  for (const Value& p : {b(true), b(false), null()}) {
    for (const Value& q : {b(true), b(false), null()}) {
      left.push_back(p);
      right.push_back(q);
    }
  }
  const Batch batch(9, {makeVector(kBool, left), makeVector(kBool, right)});
  const auto values = evaluate({BoundExpr::conjunction({column(0, kBool), column(1, kBool)}),
                                BoundExpr::disjunction({column(0, kBool), column(1, kBool)})},
                               batch);
  CHECK(values[0] ==
        std::vector<Value>{b(true), b(false), null(), b(false), b(false), b(false), null(), b(false), null()});
  CHECK(values[1] == std::vector<Value>{b(true), b(true), b(true), b(true), b(false), null(), b(true), null(), null()});
}

TEST_CASE("a later operand of AND that can fail is computed only where needed") {
  const BoundExprPtr nonzero = call("<>", {column(0, kInt), literal(i(0), kInt)});
  const BoundExprPtr quotient = call("/", {literal(i(100), kInt), column(0, kInt)});
  const BoundExprPtr large = call(">", {quotient, literal(i(20), kInt)});
  const auto values = evaluate({BoundExpr::conjunction({nonzero, large})}, numbers());
  CHECK(values[0] == std::vector<Value>{b(true), b(false), null(), b(false), b(true)});
  const BoundExprPtr zero = call("=", {column(0, kInt), literal(i(0), kInt)});
  CHECK(evaluate({BoundExpr::disjunction({zero, large})}, numbers())[0] ==
        std::vector<Value>{b(true), b(true), null(), b(false), b(true)});
  CHECK(failureOf(BoundExpr::conjunction({large, nonzero}), numbers()).find("division by zero") != std::string::npos);
  CHECK(select(BoundExpr::conjunction({nonzero, large}), numbers()) == std::vector<RowIndex>{0, 4});
}

TEST_CASE("CASE takes the first branch that is TRUE") {
  const BoundExprPtr positive = call(">", {column(0, kInt), literal(i(0), kInt)});
  const BoundExprPtr negative = call("<", {column(0, kInt), literal(i(0), kInt)});
  const auto values = evaluate({BoundExpr::caseWhen({positive, literal(s("pos"), kText), negative,
                                                     literal(s("a negative number"), kText), literal(s("none"), kText)},
                                                    kText),
                                BoundExpr::caseWhen({positive, column(1, kInt)}, kInt)},
                               numbers());
  CHECK(values[0] == std::vector<Value>{s("pos"), s("none"), s("none"), s("a negative number"), s("pos")});
  CHECK(values[1] == std::vector<Value>{i(10), null(), null(), null(), i(50)});
}

TEST_CASE("branches that are not taken are not computed") {
  const BoundExprPtr nonzero = call("<>", {column(0, kInt), literal(i(0), kInt)});
  const BoundExprPtr quotient = call("/", {literal(i(100), kInt), column(0, kInt)});
  const auto values = evaluate({BoundExpr::caseWhen({nonzero, quotient, literal(i(-1), kInt)}, kInt)}, numbers());
  CHECK(values[0] == std::vector<Value>{i(100), i(-1), i(-1), i(-33), i(25)});
  const BoundExprPtr zero = call("=", {column(0, kInt), literal(i(0), kInt)});
  CHECK(evaluate({call("IF", {zero, literal(i(-1), kInt), quotient})}, numbers())[0] ==
        std::vector<Value>{i(100), i(-1), null(), i(-33), i(25)});
  const BoundExprPtr guarded = call("COALESCE", {call("NULLIF", {column(1, kInt), literal(i(50), kInt)}), quotient});
  CHECK(evaluate({guarded}, numbers())[0] == std::vector<Value>{i(10), i(20), i(30), i(-33), i(25)});
}

TEST_CASE("OR over equalities of one column looks into a set") {
  const auto equals = [](int at, int64_t value) { return call("=", {column(at, kInt), literal(i(value), kInt)}); };
  const BoundExprPtr in = BoundExpr::disjunction({equals(0, 1), equals(0, 4), equals(1, 20), equals(0, 7)});
  CHECK(evaluate({in}, numbers())[0] == std::vector<Value>{b(true), b(true), null(), null(), b(true)});
  const BoundExprPtr with_null =
      BoundExpr::disjunction({equals(0, 1), equals(0, 4), call("=", {column(0, kInt), literal(null(), kInt)})});
  CHECK(evaluate({with_null}, numbers())[0] == std::vector<Value>{b(true), null(), null(), null(), b(true)});
  CHECK(select(in, numbers()) == std::vector<RowIndex>{0, 1, 4});
}

TEST_CASE("ROW constructors compare field by field, ROW columns as values") {
  const BoundExprPtr made = call("ROW", {column(0, kInt), column(1, kInt)});
  const BoundExprPtr wanted = call("ROW", {literal(i(1), kInt), literal(i(10), kInt)});
  const auto values = evaluate({call("=", {made, wanted}), call("<>", {made, wanted})}, numbers());
  CHECK(values[0] == std::vector<Value>{b(true), b(false), b(false), b(false), b(false)});
  CHECK(values[1] == std::vector<Value>{b(false), b(true), b(true), b(true), b(true)});
  const Batch open(2, {makeVector(kInt, std::vector{null(), i(2)}), makeVector(kInt, std::vector{i(10), null()})});
  CHECK(evaluate({call("=", {made, wanted})}, open)[0] == std::vector<Value>{null(), b(false)});
  const DataType row = DataType::row({{"f0", kInt}, {"f1", kInt}}, false);
  const Batch rows(2, {makeVector(row, std::vector{Value::row({i(1), null()}), Value::row({i(1), i(10)})})});
  const BoundExprPtr with_null = literal(Value::row({i(1), null()}), row);
  CHECK(evaluate({call("=", {column(0, row), with_null})}, rows)[0] == std::vector<Value>{b(true), b(false)});
}

TEST_CASE("a failure names the expression") {
  const std::string message = failureOf(call("/", {literal(i(100), kInt), column(0, kInt)}), numbers());
  CHECK(message.starts_with("(100 / $0): division by zero"));
}

TEST_CASE("fields of rows, NULL where the row is") {
  const DataType row = DataType::row({{"p", kInt}, {"q", kText}});
  const Batch batch(3,
                    {makeVector(row, std::vector{Value::row({i(1), s("a")}), null(), Value::row({null(), s("c")})})});
  const auto values = evaluate({BoundExpr::field(column(0, row), 0), BoundExpr::field(column(0, row), 1)}, batch);
  CHECK(values[0] == std::vector<Value>{i(1), null(), null()});
  CHECK(values[1] == std::vector<Value>{s("a"), null(), s("c")});
  const Batch picked = batch.select(std::vector<RowIndex>{2});
  CHECK(evaluate({BoundExpr::field(column(0, row), 1)}, picked)[0] == std::vector<Value>{s("c")});
}

TEST_CASE("select agrees with evaluate on random conditions") {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    const size_t rows = random.nextBelow(300);
    std::vector<Value> a, c;
    for (size_t row = 0; row < rows; ++row) {
      a.push_back(random.nextChance(0.1) ? null() : i(random.nextBetween(-5, 5)));
      c.push_back(random.nextChance(0.1) ? null() : i(random.nextBetween(-5, 5)));
    }
    const Batch batch(rows, {makeVector(kInt, a), makeVector(kInt, c)});
    const BoundExprPtr sparse = call("=", {column(0, kInt), literal(i(random.nextBetween(-5, 5)), kInt)});
    const BoundExprPtr wide = call("<=", {column(1, kInt), literal(i(random.nextBetween(-5, 5)), kInt)});
    const BoundExprPtr divided = call(
        ">",
        {call("%", {literal(i(7), kInt), call("+", {column(0, kInt), literal(i(6), kInt)})}), literal(i(1), kInt)});
    for (const BoundExprPtr& condition :
         {BoundExpr::conjunction({sparse, wide, divided}), BoundExpr::conjunction({wide, sparse, divided}),
          BoundExpr::disjunction({sparse, divided}), call("NOT", {BoundExpr::conjunction({wide, divided})})}) {
      const std::vector<Value> truth = evaluate({condition}, batch)[0];
      std::vector<RowIndex> wanted;
      for (size_t row = 0; row < rows; ++row) {
        if (truth[row] == b(true)) wanted.push_back(static_cast<RowIndex>(row));
      }
      CHECK(select(condition, batch) == wanted);
    }
  }
}

TEST_CASE("filter gives what select and evaluate give one after the other") {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    const size_t rows = random.nextBelow(400);
    std::vector<Value> a, t;
    for (size_t row = 0; row < rows; ++row) {
      a.push_back(random.nextChance(0.1) ? null() : i(random.nextBetween(-20, 20)));
      t.push_back(random.nextChance(0.1) ? null() : s(std::string(random.nextBelow(20), 'X') + std::to_string(random.nextBelow(3))));
    }
    const Batch batch = Batch(rows, {makeVector(kInt, a), makeVector(kText, t)}).withMarks({{static_cast<RowIndex>(rows / 2), 17}});
    const BoundExprPtr lower = call("LOWER", {column(1, kText)});
    const BoundExprPtr quotient = call("/", {literal(i(100), kInt), column(0, kInt)});
    const BoundExprPtr kept = call(">", {column(0, kInt), literal(i(random.nextBetween(0, 19)), kInt)});
    for (const BoundExprPtr& condition :
         {kept, BoundExpr::conjunction({call("LIKE", {lower, literal(s("%1"), kText)}), kept}),
          BoundExpr::disjunction({BoundExpr::conjunction({kept, call(">", {quotient, literal(i(7), kInt)})}), call("LIKE", {lower, literal(s("x%"), kText)})})}) {
      const std::vector<BoundExprPtr> others = {column(1, kText), lower, column(0, kInt), BoundExpr::caseWhen({kept, quotient}, kInt)};
      std::vector<BoundExprPtr> all = others;
      all.insert(all.begin(), condition);
      TestContext test;
      auto program = ExprProgram::compile(all);
      REQUIRE(program.isOk());
      const Result<Batch> filtered = (*program)->filter(test.context, batch);
      REQUIRE(filtered.isOk());
      const std::vector<RowIndex> selected = select(condition, batch);
      const Batch wanted = batch.select(selected);
      REQUIRE(filtered->rows() == wanted.rows());
      CHECK(std::ranges::equal(filtered->marks(), wanted.marks()));
      if (wanted.rows() == 0) continue;
      const auto columns = evaluate(others, wanted);
      for (size_t c = 0; c < others.size(); ++c) {
        for (size_t row = 0; row < wanted.rows(); ++row) CHECK(filtered->column(c)->valueAt(row) == columns[c][row]);
      }
    }
  }
}

TEST_CASE("a batch without rows gives empty columns") {
  const Batch empty(0, {makeVector(kInt, {}), makeVector(kInt, {}), makeVector(kBool, {})});
  const BoundExprPtr quotient = call("/", {literal(i(100), kInt), column(0, kInt)});
  const auto values = evaluate({quotient, BoundExpr::caseWhen({column(2, kBool), quotient}, kInt),
                                BoundExpr::conjunction({column(2, kBool), column(2, kBool)})},
                               empty);
  CHECK(values == std::vector<std::vector<Value>>(3));
}

}  // namespace
}  // namespace thalweg::testing
