// Kernel harness: calls a built-in function as the engine does, over the same rows in every encoding.
//
//   KernelHarness add("+", {DataType::tinyint(), DataType::integer()});
//   CHECK(add.resultType() == DataType::integer());
//   CHECK(add.of({"127", "1"}) == "128");             // arguments as text, the result as rows print it
//   CHECK(add({i(1), null()}) == null());             // the same with values
//
// Every call evaluates the rows flat, a row at a time, as constants, as a dictionary (shuffled, with nulls on top) and
// sliced, and fails the test when results differ. Arguments are given in the types named to the constructor and cast
// to what resolve() asks for. A literal argument (a pattern, a keyword) is given once, with `literals`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/functions/scalar_function.h"

namespace thalweg::testing {

/// A context as an operator has it: UTC, clock at 2024-05-05T07:00Z, seeded chance.
struct TestContext {
  TestContext();
  explicit TestContext(std::string_view zone);
  EvalContext context;

 private:
  void init();
  TimeZone zone_;
  uint64_t random_state_ = 42;
};

class KernelHarness {
 public:
  using Row = std::vector<Value>;

  /// CHECKs that the function exists and resolves. `literals`: argument position -> its constant value.
  KernelHarness(std::string_view function, std::vector<DataType> types, std::map<size_t, Value> literals = {},
                std::string_view zone = "UTC");
  /// The message of resolve() or make(), empty if the call is accepted.
  static std::string refusal(std::string_view function, const std::vector<DataType>& types,
                             const std::map<size_t, Value>& literals = {});

  const DataType& resultType() const { return call_.result_type; }
  const FunctionCall& resolvedCall() const { return call_; }
  /// One row; the values of literal arguments are left out. A failure fails the test.
  Value operator()(const Row& row);
  /// One row of arguments written as CAST reads them (`null` is NULL, intervals are numbers), the result in row form.
  std::string of(const std::vector<std::string>& texts);
  /// Many such rows.
  std::vector<std::string> ofAll(const std::vector<std::vector<std::string>>& rows);
  std::vector<Value> runAll(const std::vector<Row>& rows);
  /// Like runAll, but rows may fail: false then, and nothing but the flat columns was tried.
  bool survives(const std::vector<Row>& rows);
  /// The message of the failure that one row gives; empty if it does not fail.
  std::string failure(const Row& row);
  std::string failureOf(const std::vector<std::string>& texts);

 private:
  void checkEncodings(const std::vector<Row>& rows, const std::vector<Value>& expected);
  Result<std::vector<Value>> evaluateFlat(const std::vector<Row>& rows);
  Result<std::vector<Value>> evaluate(std::vector<VectorPtr> columns, size_t rows);
  std::vector<VectorPtr> flatColumns(const std::vector<Row>& rows) const;
  Row fullRow(const Row& row) const;
  Row parsedRow(const std::vector<std::string>& texts) const;

  const ScalarFunction* function_;
  std::vector<DataType> given_types_;
  std::map<size_t, Value> literals_;
  FunctionCall call_;
  TestContext context_;
};

/// `text` as a value of a type: what CAST reads, `null` as NULL, intervals as their number of months or milliseconds.
Value valueOf(const std::string& text, const DataType& type, std::string_view zone = "UTC");

/// A row's arguments written short.
inline Value i(int64_t v) { return Value::integer(v); }
inline Value s(std::string v) { return Value::string(std::move(v)); }
inline Value d(double v) { return Value::floating(v); }
inline Value b(bool v) { return Value::boolean(v); }
inline Value null() { return Value::null(); }

}  // namespace thalweg::testing
