// Between a job's snapshot in memory and a checkpoint on disk.
//
// Threads: any; calls block for as long as the disk does. Errors: those of the checkpoint's writer and reader.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "common/checkpoint/checkpoint_manifest.h"
#include "common/checkpoint/checkpoint_reader.h"
#include "common/fs/file_system.h"
#include "worker/task/job_snapshot.h"

namespace thalweg::worker {

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
Status storeSnapshot(FileSystem& files, const std::string& folder, const JobSnapshot& snapshot, const SnapshotLabel& label);

/// Stores the part of one process: its data beside those of the others, under `data_name`; with an empty folder all of it
/// stands in the manifest that is returned. No checkpoint yet: the parts' manifests are to be put together.
Result<CheckpointManifest> storePart(FileSystem& files, const std::string& folder, const std::string& data_name, const JobSnapshot& snapshot);

/// A part's keyed state, its runs opened and checked.
Result<KeyedSnapshot> loadKeyed(CheckpointReader& reader, const CheckpointManifest::OperatorPart& part);

struct LoadedSnapshot {
  JobSnapshot snapshot;
  std::string started_from;
};
/// `path`: a folder, or the manifest in it.
Result<LoadedSnapshot> loadSnapshot(FileSystem& files, const std::string& path);

/// Which parts of an operator that has `parts` of them are read; the others stay empty.
using PartFilter = std::function<bool(const std::string& uid, size_t part, size_t parts)>;
/// From a manifest whose files are in `folder`.
Result<JobSnapshot> loadSnapshot(FileSystem& files, const std::string& folder, CheckpointManifest manifest, const PartFilter& wanted);

}  // namespace thalweg::worker
