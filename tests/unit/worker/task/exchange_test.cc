// The parts of the exchange one by one: coalescer, channels, partitioning writers, executor.
#include <algorithm>
#include <latch>
#include <thread>

#include "common/base/hash.h"
#include "common/base/random.h"
#include "tests/support/operator_harness.h"
#include "tests/unit/worker/task/fake_operators.h"
#include "worker/operators/collect_operator.h"
#include "worker/task/asio_executor.h"
#include "worker/task/channel_set.h"
#include "worker/task/edge_writer.h"
#include "worker/task/task_output.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

/// Runs nothing: for actors that are only to be scheduled.
class NullExecutor : public Executor {
 public:
  void post(std::function<void()>) override { ++posted; }
  void postAt(int64_t, std::function<void()>) override {}
  void postBlocking(std::function<void()>) override {}
  std::atomic<int> posted{0};
};

class NullActor : public Actor {
 public:
  using Actor::Actor;

 protected:
  SliceEnd runSlice() override { return SliceEnd::PARK; }
};

/// Everything a channel set holds of channel 0..n, as messages per channel.
std::vector<std::vector<std::string>> drain(ChannelSet& channels) {
  std::vector<std::vector<std::string>> messages(channels.channelCount());
  for (int input = 0; input < 1; ++input) {
    while (auto popped = channels.pop(input)) {
      auto& out = messages[static_cast<size_t>(popped->channel)];
      switch (popped->element.kind) {
        case ChannelElement::Kind::BATCH:
          for (std::string& message : testing::messagesOf(popped->element.batch)) out.push_back(std::move(message));
          break;
        case ChannelElement::Kind::BARRIER: out.push_back("barrier"); break;
        case ChannelElement::Kind::IDLE: out.push_back("idle"); break;
        case ChannelElement::Kind::ACTIVE: out.push_back("active"); break;
        case ChannelElement::Kind::END: out.push_back("end"); break;
      }
    }
    channels.releaseBarrier();
  }
  return messages;
}

/// Of marks in a row the last.
std::vector<std::string> lastMarks(const std::vector<std::string>& messages) {
  std::vector<std::string> result;
  for (const std::string& message : messages) {
    if (message.starts_with("watermark") && !result.empty() && result.back().starts_with("watermark")) result.pop_back();
    result.push_back(message);
  }
  return result;
}

Batch randomBatch(Random& random, EventTime& watermark, int64_t& number, bool with_kinds) {
  std::vector<Pair> rows;
  std::vector<WatermarkMark> marks;
  for (auto left = random.nextBelow(20); left > 0; --left) {
    const RowKind kind = with_kinds ? static_cast<RowKind>(random.nextBelow(4)) : RowKind::INSERT;
    rows.push_back({static_cast<int32_t>(random.nextBelow(50)), number++, kind});
    if (random.nextBelow(6) == 0) marks.push_back({static_cast<RowIndex>(rows.size()), ++watermark});
  }
  if (rows.empty()) return Batch::watermark(++watermark);
  return pairBatch(rows).withMarks(std::move(marks));
}

std::vector<ChannelSender> sendersTo(const std::shared_ptr<ChannelSet>& channels) {
  std::vector<ChannelSender> senders;
  for (size_t i = 0; i < channels->channelCount(); ++i) senders.push_back({channels, static_cast<int>(i)});
  return senders;
}

TaskInput inputOf(PartitionKind kind) {
  TaskInput input;
  input.partition = kind;
  input.keys = {0};
  input.types = pairTypes();
  return input;
}

size_t targetOf(int32_t key, uint32_t targets) {
  KeyEncoder encoder({0}, pairTypes());
  const uint64_t hash = encoder.encode(pairBatch({{key, 0}})).hashes[0];
  return subtaskOfKeyGroup(keyGroupOf(hash, 128), 128, targets);
}

}  // namespace

TEST_CASE("a coalescer gives the same rows and marks, in fewer batches") {
  size_t added_in_all = 0;
  size_t joined_in_all = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    BatchCoalescer coalescer(640);
    EventTime watermark = 0;
    int64_t number = 0;
    std::vector<std::string> expected;
    size_t added = 0;
    std::vector<Batch> joined;
    for (int i = 0; i < 30; ++i) {
      const Batch batch = randomBatch(random, watermark, number, seed % 2 == 0);
      for (std::string& message : testing::messagesOf(batch)) expected.push_back(std::move(message));
      coalescer.add(batch);
      ++added;
      if (random.nextBelow(10) == 0) for (Batch& each : coalescer.take()) joined.push_back(std::move(each));
    }
    for (Batch& each : coalescer.take()) joined.push_back(std::move(each));
    std::vector<std::string> found;
    for (const Batch& batch : joined) for (std::string& message : testing::messagesOf(batch)) found.push_back(std::move(message));
    REQUIRE(lastMarks(found) == lastMarks(expected));
    REQUIRE(joined.size() <= added);
    REQUIRE(coalescer.empty());
    added_in_all += added;
    joined_in_all += joined.size();
  }
  REQUIRE(joined_in_all * 10 < added_in_all * 9);
}

