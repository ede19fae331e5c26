// Between a job's snapshot in memory and a checkpoint on disk.
//
// Threads: any; calls block for as long as the disk does. Errors: those of the checkpoint's writer and reader.
#pragma once

#include <map>
#include <string>

#include "common/checkpoint/checkpoint_manifest.h"
#include "common/fs/file_system.h"
#include "worker/task/job_snapshot.h"

namespace thalweg::client {

/// What a manifest says of the job beside its state.
struct SnapshotLabel {
  std::string job_id;
  std::string job_name;
  std::string started_from;
  std::map<std::string, std::string> operator_names;   ///< by uid
  int64_t time_ms = 0;
  bool is_savepoint = false;
};

/// Makes `folder` a complete checkpoint; durable when this returns.
Status storeSnapshot(FileSystem& files, const std::string& folder, const worker::JobSnapshot& snapshot, const SnapshotLabel& label);

struct LoadedSnapshot {
  worker::JobSnapshot snapshot;
  std::string started_from;
};
/// `path`: a folder, or the manifest in it.
Result<LoadedSnapshot> loadSnapshot(FileSystem& files, const std::string& path);

}  // namespace thalweg::client
