// PendingCheckpoint: puts together what the processes of a job have stored of one checkpoint.
//
//   PendingCheckpoint pending(head, {0, 0, 1, 1});        // subtasks 0 and 1 are in process 0, …
//   RETURN_IF_ERROR(pending.add(process, std::move(part)));
//   if (pending.isComplete()) manifest = pending.take();
//
// Each part has the shape of the whole job and is filled where its process's subtasks are. Errors: INVALID_ARGUMENT for a
// part of another shape, or of a process that answered before. Threads: one owner; pure.
#pragma once

#include <vector>

#include "common/checkpoint/checkpoint_manifest.h"

namespace thalweg::coordinator {

class PendingCheckpoint {
 public:
  /// `head`: what is said of the checkpoint and the job; `process_of_subtask`: the same for every task.
  PendingCheckpoint(CheckpointManifest head, std::vector<int> process_of_subtask);

  int64_t id() const { return manifest_.checkpoint_id; }
  Status add(int process, CheckpointManifest part);
  bool isComplete() const { return missing_ == 0; }
  /// Names of operators and tasks are for the caller to fill in.
  CheckpointManifest take() { return std::move(manifest_); }

 private:
  bool isOf(size_t subtask, int process) const { return process_of_subtask_[subtask] == process; }
  Status checkShape(const CheckpointManifest& part) const;

  CheckpointManifest manifest_;
  const std::vector<int> process_of_subtask_;
  std::vector<bool> answered_;
  size_t missing_ = 0;
};

}  // namespace thalweg::coordinator
