// SplitDispenser: the one enumerator of a source, shared by its readers, and its part of checkpoints.
//
// A split must be in exactly one place of a checkpoint: with the enumerator or with a reader. So from the moment the
// enumerator is captured for checkpoint n, a reader gets no split until its own barrier n has passed.
// Threads: any. Lifetime: shared by the source's subtasks.
#pragma once

#include <memory>
#include <string>

#include "common/base/mutex.h"
#include "common/runtime_api/source.h"
#include "worker/task/channel_set.h"

namespace thalweg::worker {

class SplitDispenser {
 public:
  explicit SplitDispenser(std::unique_ptr<SplitEnumerator> enumerator) : enumerator_(std::move(enumerator)) {}

  /// The next split for a reader whose last barrier was that of checkpoint `passed`.
  Result<SplitEnumerator::Next> next(int subtask, int parallelism, CheckpointId passed) EXCLUDES(mutex_);
  /// Captures the enumerator for checkpoint `checkpoint`.
  Status snapshot(CheckpointId checkpoint, std::string& out) EXCLUDES(mutex_);
  Status restore(const std::string& bytes) EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::unique_ptr<SplitEnumerator> enumerator_ GUARDED_BY(mutex_);
  CheckpointId captured_for_ GUARDED_BY(mutex_) = 0;
};

}  // namespace thalweg::worker
