#include "client/api/thalweg/data_types.h"

#include "client/api/thalweg/exception.h"
#include "common/plan/expressions/type_binder.h"
#include "common/sql/parser.h"
#include "common/types/structured_type.h"

namespace thalweg::api {
namespace {

int within(const char* type, const char* what, int value, int least, int most) {
  if (value < least || value > most) {
    throw ValidationException(std::string(type) + " takes a " + what + " from " + std::to_string(least) + " to " + std::to_string(most) +
                              ", not " + std::to_string(value));
  }
  return value;
}

}  // namespace

DataType DataTypes::DECIMAL(int precision, int scale) {
  within("DECIMAL", "precision", precision, 1, DataType::kMaxDecimalPrecision);
  return DataType::decimal(precision, within("DECIMAL", "scale", scale, 0, precision));
}
DataType DataTypes::CHAR(int length) { return DataType::character(within("CHAR", "length", length, 1, DataType::kMaxLength)); }
DataType DataTypes::VARCHAR(int length) { return DataType::varchar(within("VARCHAR", "length", length, 1, DataType::kMaxLength)); }
DataType DataTypes::BINARY(int length) { return DataType::binary(within("BINARY", "length", length, 1, DataType::kMaxLength)); }
DataType DataTypes::VARBINARY(int length) { return DataType::varbinary(within("VARBINARY", "length", length, 1, DataType::kMaxLength)); }
DataType DataTypes::TIME(int precision) { return DataType::time(within("TIME", "precision", precision, 0, 9)); }
DataType DataTypes::TIMESTAMP(int precision) { return DataType::timestamp(within("TIMESTAMP", "precision", precision, 0, 9)); }
DataType DataTypes::TIMESTAMP_LTZ(int precision) { return DataType::timestampLtz(within("TIMESTAMP_LTZ", "precision", precision, 0, 9)); }

DataType DataTypes::ROW(std::vector<DataType> types) {
  std::vector<Field> fields;
  for (DataType& type : types) fields.push_back({"f" + std::to_string(fields.size()), std::move(type), {}});
  return DataType::row(std::move(fields));
}

DataType DataTypes::STRUCTURED(std::string_view class_name, std::vector<Field> fields) {
  if (fields.empty()) throw ValidationException("a structured type needs fields, but " + std::string(class_name) + " has none");
  return structuredType(class_name, std::move(fields));
}

DataType DataTypes::of(std::string_view text) {
  return valueOrThrow(bindType(valueOrThrow(sql::parseType(text)), TypePlace::COLUMN));
}

}  // namespace thalweg::api
