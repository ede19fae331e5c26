#include "common/types/decimal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "common/types/decimal_text.h"
#include "common/types/java_text.h"
#include "common/types/wide_int.h"
#include "fast_float/fast_float.h"

namespace thalweg {

namespace {

constexpr int kMaxDigits = DataType::kMaxDecimalPrecision;
constexpr int kMinAdjustedScale = 6;
constexpr int kCompactDigits = 18;  // Flink keeps such decimals as longs, which shows in their doubles

constexpr std::array<int128, kMaxDigits + 1> kPowers = [] {
  std::array<int128, kMaxDigits + 1> powers{};
  int128 power = 1;
  for (auto& entry : powers) {
    entry = power;
    if (power <= static_cast<int128>(1) << 123) power *= 10;
  }
  return powers;
}();

uint128 magnitude(int128 v) { return v < 0 ? -static_cast<uint128>(v) : static_cast<uint128>(v); }
int128 withSign(uint128 v, bool negative) { return static_cast<int128>(negative ? -v : v); }

int digitsOf(uint128 v) {
  const auto high = static_cast<uint64_t>(v >> 64);
  const int bits = high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(static_cast<uint64_t>(v) | 1);
  if (v == 0) return 1;
  const int guess = (bits * 1233) >> 12;  // log10(2), rounded down
  return guess + (v >= static_cast<uint128>(kPowers[static_cast<size_t>(guess)]) ? 1 : 0);
}

uint128 power(int exponent) { return static_cast<uint128>(kPowers[static_cast<size_t>(exponent)]); }

/// v * 10^exponent for exponents up to 76; the caller knows that it fits.
WideInt timesPowerOfTen(uint128 v, int exponent) {
  if (exponent <= kMaxDigits) return WideInt::product(v, power(exponent));
  return WideInt::product(v, power(kMaxDigits)) * power(exponent - kMaxDigits);
}

/// v / 10^exponent, half up, for any exponent >= 0.
WideInt overPowerOfTen(const WideInt& v, int exponent) {
  if (exponent == 0) return v;
  if (exponent > 2 * kMaxDigits + 1) return WideInt();
  const WideInt divisor = timesPowerOfTen(1, std::min(exponent, 2 * kMaxDigits));
  auto [quotient, remainder] = divideWide(v, divisor);
  if (exponent > 2 * kMaxDigits) return WideInt();  // 77 digits dropped from at most 76
  if (remainder + remainder >= divisor) quotient = quotient + WideInt(1);
  return quotient;
}

/// A magnitude at `scale` moved to `to`.
std::optional<int128> fit(const WideInt& v, bool negative, int scale, DecimalSpec to) {
  WideInt moved = v;
  if (scale > to.scale) {
    moved = overPowerOfTen(v, scale - to.scale);
  } else if (scale < to.scale) {
    if (!v.fits128() || (v.low != 0 && digitsOf(v.low) + to.scale - scale > kMaxDigits)) return std::nullopt;
    moved = timesPowerOfTen(v.low, v.low == 0 ? 0 : to.scale - scale);
  }
  if (!moved.fits128() || moved.low >= power(to.precision)) return std::nullopt;
  return withSign(moved.low, negative);
}

std::optional<int128> addWide(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to) {
  const int scale = std::max(scale_a, scale_b);
  const WideInt left = timesPowerOfTen(magnitude(a), scale - scale_a);
  const WideInt right = timesPowerOfTen(magnitude(b), scale - scale_b);
  if ((a < 0) == (b < 0)) return fit(left + right, a < 0, scale, to);
  if (left >= right) return fit(left - right, a < 0, scale, to);
  return fit(right - left, b < 0, scale, to);
}

/// v * 10^exponent if that stays below 10^38.
bool scaleUp(int128& v, int exponent) {
  if (exponent == 0) return true;
  if (v != 0 && digitsOf(magnitude(v)) + exponent > kMaxDigits) return false;
  v *= v == 0 ? 1 : kPowers[static_cast<size_t>(exponent)];
  return true;
}

/// The quotient with 38 significant digits, half up, then moved to `to`: BigDecimal.divide(MathContext(38)).
std::optional<int128> divideWideDecimals(uint128 a, uint128 b, bool negative, int scale, DecimalSpec to) {
  int exponent = kMaxDigits - digitsOf(a) + digitsOf(b);
  WideInt dividend = timesPowerOfTen(a, exponent);
  if (dividend >= WideInt::product(b, power(kMaxDigits))) {
    --exponent;
    dividend = timesPowerOfTen(a, exponent);
  }
  auto [quotient, remainder] = divideWide(dividend, WideInt(b));
  if (remainder + remainder >= WideInt(b)) quotient = quotient + WideInt(1);
  return fit(quotient, negative, scale + exponent, to);
}

DecimalSpec adjusted(int precision, int scale) {
  if (precision <= kMaxDigits) return {precision, scale};
  const int whole = precision - scale;
  return {kMaxDigits, std::max(kMaxDigits - whole, std::min(scale, kMinAdjustedScale))};
}

}  // namespace

std::optional<DecimalSpec> decimalSpecOf(const DataType& type) {
  switch (type.kind()) {
    case TypeKind::TINYINT: return DecimalSpec{3, 0};
    case TypeKind::SMALLINT: return DecimalSpec{5, 0};
    case TypeKind::INTEGER: return DecimalSpec{10, 0};
    case TypeKind::BIGINT: return DecimalSpec{19, 0};
    case TypeKind::DECIMAL: return DecimalSpec{type.precision(), type.scale()};
    default: return std::nullopt;
  }
}

int128 powerOfTen(int exponent) { return kPowers[static_cast<size_t>(exponent)]; }

int decimalDigits(int128 value) { return digitsOf(magnitude(value)); }

std::optional<int128> rescaleDecimal(int128 unscaled, int scale, DecimalSpec to) {
  if (scale < to.scale) {
    if (!scaleUp(unscaled, to.scale - scale)) return std::nullopt;
  } else if (scale > to.scale) {
    const int128 divisor = powerOfTen(scale - to.scale);
    const int128 remainder = unscaled % divisor;
    unscaled /= divisor;
    if (magnitude(remainder) >= static_cast<uint128>(divisor - divisor / 2)) unscaled += remainder < 0 ? -1 : 1;
  }
  if (!fitsPrecision(unscaled, to.precision)) return std::nullopt;
  return unscaled;
}

std::optional<int128> addDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to) {
  const int scale = std::max(scale_a, scale_b);
  int128 left = a;
  int128 right = b;
  int128 sum = 0;
  if (!scaleUp(left, scale - scale_a) || !scaleUp(right, scale - scale_b) ||
      __builtin_add_overflow(left, right, &sum)) [[unlikely]] {
    return addWide(a, scale_a, b, scale_b, to);
  }
  if (scale == to.scale) return fitsPrecision(sum, to.precision) ? std::optional(sum) : std::nullopt;
  return rescaleDecimal(sum, scale, to);
}

