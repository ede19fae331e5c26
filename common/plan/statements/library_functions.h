// LibraryFunctions: the functions of a session that come from shared libraries (LANGUAGE CPP USING LIBRARY '…').
//
// Who may run users' code gives the session a loader; without one such functions are kept by name and fail when they are
// called. In sight by their plain names are those of the current database and the temporary system ones.
// Threads: the session's. Errors: the loader's own; a function that cannot be loaded fails where it is called.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "common/functions/session_functions.h"
#include "common/plan/catalog/session_catalog.h"

namespace thalweg {

class LibraryFunctions {
 public:
  /// Adds the function to `functions` under `name`.
  using Loader = std::function<Status(const std::string& name, const CatalogFunction& function, SessionFunctions& functions)>;
  void setLoader(Loader loader) { loader_ = std::move(loader); }

  /// Whether the function can be loaded; true without a loader.
  Status check(const std::string& name, const CatalogFunction& function) const;
  /// Makes `functions` hold what is in sight now, and nothing that was before.
  void refresh(const SessionCatalog& catalog, SessionFunctions& functions);

 private:
  Loader loader_;
  std::map<std::string, CatalogFunction> shown_;   // by upper-case name
};

}  // namespace thalweg
