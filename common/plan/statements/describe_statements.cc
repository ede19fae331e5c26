// DESCRIBE of tables, views, databases, catalogs and functions.
#include <algorithm>

#include "common/plan/catalog/declaration_text.h"
#include "common/plan/catalog/option_spec.h"
#include "common/plan/catalog/table_resolver.h"
#include "common/plan/statements/statement_binder.h"

namespace thalweg {
namespace {

/// What DESCRIBE says of one column.
struct ColumnLine {
  Column column;
  std::string extras = {};
  std::string comment = {};
};

TableResult columnRows(const std::vector<ColumnLine>& lines, const std::vector<std::string>& key, const std::string& watermark_column,
                       const std::string& watermark) {
  bool comments = std::any_of(lines.begin(), lines.end(), [](const ColumnLine& line) { return !line.comment.empty(); });
  TableResult result;
  std::vector<Column> columns = {{"name", DataType::string()},   {"type", DataType::string()}, {"null", DataType::boolean()},
                                 {"key", DataType::string()},    {"extras", DataType::string()},
                                 {"watermark", DataType::string()}};
  if (comments) columns.push_back({"comment", DataType::string()});
  result.schema = Schema(std::move(columns));
  std::string key_text;
  for (const std::string& name : key) key_text += (key_text.empty() ? "PRI(" : ", ") + name;
  if (!key.empty()) key_text += ")";
  const auto text = [](const std::string& value) { return value.empty() ? Value::null() : Value::string(value); };
  for (const ColumnLine& line : lines) {
    std::string type = line.column.type.asNullable().toString();
    if (line.column.time == TimeAttribute::ROWTIME) type += " *ROWTIME*";
    if (line.column.time == TimeAttribute::PROCTIME) type += " *PROCTIME*";
    bool in_key = std::find(key.begin(), key.end(), line.column.name) != key.end();
    std::vector<Value> row = {Value::string(line.column.name), Value::string(type), Value::boolean(line.column.type.nullable()),
                              text(in_key ? key_text : ""), text(line.extras),
                              text(line.column.name == watermark_column ? watermark : "")};
    if (comments) row.push_back(text(line.comment));
    result.rows.push_back(std::move(row));
  }
  return result;
}

TableResult infoRows(const char* name, const char* value, std::vector<std::pair<std::string, std::string>> rows) {
  TableResult result;
  result.schema = Schema({{name, DataType::string()}, {value, DataType::string()}});
  for (auto& [key, text] : rows) result.rows.push_back({Value::string(std::move(key)), Value::string(std::move(text))});
  return result;
}

Result<BoundStatement> describeCatalog(const SessionCatalog& catalog, const sql::DescribeStatement& describe) {
  const CatalogEntry* entry = catalog.findCatalog(describe.name.last());
  if (entry) RETURN_IF_ERROR(checkCreatedCatalog(describe.name));
  if (!entry) return Status::plan("there is no catalog '" + describe.name.last() + "'", describe.name.position);
  std::vector<std::pair<std::string, std::string>> rows = {{"name", describe.name.last()},
                                                           {"type", optionValue(entry->options, "type")},
                                                           {"comment", entry->comment}};
  if (describe.extended) {
    for (const auto& [key, value] : entry->options) {
      if (key != "type") rows.emplace_back("option:" + key, value);
    }
  }
  return BoundStatement(infoRows("info name", "info value", std::move(rows)));
}

Result<BoundStatement> describeDatabase(const SessionCatalog& catalog, const sql::DescribeStatement& describe) {
  ASSIGN_OR_RETURN(auto place, catalog.qualifyDatabase(describe.name));
  auto database = catalog.database(place.first, place.second);
  if (!database.isOk()) return database.status().at(describe.name.position);
  std::vector<std::pair<std::string, std::string>> rows = {{"name", place.second}, {"comment", (*database)->comment}};
  if (describe.extended) {
    for (const auto& [key, value] : (*database)->options) rows.emplace_back("option:" + key, value);
  }
  return BoundStatement(infoRows("info name", "info value", std::move(rows)));
}

}  // namespace

Result<TableResult> describeObject(const BindEnvironment& environment, const ObjectPath& path, const CatalogObject& object) {
  std::vector<ColumnLine> lines;
  if (object.isView()) {
    for (const Column& column : object.view->schema.columns()) lines.push_back({column});
    return columnRows(lines, {}, "", "");
  }
  ASSIGN_OR_RETURN(ResolvedTable table, resolveSchema(environment, path, *object.table));
  for (size_t i = 0; i < table.definition.columns.size(); ++i) {
    const TableColumn& column = table.definition.columns[i];
    ColumnLine line{table.schema.column(i), "", column.comment};
    if (column.kind == TableColumn::Kind::COMPUTED) line.extras = "AS " + declarationText(*column.expression);
    if (column.kind == TableColumn::Kind::METADATA) {
      line.extras = "METADATA";
      if (column.metadata_key != column.name) line.extras += " FROM '" + column.metadata_key + "'";
      if (column.is_virtual) line.extras += " VIRTUAL";
    }
    lines.push_back(std::move(line));
  }
  std::string watermark_column = table.definition.watermark ? table.definition.watermark->column : "";
  std::string watermark = table.definition.watermark ? declarationText(*table.definition.watermark->expression) : "";
  return columnRows(lines, table.definition.primary_key, watermark_column, watermark);
}

Result<BoundStatement> describeStatement(const SessionCatalog& catalog, const BindEnvironment& environment,
                                         const sql::DescribeStatement& describe) {
  switch (describe.object) {
    case sql::ObjectKind::CATALOG: return describeCatalog(catalog, describe);
    case sql::ObjectKind::DATABASE: return describeDatabase(catalog, describe);
    case sql::ObjectKind::TABLE: case sql::ObjectKind::VIEW: {
      ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(describe.name));
      ASSIGN_OR_RETURN(const CatalogObject* object, catalog.get(path, describe.name));
      ASSIGN_OR_RETURN(TableResult rows, describeObject(environment, path, *object));
      return BoundStatement(std::move(rows));
    }
    case sql::ObjectKind::FUNCTION: return describeFunction(catalog, describe);
    case sql::ObjectKind::MODEL: return describeModel(catalog, describe);
    default: return Status::notSupported("DESCRIBE of this kind of object is not built", describe.position);
  }
}

}  // namespace thalweg
