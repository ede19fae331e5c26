#include "coordinator/store/job_store.h"

#include <filesystem>

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace thalweg;               // NOLINT: a test
using namespace thalweg::coordinator;  // NOLINT

namespace {

}  // namespace

TEST_CASE("what was put is there when the store is opened again, in the order of names") {
  const testing::TemporaryFolder folder;
  {
    const auto store = openRocksdbJobStore(folder.path());
    REQUIRE(store.isOk());
    REQUIRE((*store)->put("job/b", "two", JobStore::Durability::WRITTEN).isOk());
    REQUIRE((*store)->put("job/a", "one", JobStore::Durability::SYNCED).isOk());
    REQUIRE((*store)->put("job/c", "gone", JobStore::Durability::SYNCED).isOk());
    REQUIRE((*store)->put("other", "x", JobStore::Durability::SYNCED).isOk());
    REQUIRE((*store)->remove("job/c").isOk());
    REQUIRE((*store)->remove("job/never").isOk());
  }
  const auto store = openRocksdbJobStore(folder.path());
  REQUIRE(store.isOk());
  const auto found = (*store)->list("job/");
  REQUIRE(found.isOk());
  REQUIRE(*found == std::vector<std::pair<std::string, std::string>>{{"job/a", "one"}, {"job/b", "two"}});
}

TEST_CASE("a store is open once at a time") {
  const testing::TemporaryFolder folder;
  const auto first = openRocksdbJobStore(folder.path());
  REQUIRE(first.isOk());
  const auto second = openRocksdbJobStore(folder.path());
  REQUIRE_FALSE(second.isOk());
  REQUIRE(second.status().message().find("another coordinator") != std::string::npos);
}
