// What the other tests of this folder do not call.
#include <iostream>

#include "client/api/thalweg/interval_join.h"
#include "client/api/thalweg/joined_streams.h"
#include "tests/unit/client/api/captured_output.h"
#include "tests/unit/client/api/readings.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

Duration ms(int64_t n) { return Duration::ofMillis(n); }
auto bySensor(const DataStream<Reading>& stream) { return stream.keyBy(&Reading::sensor); }
std::string brief(const Reading& reading) { return reading.sensor + std::to_string(reading.value); }
Lines briefs(const DataStream<Reading>& stream) { return sorted(stream.map(brief).executeAndCollect().toVector()); }

TEST_CASE("printToErr prints on standard error") {
  std::ostringstream text;
  std::streambuf* old = std::cerr.rdbuf(text.rdbuf());
  auto env = environment();
  env.fromData(1, 2).setDescription("numbers").printToErr("e");
  env.setBufferTimeout(5).execute();
  std::cerr.rdbuf(old);
  CHECK(text.str() == "e> 1\ne> 2\n");
}

TEST_CASE("AUTOMATIC is batch when every source is bounded") {
  auto env = environment(Mode::AUTOMATIC);
  const auto sum = [](int a, int b) { return a + b; };
  const auto key = [](int) { return 0; };
  CHECK(env.fromElements(1, 2).keyBy(key).reduce(sum).executeAndCollect().toVector() == std::vector<int>{3});
  struct Once : SourceFunction<int> {
    void run(SourceContext<int>& ctx) override { ctx.collect(1); }
    void cancel() override {}
  };
  auto unbounded = environment(Mode::AUTOMATIC);
  CHECK(unbounded.addSource(Once()).unionWith(unbounded.fromElements(2)).keyBy(key).reduce(sum).executeAndCollect().toVector().size() == 2);
}

TEST_CASE("a job client names, watches and cancels its job") {
  auto env = environment();
  env.fromSequence(0, int64_t{1} << 60).addSink([](int64_t) {});
  JobClient job = env.executeAsync("long one");
  CHECK(job.getJobName() == "long one");
  CHECK_FALSE(job.isDone());
  job.cancel();
  CHECK_THROWS_AS(job.getJobExecutionResult(), JobCancelledException);
  CHECK(job.isDone());
  CHECK_THROWS_WITH(job.triggerSavepoint("nowhere"), Catch::Contains("job"));
}

TEST_CASE("the runtime context knows the task") {
  struct Ask : RichMapFunction<int, std::string> {
    std::string map(const int&) override {
      const RuntimeContext& context = getRuntimeContext();
      return context.getTaskName() + " " + std::to_string(context.getIndexOfThisSubtask()) + "/" + std::to_string(context.getNumberOfParallelSubtasks()) +
             " max " + std::to_string(context.getMaxNumberOfParallelSubtasks()) + " " + context.getConfiguration().getString("pipeline.name");
    }
  };
  CHECK(environment().fromElements(1).map(Ask()).name("asker").executeAndCollect("my job").toVector() == Lines{"asker 0/1 max 128 my job"});
  auto wide = environment(Mode::STREAMING, 100);
  CHECK(wide.fromElements(1).rebalance().map(Ask()).name("asker").executeAndCollect("my job").toVector() == Lines{"asker 0/100 max 256 my job"});
}

struct UseStates : KeyedProcessFunction<int, int, std::string> {
  void open(const OpenContext&) override {
    list_ = getRuntimeContext().getListState(ListStateDescriptor<int>("list"));
    map_ = getRuntimeContext().getMapState(MapStateDescriptor<std::string, int>("map"));
  }
  void processElement(const int&, Context&, Collector<std::string>& out) override {
    list_.addAll({1, 2});
    list_.update({7, 8});
    map_.putAll({{"a", 1}, {"b", 2}, {"c", 3}});
    map_.remove("b");
    std::string line;
    for (const int n : list_.get()) line += std::to_string(n);
    for (const std::string& key : map_.keys()) line += key;
    for (const int n : map_.values()) line += std::to_string(n);
    out.collect(line + (map_.contains("b") ? " b" : " no b") + (map_.isEmpty() ? " empty" : " full"));
    map_.remove("a");
    map_.remove("c");
    out.collect(map_.isEmpty() ? "empty" : "full");
  }
  ListState<int> list_;
  MapState<std::string, int> map_;
};

TEST_CASE("list and map state have all of their methods") {
  CHECK(environment().fromElements(1).keyBy([](int n) { return n; }).process(UseStates()).executeAndCollect().toVector() ==
        Lines{"78ac13 no b full", "empty"});
}

TEST_CASE("window folds of a field, also behind an evictor") {
  const auto window = [] { return bySensor(readings(environment())).window(TumblingEventTimeWindows::of(ms(20000))); };
  CHECK(briefs(window().min(&Reading::value)) == Lines{"a1", "bb2", "c4"});
  CHECK(briefs(window().max(&Reading::value)) == Lines{"a9", "bb7", "c4"});
  CHECK(briefs(window().minBy(&Reading::value)) == Lines{"a1", "bb2", "c4"});
  CHECK(briefs(window().maxBy(&Reading::value)) == Lines{"a9", "bb7", "c4"});
  CHECK(briefs(window().evictor(CountEvictor::of(2)).sum(&Reading::value)) == Lines{"a17", "bb9", "c4"});
  CHECK(briefs(window().evictor(TimeEvictor::of(ms(6000))).sum(&Reading::value)) == Lines{"a17", "bb9", "c4"});
  const auto distance = [](const Reading& a, const Reading& b) { return std::abs(a.value - b.value); };
  CHECK(briefs(window().evictor(DeltaEvictor::of<Reading>(3, distance)).sum(&Reading::value)) == Lines{"a17", "bb7", "c4"});
}

