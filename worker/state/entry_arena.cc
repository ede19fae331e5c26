#include "worker/state/entry_arena.h"

#include <algorithm>
#include <cstring>

#include "common/base/check.h"

namespace thalweg::worker {

EntryArena::EntryArena(size_t entry_bytes, StateMemory& memory) : memory_(memory), entry_bytes_(entry_bytes) {
  CHECK(entry_bytes >= 8 && entry_bytes % 8 == 0);
  const auto fitting = static_cast<uint32_t>(std::bit_width(kChunkBytesMax / entry_bytes));
  largest_bits_ = std::max(fitting, kFirstBits + 1) - 1;
  largest_entries_ = uint64_t{1} << largest_bits_;
  levels_ = largest_bits_ - kFirstBits;
}

EntryArena::~EntryArena() {
  for (size_t i = 0; i < chunks_.size(); ++i) {
    const uint64_t entries = i < levels_ ? kFirstEntries << i : largest_entries_;
    memory_.free(chunks_[i], entries * entry_bytes_);
  }
  memory_.remove(used_.capacity() * sizeof(uint64_t));
}

void EntryArena::addChunk() {
  const size_t number = chunks_.size();
  const uint64_t entries = number < levels_ ? kFirstEntries << number : largest_entries_;
  CHECK_MSG(capacity_ + entries < kNoEntry, "a state table holds at most 2^32 - 1 keys");
  chunks_.push_back(static_cast<char*>(memory_.allocate(entries * entry_bytes_)));
  chunk_bytes_ += entries * entry_bytes_;
  capacity_ += entries;
  const size_t before = used_.capacity();
  used_.resize((capacity_ + 63) / 64);
  memory_.add((used_.capacity() - before) * sizeof(uint64_t));
}

EntryIndex EntryArena::make() {
  EntryIndex entry = free_head_;
  if (entry != kNoEntry) {
    std::memcpy(&free_head_, at(entry), sizeof(free_head_));
  } else {
    if (end_ == capacity_) addChunk();
    entry = end_++;
  }
  used_[entry >> 6] |= uint64_t{1} << (entry & 63);
  ++size_;
  return entry;
}

void EntryArena::free(EntryIndex entry) {
  DCHECK(used_[entry >> 6] >> (entry & 63) & 1);
  used_[entry >> 6] &= ~(uint64_t{1} << (entry & 63));
  std::memcpy(at(entry), &free_head_, sizeof(free_head_));
  free_head_ = entry;
  --size_;
}

EntryIndex EntryArena::nextUsed(EntryIndex from) const {
  if (from >= end_) return kNoEntry;
  size_t word = from >> 6;
  uint64_t bits = used_[word] & (~uint64_t{0} << (from & 63));
  while (bits == 0) {
    if (++word == used_.size()) return kNoEntry;
    bits = used_[word];
  }
  return static_cast<EntryIndex>(word * 64 + static_cast<size_t>(std::countr_zero(bits)));
}

}  // namespace thalweg::worker
