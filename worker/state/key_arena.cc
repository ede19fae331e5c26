#include "worker/state/key_arena.h"

#include <algorithm>
#include <cstring>

#include "common/base/check.h"

namespace thalweg::worker {

KeyArena::~KeyArena() {
  for (const Chunk& chunk : chunks_) memory_.free(chunk.at, chunk.bytes);
}

char* KeyArena::take(size_t bytes) {
  char*& head = free_heads_[bytes / 8];
  if (head != nullptr) {
    char* const at = head;
    std::memcpy(&head, at, sizeof(char*));
    return at;
  }
  if (chunks_.empty() || chunk_used_ + bytes > chunks_.back().bytes) {
    const size_t size = chunks_.empty() ? kFirstChunkBytes : std::min(chunks_.back().bytes * 2, kChunkBytesMax);
    chunks_.push_back({static_cast<char*>(memory_.allocate(size)), size});
    chunk_used_ = 0;
  }
  char* const at = chunks_.back().at + chunk_used_;
  chunk_used_ += bytes;
  return at;
}

const char* KeyArena::store(std::string_view bytes) {
  const size_t size = roundUp(bytes.size());
  char* const at = size > kSmallMax ? static_cast<char*>(memory_.allocate(size)) : take(size);
  std::memcpy(at, bytes.data(), bytes.size());
  return at;
}

void KeyArena::free(const char* at, size_t length) {
  const size_t size = roundUp(length);
  char* const bytes = const_cast<char*>(at);  // store() gave it out of memory that this arena owns
  if (size > kSmallMax) return memory_.free(bytes, size);
  std::memcpy(bytes, &free_heads_[size / 8], sizeof(char*));
  free_heads_[size / 8] = bytes;
}

}  // namespace thalweg::worker
