#include "client/api/thalweg/interval_join.h"
#include "client/api/thalweg/joined_streams.h"
#include "client/api/thalweg/windowed_stream.h"
#include "tests/unit/client/api/captured_output.h"
#include "tests/unit/client/api/flink_answers.h"
#include "tests/unit/client/api/readings.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

std::string text(const Reading& reading) {
  return "(" + reading.sensor + "," + std::to_string(reading.value) + "," + std::to_string(reading.time_ms) + ")";
}
Duration ms(int64_t n) { return Duration::ofMillis(n); }

/// Key, window, watermark and values.
struct Describe : ProcessWindowFunction<Reading, std::string, std::string, TimeWindow> {
  void process(const std::string& key, Context& ctx, const std::vector<Reading>& readings, Collector<std::string>& out) override {
    std::string line = key + " [" + std::to_string(ctx.window().getStart()) + "," + std::to_string(ctx.window().getEnd()) +
                       ") wm=" + std::to_string(ctx.currentWatermark()) + ":";
    for (const Reading& reading : readings) line += " " + std::to_string(reading.value);
    out.collect(line);
  }
};
struct DescribeGlobal : ProcessWindowFunction<Reading, std::string, std::string, GlobalWindow> {
  void process(const std::string& key, Context&, const std::vector<Reading>& readings, Collector<std::string>& out) override {
    std::string line = key + ":";
    for (const Reading& reading : readings) line += " " + std::to_string(reading.value);
    out.collect(line);
  }
};

Lines linesOf(const DataStream<std::string>& stream) { return stream.executeAndCollect().toVector(); }
Lines linesOf(const DataStream<Reading>& stream) { return linesOf(stream.map(text)); }

/// Runs `program(readings)` in both modes, at parallelism 1 and 4, against what Flink printed.
template <typename Program>
void check(const std::string& name, Program&& program, bool ordered = true) {
  for (const Mode mode : {Mode::STREAMING, Mode::BATCH}) {
    for (const int parallelism : {1, 4}) {
      const std::string asked = name + " batch=" + (mode == Mode::BATCH ? "true" : "false");
      INFO(asked << " parallelism " << parallelism);
      const Lines lines = linesOf(program(readings(environment(mode, parallelism))));
      if (parallelism > 1) CHECK(settled(lines) == settled(flinkAnswer(asked)));
      else if (ordered) CHECK(lines == flinkAnswer(asked));
      else CHECK(sorted(lines) == sorted(flinkAnswer(asked)));
    }
  }
}
auto bySensor(const DataStream<Reading>& stream) { return stream.keyBy(&Reading::sensor); }

TEST_CASE("tumbling, sliding and session windows answer as Flink does") {
  check("tumbling", [](const auto& s) { return bySensor(s).window(TumblingEventTimeWindows::of(ms(2000))).process(Describe()); });
  check("sliding", [](const auto& s) { return bySensor(s).window(SlidingEventTimeWindows::of(ms(4000), ms(2000))).process(Describe()); }, false);
  check("session", [](const auto& s) { return bySensor(s).window(EventTimeSessionWindows::withGap(ms(1500))).process(Describe()); });
  check("session", [](const auto& s) {
    return bySensor(s).window(EventTimeSessionWindows::withDynamicGap([](const Reading&) { return int64_t{1500}; })).process(Describe());
  });
}

TEST_CASE("global windows and count windows answer as Flink does") {
  check("global count trigger", [](const auto& s) { return bySensor(s).window(GlobalWindows::create()).trigger(CountTrigger::of(2)).process(DescribeGlobal()); });
  check("countWindow(2)", [](const auto& s) {
    return bySensor(s).countWindow(2).reduce([](const Reading& a, const Reading& b) { return Reading{a.sensor, a.value + b.value, b.time_ms}; });
  });
  check("countWindow(3,2)", [](const auto& s) { return bySensor(s).countWindow(3, 2).process(DescribeGlobal()); });
}

TEST_CASE("triggers and evictors answer as Flink does") {
  const auto ten_seconds = [](const auto& s) { return bySensor(s).window(TumblingEventTimeWindows::of(ms(10000))); };
  // Flink fires timers of equal time in the order of its heap, this engine in that of their registration.
  check("continuous trigger", [&](const auto& s) { return ten_seconds(s).trigger(ContinuousEventTimeTrigger::of(ms(2000))).process(Describe()); }, false);
  check("purging count", [&](const auto& s) { return ten_seconds(s).trigger(PurgingTrigger::of(CountTrigger::of(2))).process(Describe()); });
  check("count evictor", [&](const auto& s) { return ten_seconds(s).evictor(CountEvictor::of(2)).process(Describe()); }, false);
}

