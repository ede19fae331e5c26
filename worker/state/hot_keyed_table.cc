// The lookups of the hot tier. findAll and upsertAll are compiled once per kind of key and of row list; everything
// they call for a row is inlined, and what happens for new keys only is not.
#include "worker/state/hot_keyed_table.h"

#include <algorithm>

#include "common/base/check.h"
#include "common/base/failpoint.h"
#include "common/base/hash.h"

namespace thalweg::worker {

namespace {

constexpr size_t kEntryAhead = 8;    // rows between fetching an entry and comparing it
constexpr size_t kSlotAhead = 16;
constexpr size_t kCachedBytes = size_t{128} << 10;  // tables up to this size live in the cache anyway
constexpr size_t kSweptPerRow = 2;
constexpr int64_t kSweepDelayMs = 60'000;

struct EveryRow {
  size_t operator()(size_t i) const { return i; }
};
struct ListedRow {
  const RowIndex* rows;
  size_t operator()(size_t i) const { return rows[i]; }
};

}  // namespace

struct HotKeyedTable::FixedKeys {
  const KeyBatch& keys;
  uint64_t of(size_t row) const { return keys.words[row]; }
  static bool equal(uint64_t key, const char* entry) { return fixedKeyAt(entry) == key; }
  void store(size_t row, char* entry, KeyArena&) const { std::memcpy(entry, &keys.words[row], sizeof(uint64_t)); }
};

struct HotKeyedTable::AnyKeys {
  const KeyBatch& keys;
  KeyCell of(size_t row) const { return KeyCell::of(keys.bytes[row]); }
  static bool equal(const KeyCell& key, const char* entry) { return keyCellAt(entry) == key; }
  void store(size_t row, char* entry, KeyArena& arena) const {
    const std::string_view key = keys.bytes[row];
    const KeyCell cell = KeyCell::of(key.size() <= KeyCell::kInlineMax ? key : std::string_view(arena.store(key), key.size()));
    std::memcpy(entry, &cell, sizeof(cell));
  }
};

/// AnyKeys for keys that have words beside their bytes: of 8 bytes, or of none for NULL.
struct HotKeyedTable::WordKeys {
  const KeyBatch& keys;
  KeyCell of(size_t row) const { return keys.bytes[row].empty() ? KeyCell{} : KeyCell::ofWord(keys.words[row]); }
  static bool equal(const KeyCell& key, const char* entry) { return keyCellAt(entry) == key; }
  void store(size_t row, char* entry, KeyArena&) const {
    const KeyCell cell = of(row);
    std::memcpy(entry, &cell, sizeof(cell));
  }
};

/// Calls `body` with the keys in the form that this table compares.
template <typename Body>
auto HotKeyedTable::withKeys(const KeyBatch& keys, Body&& body) {
  DCHECK(keys.fixed == spec_.fixed_keys);
  if (spec_.fixed_keys) return body(FixedKeys{keys});
  if (keys.has_words) return body(WordKeys{keys});
  return body(AnyKeys{keys});
}

HotKeyedTable::HotKeyedTable(KeyedTableSpec spec, std::function<int64_t()> now_ms, bool marked)
    : spec_(std::move(spec)), layout_(spec_, marked), now_ms_(std::move(now_ms)) {
  CHECK(spec_.payload_bytes % 8 == 0);
  CHECK(!layout_.expires || now_ms_);
}

HotKeyedTable::~HotKeyedTable() {
  for (auto& [ns, space] : spaces_) destroySpace(*space);
  for (DetachedSpace& detached : detached_) destroySpace(*detached.space);
}

void HotKeyedTable::destroySpace(Space& space) {
  if (!spec_.destroy && spec_.fixed_keys) return;
  for (EntryIndex at = space.entries.nextUsed(0); at != kNoEntry; at = space.entries.nextUsed(at + 1)) {
    if (spec_.destroy) spec_.destroy(payloadAt(space, at));
    if (spec_.fixed_keys) continue;
    const KeyCell& cell = keyCellAt(space.entries.at(at));
    if (!cell.isInline()) space.keys.free(cell.address(), cell.length());
  }
}

HotKeyedTable::Space* HotKeyedTable::findSpace(StateNamespace ns) const {
  if (last_space_ != nullptr && last_ns_ == ns) return last_space_;
  const auto found = spaces_.find(ns);
  if (found == spaces_.end()) return nullptr;
  last_ns_ = ns;
  last_space_ = found->second.get();
  return last_space_;
}

HotKeyedTable::Space& HotKeyedTable::makeSpace(StateNamespace ns) {
  if (Space* space = findSpace(ns)) return *space;
  last_ns_ = ns;
  last_space_ = (spaces_[ns] = std::make_unique<Space>(layout_, memory_)).get();
  return *last_space_;
}

template <typename Keys, typename RowAt>
void HotKeyedTable::findAll(StateNamespace ns, const Keys& keys, size_t count, RowAt row_at, std::span<char*> payloads) {
  DCHECK(payloads.size() >= count);
  const Space* space = findSpace(ns);
  if (space == nullptr) {
    std::fill_n(payloads.begin(), count, nullptr);
    return;
  }
  const int64_t time = now();
  const uint64_t* hashes = keys.keys.hashes.data();
  const SlotIndex& slots = space->slots;
  const EntryArena& entries = space->entries;
  const bool prefetches = slots.slotBytes() + entries.usedBytes() > kCachedBytes;
  const uint8_t stale = stale_;
  for (size_t i = 0; i < count; ++i) {
    if (prefetches) {
      if (i + kSlotAhead < count) __builtin_prefetch(slots.home(SlotIndex::tagOf(hashes[row_at(i + kSlotAhead)])));
      if (i + kEntryAhead < count) {
        const SlotIndex::Slot* slot = slots.home(SlotIndex::tagOf(hashes[row_at(i + kEntryAhead)]));
        if (slot->entry != kNoEntry) __builtin_prefetch(entries.at(slot->entry));
      }
    }
    const size_t row = row_at(i);
    const auto key = keys.of(row);
    const EntryIndex found = slots.find(SlotIndex::tagOf(hashes[row]), [&](EntryIndex at) { return Keys::equal(key, entries.at(at)); });
    char* payload = found == kNoEntry ? nullptr : payloadAt(*space, found);
    if (layout_.expires && payload != nullptr && isExpired(payload, time)) payload = nullptr;
    if (layout_.marked && payload != nullptr) {
      EntryMark& mark = layout_.markOf(payload);
      if (mark.dirty == stale) [[unlikely]] captor_->capture(ns, found, payload);
      mark.use();
    }
    payloads[i] = payload;
  }
}

template <typename Keys>
[[gnu::noinline]] char* HotKeyedTable::add(Space& space, const Keys& keys, size_t row, uint32_t tag) {
  const EntryIndex entry = space.entries.make();
  char* const at = space.entries.at(entry);
  keys.store(row, at, space.keys);
  space.slots.insert(tag, entry);
  char* const payload = at + layout_.key_bytes;
  std::memset(payload, 0, layout_.payload_bytes);
  if (layout_.marked) layout_.markOf(payload) = EntryMark{.born = era_};
  if (spec_.init) spec_.init(payload);
  return payload;
}

template <typename Keys, typename RowAt>
void HotKeyedTable::upsertAll(StateNamespace ns, const Keys& keys, size_t count, RowAt row_at, std::span<char*> payloads,
                              std::span<uint8_t> created) {
  DCHECK(payloads.size() >= count && (created.empty() || created.size() >= count));
  if (count == 0) return;
  Space& space = makeSpace(ns);
  const int64_t time = now();
  if (layout_.expires) sweep(space, count * kSweptPerRow, time);
  const uint64_t* hashes = keys.keys.hashes.data();
  for (size_t i = 0; i < count; ++i) DCHECK(owns(hashes[row_at(i)]));   // else it would be lost when the job is rescaled
  const bool prefetches = space.slots.slotBytes() + space.entries.usedBytes() > kCachedBytes;
  const uint8_t stale = stale_;
  for (size_t i = 0; i < count; ++i) {
    if (prefetches) {
      if (i + kSlotAhead < count) __builtin_prefetch(space.slots.home(SlotIndex::tagOf(hashes[row_at(i + kSlotAhead)])));
      if (i + kEntryAhead < count) {
        const SlotIndex::Slot* slot = space.slots.home(SlotIndex::tagOf(hashes[row_at(i + kEntryAhead)]));
        if (slot->entry != kNoEntry) __builtin_prefetch(space.entries.at(slot->entry), 1);
      }
    }
    const size_t row = row_at(i);
    const auto key = keys.of(row);
    const uint32_t tag = SlotIndex::tagOf(hashes[row]);
    const EntryIndex found = space.slots.find(tag, [&](EntryIndex at) { return Keys::equal(key, space.entries.at(at)); });
    bool is_new = found == kNoEntry;
    char* payload = is_new ? add(space, keys, row, tag) : payloadAt(space, found);      // one that is new is not stale
    if (layout_.marked && layout_.markOf(payload).dirty == stale && !THALWEG_MUTANT("changed_before_capture")) [[unlikely]] captor_->capture(ns, found, payload);
    if (layout_.expires) {
      if (!is_new && isExpired(payload, time)) {
        if (spec_.destroy) spec_.destroy(payload);
        std::memset(payload, 0, layout_.payload_bytes);
        if (spec_.init) spec_.init(payload);
        is_new = true;
      }
      layout_.touch(payload, time);
    }
    if (layout_.marked) {
      EntryMark& mark = layout_.markOf(payload);
      mark.dirty = turn_;
      mark.use();
    }
    payloads[i] = payload;
    if (!created.empty()) created[i] = is_new ? 1 : 0;
  }
}

Status HotKeyedTable::find(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads) {
  withKeys(keys, [&](const auto& kind) { findAll(ns, kind, keys.size, EveryRow{}, payloads); });
  return {};
}

Status HotKeyedTable::findRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads) {
  withKeys(keys, [&](const auto& kind) { findAll(ns, kind, rows.size(), ListedRow{rows.data()}, payloads); });
  return {};
}

