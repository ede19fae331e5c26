// CheckpointCollector: puts the snapshots of all subtasks together into one JobSnapshot.
//
// Every subtask answers once: with a snapshot, or by having finished. When all have, the snapshot is complete. Of a job
// with other processes it is the part of the subtasks here: in the shape of the whole, empty where others answer.
// Threads: guarded by its job's lock.
#pragma once

#include <functional>
#include <vector>

#include "common/base/status.h"
#include "worker/task/job_snapshot.h"
#include "worker/task/subtask.h"
#include "worker/task/task_graph.h"

namespace thalweg::worker {

/// Called with the complete snapshot, or with why there is none.
using CheckpointCallback = std::function<void(Result<JobSnapshot>)>;

class CheckpointCollector {
 public:
  /// `here`: those that answer.
  CheckpointCollector(const TaskGraph& graph, CheckpointId checkpoint, const std::vector<SubtaskId>& here, CheckpointCallback done);

  CheckpointId checkpoint() const { return snapshot_.id; }
  void setEnumerator(int task, std::string bytes);
  void add(SubtaskId subtask, SubtaskSnapshot part);
  /// For every subtask that has finished, with what it still owes; one that answered before stays as it is.
  void addFinished(SubtaskId subtask, SubtaskSnapshot last);
  /// Those that count as finished in this checkpoint.
  const std::vector<SubtaskId>& finished() const { return finished_; }
  bool isComplete() const { return missing_ == 0; }
  JobSnapshot takeSnapshot() { return std::move(snapshot_); }
  const CheckpointCallback& done() const { return done_; }

 private:
  JobSnapshot::Task& task(int number);

  const TaskGraph& graph_;
  JobSnapshot snapshot_;
  std::vector<std::vector<bool>> answered_;
  std::vector<SubtaskId> finished_;
  size_t missing_ = 0;
  CheckpointCallback done_;
};

/// The uid under which a task's splits and finished subtasks are filed.
const std::string& headUid(const TaskSpec& task);

}  // namespace thalweg::worker
