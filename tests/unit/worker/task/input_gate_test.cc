#include "worker/task/input_gate.h"

#include <map>

#include "common/base/random.h"
#include "tests/unit/worker/task/fake_operators.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

using Kind = ChannelElement::Kind;
using Event = GateEvent::Kind;

ChannelElement rowsOf(std::vector<Pair> rows, std::vector<WatermarkMark> marks = {}) {
  return {.batch = pairBatch(rows).withMarks(std::move(marks))};
}
ChannelElement mark(EventTime watermark) { return {.batch = Batch::watermark(watermark)}; }
ChannelElement barrier(CheckpointId id) { return {.kind = Kind::BARRIER, .checkpoint = id}; }

/// An event in words: `0:[1 2 |5]`, `barrier 3`, `end 0`, `idle`.
std::string text(const GateEvent& event) {
  switch (event.kind) {
    case Event::NONE:
      return "none";
    case Event::BARRIER:
      return "barrier " + std::to_string(event.checkpoint);
    case Event::INPUT_END:
      return "end " + std::to_string(event.input);
    case Event::STATUS:
      return event.idle ? "idle" : "active";
    case Event::BATCH:
      break;
  }
  std::string out = std::to_string(event.input) + ":[";
  size_t row = 0;
  const std::vector<Pair> rows = pairsOf(event.batch);
  for (const WatermarkMark& each : event.batch.marks()) {
    for (; row < each.offset; ++row) out += std::to_string(rows[row].number) + ' ';
    out += '|' + (each.value == kMaxWatermark ? std::string("max") : std::to_string(each.value)) + ' ';
  }
  for (; row < rows.size(); ++row) out += std::to_string(rows[row].number) + ' ';
  out.back() = ']';
  return out;
}

struct GateUnderTest {
  explicit GateUnderTest(std::vector<ChannelSpec> specs, int inputs = 1, size_t rows_max = 8192)
      : channels(std::move(specs), inputs, {}), gate(channels, inputs, rows_max) {}
  ChannelSet channels;
  InputGate gate;
  std::string next(int preferred = -1) {
    const Result<GateEvent> event = gate.next(preferred);
    return event.isOk() ? text(*event) : event.status().message();
  }
};

}  // namespace

TEST_CASE("the gate rewrites marks to combined watermarks and drops those that do not raise it") {
  GateUnderTest under({{0, false}, {0, false}}, 1, 1);
  under.channels.push(0, rowsOf({{1, 1}, {1, 2}}, {{1, 10}, {2, 20}}));
  under.channels.push(1, rowsOf({{1, 3}, {1, 4}, {1, 5}}, {{1, 5}, {2, 15}, {3, 40}}));
  REQUIRE(under.next() == "0:[1 2]");
  REQUIRE(under.next() == "0:[3 |5 4 |15 5 |20]");
  REQUIRE(under.next() == "none");
}

TEST_CASE("the gate announces the end of each input after its last batch, and +inf before the last end") {
  GateUnderTest under({{0, false}, {0, false}, {1, false}}, 2);
  under.channels.push(0, rowsOf({{1, 1}}));
  under.channels.push(0, mark(kMaxWatermark));
  under.channels.push(0, {.kind = Kind::END});
  under.channels.push(2, {.kind = Kind::END});
  REQUIRE(under.next() == "0:[1]");
  REQUIRE(under.next() == "end 1");
  REQUIRE(under.next() == "none");
  REQUIRE(!under.gate.allEnded());
  under.channels.push(1, rowsOf({{1, 2}}));
  under.channels.push(1, {.kind = Kind::END});
  REQUIRE(under.next() == "0:[2]");
  REQUIRE(under.next() == "0:[|max]");
  REQUIRE(under.next() == "end 0");
  REQUIRE(under.gate.allEnded());
}

TEST_CASE("inputs take turns, batch by batch") {
  GateUnderTest under({{0, false}, {1, false}}, 2, 1);
  for (int64_t i = 0; i < 3; ++i) {
    under.channels.push(0, rowsOf({{0, i}}));
    under.channels.push(1, rowsOf({{0, 10 + i}}));
  }
  std::string all;
  for (int i = 0; i < 6; ++i) all += under.next();
  REQUIRE(all == "0:[0]1:[10]0:[1]1:[11]0:[2]1:[12]");
}