std::optional<int128> subtractDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to) {
  return addDecimals(a, scale_a, -b, scale_b, to);
}

std::optional<int128> multiplyDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to) {
  const int scale = scale_a + scale_b;
  int128 product = 0;
  if (scale - to.scale <= kMaxDigits && !__builtin_mul_overflow(a, b, &product)) {
    if (scale == to.scale) return fitsPrecision(product, to.precision) ? std::optional(product) : std::nullopt;
    return rescaleDecimal(product, scale, to);
  }
  return fit(WideInt::product(magnitude(a), magnitude(b)), (a < 0) != (b < 0), scale, to);
}

std::optional<int128> divideDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to) {
  if (a == 0) return 0;
  const bool negative = (a < 0) != (b < 0);
  const uint128 divisor = magnitude(b);
  int128 dividend = a < 0 ? -a : a;
  const int shift = to.scale + scale_b - scale_a;
  if (shift >= 0 && shift <= kMaxDigits && scaleUp(dividend, shift)) {
    // Rounding at 38 digits first cannot matter when divisor and quotient have 38 digits together.
    uint128 quotient = static_cast<uint128>(dividend) / divisor;
    if (digitsOf(quotient) + digitsOf(divisor) <= kMaxDigits) {
      const uint128 remainder = static_cast<uint128>(dividend) % divisor;
      if (remainder >= divisor - divisor / 2) ++quotient;
      if (quotient >= power(to.precision)) return std::nullopt;
      return withSign(quotient, negative);
    }
  }
  return divideWideDecimals(magnitude(a), divisor, negative, scale_a - scale_b, to);
}

std::optional<int128> remainderDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to) {
  const int scale = std::max(scale_a, scale_b);
  int128 left = a;
  int128 right = b;
  if (scaleUp(left, scale - scale_a) && scaleUp(right, scale - scale_b)) return rescaleDecimal(left % right, scale, to);
  const WideQuotient division = divideWide(timesPowerOfTen(magnitude(a), scale - scale_a),
                                           timesPowerOfTen(magnitude(b), scale - scale_b));
  return fit(division.remainder, a < 0, scale, to);
}

