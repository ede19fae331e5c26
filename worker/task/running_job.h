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

  /// Before start(): called instead of commit() when all subtasks here have finished. commit() is then due when those in
  /// other processes have, too, and when a last checkpoint is stored.
  void onAllFinished(std::function<void()> told) { on_all_finished_ = std::move(told); }
  void start();
  void commit();
  void cancel() EXCLUDES(mutex_);
  Status wait() EXCLUDES(mutex_);
  bool hasEnded() const EXCLUDES(mutex_);
  void triggerCheckpoint(CheckpointId checkpoint, CheckpointCallback done, bool hold) EXCLUDES(mutex_);
  void abandonCheckpoint(CheckpointId checkpoint, const Status& reason) EXCLUDES(mutex_);
  void confirmCheckpoint(CheckpointId checkpoint) EXCLUDES(mutex_);
  void releaseHold();
  void stop(CheckpointId checkpoint);
  void fail(Status status) { stop(std::move(status)); }
  bool waitForHold() EXCLUDES(mutex_);
  void release() { subtasks_.clear(); }

  void onSnapshot(SubtaskId subtask, CheckpointId checkpoint, SubtaskSnapshot snapshot) override EXCLUDES(mutex_);
  void onSnapshotFailed(SubtaskId subtask, CheckpointId checkpoint, const Status& status) override EXCLUDES(mutex_);
  void onFailed(SubtaskId subtask, const Status& status) override EXCLUDES(mutex_);
  void onFinished(SubtaskId subtask, SubtaskSnapshot last) override EXCLUDES(mutex_);
  void onHeld(SubtaskId subtask) override EXCLUDES(mutex_);
  void onClosed(SubtaskId subtask) override EXCLUDES(mutex_);

 private:
  void stop(Status status) EXCLUDES(mutex_);
  /// If the running checkpoint is complete: takes it out, to be handed on without the lock.
  std::unique_ptr<CheckpointCollector> takeComplete() REQUIRES(mutex_);
  Subtask& subtaskOf(SubtaskId id) const;
  static void deliver(std::unique_ptr<CheckpointCollector> collector);
  bool isSource(SubtaskId id) const { return graph_.tasks[static_cast<size_t>(id.task)].source.has_value(); }
  std::vector<SubtaskId> subtaskIds() const;
  /// Adds what was heard before the checkpoint was triggered here, and what has finished.
  void addEarly() REQUIRES(mutex_);
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
  /// A subtask that has finished, and what it adds to checkpoints as long as it owes a commit.
  struct Finished {
    SubtaskId id;
    SubtaskSnapshot last;
  };
  std::vector<Finished> finished_ GUARDED_BY(mutex_);
  size_t held_ GUARDED_BY(mutex_) = 0;                // sources that stand still
  size_t finished_sources_ GUARDED_BY(mutex_) = 0;
  std::map<CheckpointId, std::vector<SubtaskId>> covered_ GUARDED_BY(mutex_);   // finished ones in complete checkpoints
  /// A barrier of another process may be faster than the order to trigger its checkpoint here.
  struct Early {
    CheckpointId checkpoint;
    SubtaskId id;
    SubtaskSnapshot snapshot;
  };
  std::vector<Early> early_ GUARDED_BY(mutex_);
  CheckpointId last_checkpoint_ GUARDED_BY(mutex_) = 0;
  std::unique_ptr<CheckpointCollector> collector_ GUARDED_BY(mutex_);   // of the checkpoint that is running
};

}  // namespace thalweg::worker
