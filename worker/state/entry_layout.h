// EntryLayout: where key, payload and touch time stand in an entry of a hot table.
//
//   fixed keys   8 bytes: the key word      other keys   16 bytes: KeyCell
//   payload      spec.payload_bytes
//   touch time   8 bytes, only if entries expire: the milliseconds of the last upsert or markDirty
//   mark         8 bytes, only if the table has a cold tier: EntryMark
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "common/runtime_api/state.h"

namespace thalweg::worker {

/// A key of any length: up to 12 bytes inline, else its first 4 and a pointer to all of them.
struct KeyCell {
  static constexpr size_t kInlineMax = 12;
  uint64_t head = 0;                 ///< length (32 bits), then the first 4 bytes
  uint64_t tail = 0;                 ///< the other inline bytes, or the address

  /// For looking up; a long key's cell points to `key` itself.
  static KeyCell of(std::string_view key) {
    KeyCell cell;
    const auto length = static_cast<uint32_t>(key.size());
    auto* bytes = reinterpret_cast<char*>(&cell);
    std::memcpy(bytes, &length, sizeof(length));
    if (key.size() <= kInlineMax) {
      if (!key.empty()) std::memcpy(bytes + 4, key.data(), key.size());
    } else {
      std::memcpy(bytes + 4, key.data(), 4);
      const char* address = key.data();
      std::memcpy(bytes + 8, &address, sizeof(address));
    }
    return cell;
  }
  /// of() the 8 big-endian bytes of a word.
  static KeyCell ofWord(uint64_t word) {
    const uint64_t bytes = __builtin_bswap64(word);
    KeyCell cell;
    cell.head = sizeof(word) | bytes << 32;
    cell.tail = bytes >> 32;
    return cell;
  }
  size_t length() const { return static_cast<uint32_t>(head); }
  bool isInline() const { return length() <= kInlineMax; }
  const char* address() const { return reinterpret_cast<const char*>(tail); }
  /// The key; inline bytes point into this cell.
  std::string_view view() const {
    return {isInline() ? reinterpret_cast<const char*>(this) + 4 : address(), length()};
  }
  bool operator==(const KeyCell& other) const {
    if (head != other.head) return false;
    if (tail == other.tail) return true;
    return !isInline() && std::memcmp(address(), other.address(), length()) == 0;
  }
};
static_assert(sizeof(KeyCell) == 16);

/// What the cold tier wants to know of an entry in memory.
struct EntryMark {
  uint8_t dirty = 0;                 ///< 0: its value is on disk; else the turn of snapshots (1 or 2) in which it changed last
  bool written = false;              ///< a value of its key is on disk, or that it was erased
  uint8_t uses = 0;                  ///< lookups, halved whenever entries leave
  uint8_t unused = 0;
  uint32_t born = 0;                 ///< the table's era when it came into memory

  void use() { uses = uses == UINT8_MAX ? uses : static_cast<uint8_t>(uses + 1); }
};
static_assert(sizeof(EntryMark) == 8);

struct EntryLayout {
  EntryLayout(const KeyedTableSpec& spec, bool has_marks)
      : key_bytes(spec.fixed_keys ? sizeof(uint64_t) : sizeof(KeyCell)),
        payload_bytes(spec.payload_bytes),
        expires(spec.ttl_ms > 0),
        marked(has_marks),
        entry_bytes(key_bytes + payload_bytes + (expires ? sizeof(int64_t) : 0) + (marked ? sizeof(EntryMark) : 0)) {}

  size_t key_bytes;
  size_t payload_bytes;
  bool expires;
  bool marked;
  size_t entry_bytes;

  int64_t touchedAt(const char* payload) const {
    int64_t at;
    std::memcpy(&at, payload + payload_bytes, sizeof(at));
    return at;
  }
  void touch(char* payload, int64_t now_ms) const { std::memcpy(payload + payload_bytes, &now_ms, sizeof(now_ms)); }
  /// Only of a marked layout.
  EntryMark& markOf(char* payload) const {
    return *reinterpret_cast<EntryMark*>(payload + payload_bytes + (expires ? sizeof(int64_t) : 0));
  }
};

inline uint64_t fixedKeyAt(const char* entry) {
  uint64_t word;
  std::memcpy(&word, entry, sizeof(word));
  return word;
}
inline const KeyCell& keyCellAt(const char* entry) { return *reinterpret_cast<const KeyCell*>(entry); }

/// The memcomparable bytes of a fixed key.
inline void storeFixedKey(uint64_t word, char* at) {
  word = __builtin_bswap64(word);
  std::memcpy(at, &word, sizeof(word));
}
inline uint64_t loadFixedKey(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  return __builtin_bswap64(word);
}

}  // namespace thalweg::worker
