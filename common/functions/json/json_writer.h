// JsonColumn: writes the values of a column of any type as JSON, for JSON_STRING, JSON_OBJECT, JSON_ARRAYAGG, ….
//
// Text in quotes, numbers as they print, bytes as Base64, dates and times as quoted text, arrays as arrays, maps with
// text keys and rows as objects. Made per column type, bound per batch. Threads: one owner.
#pragma once

#include <memory>
#include <string>

#include "common/base/status.h"
#include "common/columnar/vector.h"

namespace thalweg {

class JsonColumn {
 public:
  /// PLAN_ERROR for types that have no JSON form. `raw`: the text is JSON already and is put in as compact JSON.
  static Result<std::unique_ptr<JsonColumn>> make(const DataType& type, bool raw = false);
  /// Whether values of the type can be put into JSON as they are: dates and times of day only within rows and arrays, as in Flink.
  static bool takes(const DataType& type);
  virtual ~JsonColumn() = default;

  virtual void bind(const Vector& column) = 0;
  virtual bool isNull(size_t row) const = 0;
  /// Appends a row that is not NULL; false for raw text that is no JSON.
  virtual bool append(std::string& out, size_t row) = 0;
  /// The same, `null` for a NULL.
  bool appendAny(std::string& out, size_t row) {
    if (!isNull(row)) return append(out, row);
    out.append("null");
    return true;
  }
};

}  // namespace thalweg
