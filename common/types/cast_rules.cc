// Which casts there are. Flink has two tables: conversions that are done silently (implicit) and those that need a
// CAST (explicit, which also allows all implicit ones); nested types convert part by part.
#include <algorithm>

#include "common/types/type_rules.h"

namespace thalweg {

namespace {

bool implicitBetweenKinds(const DataType& from, const DataType& to) {
  switch (to.kind()) {
    case TypeKind::VARCHAR: return from.isString();
    case TypeKind::VARBINARY: return from.isBinary();
    case TypeKind::SMALLINT:
    case TypeKind::INTEGER:
    case TypeKind::BIGINT: return from.isInteger() && from.kind() < to.kind();
    case TypeKind::FLOAT: return from.isExactNumeric();
    case TypeKind::DOUBLE:
    case TypeKind::DECIMAL: return from.isNumeric();
    case TypeKind::DATE:
    case TypeKind::TIME: return from.kind() == TypeKind::TIMESTAMP;
    case TypeKind::TIMESTAMP:
    case TypeKind::TIMESTAMP_LTZ: return from.isTimestamp();
    default: return false;
  }
}

bool explicitBetweenKinds(const DataType& from, const DataType& to) {
  switch (to.kind()) {
    case TypeKind::BOOLEAN: return from.isNumeric() || from.isString();
    case TypeKind::TINYINT:
    case TypeKind::SMALLINT:
    case TypeKind::INTEGER:
    case TypeKind::BIGINT:
    case TypeKind::FLOAT:
    case TypeKind::DOUBLE:
    case TypeKind::DECIMAL: return from.isNumeric() || from.isString() || from.kind() == TypeKind::BOOLEAN;
    case TypeKind::CHAR:
    case TypeKind::VARCHAR: return from.kind() <= TypeKind::BITMAP && from.kind() != TypeKind::VARIANT;
    case TypeKind::BINARY:
    case TypeKind::VARBINARY: return from.isString() || from.isBinary();
    case TypeKind::DATE: return from.isString() || from.isTimestamp();
    case TypeKind::TIME: return from.isString() || from.isTimestamp();
    case TypeKind::TIMESTAMP:
    case TypeKind::TIMESTAMP_LTZ: return from.isString() || from.isTemporal();
    case TypeKind::INTERVAL_YEAR_MONTH:
    case TypeKind::INTERVAL_DAY_TIME: return from.isInteger();
    default: return false;
  }
}

template <typename Supports>
bool allParts(const DataType& from, const DataType& to, Supports supports) {
  if (from.childCount() != to.childCount()) return false;
  for (size_t i = 0; i < from.childCount(); ++i) {
    if (!supports(from.child(i), to.child(i))) return false;
  }
  return true;
}

/// Implicit conversion of a part: there a NULL may not be lost silently.
bool implicitPart(const DataType& from, const DataType& to) {
  return (to.nullable() || !from.nullable()) && supportsImplicitCast(from, to);
}

bool isOrderableKind(TypeKind kind) { return kind < TypeKind::ARRAY && kind != TypeKind::NULL_TYPE; }

}  // namespace

bool supportsImplicitCast(const DataType& from, const DataType& to) {
  if (from.isNull() || from.sameAs(to)) return true;
  if (from.isNested() && from.kind() == to.kind()) return allParts(from, to, implicitPart);
  if (from.kind() == to.kind()) return !from.isNested();
  return implicitBetweenKinds(from, to);
}

bool supportsExplicitCast(const DataType& from, const DataType& to) {
  if (from.isNull() || from.sameAs(to)) return true;
  if (from.isNested() && from.kind() == to.kind()) return allParts(from, to, supportsExplicitCast);
  if (from.kind() == to.kind()) return from.kind() != TypeKind::RAW && from.kind() != TypeKind::SYMBOL;
  return explicitBetweenKinds(from, to) || implicitBetweenKinds(from, to);
}

bool castCanFail(const DataType& from, const DataType& to) {
  if (from.isNested() && from.kind() == to.kind()) {
    const size_t count = std::min(from.childCount(), to.childCount());
    for (size_t i = 0; i < count; ++i) {
      if (castCanFail(from.child(i), to.child(i))) return true;
    }
    return false;
  }
  if (from.isApproximateNumeric()) return to.kind() == TypeKind::DECIMAL;  // NaN and infinities
  return from.isString() && !to.isString() && !to.isBinary();
}

bool isEquatable(const DataType& a, const DataType& b) {
  if (a.isNull() || b.isNull()) return true;
  if (a.className() != b.className()) return false;
  if (a.kind() == TypeKind::ROW && b.kind() == TypeKind::ROW) return allParts(a, b, isEquatable);
  return a.isString() == b.isString() && comparisonType(a, b).has_value();
}

bool isOrderable(const DataType& a, const DataType& b) {
  const auto known = [](const DataType& t) { return t.isNull() || isOrderableKind(t.kind()); };
  return known(a) && known(b) && (a.isNull() || b.isNull() || comparisonType(a, b).has_value());
}

std::optional<DataType> comparisonType(const DataType& a, const DataType& b) {
  if (a.isTimestamp() && b.isTimestamp() && a.kind() != b.kind()) {
    return DataType::timestampLtz(std::max(a.precision(), b.precision()), a.nullable() || b.nullable());
  }
  if (a.isString() && b.isString()) return DataType::varchar(std::max(a.length(), b.length()), a.nullable() || b.nullable());
  if (a.isNumeric() && b.isString()) return a.withNullable(a.nullable() || b.nullable());
  if (a.isString() && b.isNumeric()) return b.withNullable(a.nullable() || b.nullable());
  return leastRestrictive(a, b);
}

std::optional<DataType> orderType(const DataType& a, const DataType& b) {
  if (a.isApproximateNumeric() && b.isApproximateNumeric() && a.kind() != b.kind()) {
    return DataType::float64(a.nullable() || b.nullable());
  }
  return comparisonType(a, b);
}

bool isTextCoercible(const DataType& type) { return type.isTemporal(); }

}  // namespace thalweg
