#include "tests/support/kernel_harness.h"

#include "common/base/random.h"
#include "common/columnar/builder.h"
#include "common/functions/function_registry.h"
#include "common/functions/strict_nulls.h"
#include "common/types/cast_scalar.h"
#include "common/types/value_text.h"

#include <catch2/catch.hpp>  // last: it has a CHECK of its own

namespace thalweg::testing {

namespace {

std::vector<ArgumentInfo> argumentInfos(const std::vector<DataType>& types, const std::map<size_t, Value>& literals) {
  std::vector<ArgumentInfo> arguments;
  for (size_t at = 0; at < types.size(); ++at) {
    const auto literal = literals.find(at);
    arguments.push_back({types[at], literal == literals.end() ? std::nullopt : std::optional(literal->second)});
  }
  return arguments;
}

Value castTo(const Value& value, const DataType& from, const DataType& to) {
  if (value.isNull() || from.sameIgnoringNullability(to) || from.kind() == TypeKind::SYMBOL || from.isNull())
    return value;
  Result<Value> cast = castValue(value, from, to, TimeZone());
  REQUIRE(cast.isOk());
  return *cast;
}

Result<FunctionCall> resolveCall(const ScalarFunction& function, const std::vector<DataType>& types,
                                 const std::map<size_t, Value>& literals) {
  std::vector<ArgumentInfo> arguments = argumentInfos(types, literals);
  ASSIGN_OR_RETURN(const ResolvedSignature resolved, function.resolve(arguments));
  for (size_t at = 0; at < arguments.size(); ++at) {
    if (arguments[at].literal)
      arguments[at].literal = castTo(*arguments[at].literal, types[at], resolved.argument_types[at]);
    arguments[at].type = resolved.argument_types[at];
  }
  return FunctionCall{std::move(arguments), resolved.result_type};
}

/// The columns in another order with rows repeated and some NULL on top; `order` gets what the rows are.
VectorPtr shuffled(const VectorPtr& column, const std::vector<RowIndex>& order) {
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(order.data()), order.size() * sizeof(RowIndex));
  return Vector::dictionary(column, Buffer::copyOf(bytes), order.size());
}

std::string textOf(const std::vector<Value>& values, const DataType& type) {
  std::string text;
  for (const Value& value : values) text += rowForm(value, type) + "; ";
  return text;
}

}  // namespace

TestContext::TestContext() { init(); }
TestContext::TestContext(std::string_view zone) : zone_(*TimeZone::of(zone)) { init(); }

void TestContext::init() {
  context.session_zone = &zone_;
  context.query_start_ms = 1714892400000;
  context.now_ms = [] { return int64_t{1714892400000}; };
  context.random = [this] { return splitMix64(random_state_); };
}

KernelHarness::KernelHarness(std::string_view function, std::vector<DataType> types, std::map<size_t, Value> literals,
                             std::string_view zone)
    : function_(FunctionRegistry::instance().scalar(function)),
      given_types_(std::move(types)),
      literals_(std::move(literals)),
      context_(zone) {
  INFO("function " << function);
  REQUIRE(function_ != nullptr);
  Result<FunctionCall> call = resolveCall(*function_, given_types_, literals_);
  if (!call.isOk()) FAIL(call.status().message());
  call_ = *std::move(call);
}

std::string KernelHarness::refusal(std::string_view function, const std::vector<DataType>& types,
                                   const std::map<size_t, Value>& literals) {
  const ScalarFunction* found = FunctionRegistry::instance().scalar(function);
  REQUIRE(found != nullptr);
  Result<FunctionCall> call = resolveCall(*found, types, literals);
  if (!call.isOk()) return call.status().message();
  return found->make(*call).status().message();
}

Value valueOf(const std::string& text, const DataType& type, std::string_view zone) {
  if (text == "null") return Value::null();
  if (type.isInterval()) return Value::integer(std::stoll(text));
  if (type.isString() || type.isBinary()) return Value::string(text);
  INFO("'" << text << "' as " << type.toString());
  Result<Value> value = castValue(Value::string(text), DataType::string(), type, *TimeZone::of(zone));
  REQUIRE(value.isOk());
  return *value;
}

KernelHarness::Row KernelHarness::parsedRow(const std::vector<std::string>& texts) const {
  Row row;
  size_t next = 0;
  for (size_t at = 0; at < given_types_.size(); ++at) {
    if (!literals_.contains(at)) row.push_back(valueOf(texts.at(next++), given_types_[at]));
  }
  REQUIRE(next == texts.size());
  return row;
}

std::string KernelHarness::of(const std::vector<std::string>& texts) { return ofAll({texts})[0]; }

std::vector<std::string> KernelHarness::ofAll(const std::vector<std::vector<std::string>>& rows) {
  std::vector<Row> parsed;
  for (const std::vector<std::string>& row : rows) parsed.push_back(parsedRow(row));
  std::vector<std::string> results;
  for (const Value& value : runAll(parsed)) results.push_back(rowForm(value, resultType()));
  return results;
}

std::string KernelHarness::failureOf(const std::vector<std::string>& texts) { return failure(parsedRow(texts)); }

KernelHarness::Row KernelHarness::fullRow(const Row& row) const {
  Row full;
  size_t next = 0;
  for (size_t at = 0; at < given_types_.size(); ++at) {
    if (const auto literal = literals_.find(at); literal != literals_.end())
      full.push_back(literal->second);
    else
      full.push_back(row.at(next++));
  }
  REQUIRE(next == row.size());
  return full;
}

