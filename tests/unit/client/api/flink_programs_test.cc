// Small programs over the nine readings with state, timers, windows and processing time: at parallelism 1 and 4, in both
// modes, against what Flink printed for their twins in Java (the table in this folder's README.md).
#include "client/api/thalweg/windowed_stream.h"
#include "tests/unit/client/api/flink_answers.h"
#include "tests/unit/client/api/readings.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

Duration ms(int64_t n) { return Duration::ofMillis(n); }
std::string number(int64_t n) { return std::to_string(n); }

/// Runs `program(readings)` against what was recorded as `name`. At parallelism 1 in the order of Flink, if `ordered`.
template <typename Program>
void check(const std::string& name, Program&& program, bool ordered = true, int64_t out_of_order_ms = 0) {
  for (const Mode mode : {Mode::STREAMING, Mode::BATCH}) {
    for (const int parallelism : {1, 4}) {
      const std::string asked = name + " batch=" + (mode == Mode::BATCH ? "true" : "false");
      INFO(asked << " parallelism " << parallelism);
      const auto env = environment(mode, parallelism);
      const Lines lines = program(readings(env, out_of_order_ms)).executeAndCollect().toVector();
      if (parallelism > 1) CHECK(settled(lines) == settled(flinkAnswer(asked)));
      else if (ordered) CHECK(lines == flinkAnswer(asked));
      else CHECK(sorted(lines) == sorted(flinkAnswer(asked)));
    }
  }
}

auto bySensor(const DataStream<Reading>& stream) { return stream.keyBy(&Reading::sensor); }
template <typename F>
auto keyed(F function) {
  return [function](const DataStream<Reading>& stream) { return bySensor(stream).process(function); };
}
/// Windows of each sensor, described.
template <typename Make>
auto windowed(Make make) {
  return [make](const DataStream<Reading>& stream) { return make(bySensor(stream)); };
}

std::string valuesOf(const std::vector<Reading>& readings) {
  std::string line = ":";
  for (const Reading& reading : readings) line += " " + number(reading.value);
  return line;
}
std::string textOfWindow(const TimeWindow& window) { return "[" + number(window.getStart()) + "," + number(window.getEnd()) + ")"; }
std::string brief(const Reading& reading) { return reading.sensor + " " + number(reading.value) + " " + number(reading.time_ms); }

struct Describe : ProcessWindowFunction<Reading, std::string, std::string, TimeWindow> {
  void process(const std::string& key, Context& ctx, const std::vector<Reading>& readings, Collector<std::string>& out) override {
    out.collect(key + " " + textOfWindow(ctx.window()) + " wm=" + number(ctx.currentWatermark()) + valuesOf(readings));
  }
};
struct DescribeGlobal : ProcessWindowFunction<Reading, std::string, std::string, GlobalWindow> {
  void process(const std::string& key, Context&, const std::vector<Reading>& readings, Collector<std::string>& out) override { out.collect(key + valuesOf(readings)); }
};
/// Where the order of a window's records is Flink's own: it sorts them by time.
struct DescribeByTime : DescribeGlobal {
  void process(const std::string& key, Context& ctx, const std::vector<Reading>& readings, Collector<std::string>& out) override {
    std::vector<Reading> by_time = readings;
    std::sort(by_time.begin(), by_time.end(), [](const Reading& a, const Reading& b) { return a.time_ms < b.time_ms; });
    DescribeGlobal::process(key, ctx, by_time, out);
  }
};
struct DescribeAll : ProcessAllWindowFunction<Reading, std::string> {
  void process(Context& ctx, const std::vector<Reading>& readings, Collector<std::string>& out) override { out.collect(textOfWindow(ctx.window()) + valuesOf(readings)); }
};