int compareDecimals(int128 a, int scale_a, int128 b, int scale_b) {
  const auto order = [](const auto& x, const auto& y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (scale_a == scale_b) return order(a, b);
  if ((a < 0) != (b < 0)) return a < 0 ? -1 : 1;
  const int scale = std::max(scale_a, scale_b);
  int128 left = a;
  int128 right = b;
  if (scaleUp(left, scale - scale_a) && scaleUp(right, scale - scale_b)) return order(left, right);
  const int by_size = order(timesPowerOfTen(magnitude(a), scale - scale_a), timesPowerOfTen(magnitude(b), scale - scale_b));
  return a < 0 ? -by_size : by_size;
}

std::optional<int128> decimalFromInt64(int64_t value, DecimalSpec to) { return rescaleDecimal(value, 0, to); }

std::optional<int128> decimalFromDouble(double value, DecimalSpec to) {
  if (!std::isfinite(value)) return std::nullopt;
  const FloatDigits shown = shortestDigits(value);
  if (shown.digits == 0) return 0;
  const int digits = digitsOf(shown.digits);
  if (digits + shown.exponent > kMaxDigits) return std::nullopt;
  if (digits + shown.exponent < -kMaxDigits) return 0;
  return fit(WideInt(shown.digits), shown.negative, -shown.exponent, to);
}

int64_t decimalToInt64(int128 unscaled, int scale) { return static_cast<int64_t>(unscaled / powerOfTen(scale)); }

double decimalToDouble(int128 unscaled, DecimalSpec from) {
  constexpr int128 kExactDouble = static_cast<int128>(1) << 53;
  constexpr int kExactPower = 22;
  const bool exact = unscaled <= kExactDouble && unscaled >= -kExactDouble && from.scale <= kExactPower;
  if (exact || from.precision <= kCompactDigits) {
    return static_cast<double>(static_cast<int64_t>(unscaled)) / static_cast<double>(powerOfTen(from.scale));
  }
  char text[kDecimalTextMax];
  const char* end = writeDecimal(text, unscaled, from.scale);
  double result = 0;
  fast_float::from_chars(text, end, result);
  return result;
}

int128 floorDecimal(int128 unscaled, int scale) {
  const int128 divisor = powerOfTen(scale);
  return unscaled / divisor - (unscaled % divisor < 0 ? 1 : 0);
}

int128 ceilDecimal(int128 unscaled, int scale) {
  const int128 divisor = powerOfTen(scale);
  return unscaled / divisor + (unscaled % divisor > 0 ? 1 : 0);
}

std::optional<int128> roundDecimalAt(int128 unscaled, int scale, int digits) {
  if (digits >= scale) return unscaled;
  const int64_t dropped = static_cast<int64_t>(scale) - digits;
  if (dropped > kMaxDigits) return 0;
  int128 rounded = *rescaleDecimal(unscaled, static_cast<int>(dropped), {kMaxDigits, 0});
  if (!scaleUp(rounded, static_cast<int>(dropped))) return std::nullopt;
  return rounded;
}

int128 truncateDecimalAt(int128 unscaled, int scale, int digits) {
  if (digits >= scale) return unscaled;
  const int64_t dropped = static_cast<int64_t>(scale) - digits;
  if (dropped > kMaxDigits) return 0;
  return unscaled - unscaled % powerOfTen(static_cast<int>(dropped));
}

DecimalSpec addedDecimalSpec(DecimalSpec a, DecimalSpec b) {
  const int scale = std::max(a.scale, b.scale);
  return adjusted(std::max(a.precision - a.scale, b.precision - b.scale) + scale + 1, scale);
}

DecimalSpec multipliedDecimalSpec(DecimalSpec a, DecimalSpec b) {
  return adjusted(a.precision + b.precision + 1, a.scale + b.scale);
}

DecimalSpec dividedDecimalSpec(DecimalSpec a, DecimalSpec b) {
  const int scale = std::max(kMinAdjustedScale, a.scale + b.precision + 1);
  return adjusted(a.precision - a.scale + b.scale + scale, scale);
}

DecimalSpec remainderDecimalSpec(DecimalSpec a, DecimalSpec b) {
  const int scale = std::max(a.scale, b.scale);
  return adjusted(std::min(a.precision - a.scale, b.precision - b.scale) + scale, scale);
}

DecimalSpec summedDecimalSpec(DecimalSpec argument) { return {kMaxDigits, argument.scale}; }

DecimalSpec averagedDecimalSpec(DecimalSpec argument) {
  return dividedDecimalSpec({kMaxDigits, argument.scale}, {20, 0});
}

DecimalSpec roundedDecimalSpec(DecimalSpec argument, int digits) {
  if (digits >= argument.scale) return argument;
  const int whole = 1 + argument.precision - argument.scale;  // rounding may add a digit
  return digits < 0 ? DecimalSpec{std::min(kMaxDigits, whole), 0} : DecimalSpec{whole + digits, digits};
}

DecimalSpec commonDecimalSpec(DecimalSpec a, DecimalSpec b) {
  const int whole = std::max(a.precision - a.scale, b.precision - b.scale);
  const int scale = std::min(std::max(a.scale, b.scale), kMaxDigits - whole);
  return {whole + scale, scale};
}

}  // namespace thalweg
