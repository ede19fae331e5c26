#include "worker/task/running_job.h"

#include <algorithm>

#include "common/log/log.h"

namespace thalweg::worker {

RunningJob::RunningJob(TaskGraph graph, JobSurroundings surroundings, std::function<void(const Status&)> on_end)
    : graph_(std::move(graph)), surroundings_(std::move(surroundings)), on_end_(std::move(on_end)) {}

void RunningJob::start() {
  for (const auto& subtask : subtasks_) subtask->schedule();
}

void RunningJob::cancel() { stop(Status::cancelled("the job was cancelled")); }

void RunningJob::stop(Status status) {
  {
    const MutexLock lock(mutex_);
    if (ended_) return;
    if (status_.isOk()) status_ = std::move(status);
  }
  for (const auto& subtask : subtasks_) subtask->cancel();
}

Status RunningJob::wait() {
  const MutexLock lock(mutex_);
  while (!ended_) ended_condition_.wait(mutex_);
  return status_;
}

bool RunningJob::hasEnded() const {
  const MutexLock lock(mutex_);
  return ended_;
}

Status RunningJob::checkpointObstacle(CheckpointId checkpoint) const {
  const bool finished_here = status_.isOk() && on_all_finished_;      // the job goes on elsewhere
  if (!status_.isOk() || (ended_ && !finished_here)) return Status::cancelled("the job has ended");
  if (collector_) return Status::invalid("checkpoint " + std::to_string(collector_->checkpoint()) + " is still running");
  if (checkpoint <= last_checkpoint_) {
    return Status::invalid("checkpoint ids ascend: expected more than " + std::to_string(last_checkpoint_) + ", found " +
                           std::to_string(checkpoint));
  }
  return {};
}

void RunningJob::triggerCheckpoint(CheckpointId checkpoint, CheckpointCallback done, bool hold) {
  Status obstacle;
  {
    const MutexLock lock(mutex_);
    obstacle = checkpointObstacle(checkpoint);
  }
  if (!obstacle.isOk()) return done(obstacle);
  // Enumerators first: no reader gets a split between its enumerator's capture and its own barrier. And they are there
  // before anybody can complete the checkpoint, as the last subtask here may by finishing.
  std::map<int, std::string> enumerators;
  for (const auto& [task, dispenser] : dispensers_) {
    const Status status = dispenser->snapshot(checkpoint, enumerators[task]);
    if (!status.isOk()) {
      done(status);
      return stop(status);
    }
  }
  std::unique_ptr<CheckpointCollector> complete;
  {
    const MutexLock lock(mutex_);
    obstacle = checkpointObstacle(checkpoint);           // the job may have ended meanwhile
    if (obstacle.isOk()) {
      last_checkpoint_ = checkpoint;
      collector_ = std::make_unique<CheckpointCollector>(graph_, checkpoint, subtaskIds(), done);
      for (auto& [task, bytes] : enumerators) collector_->setEnumerator(task, std::move(bytes));
      addEarly();
      complete = takeComplete();
    }
  }
  if (!obstacle.isOk()) return done(obstacle);
  if (complete) return deliver(std::move(complete));
  for (const auto& subtask : subtasks_) {
    if (hold) subtask->holdAt(checkpoint);
  }
  for (const auto& subtask : subtasks_) {
    if (isSource(subtask->id())) subtask->triggerCheckpoint(checkpoint);
  }
}

std::vector<SubtaskId> RunningJob::subtaskIds() const {
  std::vector<SubtaskId> ids;
  for (const auto& subtask : subtasks_) ids.push_back(subtask->id());
  return ids;
}

void RunningJob::addEarly() {
  if (!collector_) return;
  for (Early& early : early_) {
    if (early.checkpoint == collector_->checkpoint()) collector_->add(early.id, std::move(early.snapshot));
  }
  std::erase_if(early_, [&](const Early& each) { return each.checkpoint <= collector_->checkpoint(); });
  for (const Finished& finished : finished_) collector_->addFinished(finished.id, finished.last);
}

void RunningJob::abandonCheckpoint(CheckpointId checkpoint, const Status& reason) {
  std::unique_ptr<CheckpointCollector> abandoned;
  {
    const MutexLock lock(mutex_);
    if (!collector_ || collector_->checkpoint() != checkpoint) return;
    abandoned = std::move(collector_);
  }
  abandoned->done()(reason);
}

void RunningJob::confirmCheckpoint(CheckpointId checkpoint) {
  std::vector<SubtaskId> covered;
  {
    const MutexLock lock(mutex_);
    const auto found = covered_.find(checkpoint);
    if (found != covered_.end()) covered = std::move(found->second);
    covered_.erase(covered_.begin(), covered_.upper_bound(checkpoint));
    for (Finished& finished : finished_) {            // committed output is in no later checkpoint
      const auto same = [&](SubtaskId id) { return id.task == finished.id.task && id.index == finished.id.index; };
      if (std::any_of(covered.begin(), covered.end(), same)) finished.last = {};
    }
  }
  for (const auto& subtask : subtasks_) subtask->completeCheckpoint(checkpoint);
  for (const SubtaskId id : covered) subtaskOf(id).commit();
}

void RunningJob::releaseHold() {
  for (const auto& subtask : subtasks_) subtask->holdAt(0);
}

void RunningJob::stop(CheckpointId checkpoint) {
  for (const auto& subtask : subtasks_) subtask->stop(checkpoint);
}

Subtask& RunningJob::subtaskOf(SubtaskId id) const {
  const auto found = std::find_if(subtasks_.begin(), subtasks_.end(), [&](const auto& subtask) {
    return subtask->id().task == id.task && subtask->id().index == id.index;
  });
  return **found;
}

bool RunningJob::waitForHold() {
  size_t sources = 0;
  for (const auto& subtask : subtasks_) sources += isSource(subtask->id()) ? 1 : 0;
  const MutexLock lock(mutex_);
  while (!ended_ && held_ + finished_sources_ < sources) ended_condition_.wait(mutex_);
  return held_ > 0 && !ended_;
}

std::unique_ptr<CheckpointCollector> RunningJob::takeComplete() {
  if (!collector_ || !collector_->isComplete()) return nullptr;
  covered_[collector_->checkpoint()] = collector_->finished();
  return std::move(collector_);
}

void RunningJob::deliver(std::unique_ptr<CheckpointCollector> collector) {
  if (collector) collector->done()(collector->takeSnapshot());
}

void RunningJob::onSnapshot(SubtaskId subtask, CheckpointId checkpoint, SubtaskSnapshot snapshot) {
  std::unique_ptr<CheckpointCollector> complete;
  {
    const MutexLock lock(mutex_);
    if (checkpoint > last_checkpoint_) early_.push_back({checkpoint, subtask, std::move(snapshot)});
    if (!collector_ || collector_->checkpoint() != checkpoint) return;
    collector_->add(subtask, std::move(snapshot));
    complete = takeComplete();
  }
  deliver(std::move(complete));
}

void RunningJob::onSnapshotFailed(SubtaskId subtask, CheckpointId checkpoint, const Status& status) {
  LOG_INFO("worker.task", "a subtask has no snapshot", {"task", graph_.tasks[static_cast<size_t>(subtask.task)].name},
           {"subtask", subtask.index}, {"checkpoint", checkpoint}, {"error", status});
  abandonCheckpoint(checkpoint, status);
}

void RunningJob::onFailed(SubtaskId subtask, const Status& status) {
  LOG_INFO("worker.task", "a subtask failed", {"task", graph_.tasks[static_cast<size_t>(subtask.task)].name},
           {"subtask", subtask.index}, {"error", status});
  stop(status);
}

void RunningJob::onHeld(SubtaskId) {
  const MutexLock lock(mutex_);
  ++held_;
  ended_condition_.notifyAll();
}

void RunningJob::onFinished(SubtaskId subtask, SubtaskSnapshot last) {
  std::unique_ptr<CheckpointCollector> complete;
  bool all_finished = false;
  {
    const MutexLock lock(mutex_);
    if (collector_) collector_->addFinished(subtask, last);
    finished_.push_back({subtask, std::move(last)});
    all_finished = finished_.size() == subtasks_.size();
    if (isSource(subtask)) ++finished_sources_;
    complete = takeComplete();
    ended_condition_.notifyAll();
  }
  deliver(std::move(complete));
  if (!all_finished) return;
  if (on_all_finished_) on_all_finished_();
  else commit();
}

void RunningJob::commit() {
  for (const auto& each : subtasks_) each->commit();
}

void RunningJob::onClosed(SubtaskId) {
  std::unique_ptr<CheckpointCollector> unfinished;
  Status status;
  {
    const MutexLock lock(mutex_);
    if (++closed_ < subtasks_.size()) return;
    unfinished = std::move(collector_);
    status = status_;
  }
  if (unfinished) unfinished->done()(Status::cancelled("the job ended before the checkpoint was complete"));
  if (on_end_) on_end_(status);
  const MutexLock lock(mutex_);
  ended_ = true;
  ended_condition_.notifyAll();
}

}  // namespace thalweg::worker