using Keyed = KeyedProcessFunction<std::string, Reading, std::string>;
struct ValueCount : Keyed {
  void open(const OpenContext&) override { count = getRuntimeContext().getState(ValueStateDescriptor<int32_t>("n")); }
  void processElement(const Reading& reading, Context&, Collector<std::string>& out) override {
    const int32_t n = count.value().value_or(0) + 1;
    if (n == 4) count.clear();
    else count.update(n);
    out.collect(reading.sensor + " " + number(reading.value) + " is number " + number(n));
  }
  ValueState<int32_t> count;
};
struct LastTwo : Keyed {
  void open(const OpenContext&) override { last = getRuntimeContext().getListState(ListStateDescriptor<int32_t>("l")); }
  void processElement(const Reading& reading, Context&, Collector<std::string>& out) override {
    last.add(reading.value);
    std::vector<int32_t> all = last.get();
    if (all.size() > 2) {
      all.erase(all.begin());
      last.update(all);
    }
    std::string text;
    for (const int32_t value : all) text += (text.empty() ? "" : ", ") + number(value);
    out.collect(reading.sensor + " [" + text + "]");
  }
  ListState<int32_t> last;
};
struct Parities : Keyed {
  void open(const OpenContext&) override { sums = getRuntimeContext().getMapState(MapStateDescriptor<int32_t, int32_t>("m")); }
  void processElement(const Reading& reading, Context&, Collector<std::string>& out) override {
    const int32_t parity = reading.value % 2;
    sums.put(parity, sums.contains(parity) ? *sums.get(parity) + reading.value : reading.value);
    if (reading.value == 8) sums.remove(1);
    std::string text;
    for (const auto& [key, value] : sums.entries()) text += (text.empty() ? "" : ", ") + number(key) + "=" + number(value);
    out.collect(reading.sensor + " {" + text + "}" + (sums.isEmpty() ? " empty" : ""));
  }
  MapState<int32_t, int32_t> sums;
};
struct Reduced : Keyed {
  void open(const OpenContext&) override {
    digits = getRuntimeContext().getReducingState(ReducingStateDescriptor<int32_t>("r", [](int32_t a, int32_t b) { return a * 10 + b; }));
  }
  void processElement(const Reading& reading, Context&, Collector<std::string>& out) override {
    digits.add(reading.value);
    out.collect(reading.sensor + " " + number(*digits.get()));
  }
  ReducingState<int32_t> digits;
};
using Sum = std::tuple<int32_t, int32_t>;
struct Average : AggregateFunction<Reading, Sum, std::string> {
  Sum createAccumulator() override { return {}; }
  Sum add(const Reading& reading, Sum sum) override { return {std::get<0>(sum) + reading.value, std::get<1>(sum) + 1}; }
  std::string getResult(const Sum& sum) override { return number(std::get<0>(sum)) + "/" + number(std::get<1>(sum)); }
  Sum merge(const Sum& a, const Sum& b) override { return {std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b)}; }
};
struct Aggregated : Keyed {
  void open(const OpenContext&) override {
    average = getRuntimeContext().getAggregatingState(AggregatingStateDescriptor<Reading, Sum, std::string>("a", std::make_shared<Average>()));
  }
  void processElement(const Reading& reading, Context&, Collector<std::string>& out) override {
    average.add(reading);
    out.collect(reading.sensor + " " + *average.get());
  }
  AggregatingState<Reading, Sum, std::string> average;
};

