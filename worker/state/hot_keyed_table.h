// HotKeyedTable: a KeyedTable whose entries all live in memory.
//
// A hash table per namespace: slots (SlotIndex) that name entries (EntryArena) that hold key and payload side by
// side. Batch lookups run with prefetching: while row i is compared, the entry of row i+8 and the slot of row i+16
// are on their way from memory.
// Pointers to payloads stay valid until the entry is erased or expires: longer than the contract asks.
// Expired entries are skipped by every read and swept away a few at a time by upsert, a minute after they expired,
// so that no pointer that an operator still holds goes stale.
// Threads: one owner at a time. Lifetime: destroys the payloads with itself.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "common/base/hash.h"
#include "common/runtime_api/state.h"
#include "worker/state/entry_arena.h"
#include "worker/state/entry_layout.h"
#include "worker/state/key_arena.h"
#include "worker/state/slot_index.h"

namespace thalweg::worker {

class HotKeyedTable final : public KeyedTable {
 public:
  /// `now_ms` is asked only if entries expire. `marked`: entries have marks, for a cold tier and for turns.
  HotKeyedTable(KeyedTableSpec spec, std::function<int64_t()> now_ms, bool marked = false);
  ~HotKeyedTable() override;

  Status find(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads) override;
  Status upsert(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads, std::span<uint8_t> created) override;
  Status findRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads) override;
  Status upsertRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads,
                    std::span<uint8_t> created) override;
  void markDirty(char* payload) override;
  Status erase(StateNamespace ns, const KeyBatch& keys, size_t row) override;
  Status eraseNamespace(StateNamespace ns) override;
  std::vector<StateNamespace> namespaces() const override;
  Status forEach(StateNamespace ns, const Visitor& visit) override;
  Status forEachOrdered(StateNamespace ns, const Visitor& visit) override;
  std::unique_ptr<Cursor> scan(StateNamespace ns) override;
  size_t size() const override;
  size_t memoryBytes() const override { return memory_.usedBytes(); }

  const KeyedTableSpec& spec() const { return spec_; }
  /// The key groups [begin, end) of `max_parallelism` that may be put in; debug builds check it.
  void setKeyGroups(uint32_t begin, uint32_t end, uint32_t max_parallelism) {
    groups_begin_ = begin;
    groups_end_ = end;
    max_parallelism_ = max_parallelism;
  }

  uint32_t groupsBegin() const { return groups_begin_; }
  uint32_t groupsEnd() const { return groups_end_; }
  uint32_t maxParallelism() const { return max_parallelism_; }

  /// One stored entry, for snapshots. `ordinal` gives the order of making.
  struct StoredEntry {
    uint64_t hash;
    StateNamespace ns;
    EntryIndex ordinal;
    const char* payload;
  };
  /// Every entry that has not expired, by namespace and ordinal.
  std::vector<StoredEntry> storedEntries() const;
  std::string_view keyOf(const StoredEntry& stored, char (&fixed)[8]) const;
  int64_t touchedAt(const char* payload) const { return layout_.touchedAt(payload); }
  /// Adds an entry from a snapshot; null if the key is there already. The payload is zeroed, `init` was not called.
  char* restoreEntry(StateNamespace ns, std::string_view key, int64_t touched_ms);
  /// Takes an entry out again whose payload could not be rebuilt; nothing in the payload is destroyed.
  void abandonEntry(StateNamespace ns, std::string_view key);

  /// For the cold tier, of a marked table. Entries are named by their places.
  EntryMark& markOf(char* payload) const { return layout_.markOf(payload); }
  /// Null if there is none. One that expired is found.
  char* payloadOf(StateNamespace ns, uint64_t hash, std::string_view key) const;
  /// Calls `visit(place, payload)` for each, expired ones too, in the order of places.
  template <typename Visit>
  void forEachPlace(StateNamespace ns, Visit&& visit) {
    Space* space = findSpace(ns);
    if (space == nullptr) return;
    for (EntryIndex at = space->entries.nextUsed(0); at != kNoEntry; at = space->entries.nextUsed(at + 1)) visit(at, payloadAt(*space, at));
  }
  std::string_view keyAtPlace(StateNamespace ns, EntryIndex place, char (&fixed)[8]) const { return keyAt(findSpace(ns)->entries.at(place), fixed); }
  char* payloadAtPlace(StateNamespace ns, EntryIndex place) const { return payloadAt(*findSpace(ns), place); }
  void eraseAtPlace(StateNamespace ns, EntryIndex place, uint64_t hash) { eraseEntry(*findSpace(ns), place, SlotIndex::tagOf(hash)); }
  bool hasExpired(const char* payload) const { return layout_.expires && isExpired(payload, now()); }
  size_t sizeOf(StateNamespace ns) const;
  /// Entries that come into memory are marked with the era.
  void setEra(uint32_t era) { era_ = era; }
  uint32_t era() const { return era_; }
  /// Like scan(), of the entries that came into memory before the era.
  std::unique_ptr<Cursor> scanBefore(StateNamespace ns, uint32_t era);
  /// Of memoryBytes(), what is in no entry.
  size_t freeBytes() const;
  std::string_view keyOfPayload(const char* payload, char (&fixed)[8]) const { return keyAt(payload - layout_.key_bytes, fixed); }
  void appendPayload(const char* payload, std::string& bytes) const;
  /// As it stands on disk (ColdValue).
  void appendColdValue(const char* payload, std::string& value) const;

  /// Hears of an entry that changed before the present turn of snapshots, while it still is what it was then; makes it
  /// clean, or dirty in the present turn. Gives what that cost, in entries walked past.
  class Captor {
   public:
    virtual ~Captor() = default;
    virtual size_t capture(StateNamespace ns, EntryIndex place, char* payload) = 0;
  };
  /// A snapshot is to hold the table as it is now: until endTurn() every entry that changed before is shown to `captor`
  /// once, by captureSome(), or before anyone gets a pointer to it or it is erased (by expiry: never). Not while a turn runs.
  void beginTurn(Captor& captor);
  /// Goes on through all entries for about the time of so many that are clean; true: all have been shown.
  bool captureSome(size_t entries);
  void endTurn();
  /// What changes now is marked with it.
  uint8_t turn() const { return turn_; }

 private:
  /// The entries of one namespace.
  struct Space {
    Space(const EntryLayout& layout, StateMemory& memory) : slots(memory), entries(layout.entry_bytes, memory), keys(memory) {}
    SlotIndex slots;
    EntryArena entries;
    KeyArena keys;
    EntryIndex sweep_at = 0;
  };
  /// Erased while a turn runs, before all of it was shown.
  struct DetachedSpace {
    StateNamespace ns;
    std::unique_ptr<Space> space;
    EntryIndex walked = 0;
  };
  static constexpr uint8_t kNoTurn = UINT8_MAX;
  class HotCursor;
  struct FixedKeys;
  struct AnyKeys;
  struct WordKeys;

  Space* findSpace(StateNamespace ns) const;
  Space& makeSpace(StateNamespace ns);
  void destroySpace(Space& space);
  char* payloadAt(const Space& space, EntryIndex entry) const { return space.entries.at(entry) + layout_.key_bytes; }
  bool isExpired(const char* payload, int64_t now) const { return layout_.touchedAt(payload) <= now - spec_.ttl_ms; }
  bool owns(uint64_t hash) const {
    const uint32_t group = keyGroupOf(hash, max_parallelism_);
    return group >= groups_begin_ && group < groups_end_;
  }
  int64_t now() const { return layout_.expires ? now_ms_() : 0; }
  EntryIndex findKey(const Space& space, uint64_t hash, std::string_view key) const;
  std::string_view keyAt(const char* entry, char (&fixed)[8]) const;
  uint64_t hashAt(const char* entry) const;

  template <typename Body>
  auto withKeys(const KeyBatch& keys, Body&& body);
  template <typename Keys, typename RowAt>
  void findAll(StateNamespace ns, const Keys& keys, size_t count, RowAt row_at, std::span<char*> payloads);
  template <typename Keys, typename RowAt>
  void upsertAll(StateNamespace ns, const Keys& keys, size_t count, RowAt row_at, std::span<char*> payloads,
                 std::span<uint8_t> created);
  template <typename Keys>
  char* add(Space& space, const Keys& keys, size_t row, uint32_t tag);
  void eraseEntry(Space& space, EntryIndex entry, uint32_t tag);
  void sweep(Space& space, size_t count, int64_t now);
  void captureIfStale(StateNamespace ns, EntryIndex place, char* payload) {
    if (layout_.marked && layout_.markOf(payload).dirty == stale_) captor_->capture(ns, place, payload);
  }
  bool captureIn(StateNamespace ns, Space& space, EntryIndex& walked, size_t& entries_left);
  bool wasWalked(StateNamespace ns) const { return captor_ == nullptr || ns < walk_ns_ || (ns == walk_ns_ && walked_ == kNoEntry); }

  KeyedTableSpec spec_;
  EntryLayout layout_;
  std::function<int64_t()> now_ms_;
  uint32_t groups_begin_ = 0;
  uint32_t groups_end_ = 1;
  uint32_t max_parallelism_ = 1;
  uint32_t era_ = 0;
  uint8_t turn_ = 1;
  uint8_t stale_ = kNoTurn;                 // while a turn runs: how entries are marked that changed before
  Captor* captor_ = nullptr;                // then
  StateNamespace walk_ns_ = INT64_MIN;      // where captureSome() is
  EntryIndex walked_ = 0;                   // entries of it; kNoEntry: all
  StateMemory memory_;
  std::map<StateNamespace, std::unique_ptr<Space>> spaces_;
  std::deque<DetachedSpace> detached_;      // to be shown, and destroyed then
  mutable StateNamespace last_ns_ = 0;      // the namespace looked up last
  mutable Space* last_space_ = nullptr;
};

}  // namespace thalweg::worker
