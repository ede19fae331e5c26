// The reading of whole namespaces of a hot table: in the order of making, in key order, by cursor, for snapshots.
#include <algorithm>

#include "common/base/check.h"
#include "common/base/hash.h"
#include "worker/state/hot_keyed_table.h"

namespace thalweg::worker {

std::string_view HotKeyedTable::keyAt(const char* entry, char (&fixed)[8]) const {
  if (!spec_.fixed_keys) return keyCellAt(entry).view();
  storeFixedKey(fixedKeyAt(entry), fixed);
  return {fixed, sizeof(fixed)};
}

std::vector<StateNamespace> HotKeyedTable::namespaces() const {
  std::vector<StateNamespace> result;
  for (const auto& [ns, space] : spaces_) {
    if (space->entries.size() > 0) result.push_back(ns);
  }
  return result;
}

size_t HotKeyedTable::size() const {
  size_t total = 0;
  for (const auto& [ns, space] : spaces_) total += space->entries.size();
  return total;
}

Status HotKeyedTable::forEach(StateNamespace ns, const Visitor& visit) {
  Space* space = findSpace(ns);
  if (space == nullptr) return {};
  const int64_t time = now();
  char fixed[8];
  for (EntryIndex at = space->entries.nextUsed(0); at != kNoEntry; at = space->entries.nextUsed(at + 1)) {
    char* const payload = payloadAt(*space, at);
    if (layout_.expires && isExpired(payload, time)) continue;
    captureIfStale(ns, at, payload);
    if (!visit(keyAt(space->entries.at(at), fixed), payload)) break;
  }
  return {};
}

Status HotKeyedTable::forEachOrdered(StateNamespace ns, const Visitor& visit) {
  Space* space = findSpace(ns);
  if (space == nullptr) return {};
  struct Sorted {
    uint64_t prefix;                 // the key's first 8 bytes as a big-endian number, short keys padded with zeros
    EntryIndex entry;
  };
  const int64_t time = now();
  std::vector<Sorted> order;
  order.reserve(space->entries.size());
  char fixed[8];
  for (EntryIndex at = space->entries.nextUsed(0); at != kNoEntry; at = space->entries.nextUsed(at + 1)) {
    if (layout_.expires && isExpired(payloadAt(*space, at), time)) continue;
    const std::string_view key = keyAt(space->entries.at(at), fixed);
    char first[8] = {};
    if (!key.empty()) std::memcpy(first, key.data(), std::min(key.size(), sizeof(first)));
    order.push_back({loadFixedKey(first), at});
  }
  std::sort(order.begin(), order.end(), [&](const Sorted& a, const Sorted& b) {
    if (a.prefix != b.prefix || spec_.fixed_keys) return a.prefix < b.prefix;
    return keyCellAt(space->entries.at(a.entry)).view() < keyCellAt(space->entries.at(b.entry)).view();
  });
  for (const Sorted& sorted : order) {
    char* const payload = payloadAt(*space, sorted.entry);
    captureIfStale(ns, sorted.entry, payload);
    if (!visit(keyAt(space->entries.at(sorted.entry), fixed), payload)) break;
  }
  return {};
}

class HotKeyedTable::HotCursor final : public KeyedTable::Cursor {
 public:
  HotCursor(HotKeyedTable& table, StateNamespace ns, uint32_t era) : table_(table), ns_(ns), era_(era) {}

  Status next(size_t limit, std::vector<std::pair<std::string_view, char*>>& entries) override {
    entries.clear();
    Space* space = table_.findSpace(ns_);
    if (space == nullptr) return {};
    const int64_t time = table_.now();
    if (table_.spec_.fixed_keys) fixed_keys_.resize(limit * sizeof(uint64_t));
    while (entries.size() < limit) {
      const EntryIndex at = space->entries.nextUsed(next_);
      if (at == kNoEntry) break;
      next_ = at + 1;
      char* const payload = table_.payloadAt(*space, at);
      if (table_.layout_.expires && table_.isExpired(payload, time)) continue;
      if (table_.layout_.marked && table_.layout_.markOf(payload).born >= era_) continue;
      table_.captureIfStale(ns_, at, payload);
      entries.emplace_back(keyView(space->entries.at(at), entries.size()), payload);
    }
    return {};
  }

