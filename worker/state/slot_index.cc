#include "worker/state/slot_index.h"

#include "common/base/check.h"

namespace thalweg::worker {

SlotIndex::SlotIndex(StateMemory& memory) : memory_(memory) { partitions_.push_back(makePartition(kFirstSlots)); }

SlotIndex::~SlotIndex() {
  for (Partition& part : partitions_) freePartition(part);
}

SlotIndex::Partition SlotIndex::makePartition(uint32_t slots) {
  Partition part;
  part.slots = static_cast<Slot*>(memory_.allocate(slots * sizeof(Slot)));
  for (uint32_t i = 0; i < slots; ++i) part.slots[i] = Slot{};
  part.mask = slots - 1;
  slot_count_ += slots;
  return part;
}

void SlotIndex::freePartition(Partition& part) {
  const size_t slots = size_t{part.mask} + 1;
  memory_.free(part.slots, slots * sizeof(Slot));
  slot_count_ -= slots;
  part = Partition{};
}

void SlotIndex::place(Partition& part, Slot slot) {
  uint32_t at = slot.tag & part.mask;
  while (part.slots[at].entry != kNoEntry) at = (at + 1) & part.mask;
  part.slots[at] = slot;
  ++part.used;
}

void SlotIndex::insert(uint32_t tag, EntryIndex entry) {
  Partition* part = &partitions_[static_cast<uint64_t>(tag) >> shift_];
  const uint64_t slots = uint64_t{part->mask} + 1;
  if ((uint64_t{part->used} + 1) * 4 > slots * 3) {
    if (shift_ == 32 && slots >= kSplitSlots) split();
    else grow(*part);
    part = &partitions_[static_cast<uint64_t>(tag) >> shift_];
  }
  place(*part, Slot{tag, entry});
}

void SlotIndex::grow(Partition& part) {
  CHECK(part.mask < (uint32_t{1} << 31) - 1);
  Partition larger = makePartition((part.mask + 1) * 2);
  for (uint32_t i = 0; i <= part.mask; ++i) {
    if (part.slots[i].entry != kNoEntry) place(larger, part.slots[i]);
  }
  freePartition(part);
  part = larger;
}

void SlotIndex::split() {
  Partition whole = partitions_[0];
  partitions_.clear();
  const uint32_t count = uint32_t{1} << kPartitionBits;
  // Twice the room, so that no partition is near its limit however unevenly the keys fall.
  for (uint32_t i = 0; i < count; ++i) partitions_.push_back(makePartition(kSplitSlots * 2 / count));
  shift_ = 32 - kPartitionBits;
  for (uint32_t i = 0; i <= whole.mask; ++i) {
    const Slot slot = whole.slots[i];
    if (slot.entry == kNoEntry) continue;
    Partition& part = partitions_[static_cast<uint64_t>(slot.tag) >> shift_];
    if ((uint64_t{part.used} + 1) * 4 > (uint64_t{part.mask} + 1) * 3) grow(part);
    place(part, slot);
  }
  freePartition(whole);
}

void SlotIndex::erase(uint32_t tag, EntryIndex entry) {
  Partition& part = partitions_[static_cast<uint64_t>(tag) >> shift_];
  uint32_t hole = tag & part.mask;
  while (part.slots[hole].entry != entry) {
    CHECK(part.slots[hole].entry != kNoEntry);
    hole = (hole + 1) & part.mask;
  }
  // Later slots of the run move back over the hole unless that would put them before their home.
  for (uint32_t at = (hole + 1) & part.mask; part.slots[at].entry != kNoEntry; at = (at + 1) & part.mask) {
    const uint32_t home_slot = part.slots[at].tag & part.mask;
    if (((at - home_slot) & part.mask) < ((at - hole) & part.mask)) continue;
    part.slots[hole] = part.slots[at];
    hole = at;
  }
  part.slots[hole] = Slot{};
  --part.used;
}

}  // namespace thalweg::worker
