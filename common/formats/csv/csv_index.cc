#include "common/formats/csv/csv_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace thalweg::format {
namespace {

#if defined(__AVX2__)
/// Bit i is set if byte i of the 64 bytes at `data` is special.
class BlockScanner {
 public:
  BlockScanner(char delimiter, char quote, char escape)
      : delimiter_(_mm256_set1_epi8(delimiter)),
        quote_(_mm256_set1_epi8(quote)),
        escape_(_mm256_set1_epi8(escape)),
        feed_(_mm256_set1_epi8('\n')),
        carriage_(_mm256_set1_epi8('\r')) {}

  uint64_t operator()(const char* data) const {
    return uint64_t{half(data)} | uint64_t{half(data + 32)} << 32;
  }

 private:
  uint32_t half(const char* data) const {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
    const __m256i lines = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, feed_), _mm256_cmpeq_epi8(bytes, carriage_));
    const __m256i marks = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote_), _mm256_cmpeq_epi8(bytes, escape_));
    const __m256i found = _mm256_or_si256(_mm256_or_si256(lines, marks), _mm256_cmpeq_epi8(bytes, delimiter_));
    return static_cast<uint32_t>(_mm256_movemask_epi8(found));
  }

  __m256i delimiter_, quote_, escape_, feed_, carriage_;
};
#else
class BlockScanner {
 public:
  BlockScanner(char delimiter, char quote, char escape) : delimiter_(delimiter), quote_(quote), escape_(escape) {}
  uint64_t operator()(const char* data) const {
    uint64_t found = 0;
    for (size_t i = 0; i < 64; ++i) {
      const char c = data[i];
      found |= uint64_t{c == delimiter_ || c == '\n' || c == '\r' || c == quote_ || c == escape_} << i;
    }
    return found;
  }

 private:
  char delimiter_, quote_, escape_;
};
#endif

}  // namespace

void CsvIndex::reset(const char* data, size_t begin, size_t end) {
  data_ = data;
  end_ = end;
  scanned_ = begin;
  count_ = next_ = 0;
}

void CsvIndex::skipTo(size_t position) {
  while (next_ < count_ && peek() < position) ++next_;
  if (next_ == count_) scanned_ = std::max(scanned_, position);
}

bool CsvIndex::scan() {
  const BlockScanner scan_block(delimiter_, quote_, escape_);
  next_ = count_ = 0;
  while (count_ == 0 && scanned_ < end_) {
    base_ = scanned_;
    const size_t window_end = std::min(end_, scanned_ + kWindowBytes);
    uint32_t* out = places_.data();
    for (; scanned_ < window_end; scanned_ += 64) {
      uint64_t found = scan_block(data_ + scanned_);
      if (end_ - scanned_ < 64) found &= ~uint64_t{0} >> (64 - (end_ - scanned_));
      const auto offset = static_cast<uint32_t>(scanned_ - base_);
      for (; found != 0; found &= found - 1) *out++ = offset + static_cast<uint32_t>(std::countr_zero(found));
    }
    scanned_ = std::min(scanned_, end_);
    count_ = static_cast<size_t>(out - places_.data());
  }
  return count_ > 0;
}

}  // namespace thalweg::format
