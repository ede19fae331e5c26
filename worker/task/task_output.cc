#include "worker/task/task_output.h"

#include <algorithm>

namespace thalweg::worker {

Status TaskOutput::emitTo(int output, Batch batch) {
  if (batch.hasMarks()) {
    RETURN_IF_ERROR(markIdle(false));
    watermark_ = batch.marks().back().value;
  }
  for (const auto& writer : writers_) {
    if (writer->output() == output) RETURN_IF_ERROR(writer->write(batch));
  }
  return {};
}

bool TaskOutput::isFull() const {
  for (const auto& writer : writers_) {
    if (writer->isFull()) return true;
  }
  return std::any_of(outlets_.begin(), outlets_.end(), [](const auto& outlet) { return outlet->isFull(); });
}

Status TaskOutput::markIdle(bool idle) {
  if (idle == idle_) return {};
  idle_ = idle;
  sendControl({.kind = idle ? ChannelElement::Kind::IDLE : ChannelElement::Kind::ACTIVE});
  return {};
}

void TaskOutput::sendBarrier(CheckpointId checkpoint) {
  sendControl({.kind = ChannelElement::Kind::BARRIER, .checkpoint = checkpoint});
}

void TaskOutput::sendEnd() { sendControl({.kind = ChannelElement::Kind::END}); }

void TaskOutput::sendControl(const ChannelElement& element) {
  for (const auto& writer : writers_) writer->sendControl(element);
}

void TaskOutput::flush() {
  for (const auto& writer : writers_) writer->flush();
}

void TaskOutput::flushToIdle() {
  for (const auto& writer : writers_) writer->flushToIdle();
}

bool TaskOutput::waitForRoom(Actor& sender) const {
  for (const auto& writer : writers_) {
    if (writer->waitForRoom(sender)) return true;
  }
  return std::any_of(outlets_.begin(), outlets_.end(), [&](const auto& outlet) {
    return outlet->callWhenRoom([actor = sender.weak_from_this()] {
      if (const auto alive = actor.lock()) alive->schedule();
    });
  });
}

}  // namespace thalweg::worker
