#include "client/library/function_libraries.h"

#include <dlfcn.h>

#include <map>
#include <mutex>

#include "client/api/table/user_functions.h"
#include "client/api/thalweg/function_library.h"

namespace thalweg::client {
namespace {

std::string lastError() {
  const char* text = dlerror();
  return text ? text : "no cause was given";
}

/// The open library; each is opened once and for good.
Result<void*> openLibrary(const std::string& path) {
  static std::mutex mutex;
  static auto* open = new std::map<std::string, void*>();
  const std::lock_guard lock(mutex);
  const auto found = open->find(path);
  if (found != open->end()) return found->second;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return Status::plan("library '" + path + "' cannot be loaded: " + lastError());
  return (*open)[path] = library;
}

Status checkVersion(void* library, const std::string& path) {
  const auto version = reinterpret_cast<api::LibraryVersionFunction>(dlsym(library, api::kLibraryVersionSymbol));
  if (!version) return Status::plan("library '" + path + "' says no version: it has no THALWEG_FUNCTION in it");
  const std::string_view found = version();
  if (found == api::kLibraryVersion) return {};
  return Status::plan("library '" + path + "' was made with version '" + std::string(found) + "' of the headers; this program needs '" + std::string(api::kLibraryVersion) + "'");
}

Status load(const std::string& name, const CatalogFunction& function, SessionFunctions& functions) {
  const std::string& path = function.resources.at(0).uri;
  ASSIGN_OR_RETURN(void* const library, openLibrary(path));
  RETURN_IF_ERROR(checkVersion(library, path));
  const std::string symbol = std::string(api::kLibraryFunctionPrefix) + function.class_name;
  const auto make = reinterpret_cast<api::LibraryFunctionMaker>(dlsym(library, symbol.c_str()));
  if (!make) return Status::plan("library '" + path + "' has no function '" + function.class_name + "'; it names those it has with THALWEG_FUNCTION");
  try {
    api::UserFunction made;
    make(made);
    api::registerFunction(functions, name, std::move(made), {});
  } catch (const std::exception& thrown) {
    return Status::plan("function '" + function.class_name + "' of library '" + path + "': " + thrown.what());
  }
  return {};
}

}  // namespace

LibraryFunctions::Loader functionLibraryLoader() { return load; }

}  // namespace thalweg::client
