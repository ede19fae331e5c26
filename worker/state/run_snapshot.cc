// The format of a snapshot with runs, version 1 (words: byte_stream.h).
//
//   snapshot := "TWKR" byte version | varint tables | table* | text rest
//   table    := text name | varint layout version | varint payload bytes | byte flags (table_snapshot.cc) | varint runs | run*
//   run      := varint number in the list of runs | varint key groups' begin | varint key groups' end | varint namespaces
//               | number namespace*                                                   newest run first
//   rest     := a snapshot of the other tables, as table_snapshot.cc has it, or nothing
//
// Of a run, only the namespaces and key groups that are named belong to the table.
#include "worker/state/run_snapshot.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "common/base/byte_stream.h"
#include "worker/state/cold_value.h"
#include "worker/state/table_groups.h"

namespace thalweg::worker {

namespace {

constexpr std::string_view kMagic = "TWKR";
constexpr uint8_t kVersion = 1;

Result<HeldRun> readRun(ByteReader& reader, const KeyedSnapshot& snapshot, uint32_t max_parallelism) {
  HeldRun held;
  const uint64_t number = reader.varint();
  const uint64_t begin = reader.varint();
  const uint64_t end = reader.varint();
  if (!reader.ok() || number >= snapshot.runs.size() || begin >= end || end > max_parallelism) return damagedSnapshot("it names a run that is not there");
  held.run = snapshot.runs[number];
  held.groups_begin = static_cast<uint32_t>(begin);
  held.groups_end = static_cast<uint32_t>(end);
  held.hashes = hashesOfKeyGroups(held.groups_begin, held.groups_end, max_parallelism);
  std::set<StateNamespace> namespaces;
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) namespaces.insert(reader.number());
  for (const RunSegment& segment : held.run->segments()) {
    if (namespaces.contains(segment.ns)) held.segments.push_back(segment);
  }
  return held;
}

/// Of a run whose erased keys are left out.
StoredTableEntry storedEntry(const TableSnapshot& table, uint32_t max_parallelism, StateNamespace ns, const RunEntry& entry) {
  const ColdValue value = ColdValue::read(*entry.value, table.has_touch_times);
  return {keyGroupOf(entry.hash, max_parallelism), ns, entry.key, value.touched_ms, value.payload};
}

/// A table in runs, in the format of table_snapshot.cc.
Status appendEntries(const TableSnapshot& table, uint32_t max_parallelism, std::string& out) {
  TableGroups groups(table);
  StateNamespace counted = 0;
  uint64_t ordinal = 0;
  RETURN_IF_ERROR(forEachEntry(table.runs, false, [&](StateNamespace ns, const RunEntry& found) -> Status {
    if (std::exchange(counted, ns) != ns) ordinal = 0;
    groups.add(storedEntry(table, max_parallelism, ns, found), ordinal++);
    return {};
  }));
  groups.appendTo(out);
  return {};
}

}  // namespace

Result<std::vector<TableSnapshot>> readSnapshot(const KeyedSnapshot& snapshot, uint32_t max_parallelism) {
  if (!snapshot.bytes.starts_with(kMagic)) return readSnapshot(snapshot.bytes);
  ByteReader reader(snapshot.bytes);
  reader.bytes(kMagic.size());
  if (const uint8_t version = reader.byte(); version != kVersion) {
    return Status::invalid("the state snapshot has format version " + std::to_string(version) + ", and this release reads version " +
                           std::to_string(kVersion));
  }
  std::vector<TableSnapshot> tables;
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    TableSnapshot& table = tables.emplace_back(readTableHead(reader));
    for (uint64_t runs = reader.varint(); runs > 0 && reader.ok(); --runs) {
      ASSIGN_OR_RETURN(HeldRun held, readRun(reader, snapshot, max_parallelism));
      if (held.run->hasFixedKeys() != table.fixed_keys) return damagedSnapshot("a run has keys of another form than its table");
      table.runs.push_back(std::move(held));
    }
  }
  const std::string_view rest = reader.text();
  if (!reader.ok()) return damagedSnapshot("it ends early");
  if (!reader.atEnd()) return damagedSnapshot("bytes follow its last table");
  if (rest.empty()) return tables;
  ASSIGN_OR_RETURN(std::vector<TableSnapshot> others, readSnapshot(rest));
  std::move(others.begin(), others.end(), std::back_inserter(tables));
  return tables;
}

