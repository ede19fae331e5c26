// InputGate: what a subtask's first operator gets to see of its channels — batches with combined watermarks,
// one barrier per checkpoint, the end of each input.
//
//   BATCH      marks in it are the operator's: those of the channel, put through the valve and dropped if the
//              combined watermark did not rise. A batch of marks alone may stem from a status or an end.
//   BARRIER    arrived on every channel that has not ended. The channels stay blocked until releaseBarrier().
//   INPUT_END  the last channel of an input ended; after the last batch of it
//   STATUS     all channels went idle, or some came back
// Turns: inputs in turn, batch by batch; if the operator prefers an input, that one only, until it ended or is held
// up by a barrier. Small batches of one input that wait together are joined.
// Unaligned checkpoints would take barriers from the queues' far end: that is ChannelSet's to add; this interface
// only says when a barrier is complete.
// Threads: the receiver's. Lifetime: borrows the channels.
#pragma once

#include <deque>
#include <vector>

#include "common/base/status.h"
#include "worker/task/batch_coalescer.h"
#include "worker/task/channel_set.h"
#include "worker/task/watermark_valve.h"

namespace thalweg::worker {

struct GateEvent {
  enum class Kind : uint8_t {
    NONE,       ///< nothing to be had now
    BATCH,
    BARRIER,
    INPUT_END,
    STATUS,
  };
  Kind kind = Kind::NONE;
  int input = 0;
  Batch batch = {};
  CheckpointId checkpoint = 0;
  bool idle = false;
};

class InputGate {
 public:
  InputGate(ChannelSet& channels, int inputs, size_t batch_rows_max);

  /// `preferred_input` as Operator::preferredInput(). An error if barriers come in another order than they were sent.
  Result<GateEvent> next(int preferred_input);
  void releaseBarrier();

  /// Why next() gives nothing any more, if that is so.
  Status failure() const { return channels_.failure(); }
  bool allEnded() const { return ended_inputs_ == inputs_.size(); }
  EventTime watermark() const { return valve_.watermark(); }
  /// Before the first next(): the watermark that the operator has already seen.
  void restoreWatermark(EventTime watermark) { valve_.restore(watermark); }

 private:
  struct Input {
    size_t channels = 0;
    size_t ended = 0;
    size_t barriers = 0;             // of the checkpoint being aligned
    bool hasEnded() const { return ended == channels; }
    bool isHeldUp() const { return barriers > 0 && barriers + ended == channels; }
  };
  Result<bool> takeFrom(int input);
  Status handle(const ChannelSet::Popped& popped);
  void onBatch(int channel, Batch batch);
  Status onBarrier(int input, CheckpointId checkpoint);
  void onEnd(int channel, int input);
  void addWatermark(std::optional<EventTime> watermark);
  void addStatus();
  void completeBarrier();
  void flush();

  ChannelSet& channels_;
  WatermarkValve valve_;
  std::vector<Input> inputs_;
  std::deque<GateEvent> events_;
  BatchCoalescer joined_;            // batches of input joined_input_ not yet in events_
  int joined_input_ = 0;
  int turn_ = 0;
  size_t ended_inputs_ = 0;
  CheckpointId aligning_ = 0;        // 0: no barrier has come
  CheckpointId aligned_ = 0;         // the last that was released
  bool barrier_out_ = false;         // BARRIER was given out, releaseBarrier() is due
  bool idle_ = false;
};

}  // namespace thalweg::worker
