#include "client/api/thalweg/keyed_stream.h"
#include "tests/unit/client/api/captured_output.h"
#include "tests/unit/client/api/flink_answers.h"
#include "tests/unit/client/api/readings.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

TEST_CASE("keyed reduce emits after every record, in batch mode once per key") {
  const auto program = [](const StreamExecutionEnvironment& env) {
    return env.fromElements(1, 2, 3, 4, 5)
        .keyBy([](int n) { return n % 2; })
        .reduce([](int a, int b) { return a + b; })
        .executeAndCollect()
        .toVector();
  };
  CHECK(program(environment()) == std::vector<int>{1, 2, 4, 6, 9});
  CHECK(program(environment(Mode::BATCH)) == std::vector<int>{6, 9});
}

TEST_CASE("in batch mode keys come in the order of their serialized bytes, signed") {
  const auto keys = [](auto stream) {
    return stream.keyBy([](const auto& key) { return key; }).reduce([](const auto& a, const auto&) { return a; }).executeAndCollect().toVector();
  };
  auto env = environment(Mode::BATCH);
  const auto lines = [](const auto& values) {
    Lines texts(values.size());
    for (size_t i = 0; i < values.size(); ++i) FieldTraits<std::remove_cvref_t<decltype(values[i])>>::text(values[i], texts[i]);
    return texts;
  };
  CHECK(lines(keys(env.fromElements(3, -1, 127, 128, 300, 1, -300, 255, 0, 256))) == flinkAnswer("batch int keys"));
  CHECK(lines(keys(env.fromElements<int64_t>({3, -1, 127, 128, 300, 1}))) == flinkAnswer("batch long keys"));
  CHECK(lines(keys(env.fromElements<double>({2.5, -1.0, 0.0, 100.0}))) == flinkAnswer("batch double keys"));
  const auto words = env.fromElements("b", "a", "zz", "aa", "", "é", "A", "b").keyBy([](const std::string& word) { return word; });
  CHECK(words.reduce([](const std::string& a, const std::string& b) { return a + "+" + b; }).executeAndCollect().toVector() == flinkAnswer("batch string keys"));
}

TEST_CASE("sum, min, max, minBy and maxBy fold a field") {
  auto env = environment();
  const auto values = [](auto stream) {
    Lines lines;
    for (const Reading& reading : stream.executeAndCollect()) lines.push_back(reading.sensor + std::to_string(reading.value) + "@" + std::to_string(reading.time_ms));
    return lines;
  };
  const auto keyed = env.fromElements<Reading>({{"a", 2, 1}, {"a", 1, 2}, {"a", 5, 3}, {"a", 1, 4}}).keyBy(&Reading::sensor);
  CHECK(values(keyed.sum(&Reading::value)) == Lines{"a2@1", "a3@1", "a8@1", "a9@1"});
  CHECK(values(keyed.min(&Reading::value)) == Lines{"a2@1", "a1@1", "a1@1", "a1@1"});
  CHECK(values(keyed.max(&Reading::value)) == Lines{"a2@1", "a2@1", "a5@1", "a5@1"});
  CHECK(values(keyed.minBy(&Reading::value)) == Lines{"a2@1", "a1@2", "a1@2", "a1@2"});
  CHECK(values(keyed.maxBy(&Reading::value)) == Lines{"a2@1", "a2@1", "a5@3", "a5@3"});
  const auto pairs = env.fromElements(std::tuple(std::string("x"), 1), std::tuple(std::string("x"), 2)).keyBy([](const auto& pair) { return std::get<0>(pair); });
  CHECK(std::get<1>(pairs.sum<1>().executeAndCollect().toVector().at(1)) == 3);
  CHECK_THROWS_WITH(env.fromElements(1).keyBy([](int n) { return n; }).sum(3), Catch::Contains("field 0 only"));
}

