// SHOW: lists of names, columns, and the text that makes an object.
#include <algorithm>
#include <cctype>
#include <set>

#include "common/functions/function_registry.h"
#include "common/plan/statements/described_functions.h"
#include "common/plan/statements/statement_binder.h"

namespace thalweg {
namespace {

bool matchesLike(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '%') {
    for (size_t skip = 0; skip <= text.size(); ++skip) {
      if (matchesLike(pattern.substr(1), text.substr(skip))) return true;
    }
    return false;
  }
  if (text.empty()) return false;
  if (pattern[0] == '\\' && pattern.size() > 1) return pattern[1] == text[0] && matchesLike(pattern.substr(2), text.substr(1));
  if (pattern[0] == '_' || pattern[0] == text[0]) return matchesLike(pattern.substr(1), text.substr(1));
  return false;
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

Result<std::pair<std::string, std::string>> databaseOf(const SessionCatalog& catalog, const sql::ShowStatement& show) {
  if (!show.name) return std::pair(catalog.currentCatalog(), catalog.currentDatabase());
  ASSIGN_OR_RETURN(auto place, catalog.qualifyDatabase(*show.name));
  auto found = catalog.database(place.first, place.second);
  if (!found.isOk()) return found.status().at(show.name->position);
  return place;
}

BoundStatement nameList(const char* heading, const std::vector<std::string>& names, const std::optional<sql::ShowLike>& like) {
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (!like || matchesShowPattern(*like, name)) shown.push_back(name);
  }
  return BoundStatement(textResult(heading, std::move(shown)));
}

Result<BoundStatement> showColumns(const SessionCatalog& catalog, const BindEnvironment& environment, const sql::ShowStatement& show) {
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(*show.name));
  ASSIGN_OR_RETURN(const CatalogObject* object, catalog.get(path, *show.name));
  ASSIGN_OR_RETURN(TableResult result, describeObject(environment, path, *object));
  if (show.like) {
    std::erase_if(result.rows, [&](const std::vector<Value>& row) { return !matchesShowPattern(*show.like, row[0].asString()); });
  }
  return BoundStatement(std::move(result));
}

/// Letters alone, in one case: `regexpExtract` is REGEXP_EXTRACT.
std::string plainName(std::string_view name) {
  std::string plain;
  for (const unsigned char c : name) {
    if (c != '_') plain += static_cast<char>(std::tolower(c));
  }
  return plain;
}

/// Flink's names, and in capitals those of functions that it does not list.
std::vector<std::string> coreFunctionNames() {
  std::vector<std::string> names;
  std::set<std::string> listed = {plainName("JSON_OBJECTAGG"), plainName("JSON_ARRAYAGG")};   // split by their NULL clause
  for (const DescribedFunction& function : describedFunctions()) {
    names.emplace_back(function.name);
    listed.insert(plainName(function.name));
  }
  const SessionFunctions none;
  const SessionFunctions::InSight only_built_in(none);
  for (std::string name : FunctionRegistry::instance().names()) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    if (!listed.contains(plainName(name))) names.push_back(std::move(name));
  }
  return names;
}

Result<BoundStatement> showDatabases(const SessionCatalog& catalog, const sql::ShowStatement& show) {
  std::string name = show.name ? show.name->last() : catalog.currentCatalog();
  const CatalogEntry* entry = catalog.findCatalog(name);
  if (!entry) return Status::plan("there is no catalog '" + name + "'", show.name ? show.name->position : show.position);
  std::vector<std::string> names;
  for (const auto& [database, unused] : entry->databases) names.push_back(database);
  return nameList("database name", names, show.like);
}

Result<BoundStatement> showCreate(const SessionCatalog& catalog, const BindEnvironment& environment, const sql::ShowStatement& show) {
  if (show.object == sql::ObjectKind::CATALOG) {
    const CatalogEntry* entry = catalog.findCatalog(show.name->last());
    if (entry) RETURN_IF_ERROR(checkCreatedCatalog(*show.name));
    if (!entry) return Status::plan("there is no catalog '" + show.name->last() + "'", show.name->position);
    std::string text = "CREATE CATALOG `" + show.name->last() + "`\n";
    if (!entry->comment.empty()) text += "COMMENT '" + entry->comment + "'\n";
    text += "WITH (\n";
    bool first = true;
    for (const auto& [key, value] : entry->options) {
      text += std::string(first ? "" : ",\n") + "  '" + key + "' = '" + value + "'";
      first = false;
    }
    return BoundStatement(textResult("result", {text + "\n)\n"}));
  }
  if (show.object == sql::ObjectKind::MODEL) {
    ASSIGN_OR_RETURN(std::string text, createModelText(catalog, *show.name));
    return BoundStatement(textResult("result", {std::move(text)}));
  }
  if (show.object != sql::ObjectKind::TABLE && show.object != sql::ObjectKind::VIEW) {
    return Status::notSupported("SHOW CREATE of this kind of object is not built", show.position);
  }
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(*show.name));
  ASSIGN_OR_RETURN(const CatalogObject* object, catalog.get(path, *show.name));
  bool view = show.object == sql::ObjectKind::VIEW;
  if (object->isView() != view) {
    return Status::plan("SHOW CREATE " + std::string(view ? "VIEW" : "TABLE") + ": " + path.toString() + " is a " +
                        (view ? "table" : "view"), show.name->position);
  }
  ASSIGN_OR_RETURN(std::string text, createText(environment, path, *object));
  return BoundStatement(textResult("result", {std::move(text)}));
}

