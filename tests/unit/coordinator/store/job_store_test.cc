#include "coordinator/store/job_store.h"

#include <filesystem>

#include <catch2/catch.hpp>

using namespace thalweg;               // NOLINT: a test
using namespace thalweg::coordinator;  // NOLINT

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "thalweg-store-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("what was put is there when the store is opened again, in the order of names") {
  const Folder folder;
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
  const Folder folder;
  const auto first = openRocksdbJobStore(folder.path());
  REQUIRE(first.isOk());
  const auto second = openRocksdbJobStore(folder.path());
  REQUIRE_FALSE(second.isOk());
  REQUIRE(second.status().message().find("another coordinator") != std::string::npos);
}
