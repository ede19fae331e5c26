// KeyArena: the bytes of long keys, at addresses that never move; freed bytes are used again for keys of about the
// same length.
//
// Up to 512 bytes a key takes its length rounded up to 8 from a chunk of 4 to 64 KiB; longer keys are allocated one
// by one, and are the owner's to free before the arena goes. Threads: one owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "worker/state/state_memory.h"

namespace thalweg::worker {

class KeyArena {
 public:
  explicit KeyArena(StateMemory& memory) : memory_(memory) {}
  ~KeyArena();
  KeyArena(const KeyArena&) = delete;
  KeyArena& operator=(const KeyArena&) = delete;

  const char* store(std::string_view bytes);
  /// Gives back what store() gave for `length` bytes.
  void free(const char* at, size_t length);

 private:
  static constexpr size_t kSmallMax = 512;
  static constexpr size_t kFirstChunkBytes = size_t{4} << 10;
  static constexpr size_t kChunkBytesMax = size_t{64} << 10;
  static size_t roundUp(size_t length) { return (length + 7) / 8 * 8; }
  char* take(size_t bytes);

  struct Chunk {
    char* at;
    size_t bytes;
  };
  StateMemory& memory_;
  std::vector<Chunk> chunks_;
  size_t chunk_used_ = 0;                               // bytes of the last chunk
  std::array<char*, kSmallMax / 8 + 1> free_heads_{};   // by size / 8; a free piece holds the next one's address
};

}  // namespace thalweg::worker
