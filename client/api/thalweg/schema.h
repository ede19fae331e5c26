// Schema: the columns, watermark and key of a table or of a stream that becomes one, not yet resolved.
//
//   Schema::newBuilder()
//       .column("id", DataTypes::BIGINT())
//       .columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)")
//       .watermark("rowtime", "SOURCE_WATERMARK()")
//       .primaryKey("id")
//       .build();
//
// Types are DataTypes or text as in DDL; expressions are SQL text or Expressions. Text is checked when the schema is used.
// Threads: values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/data_types.h"
#include "client/api/thalweg/expression.h"

namespace thalweg::api {

class Schema {
 public:
  class Builder;
  static Builder newBuilder();

  enum class ColumnKind : uint8_t { PHYSICAL, COMPUTED, METADATA };
  struct Column {
    ColumnKind kind = ColumnKind::PHYSICAL;
    std::string name;
    std::optional<DataType> type = {};     ///< PHYSICAL, METADATA
    std::string expression = {};           ///< COMPUTED: SQL text
    std::string metadata_key = {};         ///< METADATA; empty: the column's name
    bool is_virtual = false;
    std::string comment = {};
  };
  struct Watermark {
    std::string column;
    std::string expression;
  };

  const std::vector<Column>& getColumns() const { return columns_; }
  const std::optional<Watermark>& getWatermark() const { return watermark_; }
  const std::vector<std::string>& getPrimaryKey() const { return primary_key_; }
  const std::string& getPrimaryKeyName() const { return primary_key_name_; }
  /// One declaration a line, within parentheses.
  std::string toString() const;

 private:
  std::vector<Column> columns_;
  std::optional<Watermark> watermark_;
  std::string primary_key_name_;
  std::vector<std::string> primary_key_;
};

class Schema::Builder {
 public:
  Builder& column(std::string name, DataType type);
  /// ValidationException if the text is no type.
  Builder& column(std::string name, std::string_view type);
  Builder& columnByExpression(std::string name, std::string sql);
  template <std::same_as<Expression> E>
  Builder& columnByExpression(std::string name, const E& expression) {
    return columnByExpression(std::move(name), expression.asSerializableString());
  }
  Builder& columnByMetadata(std::string name, DataType type, bool is_virtual = false);
  Builder& columnByMetadata(std::string name, std::string_view type, bool is_virtual = false);
  Builder& columnByMetadata(std::string name, DataType type, std::string metadata_key, bool is_virtual = false);
  Builder& columnByMetadata(std::string name, std::string_view type, std::string metadata_key, bool is_virtual = false);
  // Literals are pointers, which would rather become bool than std::string.
  Builder& columnByMetadata(std::string name, DataType type, const char* metadata_key, bool is_virtual = false) {
    return columnByMetadata(std::move(name), std::move(type), std::string(metadata_key), is_virtual);
  }
  Builder& columnByMetadata(std::string name, std::string_view type, const char* metadata_key, bool is_virtual = false) {
    return columnByMetadata(std::move(name), type, std::string(metadata_key), is_virtual);
  }
  Builder& withComment(std::string comment);   ///< of the column declared last
  Builder& watermark(std::string column, std::string sql);
  template <std::same_as<Expression> E>
  Builder& watermark(std::string column, const E& expression) {
    return watermark(std::move(column), expression.asSerializableString());
  }
  template <typename... Names>
  Builder& primaryKey(Names... names) {
    return primaryKeyOf({std::string(names)...});
  }
  Builder& primaryKeyNamed(std::string name, std::vector<std::string> columns);
  /// All declarations of another schema.
  Builder& fromSchema(const Schema& schema);
  /// Physical columns by a ROW type.
  Builder& fromRowDataType(const DataType& row);
  Builder& fromFields(const std::vector<std::string>& names, const std::vector<DataType>& types);
  Schema build() const { return schema_; }

 private:
  Builder& primaryKeyOf(std::vector<std::string> columns);
  Builder& add(Column column);
  Schema schema_;
};

}  // namespace thalweg::api
