// ResolvedSchema: the columns of a table with their final types, its watermark and key; what printSchema() shows.
// Threads: values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/data_types.h"
#include "client/api/thalweg/schema.h"
#include "common/types/schema.h"

namespace thalweg::api {

class ResolvedSchema {
 public:
  struct Column {
    std::string name;
    DataType type;
    TimeAttribute time = TimeAttribute::NONE;
    Schema::ColumnKind kind = Schema::ColumnKind::PHYSICAL;
    std::string expression = {};     ///< COMPUTED: as it was written
    std::string metadata_key = {};   ///< METADATA: of FROM, if it was given
    bool is_virtual = false;
    std::string comment = {};
    /// `` `name` TYPE *ROWTIME* AS … ``.
    std::string asSummaryString() const;
  };
  struct Watermark {
    std::string column;
    DataType type;
    std::string expression;
  };

  ResolvedSchema() = default;
  /// Physical columns only.
  explicit ResolvedSchema(const thalweg::Schema& schema);

  const std::vector<Column>& getColumns() const { return columns; }
  size_t getColumnCount() const { return columns.size(); }
  std::vector<std::string> getColumnNames() const;
  std::vector<DataType> getColumnDataTypes() const;
  std::optional<Column> getColumn(std::string_view name) const;
  const std::optional<Watermark>& getWatermarkSpec() const { return watermark; }
  const std::vector<std::string>& getPrimaryKey() const { return primary_key; }
  /// A ROW of all columns.
  DataType toRowDataType() const;
  /// One column a line within parentheses, as Flink prints schemas.
  std::string toString() const;

  std::vector<Column> columns;
  std::optional<Watermark> watermark;
  std::string primary_key_name;
  std::vector<std::string> primary_key;
};

}  // namespace thalweg::api