TEST_CASE("a preferred input is drained to its end, and others wait even when it has nothing") {
  GateUnderTest under({{0, false}, {1, false}}, 2, 1);
  under.channels.push(0, rowsOf({{0, 1}}));
  REQUIRE(under.next(1) == "none");
  under.channels.push(1, rowsOf({{0, 2}}));
  REQUIRE(under.next(1) == "1:[2]");
  REQUIRE(under.next(1) == "none");
  under.channels.push(1, {.kind = Kind::END});
  REQUIRE(under.next(1) == "end 1");
  REQUIRE(under.next(1) == "0:[1]");
}

TEST_CASE("a barrier waits for all channels, and what follows it waits for its release") {
  GateUnderTest under({{0, false}, {0, false}, {1, false}}, 2, 1);
  under.channels.push(0, rowsOf({{0, 1}}));
  under.channels.push(0, barrier(1));
  under.channels.push(0, rowsOf({{0, 100}}));
  under.channels.push(1, barrier(1));
  under.channels.push(1, {.kind = Kind::END});
  REQUIRE(under.next() == "0:[1]");
  REQUIRE(under.next() == "none");
  under.channels.push(2, rowsOf({{0, 2}}));
  under.channels.push(2, barrier(1));
  under.channels.push(2, rowsOf({{0, 200}}));
  REQUIRE(under.next() == "1:[2]");
  REQUIRE(under.next() == "barrier 1");
  under.gate.releaseBarrier();
  std::vector<std::string> rest = {under.next(), under.next()};
  std::sort(rest.begin(), rest.end());
  REQUIRE(rest == std::vector<std::string>{"0:[100]", "1:[200]"});
  // Channel 1 has ended: it owes no barrier.
  under.channels.push(0, barrier(2));
  under.channels.push(2, barrier(2));
  REQUIRE(under.next() == "barrier 2");
}

TEST_CASE("the end of the last channel without a barrier completes the alignment") {
  GateUnderTest under({{0, false}, {0, false}});
  under.channels.push(0, barrier(4));
  REQUIRE(under.next() == "none");
  under.channels.push(1, {.kind = Kind::END});
  REQUIRE(under.next() == "barrier 4");
}

TEST_CASE("a sender that leaves a barrier out, or sends one again, is an error by name") {
  GateUnderTest under({{0, false}, {0, false}});
  under.channels.push(0, barrier(4));
  under.channels.push(1, barrier(5));
  REQUIRE_THAT(under.next(), Catch::Contains("expected the barrier of checkpoint 4") && Catch::Contains("found that of checkpoint 5"));
  GateUnderTest again({{0, false}});
  again.channels.push(0, barrier(4));
  again.channels.push(0, barrier(4));
  REQUIRE(again.next() == "barrier 4");
  again.gate.releaseBarrier();
  REQUIRE_THAT(again.next(), Catch::Contains("expected the barrier of a checkpoint after 4"));
}

TEST_CASE("a preferred input held up by a barrier lets the others bring theirs") {
  GateUnderTest under({{0, false}, {1, false}}, 2, 1);
  under.channels.push(1, barrier(1));
  under.channels.push(0, rowsOf({{0, 1}}));
  under.channels.push(0, barrier(1));
  REQUIRE(under.next(1) == "0:[1]");
  REQUIRE(under.next(1) == "barrier 1");
}

TEST_CASE("idleness is announced once all channels are idle, after the watermark it sets free") {
  GateUnderTest under({{0, false}, {0, false}});
  under.channels.push(0, mark(10));
  under.channels.push(1, {.kind = Kind::IDLE});
  REQUIRE(under.next() == "0:[|10]");
  under.channels.push(0, {.kind = Kind::IDLE});
  REQUIRE(under.next() == "idle");
  under.channels.push(1, mark(30));
  REQUIRE(under.next() == "active");
  REQUIRE(under.next() == "0:[|30]");
}

