// TableRunWriter: writes a table of a snapshot from entries that come one by one, namespace after namespace, wherever they
// are kept. The format is at the head of table_snapshot.cc.
//
// Threads: one owner. Memory: the bytes of the table.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "common/runtime_api/state.h"

namespace thalweg::worker {

class TableRunWriter {
 public:
  TableRunWriter(const KeyedTableSpec& spec, uint32_t max_parallelism) : spec_(spec), max_parallelism_(max_parallelism) {}

  /// Namespaces come in ascending order, the entries of one in the order of their making.
  void add(StateNamespace ns, std::string_view key, int64_t touched_ms, std::string_view payload);
  /// Appends the table.
  void finish(std::string& out);

 private:
  struct Group {
    std::string runs;              ///< of the namespaces that are over
    std::string entries;           ///< of the current one
    uint64_t count = 0;
    uint64_t ordinal = 0;          ///< of its last entry
  };
  void endNamespace();

  const KeyedTableSpec& spec_;
  const uint32_t max_parallelism_;
  StateNamespace ns_ = 0;
  uint64_t next_ordinal_ = 0;
  std::map<uint32_t, Group> groups_;
};

}  // namespace thalweg::worker
