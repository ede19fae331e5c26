// Which types go together: the common type of several, implicit and explicit casts, comparison, arithmetic.
//
// The rules are those of Flink's SQL planner. Functions answer for types only; messages are the binder's, and so is
// the conversion of text compared with a DATE, through isTextCoercible.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/types/data_type.h"

namespace thalweg {

/// The type that every one of `types` widens to without asking (CASE, COALESCE, VALUES, UNION, IN, arrays, …);
/// nullable if any is. Bare NULLs only make it nullable; of bare NULLs alone it is NULL. None if there is no such
/// type, and for no types.
std::optional<DataType> leastRestrictive(std::span<const DataType> types);
std::optional<DataType> leastRestrictive(const DataType& a, const DataType& b);
/// The same for the arguments of a function: FLOAT and DOUBLE meet as DOUBLE, not as the first of them.
std::optional<DataType> commonOfArguments(std::span<const DataType> types);

/// Whether a value may be stored as `to` without a CAST (INSERT, arguments of functions), nullability aside.
bool supportsImplicitCast(const DataType& from, const DataType& to);
/// Whether CAST(from AS to) is legal, nullability aside.
bool supportsExplicitCast(const DataType& from, const DataType& to);
/// Whether such a cast can fail on some value. (The result of TRY_CAST is nullable in any case.)
bool castCanFail(const DataType& from, const DataType& to);

/// Whether `=` accepts the two types as they are: ARRAY, MAP, ROW and BINARY included.
bool isEquatable(const DataType& a, const DataType& b);
/// Whether `<` accepts them: as isEquatable, without nested types, MAP and the like, but also numbers with text,
/// which then has to be a number.
bool isOrderable(const DataType& a, const DataType& b);
/// The type that both sides of such a comparison are converted to; ask isEquatable or isOrderable first.
std::optional<DataType> comparisonType(const DataType& a, const DataType& b);
/// The same for < and its like and for IS DISTINCT FROM: there FLOAT and DOUBLE meet as DOUBLE, not as the first of them.
std::optional<DataType> orderType(const DataType& a, const DataType& b);
/// Whether text (a column too, not only a literal) compared with `type` is converted to it: DATE, TIME, TIMESTAMP,
/// TIMESTAMP_LTZ.
bool isTextCoercible(const DataType& type);

enum class ArithmeticOp : uint8_t { ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO };
/// The type of `a op b`, nullable if either is; numbers, and dates, times and timestamps with intervals.
std::optional<DataType> arithmeticType(ArithmeticOp op, const DataType& a, const DataType& b);
/// The types of SUM and AVG over a numeric argument; nullable.
std::optional<DataType> sumType(const DataType& argument);
std::optional<DataType> avgType(const DataType& argument);

}  // namespace thalweg
