// JobAttempts: runs an embedded job, and again after failures as its restart strategy allows, each time from the last
// complete checkpoint.
//
//   auto attempts = std::make_shared<JobAttempts>(parts, checkpoints, executor, clock);
//   RETURN_IF_ERROR(attempts->start());              // the first attempt; its errors are the caller's
//   Status end = attempts->wait();                   // of the last attempt
//
// One attempt at a time: the next begins when the last one's operators are closed. A cancelled job, and one that cannot be
// restored, is not tried again.
// Threads: all methods any; wait() blocks and is not for the executor's threads.
// Lifetime: shared, since timers outlive the caller; borrows executor and clock, which outlive the process's jobs.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "client/embedded/job_checkpoints.h"
#include "common/base/mutex.h"
#include "coordinator/scheduler/restart_strategy.h"
#include "worker/task/local_job.h"

namespace thalweg::client {

/// What attempts have in common.
struct AttemptParts {
  std::string job_id;
  worker::TaskGraph graph;
  bool max_parallelism_given = false;        ///< else that of the restored state is taken: key groups are for ever
  bool allow_unclaimed_state = false;
  bool commits_with_checkpoints = false;     ///< else the end itself commits
  uint64_t hold_after_rows = 0;
  std::unique_ptr<coordinator::RestartStrategy> restarts;
  std::function<void()> on_end;              ///< called once, when no attempt follows
};

class JobAttempts : public std::enable_shared_from_this<JobAttempts> {
 public:
  JobAttempts(AttemptParts parts, std::shared_ptr<JobCheckpoints> checkpoints, Executor& executor, const Clock& clock);

  Status start() EXCLUDES(mutex_);
  /// Until no attempt follows: ok, the last failure, or CANCELLED.
  Status wait() EXCLUDES(mutex_);
  bool hasEnded() const EXCLUDES(mutex_);
  void cancel() EXCLUDES(mutex_);
  /// The attempt that runs, or the last; none while the next waits.
  std::shared_ptr<worker::LocalJob> current() const EXCLUDES(mutex_);

 private:
  Status startAttempt() EXCLUDES(mutex_);
  void onAttemptEnded(const Status& status) EXCLUDES(mutex_);
  /// The attempt's last thread is out of it when this returns.
  void letGo() EXCLUDES(mutex_);
  void tryAgain() EXCLUDES(mutex_);
  void end(const Status& status) EXCLUDES(mutex_);

  const AttemptParts parts_;
  const uint64_t random_seed_;
  const std::shared_ptr<JobCheckpoints> checkpoints_;
  Executor& executor_;
  const Clock& clock_;

  mutable Mutex mutex_;
  Condition changed_;
  std::shared_ptr<worker::LocalJob> job_ GUARDED_BY(mutex_);
  int attempt_ GUARDED_BY(mutex_) = 0;
  bool cancelled_ GUARDED_BY(mutex_) = false;
  bool pausing_ GUARDED_BY(mutex_) = false;      // an attempt failed, the next is due later
  bool ending_ GUARDED_BY(mutex_) = false;
  std::optional<Status> end_ GUARDED_BY(mutex_);
};

}  // namespace thalweg::client
