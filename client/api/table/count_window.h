// Group windows that count rows, which SQL has no function for: a window is the last `size` rows of its group, seen at
// every `slide`-th of them.
// Errors: UnsupportedOperationException for what Flink refuses, too (event time, batch mode, bounds of such a window).
// Threads: one environment's.
#pragma once

#include <vector>

#include "client/api/table/table_state.h"

namespace thalweg::api {

/// Whether the size of `window` is a number of rows.
bool countsRows(const GroupWindow& window);
/// Throws if `window` cannot be over `table`.
void checkCountWindow(const Table& table, const GroupWindow& window);
/// `fields` of each full window; `keys` name the window and what else groups.
Table countWindowTable(const Table& table, const GroupWindow& window, const std::vector<Expression>& keys, const std::vector<Expression>& fields);

}  // namespace thalweg::api
