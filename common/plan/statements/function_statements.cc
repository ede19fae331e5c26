// CREATE, ALTER, DROP and DESCRIBE of functions; LOAD and UNLOAD of modules.
//
// Functions of the JVM cannot run here. A permanent one is kept by name, as Flink keeps it without a look at its
// class, and fails when it is called; a temporary one fails at once, as Flink fails when the class is not found.
#include "common/functions/function_registry.h"
#include "common/plan/expressions/expression_binder.h"
#include "common/plan/statements/statement_binder.h"

namespace thalweg {

Result<BoundStatement> createFunction(SessionCatalog& catalog, const sql::CreateFunctionStatement& create) {
  ASSIGN_OR_RETURN(ObjectPath path, catalog.qualify(create.name));
  auto found = catalog.functions().find(path);
  bool there = found != catalog.functions().end();
  if (create.temporary || create.system) {
    return Status::plan("class '" + create.class_name + "' cannot be loaded: functions here are built in or written in C++",
                        create.position);
  }
  if (create.alter) {
    if (!there && create.if_exists) return BoundStatement(okResult());
    if (!there) return Status::plan("there is no function '" + create.name.toString() + "'", create.name.position);
    found->second.class_name = create.class_name;
    return BoundStatement(okResult());
  }
  if (there && create.if_not_exists) return BoundStatement(okResult());
  if (there) return Status::plan("there is a function '" + create.name.toString() + "' already", create.name.position);
  catalog.functions()[path] = {create.class_name};
  return BoundStatement(okResult());
}

Result<BoundStatement> dropFunction(SessionCatalog& catalog, const sql::DropStatement& drop) {
  ASSIGN_OR_RETURN(ObjectPath path, catalog.qualify(drop.name));
  bool dropped = !drop.temporary && catalog.functions().erase(path) > 0;
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
  bool system = describe.name.isSimple() && catalog.coreLoaded() && (scalar || aggregate);
  if (!system) {
    ASSIGN_OR_RETURN(ObjectPath path, catalog.qualify(describe.name));
    if (!catalog.functions().contains(path)) {
      return Status::plan("there is no function '" + describe.name.toString() + "'", describe.name.position);
    }
  }
  TableResult result;
  result.schema = Schema({{"info name", DataType::string()}, {"info value", DataType::string()}});
  const auto row = [&](const char* key, std::string value) {
    result.rows.push_back({Value::string(key), Value::string(std::move(value))});
  };
  row("is system function", system ? "true" : "false");
  row("is temporary", "false");
  if (describe.extended && system) {
    bool deterministic = !scalar || scalar->determinism == Determinism::DETERMINISTIC;
    row("kind", scalar ? "SCALAR" : "AGGREGATE");
    row("requirements", "[]");
    row("is deterministic", deterministic ? "true" : "false");
    row("supports constant folding", deterministic ? "true" : "false");
    row("signature", scalar ? scalar->signature : aggregate->signature);
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
