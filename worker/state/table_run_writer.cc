#include "worker/state/table_run_writer.h"

#include "common/base/byte_stream.h"
#include "common/base/hash.h"
#include "worker/state/table_snapshot.h"

namespace thalweg::worker {

void TableRunWriter::add(StateNamespace ns, std::string_view key, int64_t touched_ms, std::string_view payload) {
  if (ns != ns_) {
    endNamespace();
    ns_ = ns;
  }
  Group& group = groups_[keyGroupOf(hashBytes(key), max_parallelism_)];
  ByteWriter writer(group.entries);
  writer.varint(next_ordinal_ - (group.count == 0 ? 0 : group.ordinal));
  group.ordinal = next_ordinal_++;
  ++group.count;
  if (spec_.fixed_keys) writer.bytes(key);
  else writer.text(key);
  if (spec_.ttl_ms > 0) writer.number(touched_ms);
  if (spec_.serialize) writer.text(payload);
  else writer.bytes(payload);
}

void TableRunWriter::endNamespace() {
  for (auto& [number, group] : groups_) {
    if (group.count == 0) continue;
    ByteWriter writer(group.runs);
    writer.number(ns_);
    writer.varint(group.count);
    writer.bytes(group.entries);
    group.entries.clear();
    group.count = 0;
  }
  next_ordinal_ = 0;
}

void TableRunWriter::finish(std::string& out) {
  endNamespace();
  writeTableHead(spec_, groups_.size(), out);
  ByteWriter writer(out);
  for (auto& [number, group] : groups_) {
    writer.varint(number);
    writer.text(group.runs);
    group.runs = {};
  }
}

}  // namespace thalweg::worker
