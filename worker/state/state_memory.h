// StateMemory: the allocations of one state table, counted and accounted to the memory pool of its task.
//
// Threads: one owner. Lifetime: outlives what was allocated from it; the pool is the one that was current when the
// table was made, whichever thread frees.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "common/base/memory_pool.h"

namespace thalweg::worker {

class StateMemory {
 public:
  StateMemory() : pool_(MemoryPool::current()) {}
  ~StateMemory() { pool_->release(used_bytes_); }
  StateMemory(const StateMemory&) = delete;
  StateMemory& operator=(const StateMemory&) = delete;

  /// Uninitialised, aligned to 64 bytes.
  void* allocate(size_t bytes) {
    add(bytes);
    return ::operator new(bytes, std::align_val_t{kAlignment});
  }
  void free(void* at, size_t bytes) {
    ::operator delete(at, std::align_val_t{kAlignment});
    remove(bytes);
  }
  /// Counts memory that was allocated by other means.
  void add(size_t bytes) {
    used_bytes_ += bytes;
    pool_->add(bytes);
  }
  void remove(size_t bytes) {
    used_bytes_ -= bytes;
    pool_->release(bytes);
  }
  size_t usedBytes() const { return used_bytes_; }

 private:
  static constexpr size_t kAlignment = 64;
  std::shared_ptr<MemoryPool> pool_;
  size_t used_bytes_ = 0;
};

}  // namespace thalweg::worker
