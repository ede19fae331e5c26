#include "common/functions/function_registry.h"

#include <algorithm>

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

TEST_CASE("functions are found by name and alias, whatever the case") {
  const FunctionRegistry& registry = FunctionRegistry::instance();
  REQUIRE(registry.scalar("abs") != nullptr);
  CHECK(registry.scalar("ABS") == registry.scalar("Abs"));
  CHECK(registry.scalar("ceiling") == registry.scalar("CEIL"));
  CHECK(registry.scalar("is null") != nullptr);
  CHECK(registry.scalar("NO_SUCH") == nullptr);
  CHECK(registry.aggregate("count") != nullptr);
}

TEST_CASE("the listed names are those that people write, sorted") {
  const std::vector<std::string> names = FunctionRegistry::instance().names();
  CHECK(std::ranges::is_sorted(names));
  CHECK(std::ranges::find(names, "ceiling") != names.end());
  CHECK(std::ranges::find(names, "+") == names.end());
  CHECK(std::ranges::find(names, "negate") == names.end());
}

TEST_CASE("every function is described for the reference page") {
  for (const ScalarFunction* function : FunctionRegistry::instance().scalars()) {
    INFO(function->name);
    CHECK_FALSE(function->category.empty());
    CHECK_FALSE(function->signature.empty());
    CHECK_FALSE(function->description.empty());
    CHECK(function->description.ends_with("."));
    CHECK(function->min_arguments <= function->max_arguments);
    CHECK(static_cast<bool>(function->resolve));
    CHECK(static_cast<bool>(function->make));
  }
}

}  // namespace
}  // namespace thalweg