struct Deleting : Keyed {
  void processElement(const Reading& reading, Context& ctx, Collector<std::string>&) override {
    ctx.timerService().registerEventTimeTimer(reading.time_ms + 1000);
    ctx.timerService().registerEventTimeTimer(reading.time_ms + 1000);
    if (reading.value % 3 == 0) ctx.timerService().deleteEventTimeTimer(reading.time_ms + 1000);
  }
  void onTimer(int64_t time, OnTimerContext& ctx, Collector<std::string>& out) override { out.collect(ctx.getCurrentKey() + " at " + number(time)); }
};
struct Chained : Keyed {
  void open(const OpenContext&) override { count = getRuntimeContext().getState(ValueStateDescriptor<int32_t>("n")); }
  void processElement(const Reading& reading, Context& ctx, Collector<std::string>&) override {
    if (count.value()) return;
    count.update(0);
    ctx.timerService().registerEventTimeTimer(reading.time_ms + 100);
  }
  void onTimer(int64_t time, OnTimerContext& ctx, Collector<std::string>& out) override {
    const int32_t n = *count.value() + 1;
    count.update(n);
    out.collect(ctx.getCurrentKey() + " at " + number(time) + " number " + number(n));
    if (n < 4) ctx.timerService().registerEventTimeTimer(time + 2000);
  }
  ValueState<int32_t> count;
};
/// Timers in the year 2100: streams end before, in batch mode they fire at the end of the key.
struct FarTimers : Keyed {
  static constexpr int64_t kFar = 4102444800000;
  void processElement(const Reading& reading, Context& ctx, Collector<std::string>& out) override {
    ctx.timerService().registerProcessingTimeTimer(kFar + reading.value % 2);
    out.collect("e " + number(reading.value));
  }
  void onTimer(int64_t time, OnTimerContext& ctx, Collector<std::string>& out) override {
    out.collect("t " + ctx.getCurrentKey() + " " + number(time - kFar) + (ctx.timeDomain() == TimeDomain::PROCESSING_TIME ? " PROCESSING_TIME" : ""));
  }
};
struct SeeTime : ProcessFunction<Reading, std::string> {
  void processElement(const Reading& reading, Context& ctx, Collector<std::string>& out) override {
    out.collect(number(reading.value) + " at " + number(*ctx.timestamp()) + " wm=" + number(ctx.timerService().currentWatermark()));
  }
};
struct Parts : ProcessFunction<Reading, std::string> {
  static inline const OutputTag<std::string> kOdd{"odd"};
  void processElement(const Reading& reading, Context& ctx, Collector<std::string>& out) override {
    if (reading.value % 2 == 1) ctx.output(kOdd, "odd " + number(reading.value));
    else out.collect("even " + number(reading.value) + " at " + number(*ctx.timestamp()));
  }
};
/// Fires for large values, and for the last time at the window's end.
struct ForLarge : TriggerDefaults {
  TriggerResult onElement(const Reading& reading, int64_t, const TimeWindow& window, TriggerContext& ctx) {
    ctx.registerEventTimeTimer(window.maxTimestamp());
    return reading.value >= 5 ? TriggerResult::FIRE : TriggerResult::CONTINUE;
  }
  TriggerResult onEventTime(int64_t time, const TimeWindow& window, TriggerContext&) {
    return time == window.maxTimestamp() ? TriggerResult::FIRE_AND_PURGE : TriggerResult::CONTINUE;
  }
  void clear(const TimeWindow& window, TriggerContext& ctx) { ctx.deleteEventTimeTimer(window.maxTimestamp()); }
};

Reading added(const Reading& a, const Reading& b) { return {a.sensor, a.value + b.value, std::max(a.time_ms, b.time_ms)}; }

TEST_CASE("state of every kind answers as Flink's") {
  check("value state", keyed(ValueCount()));
  check("list state", keyed(LastTwo()));
  check("map state", keyed(Parities()));
  check("reducing state", keyed(Reduced()));
  check("aggregating state", keyed(Aggregated()));
}

TEST_CASE("timers answer as Flink's") {
  check("deleted timers", keyed(Deleting()));
  check("chained timers", keyed(Chained()));
  check("processing-time timers", keyed(FarTimers()));
}

