// CREATE, DROP and USE of catalogs and databases.
#include "common/plan/catalog/option_spec.h"
#include "common/plan/statements/statement_binder.h"

namespace thalweg {
namespace {

OptionMap optionsOf(const sql::OptionList& list) {
  OptionMap options;
  for (const sql::Option& option : list) options[option.key] = option.value;
  return options;
}

Status checkCatalogOptions(const std::string& type, const OptionMap& options, SourcePosition position) {
  if (type.empty()) return Status::plan("CREATE CATALOG needs the option 'type'; there are generic_in_memory and file", position);
  const bool file = type == kFileCatalogType;
  if (!file && type != "generic_in_memory") {
    return Status::plan("unknown catalog type '" + type + "'; there are generic_in_memory and file", position);
  }
  for (const auto& [key, value] : options) {
    if (key == "type" || key == "default-database" || (file && key == "path")) continue;
    return Status::plan("unknown option '" + key + "' of a catalog of the type " + type + "; there is default-database" + (file ? " and path" : ""), position);
  }
  if (file && optionValue(options, "path").empty()) {
    return Status::plan("a catalog of the type file needs the option 'path', the folder that keeps its definitions", position);
  }
  return {};
}

Result<BoundStatement> dropCatalog(SessionCatalog& catalog, const sql::DropStatement& drop) {
  const std::string& name = drop.name.last();
  if (!catalog.findCatalog(name)) {
    if (drop.if_exists) return BoundStatement(okResult());
    return Status::plan("there is no catalog '" + name + "'", drop.name.position);
  }
  if (name == catalog.currentCatalog()) {
    return Status::plan("catalog '" + name + "' is in use; USE another one first", drop.name.position);
  }
  catalog.removeCatalog(name);
  return BoundStatement(okResult());
}

Result<BoundStatement> dropDatabase(SessionCatalog& catalog, const sql::DropStatement& drop) {
  ASSIGN_OR_RETURN(auto place, catalog.qualifyDatabase(drop.name));
  auto found = catalog.database(place.first, place.second);
  if (!found.isOk()) {
    if (drop.if_exists && catalog.findCatalog(place.first)) return BoundStatement(okResult());
    return found.status().at(drop.name.position);
  }
  if (!(*found)->objects.empty() && !drop.cascade) {
    return Status::plan("database '" + place.second + "' is not empty; DROP DATABASE .. CASCADE drops what is in it", drop.name.position);
  }
  CatalogEntry& entry = *catalog.findCatalog(place.first);
  if (place.first == catalog.currentCatalog() && place.second == catalog.currentDatabase()) {
    return Status::plan("database '" + place.second + "' is in use; USE another one first", drop.name.position);
  }
  entry.databases.erase(place.second);
  return BoundStatement(okResult());
}

}  // namespace

Status checkCreatedCatalog(const sql::QualifiedName& name) {
  if (name.last() != SessionCatalog::kDefaultCatalog) return Status::ok();
  return Status::plan("the built-in catalog '" + name.last() + "' has no definition that could be shown or changed", name.position);
}

Result<BoundStatement> createCatalog(SessionCatalog& catalog, const sql::CreateCatalogStatement& create) {
  if (catalog.findCatalog(create.name.text)) {
    if (create.if_not_exists) return BoundStatement(okResult());
    return Status::plan("there is a catalog '" + create.name.text + "' already", create.name.position);
  }
  CatalogEntry entry;
  entry.comment = create.comment.value_or("");
  entry.options = optionsOf(create.options);
  std::string type = optionValue(entry.options, "type");
  RETURN_IF_ERROR(checkCatalogOptions(type, entry.options, create.position));
  entry.default_database = optionValue(entry.options, "default-database", "default");
  entry.databases[entry.default_database] = {};
  catalog.putCatalog(create.name.text, std::move(entry));
  return BoundStatement(okResult());
}

Result<BoundStatement> createDatabase(SessionCatalog& catalog, const sql::CreateDatabaseStatement& create) {
  ASSIGN_OR_RETURN(auto place, catalog.qualifyDatabase(create.name));
  CatalogEntry* entry = catalog.findCatalog(place.first);
  if (!entry) return Status::plan("there is no catalog '" + place.first + "'", create.name.position);
  if (entry->databases.contains(place.second)) {
    if (create.if_not_exists) return BoundStatement(okResult());
    return Status::plan("there is a database '" + place.second + "' in catalog '" + place.first + "' already", create.name.position);
  }
  CatalogDatabase database;
  database.comment = create.comment.value_or("");
  database.options = optionsOf(create.options);
  entry->databases[place.second] = std::move(database);
  return BoundStatement(okResult());
}

Result<BoundStatement> dropCatalogOrDatabase(SessionCatalog& catalog, const sql::DropStatement& drop) {
  switch (drop.object) {
    case sql::ObjectKind::CATALOG: return dropCatalog(catalog, drop);
    case sql::ObjectKind::DATABASE: return dropDatabase(catalog, drop);
    case sql::ObjectKind::FUNCTION: return dropFunction(catalog, drop);
    case sql::ObjectKind::MODEL: return dropModel(catalog, drop);
    default: return Status::notSupported("DROP of this kind of object is not built", drop.position);
  }
}

Result<BoundStatement> useStatement(SessionCatalog& catalog, const sql::UseStatement& use) {
  switch (use.what) {
    case sql::UseKind::CATALOG: RETURN_IF_ERROR(catalog.useCatalog(use.name.parts[0])); break;
    case sql::UseKind::DATABASE: RETURN_IF_ERROR(catalog.useDatabase(use.name)); break;
    case sql::UseKind::MODULES:
      if (use.modules.size() != 1 || use.modules[0].text != "core" || !catalog.coreLoaded()) {
        return Status::plan("USE MODULES takes loaded modules, each once; there is core", use.position);
      }
      break;
  }
  return BoundStatement(okResult());
}

}  // namespace thalweg
