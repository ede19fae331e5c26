// SlotIndex: an open-addressing hash table from key hashes to entry numbers, which never grows all at once.
//
// A slot is 8 bytes: 32 bits of the hash and the number of an entry that lives elsewhere (EntryArena). Equality of
// keys is the caller's: probing hands it every entry whose 32 bits match. Linear probing, at most 3/4 full, erased
// by shifting back, so there are no tombstones.
// Growth: up to 64 Ki slots one array doubles; then it splits into 64 partitions by the top hash bits, each of which
// doubles on its own, so that the extra memory of growing is a 64th of the table. Growing reads slots only, never
// entries, since the 32 bits hold all that placing needs.
// Only the low half of the 64-bit hash is used here; the high half chose the key group, and is much the same for all
// keys of one subtask.
// Threads: one owner. Limits: 2^32 - 1 entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "worker/state/state_memory.h"

namespace thalweg::worker {

/// Number of an entry in its arena.
using EntryIndex = uint32_t;
constexpr EntryIndex kNoEntry = ~EntryIndex{0};

class SlotIndex {
 public:
  struct Slot {
    uint32_t tag = 0;
    EntryIndex entry = kNoEntry;
  };

  explicit SlotIndex(StateMemory& memory);
  ~SlotIndex();
  SlotIndex(const SlotIndex&) = delete;
  SlotIndex& operator=(const SlotIndex&) = delete;

  static uint32_t tagOf(uint64_t hash) { return static_cast<uint32_t>(hash); }

  /// The slot where probing for `tag` begins; for prefetching, and to guess the entry.
  const Slot* home(uint32_t tag) const {
    const Partition& part = partition(tag);
    return part.slots + (tag & part.mask);
  }
  /// The entry of this tag for which `equal(entry)` holds, or kNoEntry.
  template <typename Equal>
  EntryIndex find(uint32_t tag, Equal&& equal) const {
    const Partition& part = partition(tag);
    for (uint32_t at = tag & part.mask;; at = (at + 1) & part.mask) {
      const Slot slot = part.slots[at];
      if (slot.entry == kNoEntry) return kNoEntry;
      if (slot.tag == tag && equal(slot.entry)) return slot.entry;
    }
  }
  /// Adds an entry whose key is not in the table.
  void insert(uint32_t tag, EntryIndex entry);
  /// Removes an entry that is in the table.
  void erase(uint32_t tag, EntryIndex entry);

  size_t slotBytes() const { return slot_count_ * sizeof(Slot); }

 private:
  struct Partition {
    Slot* slots = nullptr;
    uint32_t mask = 0;
    uint32_t used = 0;
  };
  static constexpr uint32_t kPartitionBits = 6;
  static constexpr uint32_t kFirstSlots = 16;
  static constexpr uint32_t kSplitSlots = uint32_t{1} << 16;

  const Partition& partition(uint32_t tag) const { return partitions_[static_cast<uint64_t>(tag) >> shift_]; }
  Partition makePartition(uint32_t slots);
  void freePartition(Partition& part);
  static void place(Partition& part, Slot slot);
  void grow(Partition& part);
  void split();

  StateMemory& memory_;
  std::vector<Partition> partitions_;
  uint32_t shift_ = 32;            // 32: one partition; 26: 64 of them
  size_t slot_count_ = 0;
};

}  // namespace thalweg::worker