TEST_CASE("time windows answer as Flink's at parallelism 1 and 4") {
  check("dynamic sessions", windowed([](const auto& s) {
          return s.window(EventTimeSessionWindows::withDynamicGap([](const Reading& reading) { return int64_t{reading.value} * 300; })).process(Describe());
        }));
  check("tumbling with offset", windowed([](const auto& s) { return s.window(TumblingEventTimeWindows::of(ms(2000), ms(500))).process(Describe()); }));
  check("sliding aggregate", windowed([](const auto& s) { return s.window(SlidingEventTimeWindows::of(ms(4000), ms(2000))).aggregate(Average()); }), false);
  check("session reduce", windowed([](const auto& s) { return s.window(EventTimeSessionWindows::withGap(ms(1500))).reduce(added).map(brief); }));
  check("out of order by 1500", windowed([](const auto& s) { return s.window(TumblingEventTimeWindows::of(ms(2000))).process(Describe()); }), false, 1500);
  check("late sessions", windowed([](const auto& s) { return s.window(EventTimeSessionWindows::withGap(ms(1000))).allowedLateness(ms(3000)).process(Describe()); }), false);
  check("processing-time windows", windowed([](const auto& s) {
          return s.window(TumblingProcessingTimeWindows::of(Duration::ofDays(36500))).reduce(added).map([](const Reading& r) { return r.sensor + " " + number(r.value); });
        }));
}

TEST_CASE("triggers and evictors answer as Flink's at parallelism 1 and 4") {
  check("count trigger in time windows", windowed([](const auto& s) {
          return s.window(TumblingEventTimeWindows::of(ms(4000))).trigger(CountTrigger::of(2)).process(Describe());
        }));
  check("time evictor", windowed([](const auto& s) { return s.window(TumblingEventTimeWindows::of(ms(10000))).evictor(TimeEvictor::of(ms(1500))).process(Describe()); }), false);
  check("delta trigger", windowed([](const auto& s) {
          const auto distance = [](const Reading& a, const Reading& b) { return static_cast<double>(b.value - a.value); };
          return s.window(GlobalWindows::create()).trigger(DeltaTrigger::of<Reading>(3, distance)).process(DescribeGlobal());
        }));
  check("end of stream trigger", windowed([](const auto& s) { return s.window(GlobalWindows::createWithEndOfStreamTrigger()).process(DescribeByTime()); }), false);
  check("own trigger", windowed([](const auto& s) { return s.window(TumblingEventTimeWindows::of(ms(4000))).trigger(ForLarge()).process(Describe()); }), false);
  check("continuous sliding", windowed([](const auto& s) {
          return s.window(SlidingEventTimeWindows::of(ms(8000), ms(4000))).trigger(ContinuousEventTimeTrigger::of(ms(2000))).process(Describe());
        }), false);
}

TEST_CASE("windows over all keys answer as Flink's, also behind other windows") {
  check("countWindowAll", [](const auto& s) {
    return s.countWindowAll(4).apply([](const GlobalWindow&, const std::vector<Reading>& all, Collector<std::string>& out) { out.collect("all" + valuesOf(all)); });
  });
  check("sliding windowAll", [](const auto& s) { return s.windowAll(SlidingEventTimeWindows::of(ms(4000), ms(2000))).process(DescribeAll()); });
  check("window of windows", [](const auto& s) {
    return bySensor(s).window(TumblingEventTimeWindows::of(ms(2000))).reduce(added).windowAll(TumblingEventTimeWindows::of(ms(4000))).process(DescribeAll());
  });
}

TEST_CASE("folds, side outputs and times of records answer as Flink's") {
  check("min", [](const auto& s) { return bySensor(s).min(&Reading::value).map(brief); });
  check("maxBy", [](const auto& s) { return bySensor(s).maxBy(&Reading::value).map(brief); });
  check("side outputs", [](const auto& s) {
    auto even = s.process(Parts());
    return even.unionWith(even.getSideOutput(Parts::kOdd));
  }, false);
  check("time of records", [](const auto& s) { return s.process(SeeTime()).setParallelism(1); });
  check("keys of keys", [](const auto& s) {
    using Rest = std::tuple<std::string, int32_t>;
    return bySensor(s)
        .map([](const Reading& reading) { return Rest(reading.sensor, reading.value % 3); })
        .setParallelism(1)
        .keyBy([](const Rest& rest) { return std::get<1>(rest); })
        .template sum<1>()
        .map([](const Rest& rest) { return number(std::get<1>(rest)); });
  });
}

}  // namespace
}  // namespace thalweg::api
