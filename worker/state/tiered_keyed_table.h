// TieredKeyedTable: a KeyedTable whose entries are in memory (HotKeyedTable) or, when memory is short, on disk (ColdTable).
//
// A batch's misses are looked for on disk at once, sorted, and what is found comes into memory; on disk it stays, so an
// entry that did not change since leaves memory without a write. evict() moves out what was used least: what changed is
// written as one sorted run, what was erased as marks in it. While nothing is on disk, nothing is asked.
// Between calls of the operator evict() may come; a namespace with an open cursor stays. A cursor reads entries on disk
// without bringing them into memory: they are to be looked at only. The order of making is kept within memory only.
// Entries that expired on disk go when they are asked for, or with their namespace; size() counts them until then.
// Threads: one owner at a time. Lifetime: borrows the hot table, owns the cold one.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "worker/state/cold_table.h"
#include "worker/state/hot_keyed_table.h"
#include "worker/state/table_capture.h"

namespace thalweg::worker {

/// A table as a snapshot has it (TableSnapshot).
struct CapturedTable {
  std::vector<HeldRun> runs = {};
  std::string bytes = {};                    ///< not empty: instead of runs
};

class TieredKeyedTable final : public KeyedTable {
 public:
  /// `hot` has marks.
  TieredKeyedTable(HotKeyedTable& hot, std::shared_ptr<ColdTier> tier, std::function<int64_t()> now_ms)
      : hot_(hot), cold_(std::move(tier), hot.spec().fixed_keys, hot.groupsBegin(), hot.groupsEnd()), now_ms_(std::move(now_ms)) {}

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

  /// Moves about `part` of the entries out of memory, those used least; 1: all, and the memory with them.
  Status evict(double part);
  bool hasCold() const { return !cold_.runs().empty(); }
  bool hasErased() const { return !erased_.empty(); }
  const std::vector<HeldRun>& runs() const { return cold_.runs(); }
  /// Begins a snapshot of the table as it is now: TableCapture. Nothing leaves memory meanwhile, evict() must not come.
  /// BYTES: only while nothing is on disk.
  void beginSnapshot(CaptureInto into, std::function<void()> wake);
  bool isCapturing() const { return capture_ != nullptr; }
  CaptureProgress captureSome(size_t work);
  void finishCapture();
  /// When READY, once: all of the table when the snapshot began, runs newest first. If they could not be written the table
  /// is as if it had not begun.
  Result<CapturedTable> takeSnapshot();
  /// Before any use: `runs`, newest first, are what the table holds. Where all is kept in memory it comes there at once,
  /// unless it is much: then as it is asked for.
  Status adopt(std::span<const HeldRun> runs);

 private:
  class TieredCursor;

  /// What leaves memory: an entry, or the mark of an erased key.
  struct Leaving {
    uint64_t hash = 0;
    EntryIndex place = kNoEntry;             // kNoEntry: erased
    uint32_t erased = 0;                     // then its number in `erased`
  };
  struct LeavingOf {
    StateNamespace ns = 0;
    std::vector<Leaving> entries = {};
    std::vector<std::string_view> erased = {};
  };

  /// Sets wanted_ to the keys of `rows`, distinct and sorted; RunKey::row is the position in `rows`.
  void wantedOf(const KeyBatch& keys, std::span<const RowIndex> rows);
  Status load(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows);
  Status fillCreated(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads, std::span<uint8_t> created);
  Status loadAll(StateNamespace ns);
  Status bringBack();
  Status setPayload(char* payload, std::string_view bytes);
  void countOut(StateNamespace ns, size_t count) { cold_only_[ns] += count; }
  void countIn(StateNamespace ns, size_t count);

  void chooseLeaving(StateNamespace ns, double part, std::vector<Leaving>& leaving);
  Status writeLeaving(std::vector<LeavingOf>& leaving);
  Status checkClean(const LeavingOf& leaving);
  void dropLeaving(const LeavingOf& leaving, bool all);
  bool isExpired(int64_t touched_ms) const { return hot_.spec().ttl_ms > 0 && touched_ms <= now_ms_() - hot_.spec().ttl_ms; }
  bool isErased(StateNamespace ns, std::string_view key) const;
  /// Whether values of keys of the namespace may be on disk, or be on their way, or have been there.
  bool mayBeOnDisk(StateNamespace ns) const { return cold_.holds(ns) || capture_ != nullptr || erased_.contains(ns); }
  /// Whether a key that is not in memory may be on disk, or have been there a moment ago; else it is new.
  bool mayBeMissing(StateNamespace ns) const {
    return cold_only_.contains(ns) || erased_.contains(ns) || (capture_ != nullptr && capture_->erased().contains(ns));
  }
  void endCapture();
  void forget(std::shared_ptr<const ErasedKeys> erased);
  void keepErased(bool written);

  HotKeyedTable& hot_;
  ColdTable cold_;
  const std::function<int64_t()> now_ms_;
  std::map<StateNamespace, size_t> cold_only_;         // entries that are not in memory: at most so many; none where it says nothing
  ErasedKeys erased_;                                  // since the snapshot that is captured began
  std::unique_ptr<TableCapture> capture_;              // of a snapshot that is under way
  std::optional<Result<CapturedTable>> captured_;      // and has ended
  std::map<StateNamespace, int> cursors_;              // that are open
  std::vector<RowIndex> missing_;                      // scratch, as the next ones
  std::vector<uint8_t> created_;
  std::vector<RunKey> wanted_;
  std::string key_words_;
};

}  // namespace thalweg::worker
