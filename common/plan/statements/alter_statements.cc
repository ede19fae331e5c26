// ALTER of tables, views, databases and catalogs.
#include "common/plan/binder/query_binder.h"
#include "common/plan/statements/statement_binder.h"
#include "common/sql/unparser.h"

namespace thalweg {
namespace {

template <typename Action>
const Action* actionOf(const sql::AlterStatement& alter) {
  return std::get_if<Action>(&alter.action);
}

void setOptions(const sql::OptionList& list, OptionMap& options) {
  for (const sql::Option& option : list) options[option.key] = option.value;
}

/// Moves an object to another name in its database.
Result<BoundStatement> rename(SessionCatalog& catalog, const ObjectPath& path, bool temporary, const sql::QualifiedName& name) {
  ObjectPath target = path;
  target.object = name.last();
  if (name.parts.size() > 1) {
    ASSIGN_OR_RETURN(target, catalog.qualify(name));
    if (target.catalog != path.catalog || target.database != path.database) {
      return Status::plan("RENAME TO cannot move an object to another database", name.position);
    }
  }
  if (temporary ? catalog.findTemporary(target) : catalog.findPermanent(target)) {
    return Status::plan("there is a table or view " + target.toString() + " already", name.position);
  }
  CatalogObject object = temporary ? *catalog.findTemporary(path) : *catalog.findPermanent(path);
  catalog.remove(path, temporary);
  RETURN_IF_ERROR(catalog.put(target, std::move(object), temporary));
  return BoundStatement(okResult());
}

Result<BoundStatement> alterTable(SessionCatalog& catalog, const BindEnvironment& environment, const ObjectPath& path,
                                  bool temporary, const TableDefinition& table, const sql::AlterStatement& alter) {
  if (const auto* to = actionOf<sql::alter::RenameTo>(alter)) return rename(catalog, path, temporary, to->name);
  ASSIGN_OR_RETURN(TableDefinition changed, alterDefinition(environment, path, table, alter));
  auto definition = std::make_shared<const TableDefinition>(std::move(changed));
  RETURN_IF_ERROR(catalog.put(path, CatalogObject{std::move(definition), nullptr}, temporary));
  return BoundStatement(okResult());
}

Result<BoundStatement> alterView(SessionCatalog& catalog, const BindEnvironment& environment, const ObjectPath& path,
                                 bool temporary, const ViewDefinition& view, const sql::AlterStatement& alter) {
  if (temporary) return Status::plan("a temporary view cannot be altered; drop it and create another", alter.position);
  if (const auto* to = actionOf<sql::alter::RenameTo>(alter)) return rename(catalog, path, temporary, to->name);
  const auto* as = actionOf<sql::alter::AsQuery>(alter);
  if (!as) return Status::notSupported("this ALTER VIEW is not built", alter.position);
  sql::CreateViewStatement create;
  create.temporary = temporary;
  create.name = alter.name;
  if (!view.comment.empty()) create.comment = view.comment;
  create.query = as->query;
  create.query_text = as->query_text;
  create.position = alter.position;
  CatalogObject before = temporary ? *catalog.findTemporary(path) : *catalog.findPermanent(path);
  catalog.remove(path, temporary);
  auto created = createView(catalog, environment, create);
  if (!created.isOk()) RETURN_IF_ERROR(catalog.put(path, std::move(before), temporary));
  return created;
}

Result<BoundStatement> alterObject(SessionCatalog& catalog, const BindEnvironment& environment, const sql::AlterStatement& alter) {
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(alter.name));
  bool view = alter.object == sql::ObjectKind::VIEW;
  const CatalogObject* temporary = catalog.findTemporary(path);
  const CatalogObject* object = temporary ? temporary : catalog.findPermanent(path);
  if (!object) {
    if (alter.if_exists) return BoundStatement(okResult());
    ASSIGN_OR_RETURN(object, catalog.get(path, alter.name));
  }
  if (object->isView() != view) {
    return Status::plan(path.toString() + " is a " + (view ? "table; use ALTER TABLE" : "view; use ALTER VIEW"), alter.name.position);
  }
  CatalogObject held = *object;
  if (view) return alterView(catalog, environment, path, temporary != nullptr, *held.view, alter);
  return alterTable(catalog, environment, path, temporary != nullptr, *held.table, alter);
}

Result<BoundStatement> alterDatabase(SessionCatalog& catalog, const sql::AlterStatement& alter) {
  ASSIGN_OR_RETURN(auto place, catalog.qualifyDatabase(alter.name));
  auto database = catalog.database(place.first, place.second);
  if (!database.isOk()) return database.status().at(alter.name.position);
  if (const auto* set = actionOf<sql::alter::SetOptions>(alter)) setOptions(set->options, (*database)->options);
  else return Status::notSupported("this ALTER DATABASE is not built", alter.position);
  return BoundStatement(okResult());
}

Result<BoundStatement> alterCatalog(SessionCatalog& catalog, const sql::AlterStatement& alter) {
  CatalogEntry* entry = catalog.findCatalog(alter.name.last());
  if (entry) RETURN_IF_ERROR(checkCreatedCatalog(alter.name));
  if (!entry) return Status::plan("there is no catalog '" + alter.name.last() + "'", alter.name.position);
  if (const auto* set = actionOf<sql::alter::SetOptions>(alter)) {
    for (const sql::Option& option : set->options) {
      if (option.key == "type") return Status::plan("the type of a catalog cannot be changed", option.position);
      if (option.key != "default-database" && !entry->options.contains(option.key)) {
        return Status::plan("unknown option '" + option.key + "' of a catalog", option.position);
      }
    }
    setOptions(set->options, entry->options);
  } else if (const auto* reset = actionOf<sql::alter::ResetOptions>(alter)) {
    if (reset->keys.empty()) return Status::plan("RESET needs the keys to reset", alter.position);
    for (const std::string& key : reset->keys) {
      if (key == "type") return Status::plan("the type of a catalog cannot be reset", alter.position);
      entry->options.erase(key);
    }
  } else if (const auto* comment = actionOf<sql::alter::SetComment>(alter)) {
    entry->comment = comment->comment;
  } else {
    return Status::notSupported("this ALTER CATALOG is not built", alter.position);
  }
  return BoundStatement(okResult());
}

}  // namespace

Result<BoundStatement> alterStatement(SessionCatalog& catalog, const BindEnvironment& environment,
                                      const sql::AlterStatement& alter) {
  switch (alter.object) {
    case sql::ObjectKind::TABLE: case sql::ObjectKind::VIEW: return alterObject(catalog, environment, alter);
    case sql::ObjectKind::DATABASE: return alterDatabase(catalog, alter);
    case sql::ObjectKind::CATALOG: return alterCatalog(catalog, alter);
    case sql::ObjectKind::MODEL: return alterModel(catalog, alter);
    default: return Status::notSupported("ALTER of this kind of object is not built", alter.position);
  }
}

}  // namespace thalweg
