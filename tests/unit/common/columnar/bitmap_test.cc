#include "common/columnar/bitmap.h"

#include <vector>

#include "tests/unit/common/columnar/column_samples.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

// A bitmap and its bits, some invalid.
std::pair<BufferPtr, std::vector<bool>> randomBits(size_t rows, int percent_valid, samples::Random& random) {
  MutableBufferPtr buffer = Buffer::allocateZeroed(bitmapBytes(rows));
  std::vector<bool> bits(rows);
  for (size_t i = 0; i < rows; ++i) {
    bits[i] = random.chance(percent_valid);
    if (bits[i]) setBit(buffer->mutableAs<uint64_t>(), i);
  }
  return {buffer, bits};
}

bool bitOf(const BufferPtr& bits, size_t i) { return bits == nullptr || bitIsSet(bits->as<uint64_t>(), i); }

TEST_CASE("slices of a bitmap hold the same bits") {
  samples::Random random(1);
  for (int round = 0; round < 500; ++round) {
    const size_t rows = random.below(300);
    const auto [buffer, bits] = randomBits(rows, round % 2 ? 50 : 100, random);
    const size_t offset = random.below(rows + 1);
    const size_t length = random.below(rows - offset + 1);
    const BufferPtr slice = sliceBits(buffer, offset, length);
    for (size_t i = 0; i < length; ++i) REQUIRE(bitOf(slice, i) == bits[offset + i]);
    if (round % 2 == 0) REQUIRE(slice == nullptr);
  }
}

TEST_CASE("and, gather and count agree with their naive forms") {
  samples::Random random(2);
  for (int round = 0; round < 300; ++round) {
    const size_t rows = 1 + random.below(200);
    const auto [left, left_bits] = randomBits(rows, 70, random);
    const auto [right, right_bits] = randomBits(rows, 70, random);
    const BufferPtr both = andBits(left, right, rows);
    size_t set = 0;
    for (size_t i = 0; i < rows; ++i) {
      REQUIRE(bitOf(both, i) == (left_bits[i] && right_bits[i]));
      set += left_bits[i] ? 1 : 0;
    }
    REQUIRE(countBits(left->as<uint64_t>(), rows) == set);
    REQUIRE(andBits(left, nullptr, rows) == left);
    std::vector<uint32_t> indices(random.below(150));
    for (uint32_t& index : indices) index = static_cast<uint32_t>(random.below(rows));
    const BufferPtr gathered = gatherBits(left, indices);
    for (size_t i = 0; i < indices.size(); ++i) REQUIRE(bitOf(gathered, i) == left_bits[indices[i]]);
  }
}

}  // namespace
}  // namespace thalweg