TEST_CASE("windows over all keys answer as Flink does") {
  const auto joined = [](const Reading& a, const Reading& b) { return Reading{a.sensor + b.sensor, a.value + b.value, b.time_ms}; };
  check("windowAll", [&](const auto& s) { return s.windowAll(TumblingEventTimeWindows::of(ms(4000))).reduce(joined); });
  auto env = environment();
  CHECK(linesOf(readings(env).countWindowAll(4).reduce(joined)) == Lines{"(abbac,10,900)", "(aabba,26,6500)"});
}

TEST_CASE("keyed folds and timers answer as Flink does") {
  check("process timers", [](const auto& s) {
    struct Timers : KeyedProcessFunction<std::string, Reading, std::string> {
      void processElement(const Reading& reading, Context& ctx, Collector<std::string>& out) override {
        ctx.timerService().registerEventTimeTimer(reading.time_ms + 500);
        ctx.timerService().registerEventTimeTimer(100);
        out.collect("e " + text(reading) + " wm=" + std::to_string(ctx.timerService().currentWatermark()));
      }
      void onTimer(int64_t time, OnTimerContext& ctx, Collector<std::string>& out) override {
        out.collect("t " + ctx.getCurrentKey() + " " + std::to_string(time) + " ts=" + std::to_string(*ctx.timestamp()) +
                    " wm=" + std::to_string(ctx.timerService().currentWatermark()));
      }
    };
    return bySensor(s).process(Timers());
  });
  check("sum", [](const auto& s) { return bySensor(s).sum(&Reading::value); });
  check("max", [](const auto& s) { return bySensor(s).max(&Reading::value); });
  check("minBy", [](const auto& s) { return bySensor(s).minBy(&Reading::value); });
}

TEST_CASE("late records fire again within the lateness, and go to the side output after it") {
  const OutputTag<Reading> late("late");
  for (const Mode mode : {Mode::STREAMING, Mode::BATCH}) {
    CapturedOutput output;
    auto env = environment(mode);
    auto main = bySensor(readings(env)).window(TumblingEventTimeWindows::of(ms(2000))).allowedLateness(ms(2000)).sideOutputLateData(late).process(Describe());
    main.print("main");
    main.getSideOutput(late).map(text).print("late");
    env.execute();
    CHECK(sorted(output.lines()) == sorted(flinkAnswer(std::string("lateness batch=") + (mode == Mode::BATCH ? "true" : "false"))));
  }
  CapturedOutput output;
  auto env = environment();
  auto strict = bySensor(readings(env)).window(TumblingEventTimeWindows::of(ms(1000))).sideOutputLateData(late).sum(&Reading::value);
  strict.getSideOutput(late).map(text).print();
  env.execute();
  CHECK(output.sortedLines() == Lines{"(a,6,1100)", "(a,8,6500)", "(c,4,900)"});
}

TEST_CASE("window joins, coGroup and interval joins answer as Flink does in batch mode") {
  const auto key = &Reading::sensor;
  const auto four = TumblingEventTimeWindows::of(ms(4000));
  auto s = readings(environment(Mode::BATCH));
  CHECK(linesOf(s.join(s).where(key).equalTo(key).window(four).apply([](const Reading& a, const Reading& b) {
    return a.sensor + std::to_string(a.value) + std::to_string(b.value);
  })) == flinkAnswer("window join batch=true"));
  CHECK(linesOf(s.coGroup(s.filter([](const Reading& r) { return r.value % 2 == 0; })).where(key).equalTo(key).window(four).apply(
      [](const std::vector<Reading>& left, const std::vector<Reading>& right, Collector<std::string>& out) {
        std::string line;
        for (const Reading& reading : left) line += reading.sensor + std::to_string(reading.value) + " ";
        line += "|";
        for (const Reading& reading : right) line += " " + reading.sensor + std::to_string(reading.value);
        out.collect(line);
      })) == flinkAnswer("coGroup batch=true"));
  struct Pair : ProcessJoinFunction<Reading, Reading, std::string> {
    void processElement(const Reading& left, const Reading& right, Context& ctx, Collector<std::string>& out) override {
      out.collect(left.sensor + " " + std::to_string(left.value) + " " + std::to_string(right.value) + " ts=" + std::to_string(ctx.getTimestamp()));
    }
  };
  CHECK(linesOf(bySensor(s).intervalJoin(bySensor(s)).between(ms(-1000), ms(1500)).process(Pair())) == flinkAnswer("interval join batch=true"));
}

