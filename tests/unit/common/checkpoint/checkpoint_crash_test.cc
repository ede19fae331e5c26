// A machine that crashes at every change a checkpoint makes to the disk, and forgets what was not synced.
#include "common/base/failpoint.h"
#include "common/checkpoint/checkpoint_folder.h"
#include "common/checkpoint/checkpoint_reader.h"
#include "common/checkpoint/checkpoint_writer.h"
#include "tests/support/forgetful_file_system.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

const std::string kJob = "/checkpoints/job";
const std::string kState(10'000, 's');

Status write(FileSystem& files, int64_t id) {
  ASSIGN_OR_RETURN(auto writer, CheckpointWriter::create(files, joinPath(kJob, checkpointFolderName(id))));
  CheckpointManifest manifest;
  manifest.checkpoint_id = id;
  ASSIGN_OR_RETURN(StoredBytes keyed, writer->add(kState + std::to_string(id)));
  manifest.operators.push_back({"op", "op", {{std::move(keyed), {}, 0}}});
  return writer->finish(manifest);
}

/// The newest checkpoint that a start finds, which must be readable; 0: none.
int64_t newestReadable(FileSystem& files) {
  const auto found = listCheckpoints(files, kJob);
  REQUIRE(found.isOk());
  if (found->empty()) return 0;
  auto reader = CheckpointReader::open(files, found->front().folder);
  if (!reader.isOk()) return -1;
  const auto state = reader->read(reader->manifest().operators.at(0).parts.at(0).keyed);
  return state.isOk() && *state == kState + std::to_string(found->front().id) ? found->front().id : -1;
}

/// Writes checkpoints 1 and 2 and removes 1, crashing at each change in turn; how often a start would have found a checkpoint
/// that it cannot read, or an older one than was said to be complete.
int lossesOver(Survives survives) {
  int losses = 0;
  for (int crash = 1;; ++crash) {
    ForgetfulFileSystem files;
    files.crashAfter(crash);
    int64_t complete = 0;
    for (const int64_t id : {1, 2}) {
      if (write(files, id).isOk()) complete = id;
    }
    if (complete == 2) (void)removeCheckpoint(files, joinPath(kJob, checkpointFolderName(1)));
    const int64_t found = newestReadable(*files.afterCrash(survives));
    if (found < complete) ++losses;
    if (files.changes() < crash) return losses;
    REQUIRE(crash < 1000);
  }
}

TEST_CASE("no crash loses a complete checkpoint or leaves one that cannot be read") {
  for (const Survives survives : {Survives::SYNCED_ONLY, Survives::NAMES, Survives::EVERYTHING}) CHECK(lossesOver(survives) == 0);
}

#ifdef THALWEG_FAILPOINTS
TEST_CASE("a sync that is left out is noticed") {
  for (const char* mutant : {"mutant.no_data_sync", "mutant.no_manifest_sync", "mutant.no_folder_sync", "mutant.no_parent_sync"}) {
    const ScopedFailpoint planted(std::string(mutant) + "=error");
    INFO(mutant);
    CHECK(lossesOver(Survives::SYNCED_ONLY) + lossesOver(Survives::NAMES) > 0);
  }
}
#endif

}  // namespace
}  // namespace thalweg::testing
