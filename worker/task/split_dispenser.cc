#include "worker/task/split_dispenser.h"

#include "common/base/failpoint.h"

namespace thalweg::worker {

Result<SplitEnumerator::Next> SplitDispenser::next(int subtask, int parallelism, CheckpointId passed) {
  const MutexLock lock(mutex_);
  // The barrier that the reader lacks is on its way to it, and wakes it; or the order to capture is on its way to us.
  if (passed != captured_for_ && !THALWEG_MUTANT("split_in_two_places")) return SplitEnumerator::Next{SplitEnumerator::Availability::LATER, {}, 1};
  return enumerator_->next(subtask, parallelism);
}

Status SplitDispenser::snapshot(CheckpointId checkpoint, std::string& out) {
  const MutexLock lock(mutex_);
  captured_for_ = checkpoint;
  return enumerator_->snapshot(out);
}

Status SplitDispenser::restore(const std::string& bytes) {
  const MutexLock lock(mutex_);
  return enumerator_->restore(bytes);
}

}  // namespace thalweg::worker