TEST_CASE("an evictor after the function thins out what the next firing sees") {
  auto lines = bySensor(readings(environment()))
                   .window(TumblingEventTimeWindows::of(ms(20000)))
                   .trigger(CountTrigger::of(2))
                   .evictor(CountEvictor::of(1, true))
                   .apply([](const std::string& key, const TimeWindow&, const std::vector<Reading>& all, Collector<std::string>& out) {
                     std::string line = key;
                     for (const Reading& reading : all) line += " " + std::to_string(reading.value);
                     out.collect(line);
                   });
  CHECK(sorted(lines.executeAndCollect().toVector()) == Lines{"a 1 3", "a 3 5 6", "a 6 8 9", "bb 2 7"});
}

TEST_CASE("a delta trigger fires when a record is far from the last that fired") {
  const auto distance = [](const Reading& a, const Reading& b) { return static_cast<double>(b.value - a.value); };
  auto sums = bySensor(readings(environment())).window(GlobalWindows::create()).trigger(DeltaTrigger::of<Reading>(3, distance)).sum(&Reading::value);
  // a: 1, then 5 is 4 away, then 9 is 4 away from 5; bb: 7 is 5 away from 2.
  CHECK(briefs(sums) == Lines{"a32", "a9", "bb9"});
}

TEST_CASE("continuous triggers and session merges keep their timers") {
  auto sums = bySensor(readings(environment()))
                  .window(EventTimeSessionWindows::withGap(ms(1600)))
                  .trigger(ContinuousEventTimeTrigger::of(ms(100000)))
                  .sum(&Reading::value);
  // The end that was planned before a merge fires too: 1, 3 and 5 at 2.6 s.
  CHECK(briefs(sums) == Lines{"a15", "a8", "a9", "a9", "bb2", "bb7"});
  auto counted = bySensor(readings(environment())).window(EventTimeSessionWindows::withGap(ms(1600))).trigger(CountTrigger::of(3)).sum(&Reading::value);
  CHECK(briefs(counted) == Lines{"a9"});
}

struct Total : ProcessAllWindowFunction<Reading, std::string> {
  static inline const OutputTag<int> kCount{"count"};
  void process(Context& ctx, const std::vector<Reading>& elements, Collector<std::string>& out) override {
    out.collect(std::to_string(ctx.window().getStart()) + ":" + std::to_string(elements.size()));
    ctx.output(kCount, static_cast<int>(elements.size()));
  }
};

TEST_CASE("a function over all windows sees the window and writes side outputs") {
  CapturedOutput output;
  auto env = environment(Mode::BATCH);
  auto totals = readings(env).windowAll(TumblingEventTimeWindows::of(ms(4000))).process(Total());
  totals.print("main");
  totals.getSideOutput(Total::kCount).print("side");
  env.execute();
  CHECK(output.sortedLines() == Lines{"main> 0:6", "main> 12000:1", "main> 4000:2", "side> 1", "side> 2", "side> 6"});
  CHECK_THROWS_WITH(totals.setParallelism(2), Catch::Contains("cannot run in parallel"));
}

TEST_CASE("interval joins leave out their bounds when told, and keep late records apart") {
  const auto pair = [](const Reading& a, const Reading& b, Collector<std::string>& out) { out.collect(brief(a) + brief(b)); };
  const auto stream = readings(environment(Mode::BATCH)).filter([](const Reading& reading) { return reading.sensor == "bb" || reading.value < 4; });
  const auto joined = [&](int64_t lower, int64_t upper) { return bySensor(stream).intervalJoin(bySensor(stream)).inEventTime().between(ms(lower), ms(upper)); };
  CHECK(sorted(joined(0, 1500).process(pair).executeAndCollect().toVector()) == Lines{"a1a1", "a1a3", "a3a3", "bb2bb2", "bb7bb7"});
  CHECK(sorted(joined(0, 1500).upperBoundExclusive().process(pair).executeAndCollect().toVector()) == Lines{"a1a1", "a3a3", "bb2bb2", "bb7bb7"});
  CHECK(sorted(joined(0, 1500).lowerBoundExclusive().process(pair).executeAndCollect().toVector()) == Lines{"a1a3"});
}

TEST_CASE("join functions may be classes, and joins may be of sessions") {
  struct Both : RichFunction {
    std::string join(const Reading& a, const Reading& b) { return brief(a) + brief(b); }
  };
  const auto stream = readings(environment(Mode::BATCH));
  CHECK(sorted(stream.join(stream).where(&Reading::sensor).equalTo(&Reading::sensor).window(EventTimeSessionWindows::withGap(ms(100))).apply(Both())
                   .executeAndCollect().toVector()) ==
        Lines{"a1a1", "a1a6", "a3a3", "a5a5", "a6a1", "a6a6", "a8a8", "a9a9", "bb2bb2", "bb7bb7", "c4c4"});
}

}  // namespace
}  // namespace thalweg::api
