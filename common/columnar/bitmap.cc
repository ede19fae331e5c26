#include "common/columnar/bitmap.h"

#include <algorithm>
#include <bit>

namespace thalweg {
namespace {

constexpr uint64_t kAllSet = ~uint64_t{0};

uint64_t tailMask(size_t rows) { return rows % 64 == 0 ? kAllSet : (uint64_t{1} << (rows % 64)) - 1; }

// Fills a bitmap word by word; null if no row came out invalid.
template <typename WordAt>
BufferPtr makeBits(size_t rows, WordAt&& word_at) {
  if (rows == 0) return nullptr;
  MutableBufferPtr result = Buffer::allocate(bitmapBytes(rows));
  auto* words = result->mutableAs<uint64_t>();
  const size_t count = (rows + 63) / 64;
  uint64_t all = kAllSet;
  for (size_t w = 0; w + 1 < count; ++w) all &= words[w] = word_at(w);
  const uint64_t last = word_at(count - 1);
  words[count - 1] = last;
  all &= last | ~tailMask(rows);
  if (all == kAllSet) return nullptr;
  return result;
}

}  // namespace

BufferPtr sliceBits(const BufferPtr& bits, size_t offset, size_t rows) {
  if (bits == nullptr) return nullptr;
  const auto* words = bits->as<uint64_t>() + offset / 64;
  const size_t shift = offset % 64;
  if (shift == 0) {
    return makeBits(rows, [&](size_t w) { return words[w]; });
  }
  // The last word of the source must not be passed: a word is read only if a bit of it is wanted.
  const size_t source_words = (shift + rows + 63) / 64;
  return makeBits(rows, [&](size_t w) {
    const uint64_t high = w + 1 < source_words ? words[w + 1] << (64 - shift) : 0;
    return (words[w] >> shift) | high;
  });
}

BufferPtr andBits(const BufferPtr& a, const BufferPtr& b, size_t rows) {
  if (a == nullptr) return b;
  if (b == nullptr || a == b) return a;
  const auto* left = a->as<uint64_t>();
  const auto* right = b->as<uint64_t>();
  return makeBits(rows, [&](size_t w) { return left[w] & right[w]; });
}

BufferPtr gatherBits(const BufferPtr& bits, std::span<const uint32_t> indices) {
  if (bits == nullptr) return nullptr;
  const auto* words = bits->as<uint64_t>();
  return makeBits(indices.size(), [&](size_t w) {
    const size_t begin = w * 64;
    const size_t end = std::min(indices.size(), begin + 64);
    uint64_t word = 0;
    for (size_t i = begin; i < end; ++i) word |= uint64_t{bitIsSet(words, indices[i])} << (i - begin);
    return word;
  });
}

size_t countBits(const uint64_t* bits, size_t rows) {
  size_t count = 0;
  const size_t whole = rows / 64;
  for (size_t w = 0; w < whole; ++w) count += static_cast<size_t>(std::popcount(bits[w]));
  if (rows % 64 != 0) count += static_cast<size_t>(std::popcount(bits[whole] & tailMask(rows)));
  return count;
}

}  // namespace thalweg
