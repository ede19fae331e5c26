// Types: the declared types of rows, for returns() and fromCollection(), named as Flink names them.
//
//   stream.map(makeRow).returns(Types::ROW_NAMED({"name", "score"}, {Types::STRING(), Types::INT()}))
//
// Threads: values.
#pragma once

#include <string>
#include <vector>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/record_type.h"

namespace thalweg::api {

struct Types {
  static DataType STRING() { return DataType::string(); }
  static DataType BOOLEAN() { return DataType::boolean(); }
  static DataType BYTE() { return DataType::tinyint(); }
  static DataType SHORT() { return DataType::smallint(); }
  static DataType INT() { return DataType::integer(); }
  static DataType LONG() { return DataType::bigint(); }
  static DataType FLOAT() { return DataType::float32(); }
  static DataType DOUBLE() { return DataType::float64(); }
  static DataType BIG_DEC() { return DataType::decimal(38, 18); }
  static DataType LOCAL_DATE() { return DataType::date(); }
  static DataType LOCAL_TIME() { return DataType::time(3); }
  static DataType LOCAL_DATE_TIME() { return DataType::timestamp(9); }
  static DataType INSTANT() { return DataType::timestampLtz(9); }
  static DataType LIST(DataType element) { return DataType::array(std::move(element)); }
  static DataType MAP(DataType key, DataType value) { return DataType::map(std::move(key), std::move(value)); }
  /// Fields f0, f1, …
  static RecordTypePtr<Row> ROW(std::vector<DataType> types) {
    std::vector<Field> fields;
    for (DataType& type : types) fields.push_back({"", std::move(type)});
    return rowRecordType(std::move(fields));
  }
  static RecordTypePtr<Row> ROW_NAMED(std::vector<std::string> names, std::vector<DataType> types) {
    if (names.size() != types.size()) throw ValidationException("expected as many field names as types, found " + std::to_string(names.size()) + " and " + std::to_string(types.size()));
    std::vector<Field> fields;
    for (size_t i = 0; i < types.size(); ++i) fields.push_back({std::move(names[i]), std::move(types[i])});
    return rowRecordType(std::move(fields));
  }
};

}  // namespace thalweg::api
