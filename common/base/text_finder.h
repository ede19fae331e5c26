// TextFinder: the places of a short text in others, 32 bytes at a time. For texts of a few dozen bytes, where a call into the
// C library costs more than the search.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace thalweg {

class TextFinder {
 public:
  /// `wanted` is not empty and is borrowed.
  explicit TextFinder(std::string_view wanted) : wanted_(wanted) {}

  /// The first place at or behind `from`; npos if there is none.
  size_t find(std::string_view text, size_t from) const {
#if defined(__AVX2__)
    const size_t reach = wanted_.size() - 1;
    if (text.size() >= from + reach + kBlock) {
      const size_t last_block = text.size() - reach - kBlock;
      for (size_t at = from; at < last_block; at += kBlock) {
        if (const size_t place = findAmong(text, at, candidates(text, at)); place != std::string_view::npos) return place;
      }
      return findAmong(text, last_block, candidates(text, last_block));   // also what was seen already: it held nothing
    }
#endif
    return from <= text.size() ? text.find(wanted_, from) : std::string_view::npos;
  }

 private:
  static constexpr size_t kBlock = 32;

#if defined(__AVX2__)
  /// Places from `at` on with the right first and last byte; the last bytes of usual texts are rarer than the first.
  uint32_t candidates(std::string_view text, size_t at) const {
    const __m256i begins = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.data() + at));
    const __m256i ends = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.data() + at + wanted_.size() - 1));
    const __m256i both = _mm256_and_si256(_mm256_cmpeq_epi8(begins, _mm256_set1_epi8(wanted_.front())),
                                          _mm256_cmpeq_epi8(ends, _mm256_set1_epi8(wanted_.back())));
    return static_cast<uint32_t>(_mm256_movemask_epi8(both));
  }
  size_t findAmong(std::string_view text, size_t at, uint32_t places) const {
    for (; places != 0; places &= places - 1) {
      const size_t place = at + static_cast<size_t>(std::countr_zero(places));
      if (std::memcmp(text.data() + place, wanted_.data(), wanted_.size()) == 0) return place;
    }
    return std::string_view::npos;
  }
#endif

  std::string_view wanted_;
};

}  // namespace thalweg
