// HotKeyedStateStore: the keyed state of one operator instance, in memory; with a cold tier also on disk.
//
//   HotKeyedStateStore store({.max_parallelism = 128, .key_groups = keyGroupsOf(0, 4, 128), .now_ms = clock});
//   RETURN_IF_ERROR(store.restore(snapshots));      // before the operator opens its tables; or not at all
//   operator->open(context);                        // openTable() finds restored tables filled
//   RETURN_IF_ERROR(store.beginSnapshot(wake));                      // at the barrier: of the state as it is now
//   while (store.captureSome(work) != CaptureProgress::READY) …      // between calls of the operator
//   ASSIGN_OR_RETURN(KeyedSnapshot snapshot, store.takeSnapshot());
//
// Restoring takes the snapshots of all old subtasks that may hold some of this instance's key groups and picks its
// own out of them, so parallelism may change. A restored table that the operator never opens is kept as bytes and
// goes on into the next snapshot, but is not split any further.
// With a cold tier, of which memory may make no other use, a large table's snapshot is its runs on disk: what changed since the last one
// is captured beside the work and written as further runs (TableCapture), the others are named again. A small table is captured
// beside the work, too, and goes into the checkpoint's bytes; tables of few entries are written when it begins, as are all without a tier.
// Threads: as the operator. Lifetime: owns the tables; memory is accounted to the pool current at openTable().
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/runtime_api/state.h"
#include "worker/state/table_snapshot.h"
#include "worker/state/tiered_keyed_table.h"

namespace thalweg::worker {

struct HotStateOptions {
  uint32_t max_parallelism = 128;
  KeyGroupRange key_groups = {0, 128};
  std::function<int64_t()> now_ms = {};     ///< needed by tables whose entries expire
  std::shared_ptr<ColdTier> cold = {};      ///< null: everything stays in memory, and snapshots are written at once
};

class HotKeyedStateStore final : public KeyedStateStore {
 public:
  explicit HotKeyedStateStore(HotStateOptions options) : options_(std::move(options)) {}
  ~HotKeyedStateStore() override { clear(); }

  Result<KeyedTable*> openTable(KeyedTableSpec spec) override;

  /// One at a time. `wake` is called, on some thread, when captureSome() said WRITING and may go on.
  Status beginSnapshot(std::function<void()> wake);
  /// `work`: in entries looked at, of 10 ns.
  CaptureProgress captureSome(size_t work);
  /// All that is left, at once: READY.
  void finishCapture();
  /// When READY: all tables; empty if there are none. After an error the store is as if no snapshot had begun.
  Result<KeyedSnapshot> takeSnapshot();
  /// All of it at once.
  Result<KeyedSnapshot> snapshot();
  /// Keeps the snapshots for tables to be opened; empty ones are left out. Once, before openTable().
  Status restore(std::span<const KeyedSnapshot> snapshots);

  /// Drops all tables, so that nothing of them is destroyed after their operator is.
  void clear();

  /// Between calls of the operator: moves entries to disk if memory is short. Small stores stay as they are.
  Status relieve();
  size_t memoryBytes() const;
  size_t entries() const;

 private:
  struct OpenTable {
    std::unique_ptr<HotKeyedTable> hot;
    std::unique_ptr<TieredKeyedTable> tiered;     ///< null without a cold tier
  };
  std::optional<CaptureInto> placeOf(const OpenTable& table) const;
  void account(size_t held_bytes, size_t free_bytes);
  Status fill(const std::vector<TableSnapshot>& parts, OpenTable& table);

  /// A snapshot that is under way.
  struct Begun {
    std::vector<OpenTable*> captured;
    std::vector<TableSnapshot> in_runs;           // restored, and not opened
    std::string rest;                             // the other tables
    size_t rest_tables = 0;
  };

  HotStateOptions options_;
  std::optional<Begun> begun_;
  size_t accounted_held_ = 0;                     // to the cold tier
  size_t accounted_free_ = 0;
  uint32_t relieved_ = 0;
  std::map<std::string, OpenTable, std::less<>> tables_;
  std::vector<KeyedSnapshot> restored_snapshots_;
  std::map<std::string, std::vector<TableSnapshot>, std::less<>> restored_;   // into restored_snapshots_; until opened
};

}  // namespace thalweg::worker
