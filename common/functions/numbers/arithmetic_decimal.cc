// Decimal arithmetic. Most calls are exact: the result type has room for every digit, so plain integer loops do. The
// rest, where 38 digits cut the scale or a quotient is rounded, goes through common/types/decimal.h row by row.
#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/numbers/arithmetic.h"
#include "common/types/decimal.h"

namespace thalweg {

namespace {

/// Digits that an int64 always holds.
constexpr int kNarrowDigits = 18;

struct DecimalCall {
  DecimalSpec a;
  DecimalSpec b;
  DecimalSpec to;
  DataType type;
  bool narrow_arguments = false;  ///< both are int64 columns
  bool narrow_result = false;
};

DecimalCall describe(const FunctionCall& call) {
  const DataType& a = call.arguments[0].type;
  const DataType& b = call.arguments[1].type;
  return {.a = *decimalSpecOf(a),
          .b = *decimalSpecOf(b),
          .to = *decimalSpecOf(call.result_type),
          .type = call.result_type,
          .narrow_arguments = a.physicalType() == PhysicalType::INT64 && b.physicalType() == PhysicalType::INT64,
          .narrow_result = call.result_type.physicalType() == PhysicalType::INT64};
}

int integralDigits(DecimalSpec spec) { return spec.precision - spec.scale; }

/// Whether the result has a place for every digit of every sum.
bool isExactSum(const DecimalCall& c) {
  const int scale = std::max(c.a.scale, c.b.scale);
  const int digits = std::max(integralDigits(c.a), integralDigits(c.b)) + scale + 1;
  return c.to.scale == scale && digits <= c.to.precision;
}

bool isExactProduct(const DecimalCall& c) {
  return c.to.scale == c.a.scale + c.b.scale && c.a.precision + c.b.precision <= c.to.precision;
}

/// `compute` over the widths that the call has; it takes and gives integers of any width.
template <typename Compute>
std::unique_ptr<ScalarKernel> exactKernel(const DecimalCall& c, Compute compute) {
  if (c.narrow_arguments && c.narrow_result) {
    return functionKernel<int64_t(int64_t, int64_t)>(c.type, [compute](int64_t a, int64_t b) { return compute(a, b); });
  }
  if (c.narrow_arguments) {
    return functionKernel<int128(int64_t, int64_t)>(
        c.type, [compute](int64_t a, int64_t b) { return compute(int128{a}, int128{b}); });
  }
  return functionKernel<AnyDecimal(AnyDecimal, AnyDecimal)>(c.type,
                                                            [compute](int128 a, int128 b) { return compute(a, b); });
}

/// a + sign * b, both moved to the common scale.
template <int kSign>
std::unique_ptr<ScalarKernel> sumKernel(const DecimalCall& c) {
  if (!isExactSum(c)) {
    return functionKernel<AnyDecimal(AnyDecimal, AnyDecimal)>(c.type, [c](int128 a, int128 b) {
      return kSign > 0 ? addDecimals(a, c.a.scale, b, c.b.scale, c.to)
                       : subtractDecimals(a, c.a.scale, b, c.b.scale, c.to);
    });
  }
  const int128 factor_a = powerOfTen(c.to.scale - c.a.scale);
  const int128 factor_b = powerOfTen(c.to.scale - c.b.scale) * kSign;
  return exactKernel(c, [factor_a, factor_b]<typename T>(T a, T b) {
    return static_cast<T>(a * static_cast<T>(factor_a) + b * static_cast<T>(factor_b));
  });
}

std::unique_ptr<ScalarKernel> productKernel(const DecimalCall& c) {
  if (isExactProduct(c)) return exactKernel(c, []<typename T>(T a, T b) { return static_cast<T>(a * b); });
  return functionKernel<AnyDecimal(AnyDecimal, AnyDecimal)>(
      c.type, [c](int128 a, int128 b) { return multiplyDecimals(a, c.a.scale, b, c.b.scale, c.to); });
}

/// Whether dividend, divisor and quotient stay within int64 all the way.
bool isNarrowQuotient(const DecimalCall& c) {
  const int shift = c.to.scale + c.b.scale - c.a.scale;
  return c.narrow_arguments && c.narrow_result && shift >= 0 && c.a.precision + shift <= kNarrowDigits &&
         c.b.precision <= kNarrowDigits;
}

std::unique_ptr<ScalarKernel> quotientKernel(const DecimalCall& c) {
  if (isNarrowQuotient(c)) {
    const auto factor = static_cast<int64_t>(powerOfTen(c.to.scale + c.b.scale - c.a.scale));
    const auto limit = static_cast<int64_t>(powerOfTen(c.to.precision));
    return functionKernel<int64_t(int64_t, int64_t)>(
        c.type, [factor, limit](int64_t a, int64_t b) -> Result<std::optional<int64_t>> {
          if (b == 0) return divisionByZero();
          const int64_t dividend = a * factor;
          int64_t result = dividend / b;
          const int64_t rest = std::abs(dividend % b);
          if (rest >= std::abs(b) - rest) result += (dividend < 0) == (b < 0) ? 1 : -1;  // half up
          if (result >= limit || result <= -limit) return std::optional<int64_t>();
          return std::optional(result);
        });
  }
  return functionKernel<AnyDecimal(AnyDecimal, AnyDecimal)>(c.type,
                                                            [c](int128 a, int128 b) -> Result<std::optional<int128>> {
                                                              if (b == 0) return divisionByZero();
                                                              return divideDecimals(a, c.a.scale, b, c.b.scale, c.to);
                                                            });
}

std::unique_ptr<ScalarKernel> remainderKernel(const DecimalCall& c) {
  if (c.type.isInteger()) {  // a whole decimal by an integer: as in Flink the dividend wraps to BIGINT first
    return functionKernel<AnyInteger(AnyDecimal, int64_t)>(c.type, [](int128 a, int64_t b, int64_t& out) -> Status {
      if (b == 0) return divisionByZero();
      out = b == -1 ? 0 : decimalToInt64(a, 0) % b;
      return {};
    });
  }
  return functionKernel<AnyDecimal(AnyDecimal, AnyDecimal)>(
      c.type, [c](int128 a, int128 b) -> Result<std::optional<int128>> {
        if (b == 0) return divisionByZero();
        return remainderDecimals(a, c.a.scale, b, c.b.scale, c.to);
      });
}

}  // namespace

Result<std::unique_ptr<ScalarKernel>> makeDecimalArithmetic(ArithmeticOp op, const FunctionCall& call) {
  const DecimalCall c = describe(call);
  switch (op) {
    case ArithmeticOp::ADD: return sumKernel<1>(c);
    case ArithmeticOp::SUBTRACT: return sumKernel<-1>(c);
    case ArithmeticOp::MULTIPLY: return productKernel(c);
    case ArithmeticOp::DIVIDE: return quotientKernel(c);
    case ArithmeticOp::MODULO: return remainderKernel(c);
  }
  return Status::internal("no such operator");
}

}  // namespace thalweg
