// BindEnvironment: what binding needs to know of its session. Borrowed for one statement; never changed by binding.
#pragma once

#include <string>

#include "common/config/configuration.h"
#include "common/plan/catalog/session_catalog.h"
#include "common/types/time_zone.h"

namespace thalweg {

class ViewExpansion;

struct BindEnvironment {
  const SessionCatalog* catalog = nullptr;
  const Configuration* configuration = nullptr;
  TimeZone session_zone = {};   ///< table.local-time-zone
  bool batch_mode = false;      ///< execution.runtime-mode
  std::string current_catalog = {};   ///< where names of one or two parts are sought: a view's creator's, or the session's
  std::string current_database = {};
  bool foreign_text = false;    ///< what is bound stands in a view or a table's definition: its positions mean nothing here
  ViewExpansion* expansion = nullptr;   ///< notes what names mean, while a view is made

  /// A place in what is bound, as messages may show it.
  SourcePosition shown(SourcePosition position) const { return foreign_text ? SourcePosition() : position; }

  Result<ObjectPath> qualify(const sql::QualifiedName& name) const {
    return catalog->qualify(name, current_catalog, current_database);
  }
};

}  // namespace thalweg
