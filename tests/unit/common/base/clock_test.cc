#include "common/time/clock.h"

#include <catch2/catch.hpp>

using namespace thalweg;

TEST_CASE("a manual clock moves only when told to") {
  ManualClock clock(1'000);
  CHECK(clock.nowMillis() == 1'000);
  clock.advanceMillis(5);
  CHECK(clock.nowMillis() == 1'005);
  const int64_t before = clock.nanoTime();
  clock.advanceNanos(250);
  CHECK(clock.nanoTime() - before == 250);
  CHECK(clock.nowMillis() == 1'005);
}

TEST_CASE("the system clock is in this century and never runs backwards") {
  const Clock& clock = systemClock();
  CHECK(clock.nowMillis() > 1'577'836'800'000);
  const int64_t first = clock.nanoTime();
  CHECK(clock.nanoTime() >= first);
}
