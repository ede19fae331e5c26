// lookAtAll: reads a whole namespace without bringing what is on disk into memory for good.
//
// For operators that make something else from their state when they open: due times, above all. Payloads are to be looked
// at only. Threads: as the operator.
#pragma once

#include <utility>
#include <vector>

#include "common/runtime_api/state.h"

namespace thalweg {

/// Calls `visit(key, payload)` for each entry.
template <typename Visit>
Status lookAtAll(KeyedTable& table, StateNamespace ns, Visit&& visit) {
  constexpr size_t kAtOnce = 1024;
  const auto cursor = table.scan(ns);
  std::vector<std::pair<std::string_view, char*>> entries;
  do {
    RETURN_IF_ERROR(cursor->next(kAtOnce, entries));
    for (const auto& [key, payload] : entries) visit(key, payload);
  } while (!entries.empty());
  return {};
}

}  // namespace thalweg
