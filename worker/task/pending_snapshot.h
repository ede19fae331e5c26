// PendingSnapshot: a subtask's part of a checkpoint whose barrier has passed, while keyed state is still captured.
//
//   ASSIGN_OR_RETURN(auto pending, PendingSnapshot::begin(checkpoint, chain, wake));   // at the barrier; chain idle
//   while (pending->captureSome(work) != CaptureProgress::READY) …                     // between calls of the operators
//   Result<SubtaskSnapshot> part = pending->take();
//
// Threads: the subtask's; `wake` is called on others. Lifetime: borrows the chain.
#pragma once

#include <functional>
#include <memory>

#include "worker/task/job_snapshot.h"
#include "worker/task/operator_chain.h"

namespace thalweg::worker {

class PendingSnapshot {
 public:
  static Result<std::unique_ptr<PendingSnapshot>> begin(CheckpointId checkpoint, OperatorChain& chain, std::function<void()> wake);

  CheckpointId checkpoint() const { return checkpoint_; }
  /// What is not of the operators.
  SubtaskSnapshot& part() { return part_; }
  CaptureProgress captureSome(size_t work);
  /// All that is left, at once.
  void finishCapture();
  /// When READY. An error concerns the checkpoint only; the job can go on.
  Result<SubtaskSnapshot> take();

 private:
  PendingSnapshot(CheckpointId checkpoint, OperatorChain& chain) : checkpoint_(checkpoint), chain_(chain) {}

  const CheckpointId checkpoint_;
  OperatorChain& chain_;
  SubtaskSnapshot part_;
};

}  // namespace thalweg::worker
