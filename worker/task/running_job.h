// RunningJob: the subtasks of one job and what they have in common — their first failure, their finishing, their
// checkpoints. What LocalJob is made of.
//
// Threads: all methods any. Lifetime: shared with the subtasks, which keep it until their last slice is over;
// release() breaks the circle once the job has ended.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "common/base/mutex.h"
#include "worker/task/checkpoint_collector.h"

namespace thalweg::worker {

class RunningJob final : public SubtaskListener {
 public:
  RunningJob(TaskGraph graph, JobSurroundings surroundings, std::function<void(const Status&)> on_end);

  const TaskGraph& graph() const { return graph_; }
  const JobSurroundings& surroundings() const { return surroundings_; }
  /// While the job is built.
  void addSubtask(std::shared_ptr<Subtask> subtask) { subtasks_.push_back(std::move(subtask)); }
  void addDispenser(int task, std::shared_ptr<SplitDispenser> dispenser) { dispensers_[task] = std::move(dispenser); }
  const std::vector<std::shared_ptr<Subtask>>& subtasks() const { return subtasks_; }

  /// For a job with parts in other processes, before start(): called instead of commit() when all subtasks here have
  /// finished. commit() is then due when those elsewhere have, too.
  void onAllFinished(std::function<void()> told) { on_all_finished_ = std::move(told); }
  void start();
  void commit();
  void cancel() EXCLUDES(mutex_);
  Status wait() EXCLUDES(mutex_);
  bool hasEnded() const EXCLUDES(mutex_);
  void triggerCheckpoint(CheckpointId checkpoint, CheckpointCallback done) EXCLUDES(mutex_);
  void confirmCheckpoint(CheckpointId checkpoint);
  void release() { subtasks_.clear(); }

  void onSnapshot(SubtaskId subtask, CheckpointId checkpoint, SubtaskSnapshot snapshot) override EXCLUDES(mutex_);
  void onFailed(SubtaskId subtask, const Status& status) override EXCLUDES(mutex_);
  void onFinished(SubtaskId subtask) override EXCLUDES(mutex_);
  void onClosed(SubtaskId subtask) override EXCLUDES(mutex_);

 private:
  void stop(Status status) EXCLUDES(mutex_);
  /// If the running checkpoint is complete: takes it out, to be handed on without the lock.
  std::unique_ptr<CheckpointCollector> takeComplete() REQUIRES(mutex_);
  static void deliver(std::unique_ptr<CheckpointCollector> collector);
  /// Why a checkpoint cannot begin.
  Status checkpointObstacle(CheckpointId checkpoint) const REQUIRES(mutex_);

  const TaskGraph graph_;
  const JobSurroundings surroundings_;
  const std::function<void(const Status&)> on_end_;
  std::function<void()> on_all_finished_;
  std::vector<std::shared_ptr<Subtask>> subtasks_;
  std::map<int, std::shared_ptr<SplitDispenser>> dispensers_;     // by task

  mutable Mutex mutex_;
  Condition ended_condition_;
  Status status_ GUARDED_BY(mutex_);                  // the first failure, or CANCELLED
  bool ended_ GUARDED_BY(mutex_) = false;
  size_t closed_ GUARDED_BY(mutex_) = 0;
  std::vector<SubtaskId> finished_ GUARDED_BY(mutex_);
  CheckpointId last_checkpoint_ GUARDED_BY(mutex_) = 0;
  std::unique_ptr<CheckpointCollector> collector_ GUARDED_BY(mutex_);   // of the checkpoint that is running
};

}  // namespace thalweg::worker
