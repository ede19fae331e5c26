// Hashing: XXH3-64 of an encoded key, seed frozen for ever (state, partitioning and tables share one hash).
// The high 32 bits choose the key group, the low ones the table slot (DESIGN 5).
#pragma once

#include <cstdint>
#include <string_view>

namespace thalweg {

/// XXH3-64 of the bytes.
uint64_t hashBytes(std::string_view bytes);

/// Key group of a hash among `max_parallelism` groups: multiply-shift of the high 32 bits.
inline uint32_t keyGroupOf(uint64_t hash, uint32_t max_parallelism) {
  return static_cast<uint32_t>(((hash >> 32) * max_parallelism) >> 32);
}

/// Subtask that owns a key group: contiguous ranges, as Flink assigns them.
inline uint32_t subtaskOfKeyGroup(uint32_t key_group, uint32_t max_parallelism, uint32_t parallelism) {
  return static_cast<uint32_t>(static_cast<uint64_t>(key_group) * parallelism / max_parallelism);
}

}  // namespace thalweg
