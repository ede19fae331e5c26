// The snapshot format, version 1 (words: byte_stream.h).
//
//   snapshot := "TWKS" byte version | varint tables | table*
//   table    := text name | varint layout version | varint payload bytes | byte flags | varint groups | group*
//               flags: 1 fixed keys, 2 touch times, 4 payloads written by the table's hook
//   group    := varint key group | text run*                       ascending
//   run      := number namespace | varint count | entry*           ascending namespaces
//   entry    := varint ordinal, less that of the entry before | key | touch time? | payload
//   key      := 8 big-endian bytes if fixed, else text             touch time := number, ms
//   payload  := `payload bytes` raw bytes, or text
//
// Ordinals number the entries of a namespace over all key groups, so that reading can put them back in the order of
// their making: what an operator emits when it visits a namespace then does not depend on whether it was restored.
#include "worker/state/table_snapshot.h"

#include <algorithm>
#include <map>

#include "common/base/byte_stream.h"
#include "common/base/check.h"
#include "common/base/failpoint.h"
#include "common/base/hash.h"
#include "worker/state/run_snapshot.h"

namespace thalweg::worker {

namespace {

constexpr std::string_view kMagic = "TWKS";
constexpr uint8_t kVersion = 1;
constexpr uint8_t kFixedKeys = 1;
constexpr uint8_t kTouchTimes = 2;
constexpr uint8_t kSerialized = 4;

/// Writes the entries of one key group, which stand by namespace and ordinal.
void writeGroup(const HotKeyedTable& table, std::span<const HotKeyedTable::StoredEntry> entries, std::string& out) {
  const KeyedTableSpec& spec = table.spec();
  ByteWriter writer(out);
  std::string payload;
  char fixed[8];
  for (size_t i = 0; i < entries.size();) {
    size_t end = i;
    while (end < entries.size() && entries[end].ns == entries[i].ns) ++end;
    writer.number(entries[i].ns);
    writer.varint(end - i);
    EntryIndex previous = 0;
    for (; i < end; ++i) {
      writer.varint(entries[i].ordinal - previous);
      previous = entries[i].ordinal;
      const std::string_view key = table.keyOf(entries[i], fixed);
      if (spec.fixed_keys) writer.bytes(key);
      else writer.text(key);
      if (spec.ttl_ms > 0) writer.number(table.touchedAt(entries[i].payload));
      if (spec.serialize) {
        payload.clear();
        spec.serialize(entries[i].payload, payload);
        writer.text(payload);
      } else {
        writer.bytes({entries[i].payload, spec.payload_bytes});
      }
    }
  }
}

/// An entry read from a group, before it is put into the table.
struct ReadEntry {
  uint64_t ordinal;
  size_t part;
  std::string_view key;
  int64_t touched_ms;
  std::string_view payload;
};

Status readGroup(const TableSnapshot& table, size_t part, std::string_view bytes,
                 std::map<StateNamespace, std::vector<ReadEntry>>& into) {
  ByteReader reader(bytes);
  while (!reader.atEnd()) {
    std::vector<ReadEntry>& entries = into[reader.number()];
    const uint64_t count = reader.varint();
    uint64_t ordinal = 0;
    for (uint64_t i = 0; i < count && reader.ok(); ++i) {
      ordinal += reader.varint();
      const std::string_view key = table.fixed_keys ? reader.bytes(sizeof(uint64_t)) : reader.text();
      const int64_t touched_ms = table.has_touch_times ? reader.number() : 0;
      const std::string_view payload = table.serialized_payloads ? reader.text() : reader.bytes(table.payload_bytes);
      if (reader.ok()) entries.push_back({ordinal, part, key, touched_ms, payload});
    }
  }
  return reader.ok() ? Status() : damagedSnapshot("a key group ends early");
}

}  // namespace

Status checkLayout(const TableSnapshot& stored, const KeyedTableSpec& spec) {
  const std::string name = "state table '" + spec.name + "'";
  if (stored.layout_version != static_cast<uint64_t>(spec.layout_version)) {
    return Status::invalid(name + " was written with layout version " + std::to_string(stored.layout_version) +
                           ", and this operator reads version " + std::to_string(spec.layout_version));
  }
  const bool same_payload = stored.serialized_payloads == (spec.deserialize != nullptr) &&
                            (stored.serialized_payloads || stored.payload_bytes == spec.payload_bytes);
  if (stored.fixed_keys != spec.fixed_keys || !same_payload) {
    return Status::invalid(name + " was written with keys or payloads of another form");
  }
  return {};
}

Status damagedSnapshot(std::string_view what) { return Status::invalid("the state snapshot is damaged: " + std::string(what)); }

Status putEntry(const StoredTableEntry& entry, HotKeyedTable& table) {
  const KeyedTableSpec& spec = table.spec();
  char* const payload = table.restoreEntry(entry.ns, entry.key, entry.touched_ms);
  if (payload == nullptr) return damagedSnapshot("a key stands in table '" + spec.name + "' twice");
  Status status;
  if (spec.deserialize) status = spec.deserialize(entry.payload, payload);
  else if (entry.payload.size() == spec.payload_bytes) std::memcpy(payload, entry.payload.data(), spec.payload_bytes);
  else status = damagedSnapshot("a payload is of another length");
  if (!status.isOk()) table.abandonEntry(entry.ns, entry.key);
  return status.withContext("state table '" + spec.name + "'");
}

KeyGroupRange keyGroupsOf(uint32_t subtask, uint32_t parallelism, uint32_t max_parallelism) {
  CHECK(subtask < parallelism && parallelism <= max_parallelism);
  // The first group g with g * parallelism / max_parallelism == subtask.
  const auto first = [&](uint32_t of) {
    return static_cast<uint32_t>((static_cast<uint64_t>(of) * max_parallelism + parallelism - 1) / parallelism);
  };
  return {first(subtask), first(subtask + 1)};
}

void writeSnapshotHead(size_t tables, std::string& out) {
  ByteWriter writer(out);
  writer.bytes(kMagic);
  writer.byte(kVersion);
  writer.varint(tables);
}

void writeTableHead(const TableSnapshot& head, size_t parts, std::string& out) {
  ByteWriter writer(out);
  writer.text(head.name);
  writer.varint(head.layout_version);
  writer.varint(head.payload_bytes);
  writer.byte(static_cast<uint8_t>((head.fixed_keys ? kFixedKeys : 0) | (head.has_touch_times ? kTouchTimes : 0) |
                                   (head.serialized_payloads ? kSerialized : 0)));
  writer.varint(parts);
}

TableSnapshot readTableHead(ByteReader& reader) {
  TableSnapshot head;
  head.name = reader.text();
  head.layout_version = reader.varint();
  head.payload_bytes = reader.varint();
  const uint8_t flags = reader.byte();
  head.fixed_keys = (flags & kFixedKeys) != 0;
  head.has_touch_times = (flags & kTouchTimes) != 0;
  head.serialized_payloads = (flags & kSerialized) != 0;
  return head;
}

void writeTable(const HotKeyedTable& table, uint32_t max_parallelism, std::string& out) {
  std::vector<HotKeyedTable::StoredEntry> entries = table.storedEntries();
  const auto group_of = [&](const HotKeyedTable::StoredEntry& entry) { return keyGroupOf(entry.hash, max_parallelism); };
  std::stable_sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) { return group_of(a) < group_of(b); });

  std::vector<std::span<const HotKeyedTable::StoredEntry>> groups;
  for (size_t i = 0; i < entries.size();) {
    size_t end = i;
    while (end < entries.size() && group_of(entries[end]) == group_of(entries[i])) ++end;
    groups.emplace_back(entries.data() + i, end - i);
    i = end;
  }
  if (THALWEG_MUTANT("key_group_left_out") && groups.size() > 1) groups.pop_back();
  writeTableHead(headOf(table.spec()), groups.size(), out);
  ByteWriter writer(out);
  std::string run;
  for (const auto& group : groups) {
    run.clear();
    writeGroup(table, group, run);
    writer.varint(group_of(group.front()));
    writer.text(run);
  }
}

