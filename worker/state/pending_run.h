// PendingRun: a run that is being written, by whoever begins first: a thread where blocking is allowed, or the owner who
// cannot wait for one (the executor's threads may all be busy, even waiting for this one).
//
// Threads: any.
#pragma once

#include <functional>
#include <memory>

#include "common/base/mutex.h"
#include "worker/state/state_run.h"

namespace thalweg::worker {

class PendingRun {
 public:
  using Run = std::shared_ptr<const StateRun>;
  explicit PendingRun(std::function<Result<Run>()> write) : write_(std::move(write)) {}

  /// Unless somebody else does.
  void work() EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      if (begun_) return;
      begun_ = true;
    }
    Result<Run> result = write_();
    write_ = nullptr;                    // and what it was written from
    const MutexLock lock(mutex_);
    status_ = result.status();
    if (result.isOk()) run_ = *std::move(result);
    done_ = true;
    ended_.notifyAll();
  }
  bool isDone() const EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return done_;
  }
  /// Works, or waits for who does.
  Result<Run> wait() EXCLUDES(mutex_) {
    work();
    const MutexLock lock(mutex_);
    while (!done_) ended_.wait(mutex_);
    if (!status_.isOk()) return status_;
    return run_;
  }

 private:
  std::function<Result<Run>()> write_;   // of who begins
  mutable Mutex mutex_;
  Condition ended_;
  bool begun_ GUARDED_BY(mutex_) = false;
  bool done_ GUARDED_BY(mutex_) = false;
  Status status_ GUARDED_BY(mutex_);
  Run run_ GUARDED_BY(mutex_);
};

}  // namespace thalweg::worker
