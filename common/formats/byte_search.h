// findAny: the first of a few bytes in a text, 32 bytes at a time.
//
// Up to 32 bytes past `end` must be readable; what stands there is never reported. Threads: a pure function.
#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace thalweg::format {

/// The first place in [from, end) with one of `kBytes`, or `end`.
template <char... kBytes>
const char* findAny(const char* from, const char* end) {
#if defined(__AVX2__)
  for (; from < end; from += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const auto found = (... | static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(kBytes)))));
    if (found == 0) continue;
    from += __builtin_ctz(found);
    return from < end ? from : end;
  }
  return end;
#else
  while (from < end && !(... || (*from == kBytes))) ++from;
  return from;
#endif
}

}  // namespace thalweg::format
