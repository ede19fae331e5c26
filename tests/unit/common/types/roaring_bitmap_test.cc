#include "common/types/roaring_bitmap.h"

#include <catch2/catch.hpp>
#include <numeric>

namespace thalweg {
namespace {

std::vector<int> signedBytes(const std::string& bytes) { return {bytes.begin(), bytes.end()}; }

TEST_CASE("a bitmap is written in the portable format") {
  const std::vector<uint32_t> members = {7, 4294967295};
  CHECK(signedBytes(writeBitmap(members)) == std::vector<int>{58, 48, 0, 0, 2, 0, 0, 0, 0, 0, 0,  0, -1, -1,
                                                              0,  0,  24, 0, 0, 0, 26, 0, 0, 0, 7, 0, -1, -1});
  CHECK(bitmapText(writeBitmap(members)) == "{7,4294967295}");
  CHECK(bitmapText(writeBitmap({})) == "{}");
}

TEST_CASE("bitmaps read back whatever their containers are") {
  std::vector<uint32_t> members(9000);
  std::iota(members.begin(), members.end(), 60000U);
  members.insert(members.begin(), {0, 5});
  members.push_back(4294967295);
  CHECK(readBitmap(writeBitmap(members)) == members);
  CHECK(readBitmap(writeBitmap({})) == std::vector<uint32_t>());
  // Two runs, 3..5 and 9..9, in one container.
  const std::string runs("\x3b\x30\x00\x00\x01\x00\x00\x03\x00\x02\x00\x03\x00\x02\x00\x09\x00\x00\x00", 19);
  CHECK(readBitmap(runs) == std::vector<uint32_t>{3, 4, 5, 9});
}

TEST_CASE("damaged bitmaps are refused") {
  const std::vector<uint32_t> members = {1, 2, 3, 70000};
  const std::string bytes = writeBitmap(members);
  for (size_t length = 0; length < bytes.size(); ++length) CHECK_FALSE(readBitmap(bytes.substr(0, length)));
  std::string swapped = bytes;
  std::swap(swapped[swapped.size() - 8], swapped[swapped.size() - 6]);
  CHECK_FALSE(readBitmap(swapped));
  CHECK_FALSE(readBitmap(std::string(40, '\xff')));
  CHECK(bitmapText("rubbish") == "{}");
}

TEST_CASE("the text of a huge bitmap is cut") {
  std::vector<uint32_t> members(100000);
  std::iota(members.begin(), members.end(), 0U);
  const std::string text = bitmapText(writeBitmap(members));
  CHECK(text.size() < 0x80000 + 20);
  CHECK(text.ends_with(",...}"));
}

}  // namespace
}  // namespace thalweg
