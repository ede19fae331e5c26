// Integer arithmetic wraps at the width of its type, as in Java; floating point is IEEE 754.
#include "common/functions/kernel_adapters.h"
#include "common/functions/numbers/arithmetic.h"

namespace thalweg {

namespace {

/// Unsigned and at least 32 bits wide, so that nothing overflows as int.
template <typename T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

/// a / b and a % b for b other than 0; the lowest number divided by -1 is itself.
template <typename T>
T quotient(T a, T b) {
  return b == -1 ? static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a)) : static_cast<T>(a / b);
}
template <typename T>
T remainder(T a, T b) {
  return b == -1 ? T{0} : static_cast<T>(a % b);
}

/// `compute` where the divisor is not zero. A constant divisor is looked at once.
template <typename R, typename T, typename Compute>
std::unique_ptr<ScalarKernel> dividing(const FunctionCall& call, Compute compute) {
  const Value* divisor = literalArgument(call, 1);
  if (divisor != nullptr && !divisor->isNull() && divisor->asInt() != 0) {
    const T by = static_cast<T>(divisor->asInt());
    return functionKernel<R(T, T)>(call.result_type, [by, compute](T a, T) { return static_cast<R>(compute(a, by)); });
  }
  return functionKernel<R(T, T)>(call.result_type, [compute](T a, T b, R& out) -> Status {
    if (b == 0) return divisionByZero();
    out = static_cast<R>(compute(a, b));
    return {};
  });
}

/// The remainder has the type of the divisor, which may be the narrower one.
template <typename T>
Result<std::unique_ptr<ScalarKernel>> remainderKernel(const FunctionCall& call) {
  switch (call.result_type.physicalType()) {
    case PhysicalType::INT8: return dividing<int8_t, T>(call, remainder<T>);
    case PhysicalType::INT16: return dividing<int16_t, T>(call, remainder<T>);
    case PhysicalType::INT32: return dividing<int32_t, T>(call, remainder<T>);
    default: return dividing<int64_t, T>(call, remainder<T>);
  }
}

template <typename T>
Result<std::unique_ptr<ScalarKernel>> integerKernel(ArithmeticOp op, const FunctionCall& call) {
  using U = Wrapping<T>;
  const DataType& type = call.result_type;
  switch (op) {
    case ArithmeticOp::ADD:
      return functionKernel<T(T, T)>(type,
                                     [](T a, T b) { return static_cast<T>(static_cast<U>(a) + static_cast<U>(b)); });
    case ArithmeticOp::SUBTRACT:
      return functionKernel<T(T, T)>(type,
                                     [](T a, T b) { return static_cast<T>(static_cast<U>(a) - static_cast<U>(b)); });
    case ArithmeticOp::MULTIPLY:
      return functionKernel<T(T, T)>(type,
                                     [](T a, T b) { return static_cast<T>(static_cast<U>(a) * static_cast<U>(b)); });
    case ArithmeticOp::DIVIDE: return dividing<T, T>(call, quotient<T>);
    case ArithmeticOp::MODULO: return remainderKernel<T>(call);
  }
  return Status::internal("no such operator");
}

template <typename T>
Result<std::unique_ptr<ScalarKernel>> floatKernel(ArithmeticOp op, const DataType& type) {
  switch (op) {
    case ArithmeticOp::ADD: return functionKernel<T(T, T)>(type, [](T a, T b) { return a + b; });
    case ArithmeticOp::SUBTRACT: return functionKernel<T(T, T)>(type, [](T a, T b) { return a - b; });
    case ArithmeticOp::MULTIPLY: return functionKernel<T(T, T)>(type, [](T a, T b) { return a * b; });
    case ArithmeticOp::DIVIDE: return functionKernel<T(T, T)>(type, [](T a, T b) { return a / b; });
    case ArithmeticOp::MODULO: break;
  }
  return Status::internal("no remainder of approximate numbers");
}

}  // namespace

Result<std::unique_ptr<ScalarKernel>> makeNumberArithmetic(ArithmeticOp op, const FunctionCall& call) {
  switch (call.arguments[0].type.physicalType()) {
    case PhysicalType::INT8: return integerKernel<int8_t>(op, call);
    case PhysicalType::INT16: return integerKernel<int16_t>(op, call);
    case PhysicalType::INT32: return integerKernel<int32_t>(op, call);
    case PhysicalType::INT64: return integerKernel<int64_t>(op, call);
    case PhysicalType::FLOAT32: return floatKernel<float>(op, call.result_type);
    case PhysicalType::FLOAT64: return floatKernel<double>(op, call.result_type);
    default: return Status::internal("no arithmetic of " + call.arguments[0].type.toString());
  }
}

}  // namespace thalweg
