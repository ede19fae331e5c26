#include <atomic>
#include <thread>

#include "client/api/thalweg/connected_streams.h"
#include "client/api/thalweg/interval_join.h"
#include "client/api/thalweg/joined_streams.h"
#include "tests/unit/client/api/readings.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

Duration ms(int64_t n) { return Duration::ofMillis(n); }

/// Never sends anything, until it is cancelled.
struct Silent : SourceFunction<Reading> {
  Silent() = default;
  Silent(const Silent&) {}
  void run(SourceContext<Reading>&) override {
    while (!cancelled) std::this_thread::yield();
  }
  void cancel() override { cancelled = true; }
  std::atomic<bool> cancelled{false};
};

/// A watermark for records of value 0 only.
struct Punctuated : WatermarkGenerator<Reading> {
  void onEvent(const Reading& reading, int64_t timestamp, WatermarkOutput& output) override {
    if (reading.value == 0) output.emitWatermark({timestamp});
  }
  void onPeriodicEmit(WatermarkOutput&) override {}
};

struct SeeTime : ProcessFunction<Reading, std::string> {
  void processElement(const Reading& reading, Context& ctx, Collector<std::string>& out) override {
    const int64_t watermark = ctx.currentWatermark();
    out.collect(std::to_string(reading.time_ms) + " at " + (watermark == kMinWatermark ? "the beginning" : std::to_string(watermark)));
  }
};

TEST_CASE("a generator of one's own makes the watermarks") {
  auto stream = environment()
                    .fromElements<Reading>({{"a", 1, 10}, {"a", 0, 20}, {"a", 1, 30}, {"a", 0, 15}, {"a", 1, 40}})
                    .assignTimestampsAndWatermarks(WatermarkStrategy<Reading>::forGenerator([] { return std::make_unique<Punctuated>(); })
                                                       .withTimestampAssigner([](const Reading& reading, int64_t) { return reading.time_ms; }))
                    .process(SeeTime());
  CHECK(stream.executeAndCollect().toVector() == Lines{"10 at the beginning", "20 at the beginning", "30 at 20", "15 at 20", "40 at 20"});
}

/// How far two sources have come.
struct Race {
  std::atomic<int64_t> fast{0};
  std::atomic<int64_t> slow{0};
  std::atomic<int64_t> lead_max{0};
  std::atomic<bool> both_run{false};
};

/// Numbers from 0 on, by 1 or by 5000. The fast one begins when the slow one is there, and the slow one goes on when the fast one
/// has stood still for a while of its looks.
struct Runner : Source<int64_t, int64_t> {
  static constexpr int64_t kLast = 200000;
  struct Reader : SourceReader<int64_t, int64_t> {
    explicit Reader(const Runner& runner) : race(runner.race), step(runner.step) {}
    InputStatus pollNext(ReaderOutput<int64_t>& output) override {
      if (next.empty()) return InputStatus::NOTHING_AVAILABLE;
      if (step > 1) race->both_run = true;
      if (step > 1 ? !fastStands() : !race->both_run) return InputStatus::MORE_AVAILABLE;
      std::atomic<int64_t>& own = step > 1 ? race->slow : race->fast;
      own = next[0];
      if (step == 1) race->lead_max = std::max(race->lead_max.load(), next[0] - race->slow);
      output.collect(next[0], next[0]);
      next[0] += step;
      if (next[0] > kLast) next.clear();
      return InputStatus::MORE_AVAILABLE;
    }
    bool fastStands() {
      if (seen != race->fast) looks = 0;
      seen = race->fast;
      return ++looks % 1000 == 0;
    }
    void addSplits(std::vector<int64_t> splits) override { next = std::move(splits); }
    std::vector<int64_t> snapshotState() override { return next; }
    std::shared_ptr<Race> race;
    int64_t step;
    int64_t seen = -1;
    int64_t looks = 0;
    std::vector<int64_t> next;
  };
  struct Once : SplitEnumerator<int64_t> {
    explicit Once(SplitEnumeratorContext<int64_t>& context_in) : context(context_in) {}
    void handleSplitRequest(int subtask) override {
      if (std::exchange(given, true)) context.signalNoMoreSplits(subtask);
      else context.assignSplit(0, subtask);
    }
    std::string snapshotState() override { return {}; }
    SplitEnumeratorContext<int64_t>& context;
    bool given = false;
  };
  Runner(std::shared_ptr<Race> race_in, int64_t step_in) : race(std::move(race_in)), step(step_in) {}
  Boundedness getBoundedness() const override { return Boundedness::CONTINUOUS_UNBOUNDED; }
  std::unique_ptr<SplitEnumerator<int64_t>> createEnumerator(SplitEnumeratorContext<int64_t>& context) const override { return std::make_unique<Once>(context); }
  std::unique_ptr<SplitEnumerator<int64_t>> restoreEnumerator(SplitEnumeratorContext<int64_t>& context, const std::string&) const override { return std::make_unique<Once>(context); }
  std::unique_ptr<SourceReader<int64_t, int64_t>> createReader(SourceReaderContext&) const override { return std::make_unique<Reader>(*this); }
  std::shared_ptr<Race> race;
  int64_t step;
};

