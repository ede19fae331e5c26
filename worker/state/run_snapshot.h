// Tables in runs within a snapshot: reading them entry by entry. Writing and finding them is in table_snapshot.h.
//
// Threads: one owner.
#pragma once

#include "worker/state/table_snapshot.h"

namespace thalweg::worker {

/// The byte of flags in a table's head.
uint8_t flagsOf(const TableSnapshot& table);
void setFlags(uint8_t flags, TableSnapshot& table);

Status visitRuns(const TableSnapshot& table, uint32_t max_parallelism, const std::function<void(const StoredTableEntry&)>& visit);
/// Puts the entries whose key group is in `range` into the table.
Status readRuns(const TableSnapshot& stored, KeyGroupRange range, HotKeyedTable& table);
/// Of runs, newest first, what a table that owns `range` holds of them.
std::vector<HeldRun> restrictRuns(std::span<const HeldRun> runs, KeyGroupRange range, uint32_t max_parallelism);

}  // namespace thalweg::worker
