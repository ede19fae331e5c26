// The arithmetic operators: which types they take and which kernel they get.
#include "common/functions/numbers/arithmetic.h"

#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {

namespace {

bool isTemporalOrInterval(const DataType& type) { return type.isTemporal() || type.isInterval(); }

/// The type an operand is cast to, given the result's.
DataType operandType(ArithmeticOp op, const DataType& own, const DataType& other, const DataType& result) {
  DataType type = own;
  if (isTemporalOrInterval(own)) return own;
  if (isTemporalOrInterval(other)) {
    type = DataType::bigint();
  } else if (own.kind() == TypeKind::DECIMAL || other.kind() == TypeKind::DECIMAL) {
    if (result.isApproximateNumeric())
      type = result;
    else if (own.isInteger())
      type = DataType::bigint();
  } else if (op == ArithmeticOp::MODULO && own.isInteger()) {
    type = own.kind() > other.kind() ? own : other;
  } else {
    type = result;
  }
  return type.withNullable(own.nullable());
}

/// arithmeticType(), and Flink's own rule for whole decimals: the remainder of DECIMAL(p, 0) by an integer has the
/// integer's type.
std::optional<DataType> resultType(ArithmeticOp op, const DataType& a, const DataType& b) {
  if (op == ArithmeticOp::MODULO && a.kind() == TypeKind::DECIMAL && a.scale() == 0 && b.isInteger()) return b;
  return arithmeticType(op, a, b);
}

Resolve resolveArithmetic(ArithmeticOp op, std::string text) {
  return [op, text](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    if (arguments.size() != 2)
      return Status::plan("expected 2 operands, but found " + std::to_string(arguments.size()));
    DataType a = arguments[0].type;
    DataType b = arguments[1].type;
    if (a.isNull()) a = b.isNull() ? DataType::integer() : b.asNullable();
    if (b.isNull()) b = a.asNullable();
    const std::optional<DataType> result = resultType(op, a, b);
    if (!result) {
      return Status::plan("cannot compute " + a.asNullable().toString() + " " + text + " " + b.asNullable().toString() +
                          "; cast the operands to types that go together");
    }
    ResolvedSignature resolved;
    resolved.argument_types = {operandType(op, a, b, *result), operandType(op, b, a, *result)};
    resolved.result_type = result->withNullable(a.nullable() || b.nullable());
    return resolved;
  };
}

KernelMaker arithmeticMaker(ArithmeticOp op) {
  return [op](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    const DataType& a = call.arguments[0].type;
    const DataType& b = call.arguments[1].type;
    if (isTemporalOrInterval(a) || isTemporalOrInterval(b)) return makeTemporalArithmetic(op, call);
    if (a.kind() == TypeKind::DECIMAL || b.kind() == TypeKind::DECIMAL) return makeDecimalArithmetic(op, call);
    return makeNumberArithmetic(op, call);
  };
}

void addOperator(ScalarList& list, ArithmeticOp op, const std::string& text, std::string description,
                 std::string example) {
  const bool divides = op == ArithmeticOp::DIVIDE || op == ArithmeticOp::MODULO;
  list.push_back({.name = text,
                  .category = "arithmetic",
                  .signature = "a " + text + " b",
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveArithmetic(op, text),
                  .make = arithmeticMaker(op),
                  .strict = true,
                  .can_fail = divides,
                  .listed = false});
}

template <typename T>
std::unique_ptr<ScalarKernel> negation(const DataType& type) {
  return functionKernel<T(T)>(type, [](T value) {
    if constexpr (std::is_floating_point_v<T>)
      return -value;
    else
      return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(value));
  });
}

Result<std::unique_ptr<ScalarKernel>> makeNegation(const FunctionCall& call) {
  const DataType& type = call.result_type;
  switch (type.physicalType()) {
    case PhysicalType::INT8: return negation<int8_t>(type);
    case PhysicalType::INT16: return negation<int16_t>(type);
    case PhysicalType::INT32: return negation<int32_t>(type);
    case PhysicalType::INT64: return negation<int64_t>(type);
    case PhysicalType::INT128: return functionKernel<int128(int128)>(type, [](int128 value) { return -value; });
    case PhysicalType::FLOAT32: return negation<float>(type);
    case PhysicalType::FLOAT64: return negation<double>(type);
    default: return Status::internal("no negation of " + type.toString());
  }
}

}  // namespace

Status divisionByZero() {
  return Status::runtime("division by zero; divide by NULLIF(divisor, 0) to get NULL instead");
}

void addArithmeticFunctions(ScalarList& list) {
  addOperator(list, ArithmeticOp::ADD, "+", "The sum. Dates, times and timestamps are moved by an interval.",
              "1 + 2 = 3");
  addOperator(list, ArithmeticOp::SUBTRACT, "-", "The difference.", "3 - 2 = 1");
  addOperator(list, ArithmeticOp::MULTIPLY, "*", "The product. An interval can be multiplied by an integer.",
              "2 * 3 = 6");
  addOperator(list, ArithmeticOp::DIVIDE, "/",
              "The quotient, without fraction for integers. Division of exact numbers by zero fails.", "7 / 2 = 3");
  addOperator(list, ArithmeticOp::MODULO, "%", "The remainder, with the sign of the dividend.", "7 % 3 = 1");
  list.push_back({.name = "MOD",
                  .category = "arithmetic",
                  .signature = "MOD(dividend, divisor)",
                  .description = "The remainder of exact numbers, with the sign of the dividend.",
                  .example = "MOD(-7, 3) = -1",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveArithmetic(ArithmeticOp::MODULO, "%"),
                  .make = arithmeticMaker(ArithmeticOp::MODULO),
                  .strict = true,
                  .can_fail = true});
  const auto is_negatable = [](const DataType& type) { return type.isNumeric() || type.isInterval(); };
  list.push_back({.name = "NEGATE",
                  .category = "arithmetic",
                  .signature = "-a",
                  .description = "The number or interval with the other sign.",
                  .example = "-(1 + 2) = -3",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({{.name = "value",
                                         .expected = "a number or an interval",
                                         .accepts = is_negatable,
                                         .cast = [](const DataType& type) { return type; },
                                         .plain = DataType::integer()}},
                                       returnsArgument(0)),
                  .make = makeNegation,
                  .strict = true,
                  .listed = false});
}

}  // namespace thalweg
