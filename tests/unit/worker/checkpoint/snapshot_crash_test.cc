// A machine that crashes at every change that a checkpoint with runs makes to the disk, and forgets what was not synced.
#include "worker/checkpoint/snapshot_files.h"

#include "common/base/failpoint.h"
#include "common/checkpoint/checkpoint_folder.h"
#include "common/checkpoint/checkpoint_writer.h"
#include "tests/support/forgetful_file_system.h"
#include "tests/unit/worker/state/key_batches.h"
#include "worker/state/hot_keyed_state_store.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {
namespace {

using testing::ForgetfulFileSystem;
using testing::Survives;

const std::string kJob = "/checkpoints/job";
constexpr uint32_t kKeyGroups = 128;

struct Way {
  bool local_beside = true;          ///< local state is on the file system of the checkpoints: files are linked, else copied
  bool in_parts = false;             ///< a process stores its part, somebody else the manifest
};

/// A keyed table on disk, of which a few entries change before each checkpoint.
class State {
 public:
  explicit State(FileSystem& files) {
    auto tier = ColdTier::make({.folder = "/local", .memory_bytes = 0, .files = &files});
    if (!tier.isOk()) return;
    store_ = std::make_unique<HotKeyedStateStore>(HotStateOptions{.max_parallelism = kKeyGroups, .key_groups = {0, kKeyGroups}, .cold = *tier});
    table_ = *store_->openTable(numberTable("numbers", true));
  }

  Result<JobSnapshot> snapshot(int64_t id) {
    if (!store_) return Status::io("there is no state");
    std::vector<uint64_t> keys;
    for (uint64_t key = 0; key < 20; ++key) keys.push_back(key * static_cast<uint64_t>(id));
    std::vector<char*> payloads(keys.size());
    RETURN_IF_ERROR(table_->upsert(0, fixedKeys(keys), payloads, {}));
    for (char* payload : payloads) numberAt(payload) += id;
    RETURN_IF_ERROR(store_->relieve());
    JobSnapshot snapshot;
    snapshot.id = id;
    snapshot.max_parallelism = static_cast<int>(kKeyGroups);
    OperatorSnapshot& op = snapshot.operators["op"].emplace_back();
    ASSIGN_OR_RETURN(op.keyed, store_->snapshot());
    return snapshot;
  }

 private:
  std::unique_ptr<HotKeyedStateStore> store_;
  KeyedTable* table_ = nullptr;
};

std::string contentOf(const JobSnapshot& snapshot) {
  const Result<std::string> bytes = withoutRuns(snapshot.operators.at("op").at(0).keyed, kKeyGroups);
  return bytes.isOk() ? *bytes : bytes.status().message();
}

Status store(FileSystem& files, const JobSnapshot& snapshot, bool in_parts) {
  const std::string folder = joinPath(kJob, checkpointFolderName(snapshot.id));
  if (!in_parts) return storeSnapshot(files, folder, snapshot, {});
  ASSIGN_OR_RETURN(CheckpointManifest manifest, storePart(files, folder, "state-of-process", snapshot));
  ASSIGN_OR_RETURN(const auto writer, CheckpointWriter::create(files, folder));
  return writer->finish(manifest);
}

/// What checkpoints 1 and 2 hold.
std::vector<std::string> expectedContents() {
  ForgetfulFileSystem files;
  State state(files);
  std::vector<std::string> contents = {""};
  for (const int64_t id : {1, 2}) contents.push_back(contentOf(*state.snapshot(id)));
  return contents;
}

/// The newest checkpoint that a start finds, which must be as it was written; 0: none.
int64_t newestReadable(FileSystem& files, const std::vector<std::string>& expected) {
  const auto found = listCheckpoints(files, kJob);
  REQUIRE(found.isOk());
  if (found->empty()) return 0;
  const auto loaded = loadSnapshot(files, found->front().folder);
  const auto id = static_cast<size_t>(found->front().id);
  return loaded.isOk() && contentOf(loaded->snapshot) == expected[id] ? found->front().id : -1;
}

/// How often a start would have found a checkpoint that it cannot read, or an older one than was said to be complete.
int lossesOver(Survives survives, Way way) {
  const std::vector<std::string> expected = expectedContents();
  int losses = 0;
  for (int crash = 1;; ++crash) {
    ForgetfulFileSystem files;
    ForgetfulFileSystem elsewhere;
    files.crashAfter(crash);
    int64_t complete = 0;
    {
      State state(way.local_beside ? files : elsewhere);
      for (const int64_t id : {1, 2}) {
        const Result<JobSnapshot> snapshot = state.snapshot(id);
        if (snapshot.isOk() && store(files, *snapshot, way.in_parts).isOk()) complete = id;
      }
      if (complete == 2) (void)removeCheckpoint(files, joinPath(kJob, checkpointFolderName(1)));
      if (newestReadable(*files.afterCrash(survives), expected) < complete) ++losses;
    }
    if (files.changes() < crash) return losses;
    REQUIRE(crash < 2000);
  }
}

TEST_CASE("no crash loses a complete checkpoint with files of state, linked or copied, in one piece or in parts") {
  for (const Survives survives : {Survives::SYNCED_ONLY, Survives::NAMES, Survives::EVERYTHING}) {
    for (const bool local_beside : {true, false}) {
      for (const bool in_parts : {false, true}) {
        INFO(static_cast<int>(survives) << " beside " << local_beside << " parts " << in_parts);
        CHECK(lossesOver(survives, {local_beside, in_parts}) == 0);
      }
    }
  }
}

#ifdef THALWEG_FAILPOINTS
TEST_CASE("files of state that are not synced are noticed") {
  for (const bool local_beside : {true, false}) {
    const ScopedFailpoint planted("mutant.run_not_synced=error");
    CHECK(lossesOver(Survives::SYNCED_ONLY, {local_beside, false}) + lossesOver(Survives::NAMES, {local_beside, false}) > 0);
  }
}
#endif

}  // namespace
}  // namespace thalweg::worker
