#include "common/plan/catalog/session_catalog.h"

#include <set>

#include "common/base/edit_distance.h"

namespace thalweg {
namespace {

template <typename Map>
std::string nearestKey(const Map& map, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : map) names.push_back(name);
  return didYouMean(wanted, std::span<const std::string>(names));
}

}  // namespace

SessionCatalog::SessionCatalog() : current_catalog_(kDefaultCatalog), current_database_(kDefaultDatabase) {
  CatalogEntry entry;
  entry.default_database = kDefaultDatabase;
  entry.options["type"] = "generic_in_memory";
  entry.options["default-database"] = kDefaultDatabase;
  entry.databases[kDefaultDatabase] = {};
  catalogs_[kDefaultCatalog] = std::move(entry);
}

Status SessionCatalog::useCatalog(const sql::Identifier& name) {
  const CatalogEntry* entry = findCatalog(name.text);
  if (!entry) {
    return Status::plan("there is no catalog '" + name.text + "'" + nearestKey(catalogs_, name.text), name.position);
  }
  if (name.text == current_catalog_) return Status::ok();
  current_catalog_ = name.text;
  current_database_ = entry->default_database;
  return Status::ok();
}

Status SessionCatalog::useDatabase(const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(auto place, qualifyDatabase(name));
  auto found = static_cast<const SessionCatalog*>(this)->database(place.first, place.second);
  if (!found.isOk()) return found.status().at(name.position);
  setCurrent(place.first, place.second);
  return Status::ok();
}

void SessionCatalog::setCurrent(std::string catalog, std::string database) {
  current_catalog_ = std::move(catalog);
  current_database_ = std::move(database);
}

Result<ObjectPath> SessionCatalog::qualify(const sql::QualifiedName& name, const std::string& catalog,
                                           const std::string& database) const {
  std::vector<std::string> parts = name.texts();
  switch (parts.size()) {
    case 1: return ObjectPath{catalog, database, parts[0]};
    case 2: return ObjectPath{catalog, parts[0], parts[1]};
    case 3: return ObjectPath{parts[0], parts[1], parts[2]};
    default:
      return Status::plan("a name has at most three parts (catalog.database.object), but '" + name.toString() +
                          "' has " + std::to_string(parts.size()), name.position);
  }
}

Result<std::pair<std::string, std::string>> SessionCatalog::qualifyDatabase(const sql::QualifiedName& name) const {
  std::vector<std::string> parts = name.texts();
  if (parts.size() == 1) return std::pair(current_catalog_, parts[0]);
  if (parts.size() == 2) return std::pair(parts[0], parts[1]);
  return Status::plan("a database's name has at most two parts (catalog.database), but '" + name.toString() + "' has " +
                      std::to_string(parts.size()), name.position);
}

const CatalogObject* SessionCatalog::findTemporary(const ObjectPath& path) const {
  auto found = temporary_.find(path);
  return found == temporary_.end() ? nullptr : &found->second;
}

const CatalogObject* SessionCatalog::findPermanent(const ObjectPath& path) const {
  auto db = database(path.catalog, path.database);
  if (!db.isOk()) return nullptr;
  auto found = (*db)->objects.find(path.object);
  return found == (*db)->objects.end() ? nullptr : &found->second;
}

const CatalogObject* SessionCatalog::find(const ObjectPath& path) const {
  const CatalogObject* temporary = findTemporary(path);
  return temporary ? temporary : findPermanent(path);
}

Result<const CatalogObject*> SessionCatalog::get(const ObjectPath& path, const sql::QualifiedName& name) const {
  if (const CatalogObject* object = find(path)) return object;
  std::string message = "there is no table or view '" + name.toString() + "'";
  auto db = database(path.catalog, path.database);
  if (!db.isOk()) return Status::plan(message + ": " + db.status().message(), name.position);
  std::vector<std::string> names = objectNames(path.catalog, path.database, false);
  message += " in database '" + path.database + "'" + didYouMean(path.object, std::span<const std::string>(names));
  return Status::plan(message, name.position);
}

Status SessionCatalog::put(const ObjectPath& path, CatalogObject object, bool temporary) {
  if (temporary) {
    temporary_[path] = std::move(object);
    return Status::ok();
  }
  ASSIGN_OR_RETURN(CatalogDatabase * db, database(path.catalog, path.database));
  db->objects[path.object] = std::move(object);
  return Status::ok();
}

void SessionCatalog::remove(const ObjectPath& path, bool temporary) {
  if (temporary) {
    temporary_.erase(path);
    return;
  }
  auto db = database(path.catalog, path.database);
  if (db.isOk()) (*db)->objects.erase(path.object);
}

const CatalogEntry* SessionCatalog::findCatalog(const std::string& name) const {
  auto found = catalogs_.find(name);
  return found == catalogs_.end() ? nullptr : &found->second;
}

CatalogEntry* SessionCatalog::findCatalog(const std::string& name) {
  auto found = catalogs_.find(name);
  return found == catalogs_.end() ? nullptr : &found->second;
}

Result<const CatalogDatabase*> SessionCatalog::database(const std::string& catalog, const std::string& name) const {
  const CatalogEntry* entry = findCatalog(catalog);
  if (!entry) return Status::plan("there is no catalog '" + catalog + "'" + nearestKey(catalogs_, catalog));
  auto found = entry->databases.find(name);
  if (found == entry->databases.end()) {
    return Status::plan("there is no database '" + name + "' in catalog '" + catalog + "'" +
                        nearestKey(entry->databases, name));
  }
  return &found->second;
}

Result<CatalogDatabase*> SessionCatalog::database(const std::string& catalog, const std::string& name) {
  ASSIGN_OR_RETURN(const CatalogDatabase* db, static_cast<const SessionCatalog*>(this)->database(catalog, name));
  return const_cast<CatalogDatabase*>(db);
}

std::vector<std::string> SessionCatalog::objectNames(const std::string& catalog, const std::string& database_name,
                                                     bool views_only) const {
  std::set<std::string> names;
  auto db = database(catalog, database_name);
  if (db.isOk()) {
    for (const auto& [name, object] : (*db)->objects) {
      ObjectPath path{catalog, database_name, name};
      const CatalogObject* seen = find(path);
      if (!views_only || seen->isView()) names.insert(name);
    }
  }
  for (const auto& [path, object] : temporary_) {
    if (path.catalog != catalog || path.database != database_name) continue;
    if (!views_only || object.isView()) names.insert(path.object);
  }
  return {names.begin(), names.end()};
}

}  // namespace thalweg
