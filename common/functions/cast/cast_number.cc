// Casts among numbers, BOOLEAN and intervals. Integers wrap, floating point saturates at INT or BIGINT and then wraps,
// decimals round half up and are NULL when they do not fit.
#include <cmath>

#include "common/functions/cast/cast.h"
#include "common/functions/kernel_adapters.h"
#include "common/types/cast_scalar.h"
#include "common/types/decimal.h"
#include "common/types/java_text.h"

namespace thalweg {

namespace {

/// Java's narrowing of one number to another.
template <typename To, typename From>
To narrowed(From value) {
  if constexpr (std::is_same_v<To, bool>)
    return value != 0;
  else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, int64_t>)
    return doubleToInt64(static_cast<double>(value));
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return static_cast<To>(doubleToInt32(static_cast<double>(value)));
  else
    return static_cast<To>(value);
}

template <typename To, typename From>
std::unique_ptr<ScalarKernel> plain(const DataType& to) {
  return functionKernel<To(From)>(to, [](From value) { return narrowed<To>(value); });
}

template <typename From>
std::unique_ptr<ScalarKernel> plainFrom(const DataType& to) {
  switch (to.physicalType()) {
    case PhysicalType::BOOL: return plain<bool, From>(to);
    case PhysicalType::INT8: return plain<int8_t, From>(to);
    case PhysicalType::INT16: return plain<int16_t, From>(to);
    case PhysicalType::INT32: return plain<int32_t, From>(to);
    case PhysicalType::INT64: return plain<int64_t, From>(to);
    case PhysicalType::FLOAT32: return plain<float, From>(to);
    default: return plain<double, From>(to);
  }
}

std::unique_ptr<ScalarKernel> betweenPlain(const DataType& from, const DataType& to) {
  switch (from.physicalType()) {
    case PhysicalType::BOOL: return plainFrom<bool>(to);
    case PhysicalType::INT8: return plainFrom<int8_t>(to);
    case PhysicalType::INT16: return plainFrom<int16_t>(to);
    case PhysicalType::INT32: return plainFrom<int32_t>(to);
    case PhysicalType::INT64: return plainFrom<int64_t>(to);
    case PhysicalType::FLOAT32: return plainFrom<float>(to);
    default: return plainFrom<double>(to);
  }
}

std::unique_ptr<ScalarKernel> fromDecimal(const DataType& from, const DataType& to) {
  const DecimalSpec spec = *decimalSpecOf(from);
  if (to.kind() == TypeKind::BOOLEAN)
    return functionKernel<bool(AnyDecimal)>(to, [](int128 value) { return value != 0; });
  if (to.kind() == TypeKind::DOUBLE) {
    return functionKernel<double(AnyDecimal)>(to, [spec](int128 value) { return decimalToDouble(value, spec); });
  }
  if (to.kind() == TypeKind::FLOAT) {
    return functionKernel<float(AnyDecimal)>(
        to, [spec](int128 value) { return static_cast<float>(decimalToDouble(value, spec)); });
  }
  if (to.kind() == TypeKind::DECIMAL) {
    const DecimalSpec target = *decimalSpecOf(to);
    return functionKernel<AnyDecimal(AnyDecimal)>(
        to, [spec, target](int128 value) { return rescaleDecimal(value, spec.scale, target); });
  }
  return functionKernel<AnyInteger(AnyDecimal)>(to, [scale = spec.scale, kind = to.kind()](int128 value) {
    return wrapInteger(decimalToInt64(value, scale), kind);
  });
}

/// NaN and infinities fail, or are NULL under TRY_CAST.
template <typename From>
std::unique_ptr<ScalarKernel> approximateToDecimal(const CastCall& call, DecimalSpec target) {
  return functionKernel<AnyDecimal(From)>(call.to, [call, target](From value) -> Result<std::optional<int128>> {
    const auto number = static_cast<double>(value);
    if (!std::isfinite(number) && !call.is_try) return castFailure(Value::floating(number), call);
    return decimalFromDouble(number, target);
  });
}

/// A number that is too large is NULL, even under a plain CAST.
std::unique_ptr<ScalarKernel> toDecimal(const CastCall& call) {
  const DecimalSpec target = *decimalSpecOf(call.to);
  switch (call.from.kind()) {
    case TypeKind::BOOLEAN:
      return functionKernel<AnyDecimal(bool)>(call.to,
                                              [target](bool value) { return decimalFromInt64(value ? 1 : 0, target); });
    case TypeKind::FLOAT: return approximateToDecimal<float>(call, target);
    case TypeKind::DOUBLE: return approximateToDecimal<double>(call, target);
    default:
      return functionKernel<AnyDecimal(AnyInteger)>(
          call.to, [target](int64_t value) { return decimalFromInt64(value, target); });
  }
}

bool isPlain(const DataType& type) {
  return type.isInteger() || type.isApproximateNumeric() || type.kind() == TypeKind::BOOLEAN || type.isInterval();
}

}  // namespace

std::unique_ptr<ScalarKernel> makeNumberCast(const CastCall& call) {
  const bool from_decimal = call.from.kind() == TypeKind::DECIMAL;
  const bool to_decimal = call.to.kind() == TypeKind::DECIMAL;
  if (from_decimal && (to_decimal || (isPlain(call.to) && !call.to.isInterval())))
    return fromDecimal(call.from, call.to);
  if (to_decimal && isPlain(call.from) && !call.from.isInterval()) return toDecimal(call);
  if (isPlain(call.from) && isPlain(call.to)) return betweenPlain(call.from, call.to);
  return nullptr;
}

}  // namespace thalweg
