#include "common/plan/expressions/type_binder.h"

#include <algorithm>
#include <set>

#include "common/sql/unparser.h"

namespace thalweg {
namespace {

using sql::TypeName;
using sql::TypeSpec;

Result<int> boundedNumber(const TypeSpec& spec, std::optional<int> written, int fallback, int min, int max,
                          const char* what) {
  int value = written.value_or(fallback);
  if (value < min || value > max) {
    return Status::plan(std::string(what) + " of " + std::string(sql::typeNameText(spec.name)) + " must be between " +
                        std::to_string(min) + " and " + std::to_string(max) + ", but is " + std::to_string(value),
                        spec.position);
  }
  return value;
}

/// A cast may be to no bytes at all.
Result<DataType> bindSized(const TypeSpec& spec, TypePlace place, bool nullable) {
  const int fewest = place == TypePlace::CAST ? 0 : 1;
  ASSIGN_OR_RETURN(int length, boundedNumber(spec, spec.precision, 1, fewest, DataType::kMaxLength, "the length"));
  bool open = !spec.precision.has_value();
  switch (spec.name) {
    case TypeName::CHAR: return DataType::character(length, nullable);
    case TypeName::VARCHAR: return open ? DataType::string(nullable) : DataType::varchar(length, nullable);
    case TypeName::BINARY: return DataType::binary(length, nullable);
    default: return open ? DataType::bytes(nullable) : DataType::varbinary(length, nullable);
  }
}

/// A cast to more digits than there can be is one to as many as there can be.
Result<DataType> bindDecimal(const TypeSpec& spec, TypePlace place, bool nullable) {
  std::optional<int> written = spec.precision;
  if (place == TypePlace::CAST && written) written = std::min(*written, DataType::kMaxDecimalPrecision);
  ASSIGN_OR_RETURN(int precision, boundedNumber(spec, written, 10, 1, DataType::kMaxDecimalPrecision, "the precision"));
  ASSIGN_OR_RETURN(int scale, boundedNumber(spec, spec.scale, 0, 0, precision, "the scale"));
  return DataType::decimal(precision, scale, nullable);
}

Result<DataType> bindTemporal(const TypeSpec& spec, bool nullable) {
  bool is_time = spec.name == TypeName::TIME;
  ASSIGN_OR_RETURN(int precision, boundedNumber(spec, spec.precision, is_time ? 0 : 6, 0, 9, "the precision"));
  // Times are kept in milliseconds, as Flink's are.
  if (is_time) return DataType::time(std::min(precision, 3), nullable);
  if (spec.name == TypeName::TIMESTAMP) return DataType::timestamp(precision, nullable);
  return DataType::timestampLtz(precision, nullable);
}

Result<DataType> bindRow(const TypeSpec& spec, TypePlace place, bool nullable) {
  std::vector<Field> fields;
  std::set<std::string> names;
  for (const sql::TypeField& field : spec.fields) {
    if (!names.insert(field.name.text).second) {
      return Status::plan("the type names the field '" + field.name.text + "' twice", field.name.position);
    }
    ASSIGN_OR_RETURN(DataType type, bindType(field.type, place));
    fields.push_back({field.name.text, std::move(type), field.comment.value_or("")});
  }
  if (spec.name == TypeName::STRUCTURED) return DataType::structured(spec.class_name, std::move(fields), nullable);
  return DataType::row(std::move(fields), nullable);
}

Result<DataType> bindCollection(const TypeSpec& spec, TypePlace place, bool nullable) {
  std::vector<DataType> children;
  for (const TypeSpec& child : spec.children) {
    ASSIGN_OR_RETURN(DataType type, bindType(child, place));
    children.push_back(std::move(type));
  }
  if (spec.name == TypeName::ARRAY) return DataType::array(children.at(0), nullable);
  if (spec.name == TypeName::MULTISET) return DataType::multiset(children.at(0), nullable);
  return DataType::map(children.at(0), children.at(1), nullable);
}

}  // namespace

DataType intervalType(const sql::IntervalQualifier& qualifier) {
  return qualifier.isYearMonth() ? DataType::intervalMonth(false) : DataType::intervalSecond(false);
}

Result<DataType> bindType(const TypeSpec& spec, TypePlace place) {
  bool nullable = spec.nullable.value_or(true);
  switch (spec.name) {
    case TypeName::CHAR: case TypeName::VARCHAR: case TypeName::BINARY: case TypeName::VARBINARY:
      return bindSized(spec, place, nullable);
    case TypeName::STRING: return DataType::string(nullable);
    case TypeName::BYTES: return DataType::bytes(nullable);
    case TypeName::BOOLEAN: return DataType::boolean(nullable);
    case TypeName::DECIMAL: return bindDecimal(spec, place, nullable);
    case TypeName::TINYINT: return DataType::tinyint(nullable);
    case TypeName::SMALLINT: return DataType::smallint(nullable);
    case TypeName::INT: return DataType::integer(nullable);
    case TypeName::BIGINT: return DataType::bigint(nullable);
    case TypeName::FLOAT: return DataType::float32(nullable);
    case TypeName::DOUBLE: return DataType::float64(nullable);
    case TypeName::DATE: return DataType::date(nullable);
    case TypeName::TIME: case TypeName::TIMESTAMP: case TypeName::TIMESTAMP_LTZ: return bindTemporal(spec, nullable);
    case TypeName::INTERVAL:
      if (place == TypePlace::COLUMN) {
        return Status::parse("INTERVAL is no type of a column; store the number of units as BIGINT", spec.position);
      }
      return intervalType(spec.interval).withNullable(nullable);
    case TypeName::ARRAY: case TypeName::MULTISET: case TypeName::MAP: return bindCollection(spec, place, nullable);
    case TypeName::ROW: case TypeName::STRUCTURED: return bindRow(spec, place, nullable);
    case TypeName::VARIANT: return DataType::variant(nullable);
    case TypeName::BITMAP: return DataType::bitmap(nullable);
    case TypeName::NULL_TYPE:
      if (place == TypePlace::COLUMN) return Status::parse("NULL is no type of a column", spec.position);
      return DataType::null();
    case TypeName::RAW: return Status::notSupported("RAW types are not built yet", spec.position);
    case TypeName::DESCRIPTOR: return Status::plan("DESCRIPTOR is no type of a value", spec.position);
    case TypeName::NAMED: break;
  }
  return Status::plan("unknown type " + sql::unparse(spec), spec.position);
}

}  // namespace thalweg
