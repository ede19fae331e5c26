#include "common/base/text_finder.h"

#include <string>

#include "common/base/random.h"

#include <catch2/catch.hpp>

namespace thalweg {

TEST_CASE("TextFinder finds what std::string_view finds, from any place on") {
  Random random(7);
  for (size_t length = 0; length <= 160; ++length) {
    std::string text;
    for (size_t i = 0; i < length; ++i) text += static_cast<char>('a' + random.nextBetween(0, 2));
    for (const std::string_view wanted : {"a", "ab", "abca", "cabbage", "aabbccaabbccaabbccaabbccaabbccaabbccaabbcc"}) {
      if (length > wanted.size() + 3) text.replace(length - wanted.size() - 3, wanted.size(), wanted);
      const TextFinder finder(wanted);
      for (size_t from = 0; from <= length + 1; ++from) {
        REQUIRE(finder.find(text, from) == std::string_view(text).find(wanted, from));
      }
    }
  }
}

}  // namespace thalweg
