// Exact decimals: an int128 unscaled value, whose scale and precision live in its type.
//
// Arithmetic is Java's BigDecimal as Flink uses it: rounding half up, quotients first cut to 38 significant
// digits, and "no value" (std::nullopt, SQL NULL) when the result needs more digits than its type has.
// Intermediates are 256 bits wide. Nothing allocates. Text of decimals: decimal_text.h.
#pragma once

#include <cstdint>
#include <optional>

#include "common/types/value.h"

namespace thalweg {

/// Precision and scale of a DECIMAL type: `precision` digits, of which `scale` follow the point.
struct DecimalSpec {
  int precision = DataType::kMaxDecimalPrecision;
  int scale = 0;
  bool operator==(const DecimalSpec&) const = default;
};

/// The spec of a DECIMAL type, or of the DECIMAL that Flink counts an integer type as: TINYINT (3, 0),
/// SMALLINT (5, 0), INT (10, 0), BIGINT (19, 0). Other kinds have none.
std::optional<DecimalSpec> decimalSpecOf(const DataType& type);

/// 10^exponent for 0 <= exponent <= 38.
int128 powerOfTen(int exponent);
/// Decimal digits of |value|; 1 for zero.
int decimalDigits(int128 value);
/// Whether |unscaled| has at most `precision` digits.
inline bool fitsPrecision(int128 unscaled, int precision) {
  const int128 limit = powerOfTen(precision);
  return unscaled < limit && unscaled > -limit;
}

/// The value moved from `scale` to the target's scale, rounding half up; none if it has too many digits.
std::optional<int128> rescaleDecimal(int128 unscaled, int scale, DecimalSpec to);

// a and b have their own scales; the result is rounded half up to `to`.
std::optional<int128> addDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to);
std::optional<int128> subtractDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to);
std::optional<int128> multiplyDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to);
/// The divisor must not be zero: the caller reports that as a failure of the job.
std::optional<int128> divideDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to);
/// Remainder with the sign of the dividend. The divisor must not be zero.
std::optional<int128> remainderDecimals(int128 a, int scale_a, int128 b, int scale_b, DecimalSpec to);

/// Negative, zero or positive, by numeric value.
int compareDecimals(int128 a, int scale_a, int128 b, int scale_b);

std::optional<int128> decimalFromInt64(int64_t value, DecimalSpec to);
/// By the shortest text of the double, as BigDecimal.valueOf. None also for NaN and infinities: callers that
/// must fail on those test std::isfinite first. A FLOAT is widened to double by the caller.
std::optional<int128> decimalFromDouble(double value, DecimalSpec to);
/// Fraction dropped, then wrapped to 64 bits.
int64_t decimalToInt64(int128 unscaled, int scale);
double decimalToDouble(int128 unscaled, DecimalSpec from);

// Integers (scale 0) at or next to the value.
int128 floorDecimal(int128 unscaled, int scale);
int128 ceilDecimal(int128 unscaled, int scale);
/// Rounded half up (away from zero on ties) to `digits` after the point, negative digits before it; the result
/// keeps `scale`. None if it leaves 38 digits.
std::optional<int128> roundDecimalAt(int128 unscaled, int scale, int digits);
/// Like roundDecimalAt, towards zero.
int128 truncateDecimalAt(int128 unscaled, int scale, int digits);

// The result types of arithmetic on decimals. Above 38 digits the scale gives way, but keeps 6 if it had them.
DecimalSpec addedDecimalSpec(DecimalSpec a, DecimalSpec b);  ///< of + and -
DecimalSpec multipliedDecimalSpec(DecimalSpec a, DecimalSpec b);
DecimalSpec dividedDecimalSpec(DecimalSpec a, DecimalSpec b);
DecimalSpec remainderDecimalSpec(DecimalSpec a, DecimalSpec b);
DecimalSpec summedDecimalSpec(DecimalSpec argument);    ///< of SUM: (38, s)
DecimalSpec averagedDecimalSpec(DecimalSpec argument);  ///< of AVG: (38, max(6, s))
DecimalSpec roundedDecimalSpec(DecimalSpec argument, int digits);
/// The narrowest spec that holds both without loss, as far as 38 digits reach.
DecimalSpec commonDecimalSpec(DecimalSpec a, DecimalSpec b);

}  // namespace thalweg
