// JsonColumn: a growing column of any type, filled from JSON values as Flink's json formats read them.
//
// Rows are written by number and may be set again before the next one is begun (column_parts.h). A value of the wrong
// form makes read() fail, or with ignore_errors becomes NULL at the innermost level. Text that is no JSON always fails.
// Threads: one owner.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/vector.h"
#include "common/formats/cell_column.h"
#include "common/formats/json/json_cursor.h"

namespace thalweg::format {

struct JsonSettings {
  CellRules rules;
  bool ignore_errors = false;
  bool fail_on_missing = false;
  /// Once as many fields were met as are wanted, the rest of an object is not looked at: after two equal names, that
  /// leaves another one NULL (decode.json-parser.enabled, as in Flink).
  bool stops_when_full = false;
};

enum class JsonOutcome : uint8_t {
  OK,
  BAD_FIELD,   ///< JSON, but not of the type; the value was consumed or the record is lost anyway
  BAD_SYNTAX,  ///< no JSON
};

/// The text being read and what is known of the last failure.
struct JsonContext {
  JsonCursor cursor;
  JsonSettings settings;
  std::string problem = {};  ///< of a BAD_FIELD
};

class JsonColumn {
 public:
  using Paths = std::vector<std::vector<int>>;

  /// `used_paths`: which fields below are wanted (SourceSpec::Output); empty: all. Others are absent children.
  static Result<std::unique_ptr<JsonColumn>> make(const DataType& type, const JsonSettings& settings, const Paths& used_paths);
  virtual ~JsonColumn() = default;

  virtual void reserve(size_t rows) = 0;
  virtual void useBuffer(const BufferPtr& buffer) = 0;
  /// Takes the value at the cursor.
  virtual JsonOutcome read(JsonContext& context, size_t row) = 0;
  virtual void setNull(size_t row) = 0;
  virtual VectorPtr finish(size_t rows) = 0;
  /// What the texts of strings and numbers go to; null for types that have none.
  virtual CellColumn* cells() { return nullptr; }
};

/// The fields of an object, each in a column of its own.
class JsonFields {
 public:
  /// The next field; one without a column is known by name only and skipped.
  void add(std::string name, DataType type, std::unique_ptr<JsonColumn> column);

  void reserve(size_t rows);
  void useBuffer(const BufferPtr& buffer);
  /// Takes the object at the cursor, at its `{`. Fields it lacks are NULL, or fail with fail_on_missing; of equal names
  /// the last counts.
  JsonOutcome read(JsonContext& context, size_t row);
  /// Takes an object whose fields replace those of a row that was just read.
  JsonOutcome overlay(JsonContext& context, size_t row) { return readFields(context, row, ~size_t{0}); }
  void setNull(size_t row);
  /// The field of a name; size() for others.
  size_t find(std::string_view name) const;
  size_t size() const { return fields_.size(); }
  /// The column of a field; null if it is not wanted.
  JsonColumn* column(size_t field) const { return fields_[field].column.get(); }
  /// One vector per field, null where there is no column.
  std::vector<VectorPtr> finish(size_t rows);

 private:
  struct Field {
    std::string name;
    DataType type;
    std::unique_ptr<JsonColumn> column;
  };

  JsonOutcome readFields(JsonContext& context, size_t row, size_t fields_max);
  /// Which field the name at the cursor is, or kNone; false: no name stands there.
  bool readName(JsonContext& context, size_t expected, size_t& field);
  JsonOutcome readField(JsonContext& context, Field& field, size_t row);

  static constexpr size_t kNone = ~size_t{0};

  std::vector<Field> fields_;
  std::unordered_map<std::string, size_t> by_name_;
  size_t wanted_count_ = 0;  // fields with a column
  std::vector<uint8_t> seen_;
  size_t seen_count_ = 0;  // of those
};

}  // namespace thalweg::format
