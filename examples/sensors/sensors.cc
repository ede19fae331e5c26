// Three sensors report temperatures. The program writes each sensor's average over ten seconds, raises an alarm when a
// sensor stays hot or falls silent, and keeps apart what is broken or comes too late.
//
// Everything here is deterministic: time is the readings' own, and the readings come from a generator.
#include <thalweg/thalweg.h>

using namespace thalweg::api;

struct Reading {
  std::string sensor;
  int64_t time_ms = 0;
  double celsius = 0;
};
BOOST_DESCRIBE_STRUCT(Reading, (), (sensor, time_ms, celsius))

struct Average {
  std::string sensor;
  int64_t window_end_ms = 0;
  int64_t readings = 0;
  double celsius = 0;
};
BOOST_DESCRIBE_STRUCT(Average, (), (sensor, window_end_ms, readings, celsius))

const OutputTag<Reading> kBroken("broken");
const OutputTag<Reading> kLate("late");

/// One reading every half second, from each sensor in turn. `attic` heats up and then falls silent; every 20th reading is
/// broken, every 25th comes from five minutes ago.
Reading readingAt(int64_t i) {
  static const char* const kSensors[] = {"attic", "cellar", "garden"};
  Reading reading{kSensors[i % 3], i * 500, 15.0 + static_cast<double>(i % 7)};
  if (reading.sensor == "attic") reading.celsius = 20 + static_cast<double>(i) / 4;
  if (reading.sensor == "attic" && i > 90) reading.sensor = "garden";
  if (i % 20 == 19) reading.celsius = -999;
  if (i % 25 == 24) reading.time_ms -= 300'000;
  return reading;
}

/// Keeps broken readings apart.
struct Check : ProcessFunction<Reading, Reading> {
  void processElement(const Reading& reading, Context& ctx, Collector<Reading>& out) override {
    if (reading.celsius < -100) ctx.output(kBroken, reading);
    else out.collect(reading);
  }
};

/// Sum and count, as long as the window is open.
struct Mean : AggregateFunction<Reading, std::tuple<double, int64_t>, std::tuple<double, int64_t>> {
  std::tuple<double, int64_t> createAccumulator() override { return {0, 0}; }
  std::tuple<double, int64_t> add(const Reading& reading, std::tuple<double, int64_t> acc) override {
    return {std::get<0>(acc) + reading.celsius, std::get<1>(acc) + 1};
  }
  std::tuple<double, int64_t> getResult(const std::tuple<double, int64_t>& acc) override { return acc; }
  std::tuple<double, int64_t> merge(const std::tuple<double, int64_t>& a, const std::tuple<double, int64_t>& b) override {
    return {std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b)};
  }
};

/// Three averages in a row above the sensor's limit make an alarm; so do thirty seconds without one.
struct Alarm : KeyedProcessFunction<std::string, Average, std::string> {
  explicit Alarm(double limit) : limit_(limit) {}
  void open(const OpenContext&) override {
    hot_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("hot", 0));
    silence_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("silence"));
  }
  void processElement(const Average& average, Context& ctx, Collector<std::string>& out) override {
    if (silence_.value()) ctx.timerService().deleteEventTimeTimer(*silence_.value());
    silence_.update(average.window_end_ms + 30'000);
    ctx.timerService().registerEventTimeTimer(*silence_.value());
    hot_.update(average.celsius > limit_ ? *hot_.value() + 1 : 0);
    if (*hot_.value() == 3) out.collect(average.sensor + " is hot since " + std::to_string(average.window_end_ms / 1000 - 30) + " s");
  }
  void onTimer(int64_t time, OnTimerContext& ctx, Collector<std::string>& out) override {
    out.collect(ctx.getCurrentKey() + " is silent since " + std::to_string(time / 1000 - 30) + " s");
    silence_.clear();
  }

 private:
  double limit_;
  ValueState<int64_t> hot_;
  ValueState<int64_t> silence_;
};

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(2).configure("pipeline.auto-watermark-interval", "0");

  auto readings = env.fromSource(DataGeneratorSource(readingAt, 240),
                                 WatermarkStrategy<Reading>::forBoundedOutOfOrderness(Duration::ofSeconds(1)).withTimestampAssigner(
                                     [](const Reading& reading, int64_t) { return reading.time_ms; }),
                                 "readings");
  readings.setParallelism(1);
  auto good = readings.process(Check()).setParallelism(1).name("check");
  good.getSideOutput(kBroken).map([](const Reading& reading) { return reading.sensor; }).setParallelism(1).print("broken").setParallelism(1);

  auto averages = good.keyBy(&Reading::sensor)
                      .window(TumblingEventTimeWindows::of(Duration::ofSeconds(10)))
                      .sideOutputLateData(kLate)
                      .aggregate(Mean(), [](const std::string& sensor, const TimeWindow& window,
                                            const std::vector<std::tuple<double, int64_t>>& means, Collector<Average>& out) {
                        const auto& [sum, count] = means[0];
                        out.collect({sensor, window.getEnd(), count, sum / static_cast<double>(count)});
                      })
                      .name("average of ten seconds");
  averages.print("average").setParallelism(1);
  averages.getSideOutput(kLate).map([](const Reading& reading) { return reading.sensor; }).print("late").setParallelism(1);
  averages.keyBy(&Average::sensor).process(Alarm(35)).name("alarm").print("alarm").setParallelism(1);

  env.execute("sensors");
}
