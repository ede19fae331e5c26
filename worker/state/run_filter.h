// RunFilter: tells for most keys that a run does not hold them, from 10 bits a key and one cache line.
//
// A Bloom filter whose six bits of a key all lie in one line of 64 bytes: about one key in fifty that is not there is
// said to be. Threads: add() one owner; mayHold() any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace thalweg::worker {

class RunFilter {
 public:
  /// For up to `keys` keys; more make it say "maybe" more often.
  explicit RunFilter(size_t keys);

  /// What add() and mayHold() take, of a key's hash and the number of its namespace.
  static uint64_t mixed(uint64_t hash, int64_t ns) {
    uint64_t mix = hash ^ (static_cast<uint64_t>(ns) * 0x9e3779b97f4a7c15ULL);
    mix = (mix ^ (mix >> 32)) * 0xd6e8feb86659fd93ULL;       // keys of one subtask share their high bits
    return mix ^ (mix >> 29);
  }

  void add(uint64_t mix) {
    Line& line = lines_[lineOf(mix)];
    for (uint32_t i = 0; i < kBits; ++i) line[wordOf(mix, i)] |= bitOf(mix, i);
  }
  bool mayHold(uint64_t mix) const {
    const Line& line = lines_[lineOf(mix)];
    for (uint32_t i = 0; i < kBits; ++i) {
      if ((line[wordOf(mix, i)] & bitOf(mix, i)) == 0) return false;
    }
    return true;
  }
  void prefetch(uint64_t mix) const { __builtin_prefetch(&lines_[lineOf(mix)]); }

  size_t memoryBytes() const { return lines_.size() * sizeof(Line); }
  /// Its bytes, and a filter of them (a whole number of lines, at least one).
  std::string_view bytes() const { return {reinterpret_cast<const char*>(lines_.data()), memoryBytes()}; }
  static std::unique_ptr<RunFilter> of(std::string_view bytes);

 private:
  static constexpr size_t kBitsPerKey = 10;
  static constexpr uint32_t kBits = 6;
  using Line = std::array<uint64_t, 8>;

  size_t lineOf(uint64_t mix) const { return static_cast<size_t>((static_cast<unsigned __int128>(mix) * lines_.size()) >> 64); }
  /// Nine bits a probe, from the low 54.
  static size_t wordOf(uint64_t mix, uint32_t probe) { return (mix >> (9 * probe)) & 7; }
  static uint64_t bitOf(uint64_t mix, uint32_t probe) { return uint64_t{1} << ((mix >> (9 * probe + 3)) & 63); }

  std::vector<Line> lines_;
};

}  // namespace thalweg::worker