TEST_CASE("small batches that wait together are joined, large ones are not copied") {
  GateUnderTest under({{0, false}, {0, false}}, 1, 80);
  under.channels.push(0, rowsOf({{0, 1}}, {{1, 5}}));
  under.channels.push(1, rowsOf({{0, 2}}, {{1, 7}}));
  under.channels.push(0, mark(9));
  under.channels.push(1, rowsOf({{0, 3}}));
  REQUIRE(under.next() == "0:[1 2 |7 3]");   // of the marks 5 and 7 at one place the last counts
  REQUIRE(under.next() == "none");
  std::vector<Pair> many(40, Pair{0, 7});
  const Batch large = pairBatch(many);
  under.channels.push(0, {.batch = large});
  under.channels.push(1, mark(20));
  const GateEvent event = *under.gate.next(-1);
  REQUIRE(event.batch.column(0) == large.column(0));
  REQUIRE(event.batch.marks().size() == 1);
}

TEST_CASE("random channels: rows keep their order and no row is overtaken by its channel's watermark") {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const auto channel_count = static_cast<int>(random.nextBetween(1, 4));
    std::vector<ChannelSpec> specs;
    for (int i = 0; i < channel_count; ++i) specs.push_back({static_cast<int>(random.nextBelow(2)) * (i > 0), false});
    int inputs = 1;
    for (const ChannelSpec& spec : specs) inputs = std::max(inputs, spec.input + 1);
    GateUnderTest under(specs, inputs, random.nextBelow(2) == 0 ? 1 : 64);
    std::vector<EventTime> sent(specs.size(), kMinWatermark);       // per channel
    std::vector<int64_t> next_row(specs.size(), 0);
    std::vector<int64_t> seen_row(specs.size(), -1);
    std::vector<std::vector<std::pair<int64_t, EventTime>>> after(specs.size());   // row count, watermark sent then
    EventTime combined = kMinWatermark;
    const auto minimum = [&](auto&& watermark_of) {
      EventTime result = kMaxWatermark;
      for (size_t c = 0; c < specs.size(); ++c) result = std::min(result, watermark_of(c));
      return result;
    };
    const auto drain = [&] {
      for (GateEvent event = *under.gate.next(-1); event.kind != Event::NONE; event = *under.gate.next(-1)) {
        REQUIRE(event.kind == Event::BATCH);
        const std::vector<Pair> rows = pairsOf(event.batch);
        size_t row = 0;
        const auto rows_until = [&](size_t end) {
          for (; row < end; ++row) {
            const auto c = static_cast<size_t>(rows[row].key);
            REQUIRE(specs[c].input == event.input);
            REQUIRE(rows[row].number == seen_row[c] + 1);
            seen_row[c] = rows[row].number;
          }
        };
        for (const WatermarkMark& each : event.batch.marks()) {
          rows_until(each.offset);
          REQUIRE(each.value > combined);
          combined = each.value;
          // Never more than what every channel had said behind the rows seen so far.
          const EventTime allowed = minimum([&](size_t c) {
            EventTime said = kMinWatermark;
            for (const auto& [count, watermark] : after[c]) {
              if (count <= seen_row[c] + 1) said = watermark;
            }
            return said;
          });
          REQUIRE(combined <= allowed);
        }
        rows_until(rows.size());
      }
      REQUIRE(combined == minimum([&](size_t c) { return sent[c]; }));   // and not less, once all is read
    };
    for (int step = 0; step < 60; ++step) {
      const auto c = static_cast<size_t>(random.nextBelow(specs.size()));
      std::vector<Pair> rows;
      std::vector<WatermarkMark> marks;
      for (auto left = random.nextBelow(4); left > 0; --left) {
        rows.push_back({static_cast<int32_t>(c), next_row[c]++});
        if (random.nextBelow(2) == 0) continue;
        sent[c] = std::max<EventTime>(sent[c], 0) + random.nextBetween(1, 20);
        marks.push_back({static_cast<RowIndex>(rows.size()), sent[c]});
        after[c].emplace_back(next_row[c], sent[c]);
      }
      if (!rows.empty()) under.channels.push(static_cast<int>(c), rowsOf(rows, marks));
      if (random.nextBelow(5) == 0) drain();
    }
    drain();
    for (size_t c = 0; c < specs.size(); ++c) REQUIRE(seen_row[c] == next_row[c] - 1);
  }
}

}  // namespace thalweg::worker
