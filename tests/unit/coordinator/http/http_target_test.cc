#include "coordinator/http/http_server.h"

#include <catch2/catch.hpp>

using namespace thalweg;               // NOLINT: a test
using namespace thalweg::coordinator;  // NOLINT

TEST_CASE("a target is a path and a query, both decoded") {
  const auto request = parseTarget("GET", "/jobs/a%20b/x?maxExceptions=10&name=a+b%26c&flag");
  REQUIRE(request.isOk());
  REQUIRE(request->path == "/jobs/a b/x");
  REQUIRE(request->query == std::map<std::string, std::string>{{"maxExceptions", "10"}, {"name", "a b&c"}, {"flag", ""}});
  REQUIRE(parseTarget("GET", "/a+b")->path == "/a+b");
  REQUIRE(parseTarget("GET", "/?")->path == "/");
  REQUIRE(parseTarget("GET", "/%2e%2E/")->path == "/../");
}

TEST_CASE("what is no target is refused") {
  for (const char* target : {"", "jobs", "*", "http://x/jobs", "/%", "/%4", "/%zz", "/a?x=%", "/a?x=%1"}) {
    INFO(target);
    REQUIRE_FALSE(parseTarget("GET", target).isOk());
  }
}