TEST_CASE("aligned sources wait for the one that is behind") {
  constexpr int64_t kDrift = 1000;
  constexpr int64_t kReadAhead = 20000;            // what a source may read before its watermark is seen
  const auto race = std::make_shared<Race>();
  auto env = environment();
  const auto strategy = WatermarkStrategy<int64_t>::forMonotonousTimestamps().withWatermarkAlignment("race", ms(kDrift), ms(1));
  const auto fast = env.fromSource(Runner(race, 1), strategy, "fast");
  const auto slow = env.fromSource(Runner(race, 5000), strategy, "slow");
  CHECK(fast.unionWith(slow).executeAndCollect().toVector().size() == static_cast<size_t>(Runner::kLast + 1 + Runner::kLast / 5000 + 1));
  CHECK(race->lead_max <= kDrift + kReadAhead);
  CHECK_THROWS_AS(WatermarkStrategy<int64_t>::noWatermarks().withWatermarkAlignment("race", ms(-1)), ValidationException);
  const auto mapped = env.fromElements(int64_t{1}).map([](int64_t n) { return n; }).assignTimestampsAndWatermarks(strategy);
  CHECK(mapped.executeAndCollect().toVector() == std::vector<int64_t>{1});
}

TEST_CASE("members of an alignment group wait only for those that are awake") {
  AlignmentGroup group;
  const AlignmentGroup::Member one{1, 0}, two{2, 0};
  CHECK_FALSE(group.isAhead(one, 10));
  group.join(one);
  group.report(one, 100);
  CHECK_FALSE(group.isAhead(one, 10));
  group.join(two);
  CHECK(group.isAhead(one, 10));
  group.report(two, 90);
  CHECK_FALSE(group.isAhead(one, 10));
  group.report(one, 101);
  CHECK(group.isAhead(one, 10));
  CHECK_FALSE(group.isAhead(two, 10));
  group.setIdle(two, true);
  CHECK_FALSE(group.isAhead(one, 10));
  group.setIdle(two, false);
  CHECK(group.isAhead(one, 10));
  group.leave(two);
  CHECK_FALSE(group.isAhead(one, 10));
}

TEST_CASE("out-of-orderness holds watermarks back by its bound and one") {
  auto stream = environment()
                    .fromElements<Reading>({{"a", 1, 100}, {"a", 1, 90}, {"a", 1, 200}, {"a", 1, 201}})
                    .assignTimestampsAndWatermarks(WatermarkStrategy<Reading>::forBoundedOutOfOrderness(ms(20)).withTimestampAssigner(
                        [](const Reading& reading, int64_t) { return reading.time_ms; }))
                    .process(SeeTime());
  CHECK(stream.executeAndCollect().toVector() == Lines{"100 at the beginning", "90 at 79", "200 at 79", "201 at 179"});
}

