#include "common/runtime_api/computed_inputs.h"

#include <catch2/catch.hpp>

namespace thalweg {

TEST_CASE("state goes on by the same expressions, or by more and fewer where others read them too") {
  REQUIRE(canGoOn("", ""));
  REQUIRE(canGoOn("MOD(a, 2)\n", "MOD(a, 2)\n"));
  REQUIRE(!canGoOn("MOD(a, 2)\n", "MOD(a, 3)\n"));
  REQUIRE(!canGoOn("MOD(a, 2)\n", ""));
  REQUIRE(!canGoOn("a + 1\n", "MOD(a, 3)\na + 1\n"));
  REQUIRE(canGoOn("a + 1\n", "shared\nMOD(a, 3)\na + 1\n"));
  REQUIRE(canGoOn("shared\nMOD(a, 3)\na + 1\n", "a + 1\n"));
  REQUIRE(!canGoOn("shared\nMOD(a, 3)\na + 1\n", "shared\nMOD(a, 4)\na + 1\n"));
}

TEST_CASE("expressions are named in messages") {
  REQUIRE(computedText("shared\nMOD(a, 3)\na + 1\n") == "MOD(a, 3), a + 1");
  REQUIRE(computedText("shared\n") == "columns alone");
}

}  // namespace thalweg
