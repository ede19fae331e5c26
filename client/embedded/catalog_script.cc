#include "client/embedded/catalog_script.h"

#include <sstream>

#include "common/plan/statements/statement_binder.h"
#include "common/sql/unparser.h"

namespace thalweg::client {
namespace {

constexpr std::string_view kCommentLine = "# comment: ";

std::string optionList(const OptionMap& options) {
  if (options.empty()) return "";
  std::string text = " WITH (";
  for (const auto& [key, value] : options) text += (text.ends_with('(') ? "" : ", ") + sql::quoteString(key) + " = " + sql::quoteString(value);
  return text + ")";
}

std::string commentOf(const std::string& comment) { return comment.empty() ? "" : " COMMENT " + sql::quoteString(comment); }

std::string databaseText(const std::string& catalog, const std::string& name, const CatalogDatabase& database) {
  return "CREATE DATABASE IF NOT EXISTS " + sql::quoteIdentifier(catalog) + "." + sql::quoteIdentifier(name) + commentOf(database.comment) +
         optionList(database.options) + ";\n";
}

std::string partitionsText(const ObjectPath& path, const TableDefinition& table) {
  std::string text;
  for (const auto& partition : table.partitions) {
    std::string values;
    for (const auto& [key, value] : partition) values += (values.empty() ? "" : ", ") + sql::quoteIdentifier(key) + " = " + sql::quoteString(value);
    text += "ALTER TABLE " + path.toString() + " ADD PARTITION (" + values + ");\n";
  }
  return text;
}

std::string functionText(const ObjectPath& path, const CatalogFunction& function) {
  std::string text = "CREATE FUNCTION " + path.toString() + " AS " + sql::quoteString(function.class_name);
  if (!function.language.empty()) text += " LANGUAGE " + function.language;
  for (size_t i = 0; i < function.resources.size(); ++i) {
    text += (i == 0 ? " USING " : ", ") + function.resources[i].kind + " " + sql::quoteString(function.resources[i].uri);
  }
  return text + ";\n";
}

std::string modelColumns(const std::vector<TableColumn>& columns) {
  std::string text = "(";
  for (const TableColumn& column : columns) {
    text += (text.ends_with('(') ? "" : ", ") + sql::quoteIdentifier(column.name) + " " + column.type.toSerializableString() + commentOf(column.comment);
  }
  return text + ")";
}

std::string modelText(const ObjectPath& path, const CatalogModel& model) {
  return "CREATE MODEL " + path.toString() + " INPUT " + modelColumns(model.inputs) + " OUTPUT " + modelColumns(model.outputs) +
         commentOf(model.comment) + optionList(model.options) + ";\n";
}

/// The text in double quotes, with the escapes that YAML has in common with JSON.
std::string quotedValue(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n') text += "\\n";
    else text += c;
  }
  return text + "\"";
}

Result<std::string> plainValue(std::string_view text, const std::string& place) {
  while (text.ends_with(' ') || text.ends_with('\r')) text.remove_suffix(1);
  if (text.size() < 2 || (text[0] != '"' && text[0] != '\'')) return std::string(text);
  const char quote = text[0];
  std::string value;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == quote && quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'') { value += '\''; ++i; }
    else if (text[i] == quote) return i + 1 == text.size() ? Result<std::string>(value) : Status::plan(place + ": unexpected text behind the value");
    else if (text[i] == '\\' && quote == '"' && i + 1 < text.size()) { ++i; value += text[i] == 'n' ? '\n' : text[i]; }
    else value += text[i];
  }
  return Status::plan(place + ": the value's quote is not closed");
}

}  // namespace

Result<std::string> catalogScript(const SqlSession& session, const std::string& name) {
  ASSIGN_OR_RETURN(const BindEnvironment environment, session.environment());
  const SessionCatalog& catalogs = session.catalog();
  std::string text, views;
  for (const auto& [database_name, database] : catalogs.findCatalog(name)->databases) {
    text += databaseText(name, database_name, database);
    for (const auto& [object_name, object] : database.objects) {
      const ObjectPath path{name, database_name, object_name};
      ASSIGN_OR_RETURN(std::string made, createText(environment, path, object));
      while (made.ends_with('\n')) made.pop_back();
      (object.isView() ? views : text) += made + ";\n";
      if (!object.isView()) text += partitionsText(path, *object.table);
    }
  }
  for (const auto& [path, function] : catalogs.functions()) {
    if (path.catalog == name && !function.temporary) text += functionText(path, function);
  }
  for (const auto& [path, model] : catalogs.models()) {
    if (path.catalog == name) text += modelText(path, model);
  }
  return text + views;
}

std::string createCatalogText(const std::string& catalog, const std::string& comment, const OptionMap& options) {
  return "CREATE CATALOG " + sql::quoteIdentifier(catalog) + commentOf(comment) + optionList(options);
}

std::string storedCatalogText(const StoredCatalog& catalog) {
  std::string text;
  if (!catalog.comment.empty()) text += std::string(kCommentLine) + quotedValue(catalog.comment) + "\n";
  for (const auto& [key, value] : catalog.options) text += key + ": " + quotedValue(value) + "\n";
  return text;
}

Result<StoredCatalog> parseStoredCatalog(const std::string& file, const std::string& text) {
  StoredCatalog stored;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string place = file + ":" + std::to_string(number);
    if (line.starts_with(kCommentLine)) {
      ASSIGN_OR_RETURN(stored.comment, plainValue(std::string_view(line).substr(kCommentLine.size()), place));
      continue;
    }
    if (line.empty() || line == "\r" || line[0] == '#' || line == "---") continue;
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) return Status::plan(place + ": expected a line `option: value`, found '" + line + "'");
    ASSIGN_OR_RETURN(std::string key, plainValue(std::string_view(line).substr(0, colon), place));
    ASSIGN_OR_RETURN(stored.options[key], plainValue(std::string_view(line).substr(colon + 2), place));
  }
  return stored;
}

}  // namespace thalweg::client
