// Random: the seeded source of every random number in the engine.
//
// Nothing of ours draws from std::rand or std::random_device; whoever needs chance is handed a Random, so
// that one seed reproduces one run. SplitMix64 spreads the seed, xoshiro256** (Blackman and Vigna) generates.
// Not for secrets. Threads: one owner; `fork()` gives another owner its own independent stream.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "common/base/check.h"

namespace thalweg {

/// One step of SplitMix64: a good 64-bit mix of `state`, which it advances.
constexpr uint64_t splitMix64(uint64_t& state) {
  state += 0x9E3779B97F4A7C15ULL;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

class Random {
 public:
  using result_type = uint64_t;  // so that standard algorithms such as std::shuffle accept it

  explicit constexpr Random(uint64_t seed) {
    for (uint64_t& word : state_) word = splitMix64(seed);
  }

  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return ~uint64_t{0}; }
  constexpr uint64_t operator()() { return nextBits(); }

  /// 64 random bits.
  constexpr uint64_t nextBits() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform in [0, bound), without bias (Lemire's method). `bound` > 0.
  constexpr uint64_t nextBelow(uint64_t bound) {
    DCHECK(bound > 0);
    __extension__ using Wide = unsigned __int128;
    Wide product = Wide{nextBits()} * bound;
    if (static_cast<uint64_t>(product) < bound) {
      const uint64_t threshold = (0 - bound) % bound;
      while (static_cast<uint64_t>(product) < threshold) product = Wide{nextBits()} * bound;
    }
    return static_cast<uint64_t>(product >> 64);
  }

  /// Uniform in [low, high], both inclusive.
  constexpr int64_t nextBetween(int64_t low, int64_t high) {
    DCHECK(low <= high);
    const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;  // 0: all 2^64 values
    const uint64_t offset = span == 0 ? nextBits() : nextBelow(span);
    return static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
  }

  /// Uniform in [0, 1), all 53 bits.
  constexpr double nextDouble() { return static_cast<double>(nextBits() >> 11) * 0x1.0p-53; }

  /// True with this probability.
  constexpr bool nextChance(double probability) { return nextDouble() < probability; }

  /// An independent stream, derived from this one.
  constexpr Random fork() { return Random(nextBits()); }

 private:
  std::array<uint64_t, 4> state_{};
};

}  // namespace thalweg
