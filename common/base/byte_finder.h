// ByteFinder: the places of one byte in a text, one after the other, 32 bytes at a time. For texts in which the byte
// comes often: a search per place costs more than the bytes between two of them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace thalweg {

class ByteFinder {
 public:
  ByteFinder(std::string_view text, char byte) : text_(text), byte_(byte) { load(); }

  /// The next place, or text.size() when there is none.
  size_t next() {
    while (found_ == 0) {
      block_ += kBlock;
      if (block_ >= text_.size()) return text_.size();
      load();
    }
    const size_t at = block_ + static_cast<size_t>(std::countr_zero(found_));
    found_ &= found_ - 1;
    return at;
  }

 private:
  static constexpr size_t kBlock = 32;

  void load() {
    const size_t left = text_.size() - block_;
    if (left >= kBlock) {
      found_ = placesIn(text_.data() + block_);
      return;
    }
    if (block_ > 0) {                            // the text's last block, without the bytes seen already
      found_ = placesIn(text_.data() + text_.size() - kBlock) >> (kBlock - left);
      return;
    }
    char rest[kBlock];
    std::memcpy(rest, text_.data(), left);
    found_ = placesIn(rest) & ((uint32_t{1} << left) - 1);
  }

  uint32_t placesIn(const char* block) const {
#if defined(__AVX2__)
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
    return static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte_))));
#else
    uint32_t places = 0;
    for (size_t i = 0; i < kBlock; ++i) places |= static_cast<uint32_t>(block[i] == byte_) << i;
    return places;
#endif
  }

  std::string_view text_;
  char byte_;
  size_t block_ = 0;
  uint32_t found_ = 0;       // places in the block that were not given yet
};

}  // namespace thalweg
