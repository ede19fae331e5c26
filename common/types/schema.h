// Schema: the named, typed columns of a stream or table, with their time attributes.
// A value; shared as SchemaPtr where it fans out. Threads: immutable.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/types/data_type.h"

namespace thalweg {

/// What a column is besides its type. Time attributes are lost by operators that do not keep them.
enum class TimeAttribute : uint8_t {
  NONE,
  ROWTIME,   ///< event time: values are covered by the stream's watermarks
  PROCTIME,  ///< processing time: not materialised until it is read
};

struct Column {
  std::string name;
  DataType type;
  TimeAttribute time = TimeAttribute::NONE;
  bool operator==(const Column&) const = default;
};

class Schema {
 public:
  Schema() = default;
  explicit Schema(std::vector<Column> columns) : columns_(std::move(columns)) {}

  size_t size() const { return columns_.size(); }
  const Column& column(size_t i) const { return columns_[i]; }
  const std::vector<Column>& columns() const { return columns_; }
  const DataType& type(size_t i) const { return columns_[i].type; }
  /// Position by exact name, or -1.
  int indexOf(std::string_view name) const {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }
  bool operator==(const Schema&) const = default;

 private:
  std::vector<Column> columns_;
};

using SchemaPtr = std::shared_ptr<const Schema>;

/// `(name TYPE, …)` with `*ROWTIME*` / `*PROCTIME*` marks: how schemas are shown to people.
std::string schemaText(const Schema& schema);

}  // namespace thalweg
