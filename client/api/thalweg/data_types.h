// DataTypes: the SQL types of tables, named as in Flink's Table API.
//
//   DataTypes::ROW({DataTypes::FIELD("id", DataTypes::BIGINT()), DataTypes::FIELD("name", DataTypes::STRING())})
//   DataTypes::INT().notNull();   DataTypes::of("DECIMAL(10, 2)");   DataTypes::of<User>();
// Types are nullable until notNull() is called. Errors: ValidationException for a length or precision out of range and
// for text that is no type. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/api/thalweg/field_composites.h"
#include "common/types/data_type.h"

namespace thalweg::api {

using thalweg::DataType;

class DataTypes {
 public:
  static DataType BOOLEAN() { return DataType::boolean(); }
  static DataType TINYINT() { return DataType::tinyint(); }
  static DataType SMALLINT() { return DataType::smallint(); }
  static DataType INT() { return DataType::integer(); }
  static DataType BIGINT() { return DataType::bigint(); }
  static DataType FLOAT() { return DataType::float32(); }
  static DataType DOUBLE() { return DataType::float64(); }
  static DataType DECIMAL(int precision, int scale);
  static DataType CHAR(int length);
  static DataType VARCHAR(int length);
  static DataType STRING() { return DataType::string(); }
  static DataType BINARY(int length);
  static DataType VARBINARY(int length);
  static DataType BYTES() { return DataType::bytes(); }
  static DataType DATE() { return DataType::date(); }
  static DataType TIME(int precision = 0);
  static DataType TIMESTAMP(int precision = 6);
  static DataType TIMESTAMP_LTZ(int precision = 6);
  static DataType TIMESTAMP_WITH_LOCAL_TIME_ZONE(int precision = 6) { return TIMESTAMP_LTZ(precision); }
  static DataType INTERVAL_SECOND() { return DataType::intervalSecond(); }
  static DataType INTERVAL_MONTH() { return DataType::intervalMonth(); }
  static DataType ARRAY(DataType element) { return DataType::array(std::move(element)); }
  static DataType MULTISET(DataType element) { return DataType::multiset(std::move(element)); }
  static DataType MAP(DataType key, DataType value) { return DataType::map(std::move(key), std::move(value)); }
  static Field FIELD(std::string name, DataType type) { return {std::move(name), std::move(type), {}}; }
  static Field FIELD(std::string name, DataType type, std::string description) {
    return {std::move(name), std::move(type), std::move(description)};
  }
  static DataType ROW(std::vector<Field> fields) { return DataType::row(std::move(fields)); }
  /// Fields named f0, f1, …
  static DataType ROW(std::vector<DataType> types);
  /// A row that stands for the class of that name; prints as `*User<`name` STRING,`score` INT>*`.
  static DataType STRUCTURED(std::string_view class_name, std::vector<Field> fields);
  /// The structured type of a described struct, or the type of any other C++ type.
  template <typename T>
  static DataType of() {
    requireUsable<T>();
    if constexpr (Described<T>) return STRUCTURED(typeName<T>(), FieldTraits<T>::type().fields());
    else return FieldTraits<T>::type().asNullable();
  }
  /// A type as DDL writes it.
  static DataType of(std::string_view text);
};

}  // namespace thalweg::api
