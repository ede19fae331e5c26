// WatermarkValve: makes one watermark out of the watermarks of many channels, as Flink's StatusWatermarkValve and,
// over the inputs of an operator, its combined status do.
//
// Per input the watermark is the minimum over the channels that count: those not idle that have, since they came
// back from idleness, reached what was already given out. When the last active channel of an input goes idle the
// input's watermark jumps to the maximum seen. Over the inputs it is the minimum of those that are not idle.
// A channel that ended counts as +inf, and a mark wakes an idle channel.
// Threads: one owner.
#pragma once

#include <optional>
#include <vector>

#include "common/columnar/batch.h"

namespace thalweg::worker {

class WatermarkValve {
 public:
  /// `channel_inputs[c]` is the input that channel c feeds.
  WatermarkValve(const std::vector<int>& channel_inputs, int inputs);

  /// The new combined watermark, if it rose.
  std::optional<EventTime> onWatermark(int channel, EventTime watermark);
  std::optional<EventTime> onIdle(int channel);
  std::optional<EventTime> onActive(int channel);

  EventTime watermark() const { return combined_; }
  /// What an earlier attempt had given out: nothing lower comes again. Before the first call.
  void restore(EventTime watermark) { combined_ = watermark; }
  /// Every channel of every input is idle.
  bool isIdle() const { return idle_; }

 private:
  struct Channel {
    int input;
    EventTime watermark = kMinWatermark;
    bool idle = false;
    bool aligned = true;
  };
  struct Input {
    std::vector<int> channels;
    EventTime watermark = kMinWatermark;
    bool idle = false;
  };
  Channel& channel(int number) { return channels_[static_cast<size_t>(number)]; }
  Input& inputOf(const Channel& of) { return inputs_[static_cast<size_t>(of.input)]; }
  void activate(Channel& of);
  void raiseToMinimum(Input& input);
  void raiseToMaximum(Input& input);
  std::optional<EventTime> combine();

  std::vector<Channel> channels_;
  std::vector<Input> inputs_;
  EventTime combined_ = kMinWatermark;
  bool idle_ = false;
};

}  // namespace thalweg::worker
