#include "worker/task/pending_snapshot.h"

namespace thalweg::worker {

Result<std::unique_ptr<PendingSnapshot>> PendingSnapshot::begin(CheckpointId checkpoint, OperatorChain& chain, std::function<void()> wake) {
  std::unique_ptr<PendingSnapshot> pending(new PendingSnapshot(checkpoint, chain));
  for (const auto& link : chain.links()) {
    OperatorSnapshot& part = pending->part_.operators[link->context().uid()];
    RETURN_IF_ERROR(link->op().snapshot(part.own));
    RETURN_IF_ERROR(link->context().keyedState().beginSnapshot(wake));
    part.watermark = link->watermark();
  }
  return pending;
}

CaptureProgress PendingSnapshot::captureSome(size_t work) {
  return captureEach(chain_.links(), [&](ChainLink& link) { return link.context().keyedState().captureSome(work); });
}

void PendingSnapshot::finishCapture() {
  for (const auto& link : chain_.links()) link->context().keyedState().finishCapture();
}

Result<SubtaskSnapshot> PendingSnapshot::take() {
  Status status;
  for (const auto& link : chain_.links()) {
    Result<KeyedSnapshot> keyed = link->context().keyedState().takeSnapshot();
    if (keyed.isOk()) part_.operators[link->context().uid()].keyed = *std::move(keyed);
    else if (status.isOk()) status = keyed.status();
  }
  RETURN_IF_ERROR(status);
  return std::move(part_);
}

}  // namespace thalweg::worker
