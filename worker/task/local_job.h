// LocalJob: a job that runs in this process.
//
//   AsioExecutor executor(systemClock());
//   auto job = LocalJob::start(std::move(graph), executor, systemClock());
//   RETURN_IF_ERROR(job.status());
//   Status end = (*job)->wait();
//
// The job ends when every subtask has finished and what they staged is committed, when one fails (its error is the
// job's, the others are cancelled), or by cancel(). Operators are closed in every case.
// Checkpoints: takeCheckpoint() collects a snapshot of the whole job; once it is stored safely the caller says so
// with confirmCheckpoint(), and sinks commit. start() with a snapshot goes on from there, also with other
// parallelism as long as only keyed state and splits are to be moved.
// Threads: all methods any. Lifetime: executor and clock outlive the job; the destructor cancels and waits.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "worker/task/job_share.h"
#include "worker/task/running_job.h"

namespace thalweg::worker {

struct JobOptions {
  uint64_t random_seed = 0;                            ///< of RAND() and the like
  TimeZone default_zone = {};                          ///< what `table.local-time-zone = default` means
  ChannelLimits channel_limits = {};
  std::shared_ptr<MemoryPool> memory = nullptr;        ///< null: a pool of the job's own
  const JobSnapshot* restored = nullptr;               ///< read during start()
  bool allow_unclaimed_state = false;                  ///< state in `restored` that no operator of the job claims is left out
  uint64_t hold_after_rows = 0;                        ///< sources stand still after about so many rows each; 0: never
  std::function<void(const Status&)> on_end = nullptr; ///< called once, before wait() returns, on some thread
  int64_t start_ms = 0;                                ///< what the query calls its start; 0: now
  JobShare* share = nullptr;                           ///< the part of the job that is here; null: all of it
  /// Told once, on some thread, when all subtasks here have finished; they then wait for commit(), which is due when a last
  /// checkpoint is stored. With a share the job is built but waits for begin().
  std::function<void()> on_all_finished = nullptr;
};

class LocalJob {
 public:
  static Result<std::unique_ptr<LocalJob>> start(TaskGraph graph, Executor& executor, const Clock& clock, JobOptions options = {});
  ~LocalJob();
  LocalJob(const LocalJob&) = delete;
  LocalJob& operator=(const LocalJob&) = delete;

  /// Until the job has ended: ok, the first failure, or CANCELLED. Not on a thread of the executor.
  Status wait();
  bool hasEnded() const;
  void cancel();
  /// With a share only.
  void begin() { job_->start(); }
  void commit() { job_->commit(); }

  /// One row per operator and subtask, as of its last slice.
  std::vector<OperatorMetricsRow> metrics() const;
  std::vector<SubtaskTimes> times() const;
  /// Slices that have run for so long.
  std::vector<StuckSlice> stuckFor(int64_t at_least_ns) const;
  /// Bytes that batches and state hold, and of that in channels.
  size_t memoryBytes() const { return memory_->usedBytes(); }
  size_t queuedBytes() const;

  /// Ids ascend, one at a time; `done` is called once, on some thread. `hold`: all stand still behind the barrier,
  /// for a job that is to be stopped.
  void triggerCheckpoint(CheckpointId checkpoint, CheckpointCallback done, bool hold = false);
  /// Gives a checkpoint that runs up: its `done` gets `reason`, late answers are dropped.
  void abandonCheckpoint(CheckpointId checkpoint, const Status& reason);
  /// The same, waiting for it. Not on a thread of the executor.
  Result<JobSnapshot> takeCheckpoint(CheckpointId checkpoint, bool hold = false);
  void confirmCheckpoint(CheckpointId checkpoint);
  /// A checkpoint taken with `hold` came to nothing: the job goes on.
  void releaseHold();
  /// The checkpoint, taken with `hold`, is stored: commits what belongs to it and ends the job, well.
  void stop(CheckpointId checkpoint);
  /// Ends the job with this error.
  void fail(Status status);
  /// Until every source stands still (hold_after_rows) or has finished; false if none stands still: the job is ending by
  /// itself. Not on a thread of the executor.
  bool waitForHold();

 private:
  LocalJob(std::shared_ptr<RunningJob> job, std::shared_ptr<MemoryPool> memory) : job_(std::move(job)), memory_(std::move(memory)) {}

  std::shared_ptr<RunningJob> job_;
  std::shared_ptr<MemoryPool> memory_;
};

}  // namespace thalweg::worker
