// The part that one process of a job has in its checkpoints: state is captured, stored beside that of the others, and told
// to the coordinator as a manifest of this process's part; and read again when an attempt starts from a checkpoint.
//
// Threads: trigger() the host's loop; `stored` is called on a thread of the executor. Lifetime: borrows files and executor.
#pragma once

#include <functional>
#include <string>

#include "common/checkpoint/checkpoint_manifest.h"
#include "common/fs/file_system.h"
#include "common/runtime_api/executor.h"
#include "worker/task/local_job.h"
#include "worker/task/task_graph.h"

namespace thalweg::worker {

class TaskCheckpoints {
 public:
  using Stored = std::function<void(CheckpointId checkpoint, const Result<CheckpointManifest>& part)>;
  /// `data_name` is this process's and attempt's alone.
  TaskCheckpoints(std::string data_name, FileSystem& files, Executor& executor, Stored stored)
      : data_name_(std::move(data_name)), files_(files), executor_(executor), stored_(std::move(stored)) {}

  /// `folder` empty: the state goes into the manifest.
  void trigger(LocalJob& job, CheckpointId checkpoint, const std::string& folder, bool hold);

 private:
  const std::string data_name_;
  FileSystem& files_;
  Executor& executor_;
  const Stored stored_;
};

/// Of a checkpoint, what `process` needs to build its share of `graph`.
Result<JobSnapshot> loadShare(FileSystem& files, const std::string& folder, CheckpointManifest manifest, const TaskGraph& graph,
                              const std::vector<std::vector<int>>& placement, int process);

}  // namespace thalweg::worker
