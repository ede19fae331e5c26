// Batches come back from files as they went in, and files go when they are not needed any more.
#include "worker/state/cold_spill_space.h"

#include <filesystem>

#include "tests/support/operator_harness.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

using testing::batchOf;
using testing::messagesOf;

size_t filesIn(const std::string& folder) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.path().filename() != "lock" ? 1 : 0;
  return files;
}

}  // namespace

TEST_CASE("a spill file gives its batches in any order, while more are appended") {
  const std::string folder = testing::makeTemporaryFolder() + "/cold";
  const auto tier = ColdTier::make({.folder = folder, .when_needed = true});
  REQUIRE(tier.isOk());
  ColdSpillSpace space(*tier);
  REQUIRE_FALSE(std::filesystem::exists(folder));
  {
    auto file = space.createFile();
    REQUIRE(file.isOk());
    std::vector<std::vector<std::string>> expected;
    for (int64_t i = 0; i < 20; ++i) {
      // What was NOT NULL may become nullable behind an outer join: types are the batch's own.
      const Batch batch = batchOf({DataType::bigint(i % 2 == 0), DataType::string()}, {{Value::integer(i), Value::string(std::string(static_cast<size_t>(i), 'x'))}, {Value::integer(-i), Value::null()}});
      expected.push_back(messagesOf(batch));
      REQUIRE((*file)->append(batch).isOk());
      for (size_t number : {size_t{0}, static_cast<size_t>(i) / 2, static_cast<size_t>(i)}) {
        const auto read = (*file)->read(number);
        REQUIRE(read.isOk());
        REQUIRE(messagesOf(*read) == expected[number]);
        REQUIRE(read->column(0)->type() == DataType::bigint(number % 2 == 0));
      }
    }
    REQUIRE((*file)->batches() == 20);
    REQUIRE(filesIn(folder) == 1);
  }
  REQUIRE(filesIn(folder) == 0);
}

TEST_CASE("who holds too much is told to let go, who holds little is not") {
  const auto tier = ColdTier::make({.folder = testing::makeTemporaryFolder() + "/cold", .memory_bytes = uint64_t{1} << 40, .when_needed = true});
  REQUIRE(tier.isOk());
  ColdSpillSpace space(*tier);
  REQUIRE_FALSE(space.isShort(0));
  REQUIRE_FALSE(space.isShort(size_t{1} << 30));
  REQUIRE(space.isShort(size_t{1} << 39));
}

TEST_CASE("a folder that cannot be made is named") {
  const auto tier = ColdTier::make({.folder = "/proc/no/such/folder", .when_needed = true});
  REQUIRE(tier.isOk());
  ColdSpillSpace space(*tier);
  const auto file = space.createFile();
  REQUIRE_FALSE(file.isOk());
  REQUIRE_THAT(file.status().message(), Catch::Contains("/proc/no"));
}

}  // namespace thalweg::worker
