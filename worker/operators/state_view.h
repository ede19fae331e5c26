// StateView: the keyed state of an operator as rows with names and types, for people who look into a checkpoint.
//
//   std::vector<StateTableView> tables = stateTablesOf(node);
//   RETURN_IF_ERROR(table.read(payload, columns, rows));       // what one entry holds
//
// Of operators whose entries are rows or accumulators: GROUP BY, windows that are not sessions, joins, Top-N,
// deduplication, changelog normalisation. Others give no table; what they keep can be shown as bytes only.
// Errors: INVALID_ARGUMENT where bytes are not what such an operator writes. Threads: one owner. Lifetime: borrows nothing.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/plan/plan_node.h"

namespace thalweg::worker {

struct StateTableView {
  std::string name;
  Schema keys = {};
  Schema values = {};                 ///< nothing: that the key is there says it all
  bool has_windows = false;          ///< namespaces are ends of windows
  /// The rows of an entry, a column for each of `values`.
  std::function<Status(std::string_view payload, std::vector<VectorPtr>& columns, size_t& rows)> read = {};
};

std::vector<StateTableView> stateTablesOf(const PlanNode& node);

/// The columns of one key, as they stand in a checkpoint.
Status readStateKey(const StateTableView& table, bool fixed_keys, std::string_view key, std::vector<VectorPtr>& columns);

}  // namespace thalweg::worker
