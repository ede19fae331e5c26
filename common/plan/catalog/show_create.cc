// SHOW CREATE TABLE and VIEW: the text that makes the object anew, one clause a line.
#include "common/plan/catalog/declaration_text.h"
#include "common/plan/catalog/table_resolver.h"
#include "common/plan/statements/statement_binder.h"
#include "common/sql/unparser.h"

namespace thalweg {
namespace {

std::string quoted(const std::string& text) { return sql::quoteString(text); }

std::string columnText(const TableColumn& column, const DataType& type) {
  std::string text = "  " + sql::quoteIdentifier(column.name) + " ";
  switch (column.kind) {
    case TableColumn::Kind::PHYSICAL: text += type.toSerializableString(); break;
    case TableColumn::Kind::COMPUTED: text += "AS " + declarationText(*column.expression); break;
    case TableColumn::Kind::METADATA:
      text += type.toSerializableString() + " METADATA";
      if (column.metadata_key != column.name) text += " FROM " + quoted(column.metadata_key);
      if (column.is_virtual) text += " VIRTUAL";
      break;
  }
  if (!column.comment.empty()) text += " COMMENT " + quoted(column.comment);
  return text;
}

std::string nameList(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + sql::quoteIdentifier(name);
  return text;
}

std::string tableText(const ObjectPath& path, const ResolvedTable& table) {
  const TableDefinition& definition = table.definition;
  std::vector<std::string> lines;
  for (const TableColumn& column : definition.columns) lines.push_back(columnText(column, column.type));
  if (definition.watermark) {
    lines.push_back("  WATERMARK FOR " + sql::quoteIdentifier(definition.watermark->column) + " AS " +
                    declarationText(*definition.watermark->expression));
  }
  if (!definition.primary_key.empty()) {
    lines.push_back("  CONSTRAINT " + sql::quoteIdentifier(definition.primary_key_name) + " PRIMARY KEY (" +
                    nameList(definition.primary_key) + ") NOT ENFORCED");
  }
  std::string text = std::string("CREATE ") + (definition.temporary ? "TEMPORARY " : "") + "TABLE " + path.toString() + " (\n";
  for (size_t i = 0; i < lines.size(); ++i) text += lines[i] + (i + 1 < lines.size() ? ",\n" : "\n");
  text += ")\n";
  if (!definition.comment.empty()) text += "COMMENT " + quoted(definition.comment) + "\n";
  if (!definition.distribution.empty()) text += definition.distribution + "\n";
  if (!definition.partition_keys.empty()) text += "PARTITIONED BY (" + nameList(definition.partition_keys) + ")\n";
  if (definition.options.empty()) return text;
  text += "WITH (\n";
  size_t shown = 0;
  for (const auto& [key, value] : definition.options) {
    text += "  " + quoted(key) + " = " + quoted(value) + (++shown < definition.options.size() ? ",\n" : "\n");
  }
  return text + ")\n";
}

std::string viewText(const ObjectPath& path, const ViewDefinition& view) {
  std::string text = std::string("CREATE ") + (view.temporary ? "TEMPORARY " : "") + "VIEW " + path.toString() + " (\n";
  for (size_t i = 0; i < view.column_names.size(); ++i) {
    text += "  " + sql::quoteIdentifier(view.column_names[i]) + (i + 1 < view.column_names.size() ? ",\n" : "\n");
  }
  text += ")\n";
  if (!view.comment.empty()) text += "COMMENT " + quoted(view.comment) + "\n";
  return text + "AS " + view.expanded_text + "\n";
}

}  // namespace

Result<std::string> createText(const BindEnvironment& environment, const ObjectPath& path, const CatalogObject& object) {
  if (object.isView() && object.view->plan) {
    return Status::plan("SHOW CREATE VIEW is for views made from SQL text; " + path.toString() + " was made by a program from a Table");
  }
  if (object.isView()) return viewText(path, *object.view);
  ASSIGN_OR_RETURN(ResolvedTable table, resolveSchema(environment, path, *object.table));
  return tableText(path, table);
}

}  // namespace thalweg