TEST_CASE("every writer sends each row where it belongs, in order, with marks at their places") {
  for (const PartitionKind kind : {PartitionKind::HASH, PartitionKind::BROADCAST, PartitionKind::REBALANCE}) {
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      Random random(seed);
      const auto channels = std::make_shared<ChannelSet>(std::vector<ChannelSpec>(3, ChannelSpec{0, true}), 1, ChannelLimits{});
      std::vector<std::unique_ptr<EdgeWriter>> writers;
      writers.push_back(makeEdgeWriter(inputOf(kind), 1, 128, seed % 3 == 0 ? 10 : 8192, sendersTo(channels)));
      TaskOutput output(std::move(writers), {});
      std::vector<std::vector<std::string>> expected(3);
      EventTime watermark = 0;
      int64_t number = 0;
      size_t turn = 1;
      for (int i = 0; i < 20; ++i) {
        const Batch batch = randomBatch(random, watermark, number, seed % 2 == 0);
        const std::vector<Pair> rows = pairsOf(batch);
        size_t row = 0;
        for (const std::string& message : testing::messagesOf(batch)) {
          const bool is_mark = message.starts_with("watermark");
          for (size_t target = 0; target < 3; ++target) {
            const bool mine = kind == PartitionKind::HASH ? !is_mark && target == targetOf(rows[row].key, 3) : kind == PartitionKind::BROADCAST || target == turn;
            if (is_mark || mine) expected[target].push_back(message);
          }
          if (!is_mark) ++row;
        }
        if (batch.rows() > 0) turn = (turn + 1) % 3;
        REQUIRE(output.emit(batch).isOk());
        if (random.nextBelow(4) == 0) output.flushToIdle();
        if (random.nextBelow(8) == 0) {
          output.sendBarrier(1);
          for (auto& each : expected) each.push_back("barrier");
          // Barriers block until released: read here, so that the rest follows.
          const auto found = drain(*channels);
          for (size_t target = 0; target < 3; ++target) {
            REQUIRE(lastMarks(found[target]) == lastMarks(expected[target]));
            expected[target].clear();
          }
        }
      }
      output.sendEnd();
      const auto found = drain(*channels);
      for (size_t target = 0; target < 3; ++target) {
        expected[target].push_back("end");
        REQUIRE(lastMarks(found[target]) == lastMarks(expected[target]));
      }
    }
  }
}

TEST_CASE("a batch for one receiver passes as it is") {
  const auto channels = std::make_shared<ChannelSet>(std::vector<ChannelSpec>(1), 1, ChannelLimits{});
  const auto writer = makeEdgeWriter(inputOf(PartitionKind::HASH), 0, 128, 8192, sendersTo(channels));
  const Batch batch = pairBatch({{1, 2}, {3, 4}});
  REQUIRE(writer->write(batch).isOk());
  writer->flush();
  REQUIRE(channels->pop(0)->element.batch.column(0) == batch.column(0));
}

class SwitchedOutlet final : public Outlet {
 public:
  bool isFull() const override { return full; }
  bool callWhenRoom(std::function<void()> wake) override {
    if (full) waiting.push_back(std::move(wake));
    return full;
  }
  bool full = false;
  std::vector<std::function<void()>> waiting;
};

TEST_CASE("a task rests while its outlet is full, and is woken when it is not") {
  NullExecutor executor;
  const auto sleeper = std::make_shared<NullActor>(executor);
  const auto outlet = std::make_shared<SwitchedOutlet>();
  const TaskOutput output({}, {outlet});
  CHECK_FALSE(output.isFull());
  CHECK_FALSE(output.waitForRoom(*sleeper));
  outlet->full = true;
  CHECK(output.isFull());
  CHECK(output.waitForRoom(*sleeper));
  REQUIRE(outlet->waiting.size() == 1);
  outlet->waiting[0]();
  CHECK(executor.posted == 1);
}

TEST_CASE("a queue of results is full above its limit, and wakes who waits when rows were taken") {
  ResultQueue queue;
  int woken = 0;
  CHECK_FALSE(queue.callWhenRoom([&] { ++woken; }));
  for (size_t rows = 0; rows <= ResultQueue::kRowsMax; rows += 8192) queue.push(pairBatch(std::vector<Pair>(8192)));
  CHECK(queue.isFull());
  CHECK(queue.callWhenRoom([&] { ++woken; }));
  Batch batch;
  REQUIRE(queue.pop(batch, 0));
  CHECK_FALSE(queue.isFull());
  CHECK(woken == 1);
  REQUIRE(queue.pop(batch, 0));
  CHECK(woken == 1);
}