std::vector<VectorPtr> KernelHarness::flatColumns(const std::vector<Row>& rows) const {
  std::vector<VectorPtr> columns;
  for (size_t at = 0; at < given_types_.size(); ++at) {
    const DataType& type = call_.arguments[at].type;
    const DataType stored = type.kind() == TypeKind::SYMBOL ? DataType::string(false) : type;
    if (literals_.contains(at)) {
      columns.push_back(Vector::constant(stored, castTo(literals_.at(at), given_types_[at], type), rows.size()));
      continue;
    }
    std::vector<Value> values;
    for (const Row& row : rows) values.push_back(castTo(fullRow(row)[at], given_types_[at], type));
    columns.push_back(makeVector(stored.asNullable(), values));
  }
  return columns;
}

Result<std::vector<Value>> KernelHarness::evaluate(std::vector<VectorPtr> columns, size_t rows) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ScalarKernel> kernel, function_->make(call_));
  // twice, so that what a kernel remembers between batches shows
  ASSIGN_OR_RETURN(VectorPtr result, kernel->evaluate(context_.context, columns, rows));
  if (function_->determinism != Determinism::NON_DETERMINISTIC) {
    ASSIGN_OR_RETURN(result, kernel->evaluate(context_.context, columns, rows));
  }
  if (function_->strict) result = mergeArgumentNulls(result, columns);
  REQUIRE(result->size() == rows);
  CHECK(result->physicalType() == call_.result_type.physicalType());
  std::vector<Value> values;
  for (size_t row = 0; row < rows; ++row) values.push_back(result->valueAt(row));
  return values;
}

Result<std::vector<Value>> KernelHarness::evaluateFlat(const std::vector<Row>& rows) {
  return evaluate(flatColumns(rows), rows.size());
}

std::vector<Value> KernelHarness::runAll(const std::vector<Row>& rows) {
  Result<std::vector<Value>> flat = evaluateFlat(rows);
  if (!flat.isOk()) FAIL(function_->name << ": " << flat.status().message());
  checkEncodings(rows, *flat);
  return *flat;
}

bool KernelHarness::survives(const std::vector<Row>& rows) {
  Result<std::vector<Value>> flat = evaluateFlat(rows);
  if (flat.isOk()) checkEncodings(rows, *flat);
  return flat.isOk();
}

void KernelHarness::checkEncodings(const std::vector<Row>& rows, const std::vector<Value>& expected) {
  // a type that says NOT NULL must hold
  for (size_t row = 0; row < rows.size() && !call_.result_type.nullable(); ++row) CHECK_FALSE(expected[row].isNull());
  if (function_->determinism == Determinism::NON_DETERMINISTIC || rows.empty()) return;
  const auto check = [&](const char* encoding, std::vector<VectorPtr> columns, const std::vector<Value>& wanted) {
    INFO(function_->name << ", " << encoding);
    Result<std::vector<Value>> got = evaluate(std::move(columns), wanted.size());
    if (!got.isOk()) FAIL(got.status().message());
    if (!(*got == wanted)) FAIL_CHECK(textOf(*got, resultType()) << " instead of " << textOf(wanted, resultType()));
  };

  const std::vector<VectorPtr> columns = flatColumns(rows);
  std::vector<RowIndex> order;
  std::vector<Value> in_order;
  for (size_t row = rows.size(); row-- > 0;) {
    for (size_t copy = 0; copy <= row % 2; ++copy) {
      order.push_back(static_cast<RowIndex>(row));
      in_order.push_back(expected[row]);
    }
  }
  std::vector<VectorPtr> dictionaries;
  std::vector<VectorPtr> sliced;
  for (const VectorPtr& column : columns) {
    dictionaries.push_back(shuffled(column, order));
    sliced.push_back(column->slice(rows.size() / 2, rows.size() - rows.size() / 2));
  }
  check("dictionary", dictionaries, in_order);
  check("slice", sliced, {expected.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2), expected.end()});
  for (size_t row = 0; row < rows.size(); ++row) {
    std::vector<VectorPtr> single, constants;
    for (const VectorPtr& column : columns) {
      single.push_back(column->slice(row, 1)->flatten());
      constants.push_back(Vector::constant(column->slice(row, 1), 3));
    }
    check("one row", single, {expected[row]});
    check("constants", constants, {expected[row], expected[row], expected[row]});
    for (size_t at = 0; at < columns.size() && columns.size() > 1; ++at) {  // one constant among columns
      std::vector<VectorPtr> mixed = single;
      for (VectorPtr& column : mixed) {
        const std::vector<RowIndex> twice{0, 0};
        column = gather(*column, twice);
      }
      mixed[at] = Vector::constant(single[at], 2);
      check("constant among columns", mixed, {expected[row], expected[row]});
    }
  }
  check("no rows",
        [&] {
          std::vector<VectorPtr> none;
          for (const VectorPtr& column : columns) none.push_back(column->slice(0, 0));
          return none;
        }(),
        {});
}

Value KernelHarness::operator()(const Row& row) { return runAll({row})[0]; }

std::string KernelHarness::failure(const Row& row) { return evaluateFlat({row}).status().message(); }

}  // namespace thalweg::testing