TEST_CASE("an idle stream does not hold back the others") {
  auto env = environment();
  const auto strategy = WatermarkStrategy<Reading>::forMonotonousTimestamps()
                            .withTimestampAssigner([](const Reading& reading, int64_t) { return reading.time_ms; })
                            .withIdleness(ms(1));
  auto silent = env.addSource(Silent()).assignTimestampsAndWatermarks(strategy);
  auto windows = readings(env).unionWith(silent).keyBy(&Reading::sensor).window(TumblingEventTimeWindows::of(ms(2000))).sum(&Reading::value);
  // Would wait for ever without idleness.
  const auto first = windows.map([](const Reading& reading) { return reading.sensor + std::to_string(reading.value); }).executeAndCollect(2);
  CHECK(first.size() == 2);
}

struct Tick : KeyedProcessFunction<std::string, Reading, std::string> {
  void processElement(const Reading& reading, Context& ctx, Collector<std::string>&) override {
    ctx.timerService().registerProcessingTimeTimer(ctx.timerService().currentProcessingTime() + reading.value);
    ctx.timerService().registerProcessingTimeTimer(INT64_MAX - 1);
    ctx.timerService().deleteProcessingTimeTimer(INT64_MAX - 1);
  }
  void onTimer(int64_t, OnTimerContext& ctx, Collector<std::string>& out) override {
    out.collect(ctx.getCurrentKey() + (ctx.timeDomain() == TimeDomain::PROCESSING_TIME ? " by the clock" : ""));
  }
};

TEST_CASE("processing-time timers and windows fire by the clock") {
  auto env = environment();
  auto stream = env.fromElements<Reading>({{"b", 2, 0}, {"a", 1, 0}}).unionWith(env.addSource(Silent()));
  CHECK(sorted(stream.keyBy(&Reading::sensor).process(Tick()).executeAndCollect(2)) == Lines{"a by the clock", "b by the clock"});
  const auto window = stream.keyBy(&Reading::sensor).window(TumblingProcessingTimeWindows::of(ms(1))).sum(&Reading::value);
  CHECK(window.executeAndCollect(2).size() == 2);
  const auto session = stream.windowAll(ProcessingTimeSessionWindows::withGap(ms(1))).sum(&Reading::value);
  CHECK(session.executeAndCollect(1).size() == 1);
}

TEST_CASE("windows give the same at parallelism 1 and 4, in both modes") {
  const auto program = [](Mode mode, int parallelism) {
    // The lateness keeps what another subtask's watermark would make late.
    return sorted(readings(environment(mode, parallelism))
                      .keyBy(&Reading::sensor)
                      .window(TumblingEventTimeWindows::of(ms(20000)))
                      .apply([](const std::string& key, const TimeWindow& window, const std::vector<Reading>& all, Collector<std::string>& out) {
                        out.collect(key + std::to_string(window.end) + "=" + std::to_string(all.size()));
                      })
                      .executeAndCollect()
                      .toVector());
  };
  const Lines lines{"a20000=6", "bb20000=2", "c20000=1"};
  for (const Mode mode : {Mode::STREAMING, Mode::BATCH}) {
    CHECK(program(mode, 1) == lines);
    CHECK(program(mode, 4) == lines);
  }
}

TEST_CASE("global windows may fire at the end of the stream") {
  auto sums = readings(environment()).keyBy(&Reading::sensor).window(GlobalWindows::createWithEndOfStreamTrigger()).sum(&Reading::value);
  CHECK(sorted(sums.map([](const Reading& reading) { return reading.sensor + std::to_string(reading.value); }).executeAndCollect().toVector()) ==
        Lines{"a32", "bb9", "c4"});
}

