#include "client/api/thalweg/resolved_schema.h"

#include "common/sql/unparser.h"
#include "common/types/structured_type.h"

namespace thalweg::api {

ResolvedSchema::ResolvedSchema(const thalweg::Schema& schema) {
  for (const thalweg::Column& column : schema.columns()) columns.push_back({.name = column.name, .type = column.type, .time = column.time});
}

std::string ResolvedSchema::Column::asSummaryString() const {
  std::string text = sql::quoteIdentifier(name) + " " + structuredTypeText(type);
  if (time == TimeAttribute::ROWTIME) text += " *ROWTIME*";
  if (time == TimeAttribute::PROCTIME) text += " *PROCTIME*";
  if (kind == Schema::ColumnKind::COMPUTED) text += " AS " + expression;
  if (kind == Schema::ColumnKind::METADATA) {
    text += " METADATA";
    if (!metadata_key.empty()) text += " FROM " + sql::quoteString(metadata_key);
    if (is_virtual) text += " VIRTUAL";
  }
  if (!comment.empty()) text += " COMMENT " + sql::quoteString(comment);
  return text;
}

std::vector<std::string> ResolvedSchema::getColumnNames() const {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

std::vector<DataType> ResolvedSchema::getColumnDataTypes() const {
  std::vector<DataType> types;
  for (const Column& column : columns) types.push_back(column.type);
  return types;
}

std::optional<ResolvedSchema::Column> ResolvedSchema::getColumn(std::string_view name) const {
  for (const Column& column : columns) {
    if (column.name == name) return column;
  }
  return std::nullopt;
}

DataType ResolvedSchema::toRowDataType() const {
  std::vector<Field> fields;
  for (const Column& column : columns) fields.push_back({column.name, column.type, {}});
  return DataType::row(std::move(fields), false);
}

std::string ResolvedSchema::toString() const {
  std::vector<std::string> lines;
  for (const Column& column : columns) lines.push_back(column.asSummaryString());
  if (watermark) {
    lines.push_back("WATERMARK FOR " + sql::quoteIdentifier(watermark->column) + ": " + watermark->type.toString() + " AS " + watermark->expression);
  }
  if (!primary_key.empty()) {
    std::string line = "CONSTRAINT " + sql::quoteIdentifier(primary_key_name) + " PRIMARY KEY (";
    for (size_t i = 0; i < primary_key.size(); ++i) line += (i ? ", " : "") + sql::quoteIdentifier(primary_key[i]);
    lines.push_back(line + ") NOT ENFORCED");
  }
  std::string text = "(";
  for (size_t i = 0; i < lines.size(); ++i) text += (i ? ",\n  " : "\n  ") + lines[i];
  return text + "\n)";
}

}  // namespace thalweg::api
