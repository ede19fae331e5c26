// EntryArena: entries of one width in chunks, numbered, at addresses that never move.
//
// Chunks double from 16 entries up to 256 KiB, so that a small table is small and a large one wastes little. Freed
// entries form a list and are used again. Entries are visited in the order of their numbers, which is the order of
// their making as long as none was freed.
// Threads: one owner. Lifetime: frees its memory, but knows nothing of what entries own.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "worker/state/slot_index.h"
#include "worker/state/state_memory.h"

namespace thalweg::worker {

class EntryArena {
 public:
  /// `entry_bytes` is a multiple of 8.
  EntryArena(size_t entry_bytes, StateMemory& memory);
  ~EntryArena();
  EntryArena(const EntryArena&) = delete;
  EntryArena& operator=(const EntryArena&) = delete;

  char* at(EntryIndex entry) const {
    const uint64_t biased = uint64_t{entry} + kFirstEntries;
    if (biased < largest_entries_) {
      const auto level = static_cast<uint32_t>(std::bit_width(biased)) - 1;
      return chunks_[level - kFirstBits] + (biased - (uint64_t{1} << level)) * entry_bytes_;
    }
    return chunks_[levels_ + (biased >> largest_bits_) - 1] + (biased & (largest_entries_ - 1)) * entry_bytes_;
  }
  /// An entry of uninitialised bytes.
  EntryIndex make();
  void free(EntryIndex entry);
  /// The first entry in use at or after `from`, or kNoEntry.
  EntryIndex nextUsed(EntryIndex from) const;

  size_t size() const { return size_; }
  /// Numbers below this were handed out some time.
  EntryIndex end() const { return end_; }
  size_t usedBytes() const { return chunk_bytes_; }
  /// Of usedBytes(), what is in no entry.
  size_t freeBytes() const { return chunk_bytes_ - size_ * entry_bytes_; }

 private:
  static constexpr uint32_t kFirstBits = 4;
  static constexpr uint64_t kFirstEntries = uint64_t{1} << kFirstBits;
  static constexpr size_t kChunkBytesMax = size_t{256} << 10;

  void addChunk();

  StateMemory& memory_;
  size_t entry_bytes_;
  uint32_t largest_bits_;           // a chunk of full size holds 2^largest_bits_ entries
  uint64_t largest_entries_;
  uint32_t levels_;                 // smaller chunks before the full-sized ones
  std::vector<char*> chunks_;
  std::vector<uint64_t> used_;      // a bit per entry
  size_t chunk_bytes_ = 0;
  uint64_t capacity_ = 0;
  EntryIndex end_ = 0;
  EntryIndex free_head_ = kNoEntry;
  size_t size_ = 0;
};

}  // namespace thalweg::worker
