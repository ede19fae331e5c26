#include "worker/task/watermark_valve.h"

#include <algorithm>

#include "common/base/random.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

/// The rules written down again without any cleverness: everything is computed anew after each event.
struct NaiveInput {
  struct Channel {
    EventTime watermark = kMinWatermark;
    bool idle = false;
    bool aligned = true;
  };
  std::vector<Channel> channels;
  EventTime watermark = kMinWatermark;

  bool idle() const {
    return std::all_of(channels.begin(), channels.end(), [](const Channel& c) { return c.idle; });
  }
  void raise() {
    EventTime minimum = kMaxWatermark;
    bool any = false;
    for (Channel& channel : channels) {
      if (channel.idle) continue;
      channel.aligned = channel.aligned || channel.watermark >= watermark;
      if (!channel.aligned) continue;
      any = true;
      minimum = std::min(minimum, channel.watermark);
    }
    if (any) watermark = std::max(watermark, minimum);
  }
};

struct NaiveValve {
  std::vector<NaiveInput> inputs;
  EventTime combined = kMinWatermark;

  void combine(int counted_though_idle = -1) {
    EventTime minimum = kMaxWatermark;
    bool any = false;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].idle() && static_cast<int>(i) != counted_though_idle) continue;
      any = true;
      minimum = std::min(minimum, inputs[i].watermark);
    }
    if (any) combined = std::max(combined, minimum);
  }
};

}  // namespace

TEST_CASE("the combined watermark is the minimum over channels and inputs") {
  WatermarkValve valve({0, 0, 1}, 2);
  REQUIRE(!valve.onWatermark(0, 10));
  REQUIRE(!valve.onWatermark(1, 5));
  REQUIRE(valve.onWatermark(2, 7) == 5);
  REQUIRE(valve.onWatermark(1, 20) == 7);
  REQUIRE(!valve.onWatermark(0, 9));         // going back changes nothing
  REQUIRE(valve.onWatermark(2, kMaxWatermark) == 10);
}

TEST_CASE("idle channels do not hold the watermark back") {
  WatermarkValve valve({0, 0}, 1);
  REQUIRE(!valve.onWatermark(0, 10));
  REQUIRE(valve.onIdle(1) == 10);
  REQUIRE(!valve.isIdle());
  // Back again it counts once it has caught up.
  REQUIRE(!valve.onWatermark(1, 3));
  REQUIRE(valve.onWatermark(0, 12) == 12);
  REQUIRE(!valve.onWatermark(1, 12));
  REQUIRE(!valve.onWatermark(0, 30));
  REQUIRE(valve.onWatermark(1, 15) == 15);
  // All idle: the farthest counts.
  REQUIRE(!valve.onIdle(0));
  REQUIRE(valve.onIdle(1) == 30);
  REQUIRE(valve.isIdle());
  REQUIRE(!valve.onActive(1));
  REQUIRE(!valve.isIdle());
}

TEST_CASE("an idle input leaves the others to decide") {
  WatermarkValve valve({0, 1}, 2);
  REQUIRE(!valve.onWatermark(0, 10));
  REQUIRE(valve.onIdle(1) == 10);
  REQUIRE(valve.onWatermark(0, 20) == 20);
  REQUIRE(!valve.onIdle(0));
  REQUIRE(valve.isIdle());
  REQUIRE(!valve.onActive(1));
  REQUIRE(!valve.onWatermark(1, 15));
  REQUIRE(valve.onWatermark(1, 25) == 25);
}

TEST_CASE("the valve agrees with the naive rules on random events") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const int inputs = static_cast<int>(random.nextBetween(1, 3));
    std::vector<int> channel_inputs;
    NaiveValve naive;
    naive.inputs.resize(static_cast<size_t>(inputs));
    std::vector<std::pair<int, size_t>> place;
    for (int input = 0; input < inputs; ++input) {
      for (int64_t c = random.nextBetween(1, 3); c > 0; --c) {
        place.emplace_back(input, naive.inputs[static_cast<size_t>(input)].channels.size());
        naive.inputs[static_cast<size_t>(input)].channels.emplace_back();
        channel_inputs.push_back(input);
      }
    }
    WatermarkValve valve(channel_inputs, inputs);
    EventTime last = kMinWatermark;
    for (int step = 0; step < 200; ++step) {
      const int channel = static_cast<int>(random.nextBelow(channel_inputs.size()));
      NaiveInput& input = naive.inputs[static_cast<size_t>(place[static_cast<size_t>(channel)].first)];
      NaiveInput::Channel& known = input.channels[place[static_cast<size_t>(channel)].second];
      std::optional<EventTime> raised;
      const auto wake = [&] {
        if (!known.idle) return;
        known.idle = false;
        known.aligned = known.watermark >= input.watermark;
      };
      switch (random.nextBelow(6)) {
        case 0: {
          raised = valve.onIdle(channel);
          if (known.idle) break;
          const bool held_back = known.watermark == input.watermark;
          known.idle = true;
          known.aligned = false;
          if (held_back && input.idle()) {
            for (const auto& each : input.channels) input.watermark = std::max(input.watermark, each.watermark);
          } else if (held_back) {
            input.raise();
          }
          naive.combine(place[static_cast<size_t>(channel)].first);
          naive.combine();
          break;
        }
        case 1:
          raised = valve.onActive(channel);
          wake();
          naive.combine();
          break;
        default: {
          const EventTime watermark = random.nextBetween(0, 40) + step / 2;
          raised = valve.onWatermark(channel, watermark);
          wake();
          known.watermark = std::max(known.watermark, watermark);
          input.raise();
          naive.combine();
        }
      }
      REQUIRE(valve.watermark() == naive.combined);
      REQUIRE(raised.has_value() == (naive.combined > last));
      if (raised) REQUIRE(*raised == naive.combined);
      last = naive.combined;
    }
  }
}

}  // namespace thalweg::worker
