// ColdTier: where the entries of keyed tables go that do not fit in memory; what stands behind TieredKeyedTable.
//
//   ASSIGN_OR_RETURN(auto tier, makeRocksColdTier({.folder = folder, .memory_bytes = budget}));
//   std::unique_ptr<ColdTable> table = tier->openTable();
//   RETURN_IF_ERROR(table->write(entries)); … RETURN_IF_ERROR(table->take(ns, keys, found));
//
// An entry is in memory or here, never in both: what is read in order to be worked on is taken out. What is here is not
// durable: it is as much the attempt's own as its memory is, and checkpoints copy it.
// Errors: IO_ERROR with the store's words; the job fails then, since entries may be missing. Threads: a table one owner, the
// tier any. Lifetime: tables go before their tier.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/runtime_api/state.h"

namespace thalweg::worker {

struct ColdEntry {
  StateNamespace ns = 0;
  std::string key;                   ///< as it stands in snapshots
  std::string value;                 ///< touch time and payload, as the tiered table writes them
};

/// The cold entries of one keyed table of one subtask.
class ColdTable {
 public:
  virtual ~ColdTable() = default;
  /// Keys that are not here yet.
  virtual Status write(std::span<const ColdEntry> entries) = 0;
  /// Reads keys of one namespace, which are distinct, and removes those that are here. values[i] belongs to keys[i].
  virtual Status take(StateNamespace ns, std::span<const std::string_view> keys, std::vector<std::optional<std::string>>& values) = 0;
  virtual Status eraseNamespace(StateNamespace ns) = 0;
  /// Up to `limit` entries of a namespace in key order, behind `after` if given.
  virtual Status read(StateNamespace ns, const std::string* after, size_t limit, std::vector<ColdEntry>& entries) = 0;
};

class ColdTier {
 public:
  virtual ~ColdTier() = default;
  virtual std::unique_ptr<ColdTable> openTable() = 0;
  /// Whether entries should leave memory now. May look at the whole process; cheap enough to be asked for every batch.
  virtual bool isShort() = 0;
  /// Entries have left memory: what the allocator holds back is returned to the system.
  virtual void giveBack() = 0;
};

struct RocksColdTierOptions {
  std::string folder;                ///< made, and removed with the tier
  uint64_t memory_bytes = 0;         ///< of the whole process, from which on entries leave; 0: always (for tests)
};
Result<std::shared_ptr<ColdTier>> makeRocksColdTier(const RocksColdTierOptions& options);

}  // namespace thalweg::worker