struct Times : KeyedProcessFunction<std::string, Reading, std::string> {
  void processElement(const Reading& reading, Context& ctx, Collector<std::string>& out) override {
    ctx.timerService().registerEventTimeTimer(reading.time_ms + 500);
    ctx.timerService().registerEventTimeTimer(100);
    out.collect("e " + reading.sensor + std::to_string(reading.value) + " wm=" + std::to_string(ctx.timerService().currentWatermark()));
  }
  void onTimer(int64_t time, OnTimerContext& ctx, Collector<std::string>& out) override {
    out.collect("t " + ctx.getCurrentKey() + " " + std::to_string(time) + " ts=" + std::to_string(*ctx.timestamp()));
  }
};

TEST_CASE("event-time timers fire once the watermark is there, one per key and time") {
  const auto lines = readings(environment()).keyBy(&Reading::sensor).process(Times()).executeAndCollect().toVector();
  CHECK(lines == Lines{"e a1 wm=-9223372036854775808", "t a 100 ts=100", "e bb2 wm=999", "t bb 100 ts=100", "e a3 wm=1499", "t a 100 ts=100",
                       "t a 1500 ts=1500", "t bb 2000 ts=2000", "e c4 wm=2499", "e a5 wm=2499", "t c 100 ts=100", "t a 100 ts=100",
                       "t c 1400 ts=1400", "t a 3000 ts=3000", "e a6 wm=3998", "e bb7 wm=3998", "t a 100 ts=100", "t bb 100 ts=100",
                       "t a 1600 ts=1600", "t a 4499 ts=4499", "e a8 wm=6999", "e a9 wm=6999", "t a 100 ts=100", "t a 7000 ts=7000",
                       "t bb 7500 ts=7500", "t a 12500 ts=12500"});
}

TEST_CASE("keys, state and timers give the same at parallelism 4") {
  const auto program = [](int parallelism) {
    return sorted(readings(environment(Mode::STREAMING, parallelism)).keyBy(&Reading::sensor).process(Times()).executeAndCollect().toVector());
  };
  const Lines one = program(1);
  Lines four = program(4);
  // Watermarks reach other subtasks later or earlier; the timers that fire are the same.
  const auto timers = [](Lines lines) {
    std::erase_if(lines, [](const std::string& line) { return line[0] == 'e' || line.find(" 100 ") != std::string::npos; });
    return lines;
  };
  CHECK(timers(one) == timers(four));
}

struct Count : KeyedProcessFunction<std::string, Reading, std::string> {
  void open(const OpenContext&) override {
    count_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("count"));
    values_ = getRuntimeContext().getListState(ListStateDescriptor<int32_t>("values"));
    by_parity_ = getRuntimeContext().getMapState(MapStateDescriptor<std::string, int64_t>("parity"));
    sum_ = getRuntimeContext().getReducingState(ReducingStateDescriptor<int64_t>("sum", [](int64_t a, int64_t b) { return a + b; }));
  }
  void processElement(const Reading& reading, Context&, Collector<std::string>& out) override {
    count_.update(count_.value().value_or(0) + 1);
    values_.add(reading.value);
    const std::string parity = reading.value % 2 == 0 ? "even" : "odd";
    by_parity_.put(parity, by_parity_.get(parity).value_or(0) + 1);
    sum_.add(reading.value);
    std::string text = reading.sensor + " n=" + std::to_string(*count_.value()) + " sum=" + std::to_string(*sum_.get()) + " list=";
    for (const int32_t value : values_.get()) text += std::to_string(value);
    for (const auto& [key, value] : by_parity_.entries()) text += " " + key + "=" + std::to_string(value);
    out.collect(text);
    if (reading.value == 5) {
      count_.clear();
      values_.clear();
      by_parity_.clear();
      sum_.clear();
    }
  }
  ValueState<int64_t> count_;
  ListState<int32_t> values_;
  MapState<std::string, int64_t> by_parity_;
  ReducingState<int64_t> sum_;
};