TEST_CASE("streaming joins find the same pairs when nothing is late") {
  const auto key = &Reading::sensor;
  auto env = environment();
  auto s = env.fromElements<Reading>({{"a", 1, 1000}, {"a", 3, 2500}, {"bb", 2, 2600}, {"a", 5, 3999}})
               .assignTimestampsAndWatermarks(WatermarkStrategy<Reading>::forBoundedOutOfOrderness(ms(100000)).withTimestampAssigner(
                   [](const Reading& reading, int64_t) { return reading.time_ms; }));
  const auto pair = [](const Reading& a, const Reading& b) { return a.sensor + std::to_string(a.value) + std::to_string(b.value); };
  CHECK(sorted(linesOf(s.join(s).where(key).equalTo(key).window(TumblingEventTimeWindows::of(ms(3000))).apply(pair))) ==
        Lines{"a11", "a13", "a31", "a33", "a55", "bb22"});
  auto joined = bySensor(s).intervalJoin(bySensor(s)).between(ms(0), ms(1500)).upperBoundExclusive().process(
      [](const Reading& a, const Reading& b, Collector<std::string>& out) { out.collect(a.sensor + std::to_string(a.value) + std::to_string(b.value)); });
  CHECK(sorted(linesOf(joined)) == Lines{"a11", "a33", "a35", "a55", "bb22"});
}

struct Average : AggregateFunction<Reading, std::tuple<int64_t, int64_t>, double> {
  std::tuple<int64_t, int64_t> createAccumulator() override { return {0, 0}; }
  std::tuple<int64_t, int64_t> add(const Reading& reading, std::tuple<int64_t, int64_t> acc) override { return {std::get<0>(acc) + reading.value, std::get<1>(acc) + 1}; }
  double getResult(const std::tuple<int64_t, int64_t>& acc) override { return static_cast<double>(std::get<0>(acc)) / static_cast<double>(std::get<1>(acc)); }
  std::tuple<int64_t, int64_t> merge(const std::tuple<int64_t, int64_t>& a, const std::tuple<int64_t, int64_t>& b) override {
    return {std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b)};
  }
};

TEST_CASE("aggregate folds as records come, also through merges, and hands its result to a window function") {
  auto env = environment();
  const auto tumbling = bySensor(readings(env)).window(TumblingEventTimeWindows::of(ms(4000)));
  CHECK(tumbling.aggregate(Average()).executeAndCollect().toVector() == std::vector<double>{3.75, 2, 4, 7, 8, 9});
  CHECK(linesOf(bySensor(readings(env)).window(EventTimeSessionWindows::withGap(ms(1500))).aggregate(
            Average(), [](const std::string& key, const TimeWindow& window, const std::vector<double>& average, Collector<std::string>& out) {
              out.collect(key + std::to_string(window.start) + "=" + std::to_string(average.at(0)).substr(0, 4));
            })) == Lines{"bb1500=2.00", "a1000=3.75", "a6500=8.00", "bb7000=7.00", "a12000=9.00"});
}

TEST_CASE("windows that cannot be are refused") {
  CHECK_THROWS_WITH(TumblingEventTimeWindows::of(ms(0)), Catch::Contains("above zero"));
  CHECK_THROWS_WITH(SlidingEventTimeWindows::of(ms(10), ms(5), ms(5)), Catch::Contains("offset within their size"));
  CHECK_THROWS_WITH(EventTimeSessionWindows::withGap(ms(-1)), Catch::Contains("above zero"));
  CHECK_THROWS_WITH(ContinuousProcessingTimeTrigger::of(ms(0)), Catch::Contains("ContinuousProcessingTimeTrigger needs an interval"));
  CHECK_THROWS_WITH(ContinuousEventTimeTrigger::of(ms(-5)), Catch::Contains("at least a millisecond"));
  CHECK_THROWS_WITH(CountTrigger::of(0), Catch::Contains("at least 1"));
  auto env = environment();
  const auto keyed = bySensor(readings(env));
  CHECK_THROWS_WITH(keyed.window(TumblingEventTimeWindows::of(ms(5))).allowedLateness(ms(-1)), Catch::Contains("cannot be negative"));
  CHECK_THROWS_WITH(keyed.countWindow(0), Catch::Contains("positive number"));
  CHECK_THROWS_WITH(keyed.intervalJoin(keyed).between(ms(2), ms(1)), Catch::Contains("not above the upper"));
  CHECK_THROWS_WITH(keyed.window(TumblingEventTimeWindows::of(ms(5))).sum(&Reading::value).setParallelism(0), Catch::Contains("at least 1"));
}

TEST_CASE("records without timestamps in event-time windows end the job, with operator and cure") {
  auto env = environment();
  env.fromElements(1, 2).keyBy([](int n) { return n; }).window(TumblingEventTimeWindows::of(ms(5))).sum(0).name("sums").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'sums'") && Catch::Contains("without timestamp") && Catch::Contains("assignTimestampsAndWatermarks"));
  const auto stream = env.fromElements(1).keyBy([](int n) { return n; });
  stream.intervalJoin(stream).between(ms(0), ms(1)).process([](int a, int, Collector<int>& out) { out.collect(a); }).print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("interval join") && Catch::Contains("both streams"));
}

}  // namespace
}  // namespace thalweg::api
