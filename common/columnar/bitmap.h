// Bitmaps: validity bits, one a row, least significant first, in 64-bit words.
//
// A bitmap buffer holds bitmapBytes(rows) bytes; bits past the last row may be anything. A null BufferPtr stands
// for "all rows valid". Functions that return a BufferPtr return null when they find no row invalid.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/base/buffer.h"

namespace thalweg {

inline bool bitIsSet(const uint64_t* bits, size_t i) { return (bits[i >> 6] >> (i & 63)) & 1; }
inline void setBit(uint64_t* bits, size_t i) { bits[i >> 6] |= uint64_t{1} << (i & 63); }
inline void clearBit(uint64_t* bits, size_t i) { bits[i >> 6] &= ~(uint64_t{1} << (i & 63)); }
inline size_t bitmapBytes(size_t rows) { return (rows + 63) / 64 * 8; }

/// Bits [offset, offset+rows) of `bits`.
BufferPtr sliceBits(const BufferPtr& bits, size_t offset, size_t rows);
/// Row i is valid when it is valid in both; either may be null.
BufferPtr andBits(const BufferPtr& a, const BufferPtr& b, size_t rows);
/// Bit i of the result is bit indices[i] of `bits`.
BufferPtr gatherBits(const BufferPtr& bits, std::span<const uint32_t> indices);
/// How many of the first `rows` bits are set.
size_t countBits(const uint64_t* bits, size_t rows);

}  // namespace thalweg
