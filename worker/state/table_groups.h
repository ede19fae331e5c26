// TableGroups: a table in the bytes of a snapshot (table_snapshot.cc), written entry by entry.
//
//   TableGroups groups(head);
//   groups.add(entry, ordinal);            // those of one namespace and key group behind one another, by ordinal
//   groups.appendTo(out);                  // once
//
// Threads: one owner. Lifetime: borrows the head.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "worker/state/table_snapshot.h"

namespace thalweg::worker {

class TableGroups {
 public:
  explicit TableGroups(const TableSnapshot& head) : head_(head) {}

  void add(const StoredTableEntry& entry, uint64_t ordinal);
  void appendTo(std::string& out);

 private:
  void endRun();

  const TableSnapshot& head_;
  std::map<uint64_t, std::string> groups_;
  StateNamespace ns_ = 0;            // of the run that is being written, as the next ones
  uint64_t group_ = 0;
  uint64_t count_ = 0;
  uint64_t last_ordinal_ = 0;
  std::string entries_;
};

}  // namespace thalweg::worker
