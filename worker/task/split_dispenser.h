// SplitDispenser: the one enumerator of a source, shared by its readers, and its part of checkpoints.
//
// A split must be in exactly one place of a checkpoint: with the enumerator or with a reader. So from the moment the
// enumerator is captured for checkpoint n, a reader gets no split until its own barrier n has passed. A reader in another
// process may pass its barrier before the enumerator is captured: it waits for the capture.
// Threads: any. Lifetime: shared by the source's subtasks.
#pragma once

#include <memory>
#include <string>

#include "common/base/mutex.h"
#include "common/runtime_api/source.h"
#include "worker/task/channel_end.h"

namespace thalweg::worker {

/// Where the readers of a source get their splits: here, or from the process that has the enumerator.
class SplitSupply {
 public:
  virtual ~SplitSupply() = default;
  /// The next split for a reader whose last barrier was that of checkpoint `passed`.
  virtual Result<SplitEnumerator::Next> next(int subtask, int parallelism, CheckpointId passed) = 0;
  /// The subtask asked, and what it is to be given is neither here nor refused yet.
  virtual bool isAnswerPending(int /*subtask*/) { return false; }
};

class SplitDispenser final : public SplitSupply {
 public:
  explicit SplitDispenser(std::unique_ptr<SplitEnumerator> enumerator) : enumerator_(std::move(enumerator)) {}

  Result<SplitEnumerator::Next> next(int subtask, int parallelism, CheckpointId passed) override EXCLUDES(mutex_);
  /// Captures the enumerator for checkpoint `checkpoint`.
  Status snapshot(CheckpointId checkpoint, std::string& out) EXCLUDES(mutex_);
  Status restore(const std::string& bytes) EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::unique_ptr<SplitEnumerator> enumerator_ GUARDED_BY(mutex_);
  CheckpointId captured_for_ GUARDED_BY(mutex_) = 0;
};

}  // namespace thalweg::worker
