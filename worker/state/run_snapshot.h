// Tables in runs within a snapshot: reading them entry by entry; and what both kinds of tables have in common. Writing and
// finding them is in table_snapshot.h.
//
// Threads: one owner.
#pragma once

#include "common/base/byte_stream.h"
#include "worker/state/table_snapshot.h"

namespace thalweg::worker {

Status damagedSnapshot(std::string_view what);
/// Appends the head of a table and the number of the key groups or runs that follow.
void writeTableHead(const TableSnapshot& head, size_t parts, std::string& out);
/// The head without that number.
TableSnapshot readTableHead(ByteReader& reader);
/// Puts an entry that stood in a snapshot into the table.
Status putEntry(const StoredTableEntry& entry, HotKeyedTable& table);

Status visitRuns(const TableSnapshot& table, uint32_t max_parallelism, const std::function<void(const StoredTableEntry&)>& visit);
/// Puts the entries whose key group is in `range` into the table.
Status readRuns(const TableSnapshot& stored, KeyGroupRange range, HotKeyedTable& table);
/// Of runs, newest first, what a table that owns `range` holds of them.
std::vector<HeldRun> restrictRuns(std::span<const HeldRun> runs, KeyGroupRange range, uint32_t max_parallelism);

}  // namespace thalweg::worker