TEST_CASE("value, list, map and reducing state belong to the key") {
  const auto lines = readings(environment()).keyBy(&Reading::sensor).process(Count()).executeAndCollect().toVector();
  CHECK(lines == Lines{"a n=1 sum=1 list=1 odd=1", "bb n=1 sum=2 list=2 even=1", "a n=2 sum=4 list=13 odd=2", "c n=1 sum=4 list=4 even=1",
                       "a n=3 sum=9 list=135 odd=3", "a n=1 sum=6 list=6 even=1", "bb n=2 sum=9 list=27 even=1 odd=1",
                       "a n=2 sum=14 list=68 even=2", "a n=3 sum=23 list=689 even=2 odd=1"});
  const auto batch = readings(environment(Mode::BATCH)).keyBy(&Reading::sensor).process(Count()).executeAndCollect().toVector();
  CHECK(batch == Lines{"a n=1 sum=1 list=1 odd=1", "a n=2 sum=7 list=16 even=1 odd=1", "a n=3 sum=10 list=163 even=1 odd=2",
                       "a n=4 sum=15 list=1635 even=1 odd=3", "a n=1 sum=8 list=8 even=1", "a n=2 sum=17 list=89 even=1 odd=1",
                       "c n=1 sum=4 list=4 even=1", "bb n=1 sum=2 list=2 even=1", "bb n=2 sum=9 list=27 even=1 odd=1"});
}

TEST_CASE("a key that does not follow from the record alone is refused, with operator, cause and cure") {
  auto env = environment();
  env.fromElements(1, 2, 3).map([](int n) { return n; }).name("numbers").keyBy([calls = 0](int n) mutable { return n + ++calls; }).reduce([](int a, int b) { return a + b; }).print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'numbers'") && Catch::Contains("two keys for one record") && Catch::Contains("follow from the record alone"));
}

struct EagerState : KeyedProcessFunction<std::string, Reading, int> {
  void open(const OpenContext&) override {
    state_ = getRuntimeContext().getState(ValueStateDescriptor<int>("eager"));
    state_.update(1);
  }
  void processElement(const Reading&, Context&, Collector<int>&) override {}
  ValueState<int> state_;
};
struct UnkeyedState : ProcessFunction<Reading, int> {
  void open(const OpenContext&) override { (void)getRuntimeContext().getState(ValueStateDescriptor<int>("lonely")); }
  void processElement(const Reading&, Context&, Collector<int>&) override {}
};
struct UnkeyedTimer : ProcessFunction<Reading, int> {
  void processElement(const Reading&, Context& ctx, Collector<int>&) override { ctx.timerService().registerEventTimeTimer(1); }
};

TEST_CASE("state and timers without a key are refused, with operator, cause and cure") {
  auto env = environment();
  readings(env).keyBy(&Reading::sensor).process(EagerState()).name("eager op").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'eager op'") && Catch::Contains("no current key") && Catch::Contains("not in open()"));
  readings(env).process(UnkeyedState()).name("lonely op").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("keyed state 'lonely'") && Catch::Contains("'lonely op'") && Catch::Contains("keyBy"));
  readings(env).process(UnkeyedTimer()).name("ticker").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'ticker'") && Catch::Contains("put keyBy(...) before it"));
}

struct Split : ProcessFunction<int, int> {
  static inline const OutputTag<std::string> kOdd{"odd"};
  void processElement(const int& n, Context& ctx, Collector<int>& out) override {
    if (n % 2 == 0) out.collect(n);
    else ctx.output(kOdd, std::to_string(n));
  }
};

TEST_CASE("side outputs carry another type; unread ones are dropped") {
  CapturedOutput output;
  auto env = environment();
  auto split = env.fromElements(1, 2, 3, 4).process(Split());
  split.print("even");
  split.getSideOutput(Split::kOdd).print("odd");
  env.execute();
  CHECK(output.sortedLines() == Lines{"even> 2", "even> 4", "odd> 1", "odd> 3"});
  CHECK(env.fromElements(1, 2).process(Split()).executeAndCollect().toVector() == std::vector<int>{2});
  CHECK_THROWS_WITH(env.fromElements(1).map([](int n) { return n; }).getSideOutput(Split::kOdd), Catch::Contains("has no side outputs"));
  auto wrong = env.fromElements(1).process(Split());
  wrong.getSideOutput(OutputTag<int>("odd")).print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'odd' is read as another type"));
}

}  // namespace
}  // namespace thalweg::api
