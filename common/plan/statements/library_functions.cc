#include "common/plan/statements/library_functions.h"

#include <cstdint>

#include "common/plan/expressions/expression_binder.h"

namespace thalweg {
namespace {

/// Stands for a function that could not be loaded.
ScalarFunction failing(const std::string& name, const Status& status) {
  ScalarFunction function;
  function.name = name;
  function.category = "user function";
  function.max_arguments = SIZE_MAX;
  function.resolve = [status](std::span<const ArgumentInfo>) -> Result<ResolvedSignature> { return status; };
  return function;
}

}  // namespace

Status LibraryFunctions::check(const std::string& name, const CatalogFunction& function) const {
  SessionFunctions scratch;
  return loader_ ? loader_(name, function, scratch) : Status();
}

void LibraryFunctions::refresh(const SessionCatalog& catalog, SessionFunctions& functions) {
  std::map<std::string, CatalogFunction> wanted;
  for (const auto& [path, function] : catalog.functions()) {
    const bool in_sight = function.system || (path.catalog == catalog.currentCatalog() && path.database == catalog.currentDatabase());
    if (function.language == "CPP" && in_sight) wanted.emplace(upperName(path.object), function);   // system ones come first
  }
  if (wanted == shown_) return;
  for (const auto& [name, function] : shown_) functions.remove(name);
  for (const auto& [name, function] : wanted) {
    const Status loaded = loader_ ? loader_(name, function, functions)
                                  : Status::notSupported("function " + name + " of a shared library runs in the shell's own process; jobs on a cluster cannot call it yet");
    if (!loaded.isOk()) functions.add(failing(name, loaded));
  }
  shown_ = std::move(wanted);
}

}  // namespace thalweg
