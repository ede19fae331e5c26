#include "client/embedded/catalog_script.h"

#include <sstream>

#include "common/config/yaml_options.h"
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
    if (path.catalog == name) text += createModelText(path, model) + ";\n";
  }
  return text + views;
}

std::string createCatalogText(const std::string& catalog, const std::string& comment, const OptionMap& options) {
  return "CREATE CATALOG " + sql::quoteIdentifier(catalog) + commentOf(comment) + optionList(options);
}

std::string storedCatalogText(const StoredCatalog& catalog) {
  std::string text;
  if (!catalog.comment.empty()) text += std::string(kCommentLine) + quotedYaml(catalog.comment) + "\n";
  for (const auto& [key, value] : catalog.options) text += key + ": " + quotedYaml(value) + "\n";
  return text;
}

Result<StoredCatalog> parseStoredCatalog(const std::string& file, const std::string& text) {
  StoredCatalog stored;
  ASSIGN_OR_RETURN(stored.options, parseYamlOptions(file, text));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kCommentLine)) continue;
    ASSIGN_OR_RETURN(const OptionMap comment, parseYamlOptions(file, line.substr(std::string_view("# ").size())));
    if (!comment.empty()) stored.comment = comment.begin()->second;
  }
  return stored;
}

}  // namespace thalweg::client
