// Alignment: the first barrier of a checkpoint blocks its channel (ChannelSet does so as it hands the barrier out),
// and the others are read on until each has brought its barrier or ended. Then BARRIER goes out, the subtask takes
// its snapshot, and releaseBarrier() lets all channels go on. Every subtask forwards every barrier, also of a
// checkpoint that was given up meanwhile, so barriers of two checkpoints never meet in one alignment; if they do, a sender in
// another process is not what it should be, and the subtask fails.
#include "worker/task/input_gate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "common/base/check.h"

namespace thalweg::worker {

namespace {

std::vector<int> inputsOf(const ChannelSet& channels) {
  std::vector<int> inputs;
  for (size_t channel = 0; channel < channels.channelCount(); ++channel) inputs.push_back(channels.inputOf(static_cast<int>(channel)));
  return inputs;
}

}  // namespace

InputGate::InputGate(ChannelSet& channels, int inputs, size_t batch_rows_max)
    : channels_(channels), valve_(inputsOf(channels), inputs), inputs_(static_cast<size_t>(inputs)), joined_(batch_rows_max) {
  for (const int input : inputsOf(channels)) ++inputs_[static_cast<size_t>(input)].channels;
}

Result<GateEvent> InputGate::next(int preferred_input) {
  const int inputs = static_cast<int>(inputs_.size());
  while (events_.empty()) {
    const bool prefers = preferred_input >= 0 && !inputs_[static_cast<size_t>(preferred_input)].hasEnded() &&
                         !inputs_[static_cast<size_t>(preferred_input)].isHeldUp();
    bool took = false;
    if (prefers) {
      ASSIGN_OR_RETURN(took, takeFrom(preferred_input));
    } else {
      for (int tried = 0; tried < inputs && !took; ++tried) {
        ASSIGN_OR_RETURN(took, takeFrom(turn_));
        turn_ = (turn_ + 1) % inputs;
      }
    }
    if (!took) return GateEvent{};
  }
  GateEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

/// Takes one element, and what small batches wait behind it; false if the input has none.
Result<bool> InputGate::takeFrom(int input) {
  std::optional<ChannelSet::Popped> popped = channels_.pop(input);
  if (!popped) return false;
  joined_input_ = input;
  RETURN_IF_ERROR(handle(*popped));
  while (!joined_.empty()) {
    const std::optional<size_t> rows = channels_.nextRows(input);
    if (!rows || !joined_.joins(*rows)) break;
    popped = channels_.pop(input);     // at least the same channel's element is still there: we are the only reader
    RETURN_IF_ERROR(handle(*popped));
  }
  flush();
  return true;
}

Status InputGate::handle(const ChannelSet::Popped& popped) {
  const int input = channels_.inputOf(popped.channel);
  switch (popped.element.kind) {
    case ChannelElement::Kind::BATCH:
      onBatch(popped.channel, popped.element.batch);
      return {};
    case ChannelElement::Kind::BARRIER:
      return onBarrier(input, popped.element.checkpoint);
    case ChannelElement::Kind::IDLE:
      addWatermark(valve_.onIdle(popped.channel));
      addStatus();
      return {};
    case ChannelElement::Kind::ACTIVE:
      addWatermark(valve_.onActive(popped.channel));
      addStatus();
      return {};
    case ChannelElement::Kind::END:
      onEnd(popped.channel, input);
      return {};
  }
  return {};
}

void InputGate::onBatch(int channel, Batch batch) {
  if (batch.hasMarks()) {
    std::vector<WatermarkMark> marks;
    for (const WatermarkMark& mark : batch.marks()) {
      if (const auto combined = valve_.onWatermark(channel, mark.value)) marks.push_back({mark.offset, *combined});
    }
    if (marks.empty()) batch = batch.withoutMarks();
    else batch = batch.withMarks(std::move(marks));
    addStatus();
  }
  if (batch.rows() > 0 || batch.hasMarks()) joined_.add(std::move(batch));
}

Status InputGate::onBarrier(int input, CheckpointId checkpoint) {
  CHECK(!barrier_out_);                                // the subtask releases it before it asks for more
  if (aligning_ != 0 && aligning_ != checkpoint) {
    return Status::invalid("expected the barrier of checkpoint " + std::to_string(aligning_) + ", which other channels have brought, and found that of checkpoint " +
                           std::to_string(checkpoint) + ": a sender left one out");
  }
  if (checkpoint <= aligned_) {
    return Status::invalid("expected the barrier of a checkpoint after " + std::to_string(aligned_) + ", and found that of checkpoint " + std::to_string(checkpoint));
  }
  aligning_ = checkpoint;
  ++inputs_[static_cast<size_t>(input)].barriers;
  completeBarrier();
  return {};
}

void InputGate::completeBarrier() {
  if (aligning_ == 0 || barrier_out_) return;
  if (!std::all_of(inputs_.begin(), inputs_.end(), [](const Input& each) { return each.barriers + each.ended == each.channels; })) return;
  flush();
  events_.push_back({.kind = GateEvent::Kind::BARRIER, .checkpoint = aligning_});
  barrier_out_ = true;
}

void InputGate::releaseBarrier() {
  CHECK(barrier_out_);
  barrier_out_ = false;
  aligned_ = std::exchange(aligning_, 0);
  for (Input& each : inputs_) each.barriers = 0;
  channels_.releaseBarrier();
}

void InputGate::onEnd(int channel, int input) {
  addWatermark(valve_.onWatermark(channel, kMaxWatermark));
  addStatus();
  Input& ending = inputs_[static_cast<size_t>(input)];
  ++ending.ended;
  if (ending.hasEnded()) {
    flush();
    events_.push_back({.kind = GateEvent::Kind::INPUT_END, .input = input});
    ++ended_inputs_;
  }
  if (!allEnded()) completeBarrier();
}

void InputGate::addWatermark(std::optional<EventTime> watermark) {
  if (watermark) joined_.add(Batch::watermark(*watermark));
}

void InputGate::addStatus() {
  if (valve_.isIdle() == idle_) return;
  idle_ = valve_.isIdle();
  flush();
  events_.push_back({.kind = GateEvent::Kind::STATUS, .idle = idle_});
}

void InputGate::flush() {
  for (Batch& batch : joined_.take()) events_.push_back({.kind = GateEvent::Kind::BATCH, .input = joined_input_, .batch = std::move(batch)});
}

}  // namespace thalweg::worker
