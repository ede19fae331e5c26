// Settings of environments and jobs, and what functions, triggers, generators and readers may ask of their surroundings.
#include <algorithm>

#include "client/api/thalweg/async_io.h"
#include "client/api/thalweg/windowed_stream.h"
#include "tests/unit/client/api/readings.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

Duration ms(int64_t n) { return Duration::ofMillis(n); }
std::string brief(const Reading& reading) { return reading.sensor + std::to_string(reading.value); }
auto bySensor(const DataStream<Reading>& stream) { return stream.keyBy(&Reading::sensor); }

/// Without repetitions, sorted.
Lines distinct(const DataStream<Reading>& stream) {
  Lines lines = sorted(stream.map(brief).executeAndCollect().toVector());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

TEST_CASE("checkpoint settings have methods and keys") {
  auto env = environment();
  env.getCheckpointConfig()
      .setCheckpointInterval(500)
      .setCheckpointTimeout(7000)
      .setTolerableCheckpointFailureNumber(3)
      .setExternalizedCheckpointRetention("RETAIN_ON_CANCELLATION");
  const Configuration& configuration = env.getConfiguration();
  CHECK(configuration.find("execution.checkpointing.interval") == "500 ms");
  CHECK(configuration.find("execution.checkpointing.timeout") == "7000 ms");
  CHECK(configuration.find("execution.checkpointing.tolerable-failed-checkpoints") == "3");
  CHECK(configuration.find("execution.checkpointing.externalized-checkpoint-retention") == "RETAIN_ON_CANCELLATION");
  CHECK_THROWS_WITH(env.getCheckpointConfig().setCheckpointInterval(9), Catch::Contains("at least 10 ms"));
}

TEST_CASE("restart strategies are settings") {
  auto env = environment();
  const Configuration& configuration = env.getConfiguration();
  env.setRestartStrategy(RestartStrategies::failureRateRestart(3, Duration::ofMinutes(5), ms(20)));
  CHECK(configuration.find("restart-strategy.type") == "failure-rate");
  CHECK(configuration.find("restart-strategy.failure-rate.max-failures-per-interval") == "3");
  CHECK(configuration.find("restart-strategy.failure-rate.failure-rate-interval") == "300000 ms");
  env.setRestartStrategy(RestartStrategies::exponentialDelayRestart(ms(10), ms(1000), 2.0));
  CHECK(configuration.find("restart-strategy.type") == "exponential-delay");
  CHECK(configuration.find("restart-strategy.exponential-delay.max-backoff") == "1000 ms");
}

TEST_CASE("without chaining results are the same") {
  auto env = environment();
  env.disableOperatorChaining();
  CHECK(env.fromElements(1, 2).map([](int n) { return n * 10; }).filter([](int n) { return n > 10; }).executeAndCollect().toVector() == std::vector<int>{20});
}

TEST_CASE("a time to live may be switched off, and is above zero") {
  CHECK(StateTtlConfig::newBuilder(ms(1)).build().isEnabled());
  CHECK_FALSE(StateTtlConfig::newBuilder(ms(1)).setUpdateType(StateTtlConfig::UpdateType::Disabled).build().isEnabled());
  CHECK_THROWS_WITH(StateTtlConfig::newBuilder(ms(0)).build(), Catch::Contains("above zero"));
}

/// Fires when the watermark has passed the record, and counts what each window had across merges.
struct Counting {
  TriggerResult onElement(const Reading&, int64_t timestamp, const TimeWindow&, TriggerContext& ctx) {
    CHECK(ctx.getCurrentProcessingTime() > 0);
    ctx.state<int64_t>("seen").update(ctx.state<int64_t>("seen").value().value_or(0) + 1);
    if (ctx.getCurrentWatermark() >= timestamp) return TriggerResult::FIRE;
    return *ctx.state<int64_t>("seen").value() == 3 ? TriggerResult::FIRE_AND_PURGE : TriggerResult::CONTINUE;
  }
  TriggerResult onEventTime(int64_t, const TimeWindow&, TriggerContext&) { return TriggerResult::CONTINUE; }
  TriggerResult onProcessingTime(int64_t, const TimeWindow&, TriggerContext&) { return TriggerResult::CONTINUE; }
  void onMerge(const TimeWindow&, TriggerContext& ctx) {
    ctx.mergeState<int64_t>("seen", [](int64_t a, int64_t b) { return a + b; });
  }
  void clear(const TimeWindow&, TriggerContext&) {}
};

TEST_CASE("a trigger of one's own sees time and keeps state across merges") {
  const auto sums = bySensor(readings(environment())).window(EventTimeSessionWindows::withGap(ms(1600))).trigger(Counting()).sum(&Reading::value);
  CHECK(distinct(sums) == Lines{"a6", "a8", "a9"});     // 1, 3 and 5 are one session at the third record; 6 and 8 come behind the watermark
}

TEST_CASE("processing-time windows and triggers fire at the end of the key in batch mode") {
  const Duration long_time = Duration::ofDays(36500);
  const auto window = [&](const auto& assigner) { return bySensor(readings(environment(Mode::BATCH))).window(assigner); };
  const Lines all{"a32", "bb9", "c4"};
  CHECK(distinct(window(SlidingProcessingTimeWindows::of(long_time, Duration::ofDays(18250))).sum(&Reading::value)) == all);
  CHECK(distinct(window(TumblingProcessingTimeWindows::of(long_time)).trigger(ProcessingTimeTrigger::create()).sum(&Reading::value)) == all);
  CHECK(distinct(window(TumblingProcessingTimeWindows::of(long_time)).trigger(ContinuousProcessingTimeTrigger::of(Duration::ofDays(1))).sum(&Reading::value)) == all);
  CHECK(distinct(window(ProcessingTimeSessionWindows::withGap(long_time)).sum(&Reading::value)) == all);
  CHECK(distinct(window(TumblingEventTimeWindows::of(long_time)).trigger(EventTimeTrigger::create()).sum(&Reading::value)) == all);
  CHECK_THROWS_WITH(SlidingProcessingTimeWindows::of(ms(10), ms(0)), Catch::Contains("slide"));
}

/// Idle after the record of value 2, until another one comes.
struct SaysIdle : WatermarkGenerator<Reading> {
  void onEvent(const Reading& reading, int64_t timestamp, WatermarkOutput& output) override {
    output.markActive();
    output.emitWatermark({timestamp});
    if (reading.value == 2) output.markIdle();
  }
  void onPeriodicEmit(WatermarkOutput&) override {}
};

TEST_CASE("a generator may say that its stream is idle") {
  const auto env = environment();
  const auto strategy = WatermarkStrategy<Reading>::forGenerator([] { return std::make_unique<SaysIdle>(); }).withTimestampAssigner([](const Reading& reading, int64_t) {
    return reading.time_ms;
  });
  const auto stream = env.fromElements<Reading>({{"a", 1, 10}, {"a", 2, 20}, {"a", 3, 30}}).assignTimestampsAndWatermarks(strategy);
  // The windows of 1 and 2, and of 3: what comes after an idle time counts like before.
  CHECK(bySensor(stream).window(TumblingEventTimeWindows::of(ms(25))).sum(&Reading::value).map(brief).executeAndCollect().toVector() == Lines{"a3", "a3"});
}

/// Its reader emits what it is told of its place.
struct Placed : Source<std::string, int64_t> {
  struct Reader : SourceReader<std::string, int64_t> {
    explicit Reader(SourceReaderContext& context) : place(std::to_string(context.getIndexOfSubtask()) + " of " + std::to_string(context.currentParallelism())) {}
    InputStatus pollNext(ReaderOutput<std::string>& output) override {
      if (splits.empty()) return InputStatus::NOTHING_AVAILABLE;
      splits.clear();
      output.collect(place);
      return InputStatus::MORE_AVAILABLE;
    }
    void addSplits(std::vector<int64_t> more) override { splits = std::move(more); }
    std::vector<int64_t> snapshotState() override { return splits; }
    std::string place;
    std::vector<int64_t> splits;
  };
  struct OneEach : SplitEnumerator<int64_t> {
    explicit OneEach(SplitEnumeratorContext<int64_t>& context_in) : context(context_in) {}
    void handleSplitRequest(int subtask) override {
      CHECK(context.currentParallelism() == 3);
      if (std::exchange(given[static_cast<size_t>(subtask)], true)) context.signalNoMoreSplits(subtask);
      else context.assignSplit(0, subtask);
    }
    std::string snapshotState() override { return {}; }
    SplitEnumeratorContext<int64_t>& context;
    bool given[3] = {};
  };
  Boundedness getBoundedness() const override { return Boundedness::BOUNDED; }
  std::unique_ptr<SplitEnumerator<int64_t>> createEnumerator(SplitEnumeratorContext<int64_t>& context) const override { return std::make_unique<OneEach>(context); }
  std::unique_ptr<SplitEnumerator<int64_t>> restoreEnumerator(SplitEnumeratorContext<int64_t>& context, const std::string&) const override { return std::make_unique<OneEach>(context); }
  std::unique_ptr<SourceReader<std::string, int64_t>> createReader(SourceReaderContext& context) const override { return std::make_unique<Reader>(context); }
};

TEST_CASE("readers and enumerators know the parallelism") {
  const auto places = environment(Mode::STREAMING, 3).fromSource(Placed(), WatermarkStrategy<std::string>::noWatermarks(), "placed");
  CHECK(sorted(places.executeAndCollect().toVector()) == Lines{"0 of 3", "1 of 3", "2 of 3"});
}

struct SecondTime : AsyncFunction<int, int> {
  void asyncInvoke(const int& n, ResultFuture<int> result) override {
    if (++attempts % 2 == 0) result.complete({n});
    else result.completeExceptionally("not yet");
  }
  int attempts = 0;
};

TEST_CASE("retries need not keep the order") {
  const auto retry = AsyncRetryStrategies::fixedDelay<int>(9, ms(1));
  const auto numbers = environment().fromElements(1, 2);
  auto answers = AsyncDataStream::unorderedWaitWithRetry(numbers, SecondTime(), Duration::ofSeconds(60), 1, retry).executeAndCollect().toVector();
  std::sort(answers.begin(), answers.end());
  CHECK(answers == std::vector<int>{1, 2});
}

}  // namespace
}  // namespace thalweg::api