KeyedSnapshot joinSnapshots(std::span<const TableSnapshot> tables, std::string_view rest) {
  KeyedSnapshot joined;
  if (tables.empty()) {
    joined.bytes = rest;
    return joined;
  }
  std::map<const StateRun*, size_t> numbers;
  ByteWriter writer(joined.bytes);
  writer.bytes(kMagic);
  writer.byte(kVersion);
  writer.varint(tables.size());
  for (const TableSnapshot& table : tables) {
    writeTableHead(table, table.runs.size(), joined.bytes);
    for (const HeldRun& held : table.runs) {
      const auto [place, is_new] = numbers.emplace(held.run.get(), joined.runs.size());
      if (is_new) joined.runs.push_back(held.run);
      writer.varint(place->second);
      writer.varint(held.groups_begin);
      writer.varint(held.groups_end);
      writer.varint(held.segments.size());
      for (const RunSegment& segment : held.segments) writer.number(segment.ns);
    }
  }
  writer.text(rest);
  return joined;
}

Result<std::string> withoutRuns(const KeyedSnapshot& snapshot, uint32_t max_parallelism) {
  if (snapshot.runs.empty()) return snapshot.bytes;
  ASSIGN_OR_RETURN(const std::vector<TableSnapshot> tables, readSnapshot(snapshot, max_parallelism));
  std::string out;
  writeSnapshotHead(tables.size(), out);
  for (const TableSnapshot& table : tables) {
    if (table.runs.empty()) out.append(table.all);
    else RETURN_IF_ERROR(appendEntries(table, max_parallelism, out));
  }
  return out;
}

TableSnapshot headOf(const KeyedTableSpec& spec) {
  TableSnapshot table;
  table.name = spec.name;
  table.layout_version = static_cast<uint64_t>(spec.layout_version);
  table.payload_bytes = spec.payload_bytes;
  table.fixed_keys = spec.fixed_keys;
  table.has_touch_times = spec.ttl_ms > 0;
  table.serialized_payloads = spec.serialize != nullptr;
  return table;
}

Status visitRuns(const TableSnapshot& table, uint32_t max_parallelism, const std::function<void(const StoredTableEntry&)>& visit) {
  return forEachEntry(table.runs, false, [&](StateNamespace ns, const RunEntry& entry) -> Status {
    visit(storedEntry(table, max_parallelism, ns, entry));
    return {};
  });
}

std::vector<HeldRun> restrictRuns(std::span<const HeldRun> runs, KeyGroupRange range, uint32_t max_parallelism) {
  std::vector<HeldRun> mine;
  for (const HeldRun& held : runs) {
    const uint32_t begin = std::max(held.groups_begin, range.begin);
    const uint32_t end = std::min(held.groups_end, range.end);
    if (begin >= end || held.segments.empty()) continue;
    HeldRun& part = mine.emplace_back(held);
    part.groups_begin = begin;
    part.groups_end = end;
    part.hashes = hashesOfKeyGroups(begin, end, max_parallelism);
  }
  return mine;
}

Status readRuns(const TableSnapshot& stored, KeyGroupRange range, HotKeyedTable& table) {
  const uint32_t max_parallelism = table.maxParallelism();
  return forEachEntry(restrictRuns(stored.runs, range, max_parallelism), false, [&](StateNamespace ns, const RunEntry& entry) {
    return putEntry(storedEntry(stored, max_parallelism, ns, entry), table);
  });
}

}  // namespace thalweg::worker
