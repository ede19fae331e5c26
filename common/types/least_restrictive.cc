// leastRestrictive: the narrowest type that several types widen to.
#include <algorithm>

#include "common/types/decimal.h"
#include "common/types/type_rules.h"

namespace thalweg {

namespace {

/// Nullable types without NULL among them, in; the common one, nullable, out.
std::optional<DataType> common(const DataType& a, const DataType& b);

/// With the nullability of either, which matters for the types inside others.
std::optional<DataType> commonChild(const DataType& a, const DataType& b) { return leastRestrictive(a, b); }

/// Between FLOAT and DOUBLE the first wins, as in Flink.
DataType commonNumber(const DataType& a, const DataType& b) {
  if (a.isApproximateNumeric() && b.isApproximateNumeric()) return a;
  const bool approximate = a.isApproximateNumeric() || b.isApproximateNumeric();
  if (approximate) {
    const auto needs_double = [](const DataType& t) { return t.kind() == TypeKind::DOUBLE || t.kind() == TypeKind::DECIMAL; };
    return needs_double(a) || needs_double(b) ? DataType::float64() : DataType::float32();
  }
  if (a.isInteger() && b.isInteger()) return a.kind() >= b.kind() ? a : b;
  const DecimalSpec spec = commonDecimalSpec(*decimalSpecOf(a), *decimalSpecOf(b));
  return DataType::decimal(spec.precision, spec.scale);
}

/// CHAR of one length stays CHAR; different lengths become VARCHAR, so that nothing is padded.
DataType commonText(const DataType& a, const DataType& b) {
  if (a.kind() == TypeKind::CHAR && b.kind() == TypeKind::CHAR && a.length() == b.length()) return a;
  return DataType::varchar(std::max(a.length(), b.length()));
}

DataType commonBytes(const DataType& a, const DataType& b) {
  if (a.kind() == TypeKind::BINARY && b.kind() == TypeKind::BINARY && a.length() == b.length()) return a;
  return DataType::varbinary(std::max(a.length(), b.length()));
}

/// Between TIMESTAMP and TIMESTAMP_LTZ Flink takes the first kind at equal precision, else the second.
DataType commonTimestamp(const DataType& a, const DataType& b) {
  const int precision = std::max(a.precision(), b.precision());
  const TypeKind kind = a.precision() == b.precision() ? a.kind() : b.kind();
  return kind == TypeKind::TIMESTAMP ? DataType::timestamp(precision) : DataType::timestampLtz(precision);
}

std::optional<DataType> commonRow(const DataType& a, const DataType& b) {
  if (a.childCount() != b.childCount() || a.className() != b.className()) return std::nullopt;
  std::vector<Field> fields;
  for (size_t i = 0; i < a.childCount(); ++i) {
    const std::optional<DataType> type = commonChild(a.child(i), b.child(i));
    if (!type) return std::nullopt;
    fields.push_back({a.fieldName(i), *type, a.fields()[i].description});
  }
  return a.isStructured() ? DataType::structured(a.className(), std::move(fields)) : DataType::row(std::move(fields));
}

std::optional<DataType> commonCollection(const DataType& a, const DataType& b) {
  const std::optional<DataType> first = commonChild(a.child(0), b.child(0));
  if (!first) return std::nullopt;
  if (a.kind() == TypeKind::ARRAY) return DataType::array(*first);
  if (a.kind() == TypeKind::MULTISET) return DataType::multiset(*first);
  const std::optional<DataType> second = commonChild(a.child(1), b.child(1));
  return second ? std::optional(DataType::map(*first, *second)) : std::nullopt;
}

std::optional<DataType> common(const DataType& a, const DataType& b) {
  if (a.isNumeric() && b.isNumeric()) return commonNumber(a, b);
  if (a.isString() && b.isString()) return commonText(a, b);
  if (a.isBinary() && b.isBinary()) return commonBytes(a, b);
  if (a.isTimestamp() && b.isTimestamp()) return commonTimestamp(a, b);
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case TypeKind::TIME: return DataType::time(std::max(a.precision(), b.precision()));
    case TypeKind::ARRAY:
    case TypeKind::MULTISET:
    case TypeKind::MAP: return commonCollection(a, b);
    case TypeKind::ROW: return commonRow(a, b);
    case TypeKind::RAW:
    case TypeKind::SYMBOL: return a == b ? std::optional(a) : std::nullopt;
    default: return a;
  }
}

}  // namespace

std::optional<DataType> leastRestrictive(std::span<const DataType> types) {
  if (types.empty()) return std::nullopt;
  std::optional<DataType> found;
  bool nullable = false;
  for (const DataType& type : types) {
    nullable = nullable || type.nullable();
    if (type.isNull()) continue;
    found = found ? common(*found, type.asNullable()) : std::optional(type.asNullable());
    if (!found) return std::nullopt;
  }
  return found ? found->withNullable(nullable) : DataType::null();
}

std::optional<DataType> commonOfArguments(std::span<const DataType> types) {
  std::optional<DataType> found = leastRestrictive(types);
  const bool has_double = std::ranges::any_of(types, [](const DataType& type) { return type.kind() == TypeKind::DOUBLE; });
  if (found && has_double && found->kind() == TypeKind::FLOAT) return DataType::float64(found->nullable());
  return found;
}

std::optional<DataType> leastRestrictive(const DataType& a, const DataType& b) {
  const DataType types[] = {a, b};
  return leastRestrictive(types);
}

}  // namespace thalweg
