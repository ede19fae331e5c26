#include "common/process/program_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

/// Of `hello`, as sha256sum has it.
const std::string kHello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

size_t filesIn(const std::string& path) {
  const std::filesystem::directory_iterator all(path);
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

TEST_CASE("a program that arrives in pieces is there once the last one is") {
  const testing::TemporaryFolder folder;
  ProgramFolder programs(folder.path());
  REQUIRE(programs.open().isOk());
  REQUIRE_FALSE(programs.has(kHello));
  REQUIRE(programs.append(kHello, "1a", 0, "hel", 5).isOk());
  REQUIRE_FALSE(programs.has(kHello));
  REQUIRE(programs.append(kHello, "1a", 3, "lo", 5).isOk());
  REQUIRE(programs.has(kHello));
  CHECK(*programs.read(kHello, 0) == "hello");
  CHECK(*programs.read(kHello, 4) == "o");
  CHECK(programs.read(kHello, 5)->empty());
  CHECK(access(programs.pathOf(kHello).c_str(), X_OK) == 0);
  CHECK(*digestOfFile(programs.pathOf(kHello)) == kHello);
}

TEST_CASE("two uploads of one program do not meet") {
  const testing::TemporaryFolder folder;
  ProgramFolder programs(folder.path());
  REQUIRE(programs.open().isOk());
  REQUIRE(programs.append(kHello, "1a", 0, "hel", 5).isOk());
  REQUIRE(programs.append(kHello, "2b", 0, "hello", 5).isOk());
  REQUIRE(programs.append(kHello, "1a", 3, "lo", 5).isOk());
  CHECK(*programs.read(kHello, 0) == "hello");
}

TEST_CASE("bytes that are not what was announced are refused and leave nothing") {
  const testing::TemporaryFolder folder;
  ProgramFolder programs(folder.path());
  REQUIRE(programs.open().isOk());
  CHECK(programs.append(kHello, "1a", 0, "jello", 5).code() == StatusCode::INVALID_ARGUMENT);
  CHECK(programs.append(kHello, "1a", 3, "lo", 5).code() == StatusCode::INVALID_ARGUMENT);
  CHECK(programs.append(kHello, "1a", 0, "hello", 3).code() == StatusCode::INVALID_ARGUMENT);
  CHECK(programs.append(kHello, "../x", 0, "hello", 5).code() == StatusCode::INVALID_ARGUMENT);
  CHECK(programs.append("../../etc/passwd", "1a", 0, "hello", 5).code() == StatusCode::INVALID_ARGUMENT);
  CHECK(programs.append(kHello, "1a", 0, "hello", ProgramFolder::kProgramBytesMax + 1).code() == StatusCode::RESOURCE_EXHAUSTED);
  CHECK_FALSE(programs.has(kHello));
  CHECK(programs.read(kHello, 0).status().code() == StatusCode::NOT_FOUND);
  CHECK(filesIn(folder.path()) == 0);
}

TEST_CASE("what had arrived in part goes with the process that took it") {
  const testing::TemporaryFolder folder;
  REQUIRE(ProgramFolder(folder.path()).append(kHello, "1a", 0, "hel", 5).isOk());
  ProgramFolder programs(folder.path());
  REQUIRE(programs.open().isOk());
  CHECK(filesIn(folder.path()) == 0);
}

TEST_CASE("programs that nobody uses go, the oldest first") {
  const testing::TemporaryFolder folder;
  ProgramFolder programs(folder.path());
  std::vector<std::string> digests;
  for (int i = 0; i < 4; ++i) {
    const std::string path = folder.path() + "/" + std::string(63, 'a') + std::to_string(i);
    std::ofstream(path) << i;
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(10 - i));
    digests.push_back(std::string(63, 'a') + std::to_string(i));
  }
  programs.touch(digests[1]);
  programs.removeAllBut({digests[0]}, 1);
  CHECK(programs.has(digests[0]));
  CHECK(programs.has(digests[1]));
  CHECK_FALSE(programs.has(digests[2]));
  CHECK_FALSE(programs.has(digests[3]));
}

}  // namespace
}  // namespace thalweg