 private:
  std::string_view keyView(const char* entry, size_t number) {
    if (!table_.spec_.fixed_keys) return keyCellAt(entry).view();
    char* const at = fixed_keys_.data() + number * sizeof(uint64_t);
    storeFixedKey(fixedKeyAt(entry), at);
    return {at, sizeof(uint64_t)};
  }

  HotKeyedTable& table_;
  StateNamespace ns_;
  const uint32_t era_;
  EntryIndex next_ = 0;
  std::vector<char> fixed_keys_;
};

std::unique_ptr<KeyedTable::Cursor> HotKeyedTable::scan(StateNamespace ns) { return scanBefore(ns, UINT32_MAX); }

std::unique_ptr<KeyedTable::Cursor> HotKeyedTable::scanBefore(StateNamespace ns, uint32_t era) {
  return std::make_unique<HotCursor>(*this, ns, era);
}

std::vector<HotKeyedTable::StoredEntry> HotKeyedTable::storedEntries() const {
  std::vector<StoredEntry> result;
  result.reserve(size());
  const int64_t time = now();
  for (const auto& [ns, space] : spaces_) {
    for (EntryIndex at = space->entries.nextUsed(0); at != kNoEntry; at = space->entries.nextUsed(at + 1)) {
      const char* payload = payloadAt(*space, at);
      if (layout_.expires && isExpired(payload, time)) continue;
      result.push_back({hashAt(space->entries.at(at)), ns, at, payload});
    }
  }
  return result;
}

std::string_view HotKeyedTable::keyOf(const StoredEntry& stored, char (&fixed)[8]) const {
  return keyAt(stored.payload - layout_.key_bytes, fixed);
}

EntryIndex HotKeyedTable::findKey(const Space& space, uint64_t hash, std::string_view key) const {
  char fixed[8];
  return space.slots.find(SlotIndex::tagOf(hash), [&](EntryIndex at) { return keyAt(space.entries.at(at), fixed) == key; });
}

char* HotKeyedTable::payloadOf(StateNamespace ns, uint64_t hash, std::string_view key) const {
  const Space* space = findSpace(ns);
  if (space == nullptr) return nullptr;
  const EntryIndex found = findKey(*space, hash, key);
  return found == kNoEntry ? nullptr : payloadAt(*space, found);
}

size_t HotKeyedTable::sizeOf(StateNamespace ns) const {
  const Space* space = findSpace(ns);
  return space == nullptr ? 0 : space->entries.size();
}

size_t HotKeyedTable::freeBytes() const {
  size_t total = 0;
  for (const auto& [ns, space] : spaces_) total += space->entries.freeBytes();
  return total;
}

char* HotKeyedTable::restoreEntry(StateNamespace ns, std::string_view key, int64_t touched_ms) {
  Space& space = makeSpace(ns);
  const uint64_t hash = hashBytes(key);
  if (findKey(space, hash, key) != kNoEntry) return nullptr;
  const EntryIndex entry = space.entries.make();
  char* const at = space.entries.at(entry);
  if (spec_.fixed_keys) {
    CHECK(key.size() == sizeof(uint64_t));
    const uint64_t word = loadFixedKey(key.data());
    std::memcpy(at, &word, sizeof(word));
  } else {
    const KeyCell cell = KeyCell::of(key.size() <= KeyCell::kInlineMax ? key : std::string_view(space.keys.store(key), key.size()));
    std::memcpy(at, &cell, sizeof(cell));
  }
  space.slots.insert(SlotIndex::tagOf(hash), entry);
  char* const payload = at + layout_.key_bytes;
  std::memset(payload, 0, layout_.payload_bytes);
  if (layout_.marked) layout_.markOf(payload) = EntryMark{.dirty = turn_, .born = era_};
  if (layout_.expires) layout_.touch(payload, touched_ms);
  return payload;
}

void HotKeyedTable::abandonEntry(StateNamespace ns, std::string_view key) {
  Space* space = findSpace(ns);
  CHECK(space != nullptr);
  const uint64_t hash = hashBytes(key);
  const EntryIndex entry = findKey(*space, hash, key);
  CHECK(entry != kNoEntry);
  space->slots.erase(SlotIndex::tagOf(hash), entry);
  if (!spec_.fixed_keys && !keyCellAt(space->entries.at(entry)).isInline()) {
    const KeyCell& cell = keyCellAt(space->entries.at(entry));
    space->keys.free(cell.address(), cell.length());
  }
  space->entries.free(entry);
}

}  // namespace thalweg::worker
