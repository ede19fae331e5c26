// A subtask's part in checkpoints: its barrier, and the snapshot that is captured beside the rows after it.
#include <algorithm>

#include "common/base/failpoint.h"
#include "worker/task/subtask.h"

namespace thalweg::worker {
namespace {

constexpr size_t kCaptureWork = 100'000;                // about a millisecond
constexpr size_t kLittleCaptureWork = 100;              // a few entries, in tests
constexpr int64_t kCaptureEveryNanos = 4'000'000;
constexpr uint32_t kCaptureEveryRounds = 256;           // where the clock stands still

}  // namespace

void Subtask::triggerCheckpoint(CheckpointId checkpoint) {
  {
    const MutexLock lock(triggers_mutex_);
    triggers_.push_back(checkpoint);
    triggers_waiting_.store(triggers_.size());
  }
  schedule();
}

void Subtask::completeCheckpoint(CheckpointId checkpoint) {
  completed_.store(checkpoint);
  schedule();
}

CheckpointId Subtask::takeTrigger() {
  const MutexLock lock(triggers_mutex_);
  const CheckpointId checkpoint = triggers_.front();
  triggers_.pop_front();
  triggers_waiting_.store(triggers_.size());
  return checkpoint;
}

Status Subtask::beginSnapshot(CheckpointId checkpoint) {
  snapshotting_ = checkpoint;
  snapshot_begun_ns_ = job_.clock.nanoTime();
  if (!THALWEG_MUTANT("no_flush_before_barrier")) chain_->prepareSnapshot();
  return {};
}

Status Subtask::passBarrier() {
  RETURN_IF_ERROR(THALWEG_FAILPOINT("task.snapshot"));
  const auto wake = [weak = weak_from_this()] {
    if (const std::shared_ptr<Actor> self = weak.lock()) self->schedule();
  };
  ASSIGN_OR_RETURN(pending_, PendingSnapshot::begin(snapshotting_, *chain_, wake));
  SubtaskSnapshot& part = pending_->part();
  part.sent_watermark = output_->watermark();
  if (source_) RETURN_IF_ERROR(source_->snapshotSplits(part.splits));
  unconfirmed_.emplace_back(snapshotting_, ++snapshots_taken_);
  passed_ = snapshotting_;
  snapshotting_ = 0;
  if (source_ && THALWEG_MUTANT("rows_slip_before_barrier")) RETURN_IF_ERROR(takeInput().status());
  output_->sendBarrier(passed_);
  if (gate_) gate_->releaseBarrier();
  if (pending_) pending_->part().pause_ns = job_.clock.nanoTime() - snapshot_begun_ns_;
  captureSome();                                    // the little there mostly is
  return {};
}

void Subtask::captureInPassing() {
  if (!pending_) return;
  const bool is_due = job_.clock.nanoTime() - captured_ns_ >= kCaptureEveryNanos || ++rounds_since_capture_ >= kCaptureEveryRounds;
  if (is_due) captureSome();
}

bool Subtask::captureSome() {
  if (!pending_) return false;
  const int64_t begun_ns = job_.clock.nanoTime();
  const bool only_little = !THALWEG_FAILPOINT("task.capture_little").isOk();      // so that a small state changes meanwhile
  const CaptureProgress progress = pending_->captureSome(only_little ? kLittleCaptureWork : kCaptureWork);
  captured_ns_ = job_.clock.nanoTime();
  rounds_since_capture_ = 0;
  int64_t& pause_ns = pending_->part().pause_ns;
  pause_ns = std::max(pause_ns, captured_ns_ - begun_ns);
  if (progress != CaptureProgress::READY) {
    if (only_little) scheduleAt(job_.clock.nowMillis() + 1);
    return progress == CaptureProgress::MORE && !only_little;
  }
  const std::unique_ptr<PendingSnapshot> done = std::move(pending_);
  Result<SubtaskSnapshot> part = done->take();
  if (part.isOk()) {
    part->pause_ns = std::max(part->pause_ns, job_.clock.nanoTime() - begun_ns);
    listener_->onSnapshot(id_, done->checkpoint(), *std::move(part));
  } else {
    listener_->onSnapshotFailed(id_, done->checkpoint(), part.status());
  }
  return false;
}

Status Subtask::confirmCheckpoints() {
  const CheckpointId completed = completed_.load(std::memory_order_relaxed);
  uint64_t snapshots = 0;
  for (; !unconfirmed_.empty() && unconfirmed_.front().first <= completed; unconfirmed_.pop_front()) {
    snapshots = unconfirmed_.front().second;
  }
  return snapshots > 0 ? chain_->onCheckpointComplete(snapshots) : Status();
}

}  // namespace thalweg::worker
