// How large the tables of a query are, as far as a look at the files tells. For the planner (PlannerSettings::table_rows).
//
// Threads: any. Errors: what cannot be looked at has no size.
#pragma once

#include <optional>

#include "common/plan/catalog/catalog.h"

namespace thalweg::client {

/// About how many rows a table of files on this machine has.
std::optional<double> rowsInFiles(const ResolvedTable& table);

}  // namespace thalweg::client
