#include "common/base/random.h"

#include <array>
#include <limits>

#include <catch2/catch.hpp>

using namespace thalweg;

TEST_CASE("SplitMix64 gives the published sequence for seed 1234567") {
  uint64_t state = 1234567;
  CHECK(splitMix64(state) == 6457827717110365317ULL);
  CHECK(splitMix64(state) == 3203168211198807973ULL);
  CHECK(splitMix64(state) == 9817491932198370423ULL);
}

TEST_CASE("one seed gives one sequence, another seed another, and so does a fork") {
  Random a(7);
  Random b(7);
  Random c(8);
  CHECK(a.nextBits() == b.nextBits());
  CHECK(a.nextBits() != c.nextBits());
  Random forked = a.fork();
  CHECK(forked.nextBits() != a.nextBits());
}

TEST_CASE("bounded numbers stay in bounds and reach every value evenly") {
  Random random(42);
  std::array<int, 6> seen{};
  for (int i = 0; i < 60'000; ++i) ++seen[random.nextBelow(6)];
  for (const int count : seen) CHECK(std::abs(count - 10'000) < 500);
  for (int i = 0; i < 1'000; ++i) {
    const int64_t value = random.nextBetween(-2, 2);
    CHECK((value >= -2 && value <= 2));
    const double fraction = random.nextDouble();
    CHECK((fraction >= 0.0 && fraction < 1.0));
  }
  CHECK(random.nextBelow(1) == 0);
  CHECK(random.nextBetween(5, 5) == 5);
  (void)random.nextBetween(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
}

TEST_CASE("chances of none and all are certain") {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    CHECK_FALSE(random.nextChance(0.0));
    CHECK(random.nextChance(1.0));
  }
}
