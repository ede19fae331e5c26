// CREATE, ALTER, DROP and DESCRIBE of functions; LOAD and UNLOAD of modules.
//
// Functions of the JVM cannot run here. A permanent one is kept by name, as Flink keeps it without a look at its
// class, and fails when it is called; a temporary one fails at once, as Flink fails when the class is not found.
// Functions of shared libraries are looked for at once in both cases.
#include "common/functions/function_registry.h"
#include "common/plan/expressions/expression_binder.h"
#include "common/plan/statements/described_functions.h"
#include "common/plan/statements/statement_binder.h"

namespace thalweg {
namespace {

CatalogFunction definitionOf(const sql::CreateFunctionStatement& create) {
  CatalogFunction function{create.class_name, create.language.value_or(""), {}, create.temporary, create.system};
  for (const sql::FunctionResource& resource : create.resources) function.resources.push_back({resource.kind, resource.uri});
  return function;
}

/// System functions have a name and no place.
Result<ObjectPath> pathOf(const SessionCatalog& catalog, const sql::QualifiedName& name, bool system) {
  if (system) return ObjectPath{"", "", name.last()};
  return catalog.qualify(name);
}

/// Each form with the name as it was asked for.
std::string signatureOf(const DescribedFunction& described, const std::string& name) {
  std::string text = name;
  for (const char c : described.arguments) text += c == '\n' ? "\n" + name : std::string(1, c);
  return text;
}

bool isBuiltIn(const std::string& name) {
  const SessionFunctions none;
  const SessionFunctions::InSight only_built_in(none);
  const FunctionRegistry& registry = FunctionRegistry::instance();
  return registry.scalar(upperName(name)) || registry.aggregate(upperName(name));
}

/// What CREATE and ALTER of a function in C++ check before anything is kept.
Status checkLibraryFunction(const sql::CreateFunctionStatement& create, const LibraryFunctions& libraries) {
  if (create.resources.size() != 1) return Status::plan("a function in C++ comes from one LIBRARY", create.position);
  if (!create.system && isBuiltIn(create.name.last())) {
    return Status::plan("there is a built-in function '" + create.name.last() + "'; only a TEMPORARY SYSTEM FUNCTION may take its name", create.name.position);
  }
  const Status status = libraries.check(create.name.last(), definitionOf(create));
  return status.isOk() ? status : status.at(create.position);
}

}  // namespace

Result<BoundStatement> createFunction(SessionCatalog& catalog, const sql::CreateFunctionStatement& create, const LibraryFunctions& libraries) {
  const bool cpp = create.language == "CPP";
  ASSIGN_OR_RETURN(ObjectPath path, pathOf(catalog, create.name, cpp && create.system));
  auto found = catalog.functions().find(path);
  bool there = found != catalog.functions().end();
  if (!cpp && (create.temporary || create.system)) {
    return Status::plan("class '" + create.class_name + "' cannot be loaded: functions here are built in or written in C++",
                        create.position);
  }
  if (!create.temporary) RETURN_IF_ERROR(catalog.database(path.catalog, path.database).status());
  if (create.alter) {
    if (!there && create.if_exists) return BoundStatement(okResult());
    if (!there) return Status::plan("there is no function '" + create.name.toString() + "'", create.name.position);
    if (cpp) RETURN_IF_ERROR(checkLibraryFunction(create, libraries));
    found->second = definitionOf(create);
    return BoundStatement(okResult());
  }
  if (there && create.if_not_exists) return BoundStatement(okResult());
  if (there) return Status::plan("there is a function '" + create.name.toString() + "' already", create.name.position);
  if (cpp) RETURN_IF_ERROR(checkLibraryFunction(create, libraries));
  catalog.functions()[path] = definitionOf(create);
  return BoundStatement(okResult());
}

Result<BoundStatement> dropFunction(SessionCatalog& catalog, const sql::DropStatement& drop) {
  ASSIGN_OR_RETURN(ObjectPath path, pathOf(catalog, drop.name, drop.system));
  const auto found = catalog.functions().find(path);
  const bool dropped = found != catalog.functions().end() && found->second.temporary == drop.temporary;
  if (dropped) catalog.functions().erase(found);
  if (!dropped && !drop.if_exists) {
    return Status::plan("there is no " + std::string(drop.temporary ? "temporary " : "") + "function '" + drop.name.toString() +
                        "' that could be dropped", drop.name.position);
  }
  return BoundStatement(okResult());
}

Result<BoundStatement> describeFunction(const SessionCatalog& catalog, const sql::DescribeStatement& describe) {
  std::string name = upperName(describe.name.last());
  const FunctionRegistry& registry = FunctionRegistry::instance();
  const ScalarFunction* scalar = registry.scalar(name);
  const AggregateFunction* aggregate = registry.aggregate(name);
  const auto own_function = catalog.functions().find({"", "", describe.name.last()});
  ASSIGN_OR_RETURN(const ObjectPath place, catalog.qualify(describe.name));
  const bool of_catalog = catalog.functions().contains(place);
  const DescribedFunction* described = describedFunction(describe.name.last());
  bool system = !of_catalog && describe.name.isSimple() && catalog.coreLoaded() && (described || scalar || aggregate);
  if (!system && !of_catalog) return Status::plan("there is no function '" + describe.name.toString() + "'", describe.name.position);
  const bool temporary = of_catalog ? catalog.functions().at(place).temporary : own_function != catalog.functions().end();
  TableResult result;
  result.schema = Schema({{"info name", DataType::string()}, {"info value", DataType::string()}});
  const auto row = [&](const char* key, std::string value) {
    result.rows.push_back({Value::string(key), Value::string(std::move(value))});
  };
  row("is system function", system ? "true" : "false");
  row("is temporary", temporary ? "true" : "false");
  if (describe.extended && system) {
    const bool own = own_function != catalog.functions().end() || !described;
    const bool deterministic = own ? !scalar || scalar->determinism == Determinism::DETERMINISTIC : described->deterministic;
    row("kind", own ? (scalar ? "SCALAR" : "AGGREGATE") : std::string(described->kind));
    row("requirements", "[]");
    row("is deterministic", deterministic ? "true" : "false");
    row("supports constant folding", own && !deterministic ? "false" : "true");
    row("signature", own ? (scalar ? scalar->signature : aggregate->signature) : signatureOf(*described, describe.name.last()));
  }
  return BoundStatement(std::move(result));
}

Result<BoundStatement> moduleStatement(SessionCatalog& catalog, const sql::ModuleStatement& module) {
  if (module.name.text != "core") {
    return Status::plan(module.load ? "there is no module '" + module.name.text + "' to load; there is core"
                                    : "there is no loaded module '" + module.name.text + "'", module.name.position);
  }
  if (module.load == catalog.coreLoaded()) {
    return Status::plan(std::string("the module core is ") + (module.load ? "loaded already" : "not loaded"), module.name.position);
  }
  catalog.setCoreLoaded(module.load);
  return BoundStatement(okResult());
}

}  // namespace thalweg
