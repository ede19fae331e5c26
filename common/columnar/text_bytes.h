// Copying and scanning of short text without calls into the C library, whose cost per call exceeds the work for
// the lengths that columns are full of.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace thalweg {

template <typename Word>
inline void copyEnds(char* target, const char* source, size_t size) {
  Word first;
  Word last;
  std::memcpy(&first, source, sizeof(Word));
  std::memcpy(&last, source + size - sizeof(Word), sizeof(Word));
  std::memcpy(target, &first, sizeof(Word));
  std::memcpy(target + size - sizeof(Word), &last, sizeof(Word));
}

/// memcpy, fast for up to 64 bytes; `source` may be null if size is 0.
inline void copyText(char* target, const char* source, size_t size) {
  struct Pair {
    uint64_t words[2];
  };
  struct Quad {
    uint64_t words[4];
  };
  if (size > 64) std::memcpy(target, source, size);
  else if (size >= 32) copyEnds<Quad>(target, source, size);
  else if (size >= 16) copyEnds<Pair>(target, source, size);
  else if (size >= 8) copyEnds<uint64_t>(target, source, size);
  else if (size >= 4) copyEnds<uint32_t>(target, source, size);
  else if (size >= 2) copyEnds<uint16_t>(target, source, size);
  else if (size == 1) *target = *source;
}

/// Whether a byte of `text` is zero.
inline bool hasZeroByte(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighs = 0x8080808080808080;
  const auto zero_in = [](const char* at) {
    uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    return ((word - kOnes) & ~word & kHighs) != 0;
  };
  if (text.size() > 64) return std::memchr(text.data(), 0, text.size()) != nullptr;
  if (text.size() >= 8) {
    bool found = zero_in(text.data() + text.size() - 8);
    for (size_t at = 0; at + 8 <= text.size(); at += 8) found |= zero_in(text.data() + at);
    return found;
  }
  for (const char c : text) {
    if (c == 0) return true;
  }
  return false;
}

}  // namespace thalweg
