// TieredKeyedTable: a KeyedTable whose entries are in memory (HotKeyedTable) or, when memory is short, in a ColdTier.
//
// A batch's misses are looked for in the cold tier at once, and what is found moves into memory; evict() moves everything
// out. So memory holds what was used since memory was last short. While nothing is cold, nothing is asked.
// Between calls of the operator evict() may come; it does nothing while a cursor is open. A cursor reads cold entries
// without moving them: they are to be looked at only. The order of making is kept within each tier only.
// Expired entries in the cold tier go when they are asked for, or with their namespace.
// Threads: one owner at a time. Lifetime: owns both parts.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "worker/state/cold_tier.h"
#include "worker/state/hot_keyed_table.h"
#include "worker/state/table_run_writer.h"

namespace thalweg::worker {

class TieredKeyedTable final : public KeyedTable {
 public:
  TieredKeyedTable(HotKeyedTable& hot, std::unique_ptr<ColdTable> cold, std::function<int64_t()> now_ms)
      : hot_(hot), cold_(std::move(cold)), now_ms_(std::move(now_ms)) {}

  Status find(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads) override;
  Status upsert(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads, std::span<uint8_t> created) override;
  Status findRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads) override;
  Status upsertRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads,
                    std::span<uint8_t> created) override;
  void markDirty(char* payload) override { hot_.markDirty(payload); }
  Status erase(StateNamespace ns, const KeyBatch& keys, size_t row) override;
  Status eraseNamespace(StateNamespace ns) override;
  std::vector<StateNamespace> namespaces() const override;
  Status forEach(StateNamespace ns, const Visitor& visit) override;
  Status forEachOrdered(StateNamespace ns, const Visitor& visit) override;
  std::unique_ptr<Cursor> scan(StateNamespace ns) override;
  size_t size() const override;
  size_t memoryBytes() const override { return hot_.memoryBytes(); }

  /// Moves all entries out of memory, unless a cursor is open.
  Status evict();
  bool hasCold() const { return !cold_entries_.empty(); }

  /// Appends a snapshot of both tiers.
  Status write(uint32_t max_parallelism, std::string& out);

 private:
  class TieredCursor;

  bool isCold(StateNamespace ns) const { return !cold_entries_.empty() && cold_entries_.contains(ns); }
  /// Moves those of the rows' keys into memory that are cold; whether any was.
  Result<bool> load(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows);
  Status loadAll(StateNamespace ns);
  Status putIn(StateNamespace ns, std::string_view key, std::string_view value);
  Status evictNamespace(StateNamespace ns);
  std::string payloadBytes(const char* payload) const;
  std::string valueOf(const char* payload) const;
  bool isExpired(int64_t touched_ms) const { return hot_.spec().ttl_ms > 0 && touched_ms <= now_ms_() - hot_.spec().ttl_ms; }
  void forget(StateNamespace ns, size_t count);
  Status writeCold(StateNamespace ns, TableRunWriter& writer);

  HotKeyedTable& hot_;
  const std::unique_ptr<ColdTable> cold_;
  const std::function<int64_t()> now_ms_;
  std::map<StateNamespace, size_t> cold_entries_;      // namespaces without any are not in it
  int cursors_ = 0;                                    // that are open
  std::vector<char*> found_;                           // scratch
  std::vector<RowIndex> missing_;
};

}  // namespace thalweg::worker
