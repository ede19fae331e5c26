// TableSnapshot: one keyed table in a snapshot, by key group so that state can move when a job is rescaled: its entries
// as bytes, or as runs that stand in files beside them. The formats are at the heads of table_snapshot.cc and
// run_snapshot.cc.
//
// Reading checks everything: bytes that are damaged or of another layout give INVALID_ARGUMENT, never a crash.
// Threads: one owner.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "worker/state/hot_keyed_table.h"
#include "worker/state/run_merge.h"

namespace thalweg::worker {

/// Key groups [begin, end).
struct KeyGroupRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool contains(uint64_t group) const { return group >= begin && group < end; }
  bool operator==(const KeyGroupRange&) const = default;
};
/// The key groups of one of `parallelism` subtasks.
KeyGroupRange keyGroupsOf(uint32_t subtask, uint32_t parallelism, uint32_t max_parallelism);

/// An operator's keyed state in a snapshot.
struct KeyedSnapshot {
  std::string bytes;
  std::vector<std::shared_ptr<const StateRun>> runs;

  bool empty() const { return bytes.empty(); }
};

/// A table in a snapshot, not yet read further than its head. Lifetime: borrows the snapshot's bytes.
struct TableSnapshot {
  std::string_view name;
  uint64_t layout_version = 0;
  uint64_t payload_bytes = 0;
  bool fixed_keys = false;
  bool has_touch_times = false;
  bool serialized_payloads = false;       ///< by the table's hook; else raw
  struct Group {
    uint64_t key_group;
    std::string_view entries;
  };
  std::vector<Group> groups;
  std::string_view all;                   ///< the whole table's bytes
  std::vector<HeldRun> runs;              ///< newest first; then there are no groups
};

/// Appends the table.
void writeTable(const HotKeyedTable& table, uint32_t max_parallelism, std::string& out);

/// Appends the head of a snapshot of `tables` tables, which follow.
void writeSnapshotHead(size_t tables, std::string& out);
/// The tables of a snapshot.
Result<std::vector<TableSnapshot>> readSnapshot(std::string_view bytes);
/// The same, of which some may be in runs.
Result<std::vector<TableSnapshot>> readSnapshot(const KeyedSnapshot& snapshot, uint32_t max_parallelism);
/// Puts tables in runs before `rest`, a snapshot without runs or nothing. `tables`: heads and runs are read.
KeyedSnapshot joinSnapshots(std::span<const TableSnapshot> tables, std::string_view rest);
/// The same content as bytes alone.
Result<std::string> withoutRuns(const KeyedSnapshot& snapshot, uint32_t max_parallelism);
/// The head of a table, its runs to be filled in.
TableSnapshot headOf(const KeyedTableSpec& spec);

/// An entry as it stands in a snapshot. Lifetime: borrows the snapshot's bytes.
struct StoredTableEntry {
  uint64_t key_group = 0;
  StateNamespace ns = 0;
  std::string_view key;
  int64_t touched_ms = 0;                 ///< 0 where the table keeps none
  std::string_view payload;
};
/// Calls `visit` for each, by key group, then namespace; those in runs by namespace, then key group.
Status visitEntries(const TableSnapshot& table, uint32_t max_parallelism, const std::function<void(const StoredTableEntry&)>& visit);

/// Fills the empty `table` with the entries of `parts` (one per old subtask) whose key group is in `range`, in the
/// order in which they were made.
Status readEntries(std::span<const TableSnapshot> parts, KeyGroupRange range, HotKeyedTable& table);
/// Whether a table of `spec` can read what was stored.
Status checkLayout(const TableSnapshot& stored, const KeyedTableSpec& spec);

}  // namespace thalweg::worker
