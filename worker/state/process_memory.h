// What the process takes of the machine's memory.
//
// Threads: any.
#pragma once

#include <cstdint>

namespace thalweg::worker {

struct ProcessMemory {
  uint64_t resident_bytes = 0;       ///< as the system counts
  uint64_t active_bytes = 0;         ///< the same, without pages that the allocator could give back
  uint64_t allocated_bytes = 0;      ///< the same, without gaps between what was allocated

  /// Costs some microseconds.
  static ProcessMemory now();
  /// Returns to the system what the allocator holds back.
  static void trim();
  /// From now on the allocator holds pages back for a fifth of a second only.
  static void holdBackLess();
};

}  // namespace thalweg::worker