/// Partitions that ALTER TABLE … ADD PARTITION made known: `day=2026-01-01/hour=7`.
Result<BoundStatement> showPartitions(const SessionCatalog& catalog, const BindEnvironment& environment,
                                      const sql::ShowStatement& show) {
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(*show.name));
  ASSIGN_OR_RETURN(const CatalogObject* object, catalog.get(path, *show.name));
  if (object->isView() || object->table->partition_keys.empty()) {
    return Status::plan(path.toString() + " is not PARTITIONED BY anything", show.name->position);
  }
  std::vector<std::string> lines;
  for (const auto& partition : object->table->partitions) {
    bool wanted = true;
    for (const sql::PartitionItem& item : show.partition) {
      const auto* literal = item.value ? sql::tryAs<sql::Literal>(*item.value) : nullptr;
      const auto found = partition.find(item.key.text);
      wanted = wanted && literal && found != partition.end() && found->second == literal->text;
    }
    if (!wanted) continue;
    std::string line;
    for (const std::string& key : object->table->partition_keys) line += (line.empty() ? "" : "/") + key + "=" + partition.at(key);
    lines.push_back(std::move(line));
  }
  return BoundStatement(textResult("partition name", std::move(lines)));
}

}  // namespace

bool matchesShowPattern(const sql::ShowLike& like, std::string_view name) {
  bool match = like.ignore_case ? matchesLike(lowerCase(like.pattern), lowerCase(name)) : matchesLike(like.pattern, name);
  return match != like.negated;
}

Result<BoundStatement> showStatement(const SessionCatalog& catalog, const BindEnvironment& environment,
                                     const sql::ShowStatement& show) {
  using Kind = sql::ShowKind;
  switch (show.what) {
    case Kind::CATALOGS: {
      std::vector<std::string> names;
      for (const auto& [name, unused] : catalog.catalogs()) names.push_back(name);
      return nameList("catalog name", names, show.like);
    }
    case Kind::DATABASES: return showDatabases(catalog, show);
    case Kind::TABLES: case Kind::VIEWS: {
      bool views = show.what == Kind::VIEWS;
      ASSIGN_OR_RETURN(auto place, databaseOf(catalog, show));
      return nameList(views ? "view name" : "table name", catalog.objectNames(place.first, place.second, views), show.like);
    }
    case Kind::MATERIALIZED_TABLES: return nameList("materialized table", {}, show.like);
    case Kind::FUNCTIONS: {
      std::vector<std::string> names;
      if (!show.user && catalog.coreLoaded()) names = coreFunctionNames();
      for (const auto& [path, unused] : catalog.functions()) names.push_back(path.object);
      std::sort(names.begin(), names.end());
      return nameList("function name", names, show.like);
    }
    case Kind::PROCEDURES: return Status::plan("the catalog keeps no procedures", show.position);
    case Kind::MODULES: {
      std::vector<std::string> loaded;
      if (catalog.coreLoaded()) loaded.push_back("core");
      if (!show.full) return nameList("module name", loaded, std::nullopt);
      TableResult result;
      result.schema = Schema({{"module name", DataType::string()}, {"used", DataType::boolean()}});
      for (const std::string& name : loaded) result.rows.push_back({Value::string(name), Value::boolean(true)});
      return BoundStatement(std::move(result));
    }
    case Kind::JARS: return nameList("jars", {}, std::nullopt);
    case Kind::MODELS: {
      std::vector<std::string> names;
      ASSIGN_OR_RETURN(auto place, databaseOf(catalog, show));
      for (const auto& [path, unused] : catalog.models()) {
        if (path.catalog == place.first && path.database == place.second) names.push_back(path.object);
      }
      return nameList("model name", names, show.like);
    }
    case Kind::CONNECTIONS: return Status::plan("the catalog keeps no connections", show.position);
    case Kind::CURRENT_CATALOG: return nameList("current catalog name", {catalog.currentCatalog()}, std::nullopt);
    case Kind::CURRENT_DATABASE: return nameList("current database name", {catalog.currentDatabase()}, std::nullopt);
    case Kind::COLUMNS: return showColumns(catalog, environment, show);
    case Kind::CREATE: return showCreate(catalog, environment, show);
    case Kind::PARTITIONS: return showPartitions(catalog, environment, show);
    case Kind::JOBS: break;
  }
  return Status::internal("SHOW of an unknown kind");
}

}  // namespace thalweg