TEST_CASE("idleness is told once, and ends with a mark") {
  const auto channels = std::make_shared<ChannelSet>(std::vector<ChannelSpec>(1), 1, ChannelLimits{});
  std::vector<std::unique_ptr<EdgeWriter>> writers;
  writers.push_back(makeEdgeWriter(inputOf(PartitionKind::FORWARD), 0, 128, 8192, sendersTo(channels)));
  TaskOutput output(std::move(writers), {});
  REQUIRE(output.markIdle(false).isOk());
  REQUIRE(output.emit(pairBatch({{1, 1}})).isOk());
  REQUIRE(output.markIdle(true).isOk());
  REQUIRE(output.markIdle(true).isOk());
  REQUIRE(output.emit(pairBatch({{2, 2}})).isOk());
  REQUIRE(output.emit(Batch::watermark(5)).isOk());
  output.flush();
  REQUIRE(drain(*channels)[0] == std::vector<std::string>{"+I[1, 1]", "idle", "+I[2, 2]", "active", "watermark 5"});
}

TEST_CASE("a full channel wakes its sender when half of it is free") {
  NullExecutor executor;
  const auto sender = std::make_shared<NullActor>(executor);
  ChannelSet channels({{0, false}, {0, true}}, 1, {.batches_max = 4, .bytes_max = 1 << 20});
  const Batch batch = pairBatch({{1, 1}});
  REQUIRE(!channels.waitForRoom(0, *sender));
  for (int i = 0; i < 4; ++i) {
    REQUIRE(!channels.isFull(0));
    channels.push(0, {.batch = batch});
    channels.push(1, {.batch = batch});
  }
  REQUIRE(channels.isFull(0));
  REQUIRE(!channels.isFull(1));
  REQUIRE(channels.waitForRoom(0, *sender));
  std::vector<int> order;
  for (int i = 0; i < 4; ++i) order.push_back(channels.pop(0)->channel);
  REQUIRE(order == std::vector<int>{0, 1, 0, 1});
  REQUIRE(executor.posted == 0);
  (void)channels.pop(0);
  REQUIRE(executor.posted == 1);
  REQUIRE(!channels.isFull(0));
  while (channels.pop(0)) continue;
  REQUIRE(channels.isEmpty(0));
  REQUIRE(channels.queuedBytes() == 0);
  channels.push(0, {.batch = pairBatch(std::vector<Pair>(200'000))});   // too large, and taken all the same
  REQUIRE(channels.isFull(0));
}

TEST_CASE("an actor runs on one thread at a time and misses no schedule") {
  SystemClock clock;
  AsioExecutor executor(clock, {.compute_threads = 4, .io_threads = 1});
  class CountingActor : public Actor {
   public:
    using Actor::Actor;
    std::atomic<int> wanted{0};
    std::atomic<int> done{0};
    std::atomic<bool> inside{false};

   protected:
    SliceEnd runSlice() override {
      if (inside.exchange(true)) done = -1'000'000'000;
      const int now = wanted.load();
      inside = false;
      done = now;
      return SliceEnd::PARK;
    }
  };
  const auto actor = std::make_shared<CountingActor>(executor);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20'000; ++i) {
        ++actor->wanted;
        actor->schedule();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  while (actor->done != 60'000) {
    REQUIRE(actor->done >= 0);
    std::this_thread::yield();
  }
}

TEST_CASE("the executor runs timers in order of their time, and blocking work elsewhere") {
  ManualClock clock(100);
  std::mutex mutex;
  std::vector<int> order;
  std::latch fired(3);
  std::latch blocked(1);
  AsioExecutor executor(clock, {.compute_threads = 1, .io_threads = 1, .clock_poll_ms = 1});
  const auto note = [&](int number) {
    return [&, number] {
      const std::lock_guard<std::mutex> lock(mutex);
      order.push_back(number);
      fired.count_down();
    };
  };
  executor.postAt(300, note(3));
  executor.postAt(200, note(2));
  executor.postAt(50, note(1));
  executor.postBlocking([&] { blocked.count_down(); });
  blocked.wait();
  for (bool first = false; !first;) {
    const std::lock_guard<std::mutex> lock(mutex);
    first = !order.empty();
    REQUIRE(order.size() <= 1);
  }
  clock.advanceMillis(300);
  fired.wait();
  REQUIRE(order == std::vector<int>{1, 2, 3});
  executor.postAt(1'000'000, [] { FAIL("a timer that is not due"); });   // dropped with the executor
}

}  // namespace thalweg::worker