Status HotKeyedTable::upsert(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads, std::span<uint8_t> created) {
  withKeys(keys, [&](const auto& kind) { upsertAll(ns, kind, keys.size, EveryRow{}, payloads, created); });
  return {};
}

Status HotKeyedTable::upsertRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows,
                                 std::span<char*> payloads, std::span<uint8_t> created) {
  withKeys(keys, [&](const auto& kind) { upsertAll(ns, kind, rows.size(), ListedRow{rows.data()}, payloads, created); });
  return {};
}

void HotKeyedTable::markDirty(char* payload) {
  if (layout_.marked) {
    DCHECK(layout_.markOf(payload).dirty != stale_);      // a pointer from before the snapshot
    layout_.markOf(payload).dirty = turn_;
  }
  if (layout_.expires) layout_.touch(payload, now());
}

void HotKeyedTable::eraseEntry(Space& space, EntryIndex entry, uint32_t tag) {
  char* const at = space.entries.at(entry);
  if (spec_.destroy) spec_.destroy(at + layout_.key_bytes);
  if (!spec_.fixed_keys && !keyCellAt(at).isInline()) space.keys.free(keyCellAt(at).address(), keyCellAt(at).length());
  space.slots.erase(tag, entry);
  space.entries.free(entry);
}

Status HotKeyedTable::erase(StateNamespace ns, const KeyBatch& keys, size_t row) {
  Space* space = findSpace(ns);
  if (space == nullptr) return {};
  const uint32_t tag = SlotIndex::tagOf(keys.hashes[row]);
  const EntryIndex entry = withKeys(keys, [&](const auto& kind) {
    const auto key = kind.of(row);
    return space->slots.find(tag, [&](EntryIndex at) { return kind.equal(key, space->entries.at(at)); });
  });
  if (entry == kNoEntry) return {};
  captureIfStale(ns, entry, payloadAt(*space, entry));
  eraseEntry(*space, entry, tag);
  return {};
}

Status HotKeyedTable::eraseNamespace(StateNamespace ns) {
  const auto found = spaces_.find(ns);
  if (found == spaces_.end()) return {};
  if (wasWalked(ns)) destroySpace(*found->second);
  else detached_.push_back({ns, std::move(found->second)});
  spaces_.erase(found);
  last_space_ = nullptr;
  return {};
}

void HotKeyedTable::sweep(Space& space, size_t count, int64_t time) {
  for (size_t i = 0; i < count; ++i) {
    const EntryIndex entry = space.entries.nextUsed(space.sweep_at);
    if (entry == kNoEntry) {
      space.sweep_at = 0;
      return;
    }
    space.sweep_at = entry + 1;
    char* const at = space.entries.at(entry);
    if (!isExpired(at + layout_.key_bytes, time - kSweepDelayMs)) continue;
    eraseEntry(space, entry, SlotIndex::tagOf(hashAt(at)));
  }
}

uint64_t HotKeyedTable::hashAt(const char* entry) const {
  char fixed[8];
  return hashBytes(keyAt(entry, fixed));
}

}  // namespace thalweg::worker
