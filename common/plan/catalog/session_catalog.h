// SessionCatalog: the catalogs of one session, their databases, and what is in them, found by name.
//
// A name of one part is sought in the current database, of two in the current catalog. Temporary objects shadow
// permanent ones of the same path; they belong to the session, not to their database.
// Errors: PLAN_ERROR naming the nearest name. Threads: one session's.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/plan/catalog/catalog.h"
#include "common/sql/ast_name.h"

namespace thalweg {

using TableDefinitionPtr = std::shared_ptr<const TableDefinition>;
using ViewDefinitionPtr = std::shared_ptr<const ViewDefinition>;

/// A table or a view; exactly one is set.
struct CatalogObject {
  TableDefinitionPtr table = nullptr;
  ViewDefinitionPtr view = nullptr;
  bool isView() const { return view != nullptr; }
};

/// The type of a catalog that outlives the session; who keeps it is the session's owner.
inline constexpr std::string_view kFileCatalogType = "file";

/// A function of the user's. Classes of the JVM cannot be loaded, so of those only the name is kept.
struct CatalogFunction {
  struct Resource {
    std::string kind;                             ///< JAR, ARTIFACT or LIBRARY
    std::string uri;
    bool operator==(const Resource&) const = default;
  };
  std::string class_name;                         ///< or the symbol of a library
  std::string language = {};                      ///< as written; empty: JAVA
  std::vector<Resource> resources = {};
  bool temporary = false;
  bool system = false;                            ///< of no catalog: its path has only a name
  bool operator==(const CatalogFunction&) const = default;
};

/// A model: kept and shown; nothing here can run one.
struct CatalogModel {
  std::vector<TableColumn> inputs;
  std::vector<TableColumn> outputs;
  std::string comment;
  OptionMap options;
};

struct CatalogDatabase {
  std::string comment = {};
  OptionMap options = {};
  std::map<std::string, CatalogObject> objects = {};
};

struct CatalogEntry {
  std::string comment = {};
  OptionMap options = {};
  std::string default_database = "default";
  std::map<std::string, CatalogDatabase> databases = {};
};

class SessionCatalog {
 public:
  static constexpr const char* kDefaultCatalog = "default_catalog";
  static constexpr const char* kDefaultDatabase = "default_database";

  SessionCatalog();

  const std::string& currentCatalog() const { return current_catalog_; }
  /// Empty after USE CATALOG of a catalog without a database.
  const std::string& currentDatabase() const { return current_database_; }
  Status useCatalog(const sql::Identifier& name);
  Status useDatabase(const sql::QualifiedName& name);
  /// Without a check.
  void setCurrent(std::string catalog, std::string database);

  /// The full path of a name of one to three parts.
  Result<ObjectPath> qualify(const sql::QualifiedName& name) const {
    return qualify(name, current_catalog_, current_database_);
  }
  /// The same from another place than the current one.
  Result<ObjectPath> qualify(const sql::QualifiedName& name, const std::string& catalog, const std::string& database) const;
  /// Catalog and database of a name of one or two parts.
  Result<std::pair<std::string, std::string>> qualifyDatabase(const sql::QualifiedName& name) const;

  /// The object, temporary ones first; null if there is none.
  const CatalogObject* find(const ObjectPath& path) const;
  const CatalogObject* findTemporary(const ObjectPath& path) const;
  const CatalogObject* findPermanent(const ObjectPath& path) const;
  /// The object, or PLAN_ERROR `no table or view 't'; did you mean ..`.
  Result<const CatalogObject*> get(const ObjectPath& path, const sql::QualifiedName& name) const;

  /// Puts an object in, over one of the same path. The database must exist unless the object is temporary.
  Status put(const ObjectPath& path, CatalogObject object, bool temporary);
  void remove(const ObjectPath& path, bool temporary);

  const CatalogEntry* findCatalog(const std::string& name) const;
  CatalogEntry* findCatalog(const std::string& name);
  Result<CatalogDatabase*> database(const std::string& catalog, const std::string& database);
  Result<const CatalogDatabase*> database(const std::string& catalog, const std::string& database) const;
  void putCatalog(const std::string& name, CatalogEntry entry) { catalogs_[name] = std::move(entry); }
  void removeCatalog(const std::string& name) { catalogs_.erase(name); }
  const std::map<std::string, CatalogEntry>& catalogs() const { return catalogs_; }
  const std::map<ObjectPath, CatalogObject>& temporaryObjects() const { return temporary_; }

  std::map<ObjectPath, CatalogFunction>& functions() { return functions_; }
  const std::map<ObjectPath, CatalogFunction>& functions() const { return functions_; }
  std::map<ObjectPath, CatalogModel>& models() { return models_; }
  const std::map<ObjectPath, CatalogModel>& models() const { return models_; }
  /// Whether the module `core`, which has all built-in functions, is loaded.
  bool coreLoaded() const { return core_loaded_; }
  void setCoreLoaded(bool loaded) { core_loaded_ = loaded; }

  /// Names in a database, temporary ones included, sorted by code point; views only, or tables and views.
  std::vector<std::string> objectNames(const std::string& catalog, const std::string& database, bool views_only) const;

 private:
  std::string current_catalog_;
  std::string current_database_;
  std::map<std::string, CatalogEntry> catalogs_;
  std::map<ObjectPath, CatalogObject> temporary_;
  std::map<ObjectPath, CatalogFunction> functions_;
  std::map<ObjectPath, CatalogModel> models_;
  bool core_loaded_ = true;
};

}  // namespace thalweg
