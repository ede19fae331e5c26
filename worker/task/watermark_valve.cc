#include "worker/task/watermark_valve.h"

#include <algorithm>

namespace thalweg::worker {

WatermarkValve::WatermarkValve(const std::vector<int>& channel_inputs, int inputs) : inputs_(static_cast<size_t>(inputs)) {
  for (size_t number = 0; number < channel_inputs.size(); ++number) {
    channels_.push_back({.input = channel_inputs[number]});
    inputOf(channels_.back()).channels.push_back(static_cast<int>(number));
  }
}

std::optional<EventTime> WatermarkValve::onWatermark(int number, EventTime watermark) {
  Channel& of = channel(number);
  if (of.idle) activate(of);
  of.watermark = std::max(of.watermark, watermark);
  Input& input = inputOf(of);
  if (of.watermark >= input.watermark) of.aligned = true;
  // Looked at anew each time: the channel that held the others back may have left the aligned ones meanwhile.
  raiseToMinimum(input);
  return combine();
}

std::optional<EventTime> WatermarkValve::onIdle(int number) {
  Channel& of = channel(number);
  if (of.idle) return std::nullopt;
  of.idle = true;
  of.aligned = false;
  Input& input = inputOf(of);
  const bool all_idle = std::all_of(input.channels.begin(), input.channels.end(), [&](int each) { return channel(each).idle; });
  if (of.watermark == input.watermark) {
    if (all_idle) raiseToMaximum(input);
    else raiseToMinimum(input);
  }
  // The input counts once more with what it has reached, so that nothing waits for rows that do not come.
  const std::optional<EventTime> before = combine();
  input.idle = all_idle;
  const std::optional<EventTime> after = combine();
  return after ? after : before;
}

std::optional<EventTime> WatermarkValve::onActive(int number) {
  Channel& of = channel(number);
  if (of.idle) activate(of);
  return combine();
}

void WatermarkValve::activate(Channel& of) {
  Input& input = inputOf(of);
  of.idle = false;
  of.aligned = of.watermark >= input.watermark;
  input.idle = false;
}

void WatermarkValve::raiseToMinimum(Input& input) {
  EventTime minimum = kMaxWatermark;
  bool any = false;
  for (const int number : input.channels) {
    const Channel& each = channel(number);
    if (!each.aligned) continue;
    any = true;
    minimum = std::min(minimum, each.watermark);
  }
  if (any) input.watermark = std::max(input.watermark, minimum);
}

void WatermarkValve::raiseToMaximum(Input& input) {
  for (const int number : input.channels) input.watermark = std::max(input.watermark, channel(number).watermark);
}

std::optional<EventTime> WatermarkValve::combine() {
  EventTime minimum = kMaxWatermark;
  idle_ = true;
  for (const Input& input : inputs_) {
    if (input.idle) continue;
    idle_ = false;
    minimum = std::min(minimum, input.watermark);
  }
  if (idle_) return std::nullopt;
  if (minimum <= combined_) return std::nullopt;
  combined_ = minimum;
  return combined_;
}

}  // namespace thalweg::worker
