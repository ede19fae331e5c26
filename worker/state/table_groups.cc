#include "worker/state/table_groups.h"

#include "common/base/byte_stream.h"
#include "worker/state/run_snapshot.h"

namespace thalweg::worker {

void TableGroups::add(const StoredTableEntry& entry, uint64_t ordinal) {
  if (entry.ns != ns_ || entry.key_group != group_) endRun();
  ns_ = entry.ns;
  group_ = entry.key_group;
  ByteWriter writer(entries_);
  writer.varint(ordinal - last_ordinal_);
  last_ordinal_ = ordinal;
  ++count_;
  if (head_.fixed_keys) writer.bytes(entry.key);
  else writer.text(entry.key);
  if (head_.has_touch_times) writer.number(entry.touched_ms);
  if (head_.serialized_payloads) writer.text(entry.payload);
  else writer.bytes(entry.payload);
}

void TableGroups::endRun() {
  if (count_ == 0) return;
  ByteWriter writer(groups_[group_]);
  writer.number(ns_);
  writer.varint(count_);
  writer.bytes(entries_);
  count_ = last_ordinal_ = 0;
  entries_.clear();
}

void TableGroups::appendTo(std::string& out) {
  endRun();
  writeTableHead(head_, groups_.size(), out);
  ByteWriter writer(out);
  for (const auto& [group, entries] : groups_) {
    writer.varint(group);
    writer.text(entries);
  }
}

}  // namespace thalweg::worker