Result<std::vector<TableSnapshot>> readSnapshot(std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.bytes(kMagic.size()) != kMagic) return damagedSnapshot("it does not begin with " + std::string(kMagic));
  const uint8_t version = reader.byte();
  if (version != kVersion) {
    return Status::invalid("the state snapshot has format version " + std::to_string(version) + ", and this release reads version " +
                           std::to_string(kVersion));
  }
  std::vector<TableSnapshot> tables;
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    const std::string_view begin = bytes.substr(bytes.size() - reader.remaining());
    TableSnapshot table = readTableHead(reader);
    for (uint64_t groups = reader.varint(); groups > 0 && reader.ok(); --groups) {
      const uint64_t key_group = reader.varint();
      table.groups.push_back({key_group, reader.text()});
    }
    table.all = begin.substr(0, begin.size() - reader.remaining());
    tables.push_back(std::move(table));
  }
  if (!reader.ok()) return damagedSnapshot("it ends early");
  if (!reader.atEnd()) return damagedSnapshot("bytes follow its last table");
  return tables;
}

Status visitEntries(const TableSnapshot& table, uint32_t max_parallelism, const std::function<void(const StoredTableEntry&)>& visit) {
  if (!table.runs.empty()) return visitRuns(table, max_parallelism, visit);
  for (const TableSnapshot::Group& group : table.groups) {
    std::map<StateNamespace, std::vector<ReadEntry>> entries;
    RETURN_IF_ERROR(readGroup(table, 0, group.entries, entries));
    for (const auto& [ns, list] : entries) {
      for (const ReadEntry& entry : list) visit({group.key_group, ns, entry.key, entry.touched_ms, entry.payload});
    }
  }
  return {};
}

Status readEntries(std::span<const TableSnapshot> parts, KeyGroupRange range, HotKeyedTable& table) {
  std::map<StateNamespace, std::vector<ReadEntry>> entries;
  for (size_t part = 0; part < parts.size(); ++part) {
    RETURN_IF_ERROR(checkLayout(parts[part], table.spec()));
    if (!parts[part].runs.empty()) RETURN_IF_ERROR(readRuns(parts[part], range, table));
    for (const TableSnapshot::Group& group : parts[part].groups) {
      if (range.contains(group.key_group)) RETURN_IF_ERROR(readGroup(parts[part], part, group.entries, entries));
    }
  }
  for (auto& [ns, list] : entries) {
    std::sort(list.begin(), list.end(), [](const ReadEntry& a, const ReadEntry& b) {
      return a.ordinal != b.ordinal ? a.ordinal < b.ordinal : a.part < b.part;
    });
    for (const ReadEntry& entry : list) RETURN_IF_ERROR(putEntry({.ns = ns, .key = entry.key, .touched_ms = entry.touched_ms, .payload = entry.payload}, table));
  }
  return {};
}

}  // namespace thalweg::worker
