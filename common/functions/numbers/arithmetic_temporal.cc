// Dates, times and timestamps moved by intervals; intervals among themselves and times an integer. Instants move like
// wall clock in UTC: a day is 24 hours, months are counted in UTC.
#include "common/functions/kernel_adapters.h"
#include "common/functions/numbers/arithmetic.h"
#include "common/types/datetime.h"

namespace thalweg {

namespace {

bool isMonths(const DataType& type) { return type.kind() == TypeKind::INTERVAL_YEAR_MONTH; }

int64_t wrappedSum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t wrappedProduct(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

/// value + sign * months.
std::unique_ptr<ScalarKernel> moveByMonths(const DataType& value, const DataType& result, int sign) {
  switch (value.kind()) {
    case TypeKind::DATE:
      return functionKernel<int32_t(int32_t, int32_t)>(
          result, [sign](int32_t days, int32_t months) { return addMonths(days, int64_t{sign} * months); });
    case TypeKind::TIME:
      return functionKernel<int32_t(int32_t, int32_t)>(result, [](int32_t time, int32_t) { return time; });
    default:
      return functionKernel<AnyTimestamp(AnyTimestamp, int32_t)>(
          result, [sign](TimestampValue at, int32_t months) { return addMonths(at, int64_t{sign} * months); });
  }
}

/// value + sign * milliseconds.
std::unique_ptr<ScalarKernel> moveByMillis(const DataType& value, const DataType& result, int sign) {
  if (value.kind() == TypeKind::DATE) {  // only whole days of the interval count
    return functionKernel<int32_t(int32_t, int64_t)>(result, [sign](int32_t days, int64_t millis) {
      return static_cast<int32_t>(days + sign * (millis / kMillisPerDay));
    });
  }
  if (value.kind() == TypeKind::TIME) {
    return functionKernel<int32_t(int32_t, int64_t)>(
        result, [sign](int32_t time, int64_t millis) { return addToTime(time, sign * millis); });
  }
  if (value.precision() > 6) {
    return functionKernel<TimestampValue(TimestampValue, int64_t)>(result, [sign](TimestampValue at, int64_t millis) {
      return TimestampValue{wrappedSum(at.millis, sign * millis), at.nanos, 0};
    });
  }
  const int64_t unit = value.precision() > 3 ? 1000 * sign : sign;  // microseconds or milliseconds
  return functionKernel<int64_t(int64_t, int64_t)>(
      result, [unit](int64_t at, int64_t millis) { return wrappedSum(at, wrappedProduct(millis, unit)); });
}

std::unique_ptr<ScalarKernel> intervalSum(const DataType& result, int sign) {
  return functionKernel<AnyInteger(AnyInteger, AnyInteger)>(
      result, [sign](int64_t a, int64_t b) { return wrappedSum(a, wrappedProduct(b, sign)); });
}

std::unique_ptr<ScalarKernel> moved(const DataType& value, const DataType& by, const DataType& result, int sign) {
  return isMonths(by) ? moveByMonths(value, result, sign) : moveByMillis(value, result, sign);
}

}  // namespace

Result<std::unique_ptr<ScalarKernel>> makeTemporalArithmetic(ArithmeticOp op, const FunctionCall& call) {
  const DataType& a = call.arguments[0].type;
  const DataType& b = call.arguments[1].type;
  const DataType& result = call.result_type;
  if (op == ArithmeticOp::MULTIPLY) {
    return functionKernel<AnyInteger(AnyInteger, AnyInteger)>(result, wrappedProduct);
  }
  const int sign = op == ArithmeticOp::SUBTRACT ? -1 : 1;
  if (op != ArithmeticOp::ADD && op != ArithmeticOp::SUBTRACT) return Status::internal("no quotient of intervals");
  if (a.isInterval() && b.isInterval()) return intervalSum(result, sign);
  if (b.isInterval()) return moved(a, b, result, sign);
  if (a.isInterval() && sign > 0) return overArguments({1, 0}, moved(b, a, result, sign));
  return Status::internal("no " + a.toString() + " with " + b.toString());
}

}  // namespace thalweg
