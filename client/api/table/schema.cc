#include "client/api/thalweg/schema.h"

#include "client/api/thalweg/exception.h"
#include "common/sql/unparser.h"

namespace thalweg::api {

Schema::Builder Schema::newBuilder() { return {}; }

std::string Schema::toString() const {
  std::vector<std::string> lines;
  for (const Column& column : columns_) {
    std::string line = sql::quoteIdentifier(column.name);
    if (column.kind == ColumnKind::COMPUTED) line += " AS " + column.expression;
    else line += " " + column.type->toString();
    if (column.kind == ColumnKind::METADATA) {
      line += " METADATA";
      if (!column.metadata_key.empty()) line += " FROM " + sql::quoteString(column.metadata_key);
      if (column.is_virtual) line += " VIRTUAL";
    }
    if (!column.comment.empty()) line += " COMMENT " + sql::quoteString(column.comment);
    lines.push_back(std::move(line));
  }
  if (watermark_) lines.push_back("WATERMARK FOR " + sql::quoteIdentifier(watermark_->column) + " AS " + watermark_->expression);
  if (!primary_key_.empty()) {
    std::string line = "CONSTRAINT " + sql::quoteIdentifier(primary_key_name_) + " PRIMARY KEY (";
    for (size_t i = 0; i < primary_key_.size(); ++i) line += (i ? ", " : "") + sql::quoteIdentifier(primary_key_[i]);
    lines.push_back(line + ") NOT ENFORCED");
  }
  std::string text = "(";
  for (size_t i = 0; i < lines.size(); ++i) text += (i ? ",\n  " : "\n  ") + lines[i];
  return text + "\n)";
}

Schema::Builder& Schema::Builder::add(Column column) {
  for (const Column& known : schema_.columns_) {
    if (known.name == column.name) throw ValidationException("schema: column '" + column.name + "' is declared twice");
  }
  schema_.columns_.push_back(std::move(column));
  return *this;
}

Schema::Builder& Schema::Builder::column(std::string name, DataType type) {
  return add({.kind = ColumnKind::PHYSICAL, .name = std::move(name), .type = std::move(type)});
}
Schema::Builder& Schema::Builder::column(std::string name, std::string_view type) {
  return column(std::move(name), DataTypes::of(type));
}

Schema::Builder& Schema::Builder::columnByExpression(std::string name, std::string sql) {
  return add({.kind = ColumnKind::COMPUTED, .name = std::move(name), .expression = std::move(sql)});
}

Schema::Builder& Schema::Builder::columnByMetadata(std::string name, DataType type, bool is_virtual) {
  return add({.kind = ColumnKind::METADATA, .name = std::move(name), .type = std::move(type), .is_virtual = is_virtual});
}
Schema::Builder& Schema::Builder::columnByMetadata(std::string name, std::string_view type, bool is_virtual) {
  return columnByMetadata(std::move(name), DataTypes::of(type), is_virtual);
}
Schema::Builder& Schema::Builder::columnByMetadata(std::string name, DataType type, std::string metadata_key, bool is_virtual) {
  return add({.kind = ColumnKind::METADATA, .name = std::move(name), .type = std::move(type), .metadata_key = std::move(metadata_key),
              .is_virtual = is_virtual});
}
Schema::Builder& Schema::Builder::columnByMetadata(std::string name, std::string_view type, std::string metadata_key, bool is_virtual) {
  return columnByMetadata(std::move(name), DataTypes::of(type), std::move(metadata_key), is_virtual);
}

Schema::Builder& Schema::Builder::withComment(std::string comment) {
  if (schema_.columns_.empty()) throw ValidationException("schema: withComment() follows a column");
  schema_.columns_.back().comment = std::move(comment);
  return *this;
}

Schema::Builder& Schema::Builder::watermark(std::string column, std::string sql) {
  if (schema_.watermark_) throw ValidationException("schema: a table has one watermark, but '" + schema_.watermark_->column + "' has one already");
  schema_.watermark_ = Watermark{std::move(column), std::move(sql)};
  return *this;
}

Schema::Builder& Schema::Builder::primaryKeyOf(std::vector<std::string> columns) {
  std::string name = "PK";
  for (const std::string& column : columns) name += "_" + column;
  return primaryKeyNamed(std::move(name), std::move(columns));
}

Schema::Builder& Schema::Builder::primaryKeyNamed(std::string name, std::vector<std::string> columns) {
  if (columns.empty()) throw ValidationException("schema: a primary key needs at least one column");
  if (!schema_.primary_key_.empty()) throw ValidationException("schema: a table has at most one primary key");
  schema_.primary_key_name_ = std::move(name);
  schema_.primary_key_ = std::move(columns);
  return *this;
}

Schema::Builder& Schema::Builder::fromSchema(const Schema& schema) {
  for (const Column& column : schema.columns_) add(column);
  if (schema.watermark_) watermark(schema.watermark_->column, schema.watermark_->expression);
  if (!schema.primary_key_.empty()) primaryKeyNamed(schema.primary_key_name_, schema.primary_key_);
  return *this;
}

Schema::Builder& Schema::Builder::fromRowDataType(const DataType& row) {
  if (row.kind() != TypeKind::ROW) throw ValidationException("fromRowDataType takes a ROW, not " + row.toString());
  for (const Field& field : row.fields()) column(field.name, field.type);
  return *this;
}

Schema::Builder& Schema::Builder::fromFields(const std::vector<std::string>& names, const std::vector<DataType>& types) {
  if (names.size() != types.size()) {
    throw ValidationException("fromFields takes equally many names and types, not " + std::to_string(names.size()) + " and " +
                              std::to_string(types.size()));
  }
  for (size_t i = 0; i < names.size(); ++i) column(names[i], types[i]);
  return *this;
}

}  // namespace thalweg::api
