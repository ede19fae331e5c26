// Casting one value: the reference for every cast, and the slow path of nested types and literals.
//
// Columns of plain types have vectorised casts elsewhere; those call the same primitives (parseInteger in
// java_text.h, parseDecimal in decimal_text.h, parseTimestamp in datetime_text.h, castToText and friends here).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/status.h"
#include "common/types/data_type.h"
#include "common/types/time_zone.h"
#include "common/types/value.h"

namespace thalweg {

/// CAST(value AS to). NULL stays NULL. A value that cannot be converted is a RUNTIME_ERROR that shows it; where
/// Flink gives NULL instead (numbers too large for a DECIMAL), the value is NULL. TRY_CAST turns the failure into
/// NULL: tryCastValue. A cast that supportsExplicitCast() refuses is an INTERNAL error here.
Result<Value> castValue(const Value& value, const DataType& from, const DataType& to, const TimeZone& session_zone);
Value tryCastValue(const Value& value, const DataType& from, const DataType& to, const TimeZone& session_zone);

/// Wraps an integer to the width of an integer kind.
int64_t wrapInteger(int64_t value, TypeKind kind);
/// Java's conversion of a double to an integer kind: saturating at INT or BIGINT, then wrapped.
int64_t integerOfDouble(double value, TypeKind kind);
/// Smallest and largest value of an integer kind.
struct IntegerRange {
  int64_t min;
  int64_t max;
};
IntegerRange integerRange(TypeKind kind);

/// Fits text to CHAR(n) (cut, padded with blanks) or VARCHAR(n) (cut), counting code points.
void fitText(std::string& text, const DataType& to);
/// Fits bytes to BINARY(n) (cut, padded with zeros) or VARBINARY(n) (cut).
void fitBytes(std::string& bytes, const DataType& to);

}  // namespace thalweg