const MapStateDescriptor<std::string, int> kFactors("factors");
struct Scale : KeyedBroadcastProcessFunction<std::string, Reading, std::tuple<std::string, int>, std::string, std::string, int> {
  void open(const OpenContext&) override { count_ = getRuntimeContext().getState(ValueStateDescriptor<int>("count", 0)); }
  void processElement(const Reading& reading, ReadOnlyContext& ctx, Collector<std::string>& out) override {
    count_.update(*count_.value() + 1);
    const int factor = ctx.getBroadcastState(kFactors).get(reading.sensor).value_or(1);
    out.collect(ctx.getCurrentKey() + std::to_string(reading.value * factor) + " #" + std::to_string(*count_.value()));
    ctx.timerService().registerEventTimeTimer(50000);
  }
  void processBroadcastElement(const std::tuple<std::string, int>& factor, Context& ctx, Collector<std::string>&) override {
    ctx.getBroadcastState(kFactors).put(std::get<0>(factor), std::get<1>(factor));
  }
  void onTimer(int64_t, OnTimerContext& ctx, Collector<std::string>& out) override {
    out.collect(ctx.getCurrentKey() + " ends with " + std::to_string(ctx.getBroadcastState(kFactors).entries().size()));
  }
  ValueState<int> count_;
};

TEST_CASE("a keyed stream with a broadcast one has keyed state, timers and the broadcast state") {
  auto env = environment(Mode::BATCH, 2);
  const auto factors = env.fromElements(std::tuple(std::string("bb"), 10)).broadcast(kFactors);
  CHECK(sorted(readings(env).filter([](const Reading& reading) { return reading.sensor != "a"; }).keyBy(&Reading::sensor).connect(factors).process(Scale())
                   .executeAndCollect().toVector()) == Lines{"bb ends with 1", "bb20 #1", "bb70 #2", "c ends with 1", "c4 #1"});
}

struct Mean : AggregateFunction<int, std::tuple<int, int>, double> {
  std::tuple<int, int> createAccumulator() override { return {0, 0}; }
  std::tuple<int, int> add(const int& n, std::tuple<int, int> acc) override { return {std::get<0>(acc) + n, std::get<1>(acc) + 1}; }
  double getResult(const std::tuple<int, int>& acc) override { return static_cast<double>(std::get<0>(acc)) / std::get<1>(acc); }
  std::tuple<int, int> merge(const std::tuple<int, int>& a, const std::tuple<int, int>& b) override {
    return {std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b)};
  }
};
struct RunningMean : KeyedProcessFunction<int, int, double> {
  void open(const OpenContext&) override {
    mean_ = getRuntimeContext().getAggregatingState(AggregatingStateDescriptor<int, std::tuple<int, int>, double>("mean", std::make_shared<Mean>()));
  }
  void processElement(const int& n, Context&, Collector<double>& out) override {
    mean_.add(n);
    out.collect(*mean_.get());
    if (n == 9) mean_.clear();
  }
  AggregatingState<int, std::tuple<int, int>, double> mean_;
};

TEST_CASE("aggregating state folds with its function") {
  auto means = environment().fromElements(1, 2, 9, 4).keyBy([](int) { return 0; }).process(RunningMean());
  CHECK(means.executeAndCollect().toVector() == std::vector<double>{1, 1.5, 4, 4});
}

TEST_CASE("connected streams take a flat function for each side") {
  auto env = environment();
  const auto numbers = env.fromElements(1, 2);
  const auto words = env.fromElements("x");
  const auto number = [](int n, Collector<std::string>& out) {
    for (int i = 0; i < n; ++i) out.collect(std::to_string(n));
  };
  const auto word = [](const std::string& text, Collector<std::string>& out) { out.collect(text); };
  CHECK(sorted(numbers.connect(words).flatMap(number, word).executeAndCollect().toVector()) == Lines{"1", "2", "2", "x"});
  const auto keyed = numbers.connect(words).keyBy([](int n) { return n; }, [](const std::string&) { return 1; });
  CHECK(sorted(keyed.flatMap(number, word).executeAndCollect().toVector()) == Lines{"1", "2", "2", "x"});
  CHECK(sorted(keyed.map([](int n) { return std::to_string(n); }, [](const std::string& text) { return text; }).executeAndCollect().toVector()) ==
        Lines{"1", "2", "x"});
}

TEST_CASE("joins in processing time are refused") {
  const auto stream = environment().fromElements(1).keyBy([](int n) { return n; });
  CHECK_THROWS_WITH(stream.intervalJoin(stream).inProcessingTime(), Catch::Contains("only supported in event time"));
}

}  // namespace
}  // namespace thalweg::api
