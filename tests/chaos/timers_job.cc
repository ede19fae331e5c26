// The pipeline `timers` of pipelines.py: a user's KeyedProcessFunction with state and event-time timers, some of them deleted again.
//
//   timers_job SINK ROWS RATE [KEY=VALUE …]      RATE rows a second; 0: as fast as can be
//
// Numbers come from one or two readers, one for each half of them; a key is of one half, so its rows are in order. Which
// timers fire does not depend on how fast which reader is: one is deleted before the watermark can have reached it.
#include <cstdlib>
#include <iostream>

#include "client/api/thalweg/thalweg.h"

using namespace thalweg::api;

struct Number {
  int64_t key = 0;
  int64_t n = 0;
};
BOOST_DESCRIBE_STRUCT(Number, (), (key, n))

namespace {

constexpr int64_t kKeysOfHalf = 25;
constexpr int64_t kStepMs = 10;
constexpr int64_t kDelayMs = 1000;

/// `n` counts the timers of a key that have fired.
struct FireTimers : KeyedProcessFunction<int64_t, Number, std::string> {
  void open(const OpenContext&) override {
    last_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("last timer"));
    fired_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("fired", 0));
  }
  void processElement(const Number& number, Context& ctx, Collector<std::string>&) override {
    if (last_.value() && number.n % 3 == 0) ctx.timerService().deleteEventTimeTimer(*last_.value());
    last_.update(number.n * kStepMs + kDelayMs);
    ctx.timerService().registerEventTimeTimer(*last_.value());
  }
  void onTimer(int64_t time, OnTimerContext& ctx, Collector<std::string>& out) override {
    fired_.update(*fired_.value() + 1);
    out.collect("{\"k\":" + std::to_string(ctx.getCurrentKey()) + ",\"t\":" + std::to_string(time) + ",\"n\":" + std::to_string(*fired_.value()) + "}");
  }
  ValueState<int64_t> last_;
  ValueState<int64_t> fired_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "timers_job: see the head of its source\n";
    return 2;
  }
  const int64_t rows = std::atoll(argv[2]);
  const double rate = std::atof(argv[3]);
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  for (int i = 4; i < argc; ++i) {
    const std::string setting = argv[i];
    env.configure(setting.substr(0, setting.find('=')), setting.substr(setting.find('=') + 1));
  }
  const auto make = [rows](int64_t n) { return Number{(n < rows / 2 ? 0 : 1) + 2 * (n % kKeysOfHalf), n}; };
  const auto strategy = WatermarkStrategy<Number>::forBoundedOutOfOrderness(Duration::ofMillis(100)).withTimestampAssigner([](const Number& number, int64_t) {
    return number.n * kStepMs;
  });
  auto sink = FileSink<std::string>::forRowFormat(argv[1], SimpleStringEncoder<std::string>()).withBucketAssigner(BasePathBucketAssigner()).build();
  env.fromSource(DataGeneratorSource(make, rows, rate > 0 ? RateLimiterStrategy::perSecond(rate) : RateLimiterStrategy::noOp()), strategy, "numbers")
      .uid("numbers")
      .keyBy(&Number::key)
      .process(FireTimers())
      .uid("timers")
      .sinkTo(sink)
      .uid("sink");
  JobClient job = env.executeAsync("timers");
  std::cout << "Job 1 has been started." << std::endl;
  job.getJobExecutionResult();
}
