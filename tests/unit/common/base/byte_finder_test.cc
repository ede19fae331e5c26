#include "common/base/byte_finder.h"

#include <string>
#include <vector>

#include "common/base/random.h"

#include <catch2/catch.hpp>

namespace thalweg {

TEST_CASE("ByteFinder gives every place of a byte, then the end") {
  Random random(1);
  for (size_t length = 0; length <= 100; ++length) {
    std::string text;
    std::vector<size_t> expected;
    for (size_t i = 0; i < length; ++i) {
      const auto drawn = random.nextBetween(0, 3);
      text += drawn == 0 ? '/' : drawn == 1 ? '\0' : 'x';
    }
    for (const char byte : {'/', '\0'}) {
      expected.clear();
      for (size_t i = 0; i < length; ++i) {
        if (text[i] == byte) expected.push_back(i);
      }
      ByteFinder finder(text, byte);
      std::vector<size_t> found;
      for (size_t at = finder.next(); at < length; at = finder.next()) found.push_back(at);
      REQUIRE(found == expected);
      REQUIRE(finder.next() == length);
    }
  }
}

}  // namespace thalweg
