// The names of checkpoints on disk, what a folder of them holds, and how one is removed.
//
//   <checkpoint folder>/<job id>/chk-17/_metadata, state-0         checkpoints of a job
//   <savepoint folder>/savepoint-1a2b3c-4d5e6f7a8b9c/_metadata …    a savepoint
//
// Threads: any; calls block for as long as the disk does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/fs/file_system.h"

namespace thalweg {

inline constexpr std::string_view kManifestName = "_metadata";

/// `chk-17`
std::string checkpointFolderName(int64_t checkpoint_id);

struct StoredCheckpoint {
  int64_t id = 0;
  std::string folder;
};
/// The complete checkpoints in a job's folder, the newest first; none if the folder does not exist. Only the presence of
/// their manifests is looked at.
Result<std::vector<StoredCheckpoint>> listCheckpoints(FileSystem& files, const std::string& job_folder);

/// Removes what begun and never completed checkpoints have left in a job's folder.
Status removeIncomplete(FileSystem& files, const std::string& job_folder);

/// Removes a checkpoint: its manifest first, so that it is complete or gone. Only for a folder that owns its files.
Status removeCheckpoint(FileSystem& files, const std::string& folder);

}  // namespace thalweg
