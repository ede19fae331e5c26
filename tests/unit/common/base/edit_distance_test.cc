#include "common/base/edit_distance.h"

#include <catch2/catch.hpp>

using namespace thalweg;

TEST_CASE("the edit distance counts inserts, deletes, replacements and swaps") {
  CHECK(editDistance("delay", "delay", 5) == 0);
  CHECK(editDistance("dely", "delay", 5) == 1);
  CHECK(editDistance("dealy", "delay", 5) == 1);
  CHECK(editDistance("kitten", "sitting", 5) == 3);
  CHECK(editDistance("", "abc", 5) == 3);
}

TEST_CASE("the edit distance ignores ASCII case and stops at its limit") {
  CHECK(editDistance("Delay", "dELAY", 5) == 0);
  CHECK(editDistance("abcdef", "uvwxyz", 2) == 3);
  CHECK(editDistance("a", "abcdef", 2) == 3);
}

TEST_CASE("the nearest name is a likely slip of the wanted one") {
  const std::vector<std::string> columns = {"origin", "destination", "delay", "distance"};
  CHECK(nearestName("dely", columns) == "delay");
  CHECK(nearestName("DELAY", columns) == "delay");
  CHECK(nearestName("destnation", columns) == "destination");
  CHECK(nearestName("airport_name", columns) == std::nullopt);
  CHECK(nearestName("x", std::vector<std::string>{"y"}) == std::nullopt);
  CHECK(nearestName("delay", std::vector<std::string>{}) == std::nullopt);
}

TEST_CASE("a message gets a question only when a name is near") {
  const std::vector<std::string_view> names = {"csv.field-delimiter"};
  CHECK(didYouMean("csv.feild-delimiter", names) == "; did you mean 'csv.field-delimiter'?");
  CHECK(didYouMean("path", names).empty());
}

TEST_CASE("very long names are compared in bounded time") {
  const std::string wanted(1'000'000, 'a');
  CHECK(nearestName(wanted, std::vector<std::string>{wanted + "b"}) == std::nullopt);
}
