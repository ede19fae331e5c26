#include "common/fs/file_system.h"

#include <cstdlib>
#include <filesystem>

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

void writeFile(const std::string& path, std::string_view text) {
  auto file = localFileSystem().create(path);
  REQUIRE(file.isOk());
  REQUIRE((*file)->append(text).isOk());
  REQUIRE((*file)->sync().isOk());
  REQUIRE((*file)->close().isOk());
}

TEST_CASE("local files are written, listed, read, renamed and removed") {
  FileSystem& files = localFileSystem();
  const testing::TemporaryFolder folder;
  REQUIRE(files.createFolders(folder.at("a/b/c")).isOk());
  REQUIRE(files.createFolders(folder.at("a/b/c")).isOk());
  writeFile(folder.at("a/two"), "0123456789");
  writeFile(folder.at("a/one"), "");
  const auto entries = files.list(folder.at("a"));
  REQUIRE(entries.isOk());
  REQUIRE(entries->size() == 3);
  CHECK((*entries)[0].path == folder.at("a/b"));
  CHECK((*entries)[0].is_folder);
  CHECK((*entries)[1].path == folder.at("a/one"));
  CHECK((*entries)[2].size_bytes == 10);
  CHECK((*entries)[2].modified_ms > 1'600'000'000'000);

  auto file = files.openForReading(folder.at("a/two"));
  REQUIRE(file.isOk());
  uint8_t bytes[8] = {};
  CHECK(*(*file)->readAt(4, bytes) == 6);
  CHECK(bytes[5] == '9');
  CHECK(*(*file)->readAt(10, bytes) == 0);
  CHECK((*file)->sizeBytes() == 10);

  REQUIRE(files.rename(folder.at("a/two"), folder.at("a/one")).isOk());
  REQUIRE(files.syncFolder(folder.at("a")).isOk());
  CHECK(files.stat(folder.at("a/one"))->size_bytes == 10);
  CHECK(files.remove(folder.at("a/one")).isOk());
  CHECK(files.remove(folder.at("a/b/c")).isOk());
}

TEST_CASE("what is not there is NOT_FOUND, other failures are IO_ERROR, with the path named") {
  FileSystem& files = localFileSystem();
  const testing::TemporaryFolder folder;
  writeFile(folder.at("plain"), "x");
  CHECK(files.stat(folder.at("no")).status().code() == StatusCode::NOT_FOUND);
  CHECK(files.list(folder.at("no")).status().code() == StatusCode::NOT_FOUND);
  CHECK(files.remove(folder.at("no")).code() == StatusCode::NOT_FOUND);
  CHECK(files.rename(folder.at("no"), folder.at("yes")).code() == StatusCode::NOT_FOUND);
  CHECK(files.openForReading(folder.path()).status().code() == StatusCode::IO_ERROR);
  CHECK(files.createFolders(folder.at("plain")).code() == StatusCode::IO_ERROR);
  CHECK(files.openForReading(folder.at("no")).status().message().find(folder.at("no")) != std::string::npos);
}

TEST_CASE("file URLs become paths") {
  CHECK(*pathOfUrl("/a/b/") == "/a/b");
  CHECK(*pathOfUrl("file:/a/b") == "/a/b");
  CHECK(*pathOfUrl("file:///a/b") == "/a/b");
  CHECK(*pathOfUrl("file://localhost/a") == "/a");
  CHECK(*pathOfUrl("relative/x=1:2") == "relative/x=1:2");
  CHECK(*pathOfUrl("/") == "/");
  CHECK(pathOfUrl("s3://bucket/a").status().code() == StatusCode::NOT_SUPPORTED);
  CHECK(pathOfUrl("file://elsewhere/a").status().code() == StatusCode::NOT_SUPPORTED);
  CHECK_FALSE(pathOfUrl("").isOk());
  CHECK(folderOf("/a/b") == "/a");
  CHECK(folderOf("/a") == "/");
  CHECK(fileNameOf("/a/b.csv") == "b.csv");
}

}  // namespace
}  // namespace thalweg
