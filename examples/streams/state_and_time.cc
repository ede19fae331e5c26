// The program of docs/guide/state-and-time.md.
#include <thalweg/thalweg.h>

using namespace thalweg::api;

struct Click {
  std::string user;
  int64_t time_ms = 0;
};
BOOST_DESCRIBE_STRUCT(Click, (), (user, time_ms))

// snippet: state
struct CountClicks : KeyedProcessFunction<std::string, Click, std::string> {
  void open(const OpenContext&) override {
    count_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("count", 0));
  }
  void processElement(const Click& click, Context&, Collector<std::string>& out) override {
    count_.update(*count_.value() + 1);
    out.collect(click.user + " clicked " + std::to_string(*count_.value()) + " times");
  }
  ValueState<int64_t> count_;
};
// end

// snippet: timer
struct NoticeSilence : KeyedProcessFunction<std::string, Click, std::string> {
  void open(const OpenContext&) override {
    due_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("due"));
  }
  void processElement(const Click& click, Context& ctx, Collector<std::string>&) override {
    if (due_.value()) ctx.timerService().deleteEventTimeTimer(*due_.value());
    due_.update(click.time_ms + 5000);
    ctx.timerService().registerEventTimeTimer(click.time_ms + 5000);
  }
  void onTimer(int64_t time, OnTimerContext& ctx, Collector<std::string>& out) override {
    out.collect(ctx.getCurrentKey() + " went away at " + std::to_string(time));
    due_.clear();
  }
  ValueState<int64_t> due_;
};
// end

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.configure("pipeline.auto-watermark-interval", "0");      // a watermark after every record, not every 200 ms
  auto clicks = env.fromElements<Click>({{"ann", 1000}, {"bob", 1500}, {"ann", 3000}, {"ann", 11000}, {"bob", 12000}});
  clicks.keyBy(&Click::user).process(CountClicks()).print("count");
  env.execute("count");

  // snippet: watermarks
  auto timed = clicks.assignTimestampsAndWatermarks(
      WatermarkStrategy<Click>::forBoundedOutOfOrderness(Duration::ofSeconds(2))
          .withTimestampAssigner([](const Click& click, int64_t) { return click.time_ms; }));
  // end
  timed.keyBy(&Click::user).process(NoticeSilence()).print("silence");
  env.execute("silence");

  // snippet: windows
  timed.keyBy(&Click::user)
      .window(TumblingEventTimeWindows::of(Duration::ofSeconds(10)))
      .apply([](const std::string& user, const TimeWindow& window, const std::vector<Click>& all, Collector<std::string>& out) {
        out.collect(user + ": " + std::to_string(all.size()) + " clicks until " + std::to_string(window.getEnd()));
      })
      .print("window");
  env.execute("windows");
  // end

  // snippet: late
  const OutputTag<Click> late("late");
  auto sessions = timed.keyBy(&Click::user)
                      .window(EventTimeSessionWindows::withGap(Duration::ofSeconds(3)))
                      .allowedLateness(Duration::ofSeconds(1))
                      .sideOutputLateData(late)
                      .reduce([](const Click& first, const Click&) { return first; });
  sessions.map([](const Click& click) { return click.user + "@" + std::to_string(click.time_ms); }).print("session");
  sessions.getSideOutput(late).map([](const Click& click) { return click.user; }).print("late");
  env.execute("sessions");
  // end
}
