// The program that bench/cluster/measure.py runs on clusters. Every subtask of its sinks prints a line of figures when it
// closes; CPU seconds and memory in it are of its process so far.
//
//   thalweg-bench-job shuffle ROWS KEYS [MICROS]     pairs of BIGINT to the subtasks of their keys; the sink takes so long for each
//   thalweg-bench-job latency RATE ROWS [MICROS]     a count per key; how long rows took from the source to a sink in another process;
//                                                    counting works so long on each
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "bench/resource_use.h"
#include "client/api/thalweg/thalweg.h"

using namespace thalweg::api;

/// What is shuffled.
struct Pair {
  int64_t key = 0;
  int64_t value = 0;
};
BOOST_DESCRIBE_STRUCT(Pair, (), (key, value))

/// A row that knows when and by which process it was made; both clocks are the machine's.
struct Stamped {
  int64_t key = 0;
  int64_t made_ns = 0;
  int64_t maker = 0;
};
BOOST_DESCRIBE_STRUCT(Stamped, (), (key, made_ns, maker))

namespace {

constexpr int64_t kLatencyKeys = 1000;
constexpr int64_t kWarmUpNanos = 1'000'000'000;

int64_t nowNanos() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

void workFor(int64_t micros) {
  if (micros == 0) return;
  const int64_t until = nowNanos() + micros * 1000;
  while (nowNanos() < until) continue;
}

void printFigures(const std::string& figures, int subtask) {
  const auto use = thalweg::bench::ResourceUse::now();
  std::printf("{\"pid\": %d, \"subtask\": %d, %s, \"cpu_seconds\": %.3f, \"peak_mb\": %.1f}\n", getpid(), subtask, figures.c_str(), use.cpu_seconds, use.peak_rss_mb);
  std::fflush(stdout);
}

struct CountingSink : RichSinkFunction<Pair> {
  explicit CountingSink(int64_t micros) : micros_(micros) {}
  void invoke(const Pair& pair) override {
    ++rows_;
    sum_ += pair.value;
    workFor(micros_);
  }
  void close() override {
    printFigures("\"rows\": " + std::to_string(rows_) + ", \"sum\": " + std::to_string(sum_), getRuntimeContext().getIndexOfThisSubtask());
  }

 private:
  const int64_t micros_;
  int64_t rows_ = 0;
  int64_t sum_ = 0;
};

struct CountPerKey : KeyedProcessFunction<int64_t, Stamped, Stamped> {
  explicit CountPerKey(int64_t micros) : micros_(micros) {}
  void open(const OpenContext&) override { count_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("count", 0)); }
  void processElement(const Stamped& row, Context&, Collector<Stamped>& out) override {
    count_.update(*count_.value() + 1);
    workFor(micros_);
    out.collect(row);
  }

 private:
  const int64_t micros_;
  ValueState<int64_t> count_;
};

struct LatencySink : RichSinkFunction<Stamped> {
  void open(const OpenContext&) override { counted_from_ns_ = nowNanos() + kWarmUpNanos; }
  void invoke(const Stamped& row) override {
    ++rows_;
    if (row.made_ns < counted_from_ns_) return;
    (row.maker == getpid() ? near_ : far_).push_back(nowNanos() - row.made_ns);
  }
  void close() override {
    printFigures("\"rows\": " + std::to_string(rows_) + figuresOf("far", far_) + figuresOf("near", near_), getRuntimeContext().getIndexOfThisSubtask());
  }

 private:
  static std::string figuresOf(const std::string& name, std::vector<int64_t>& nanos) {
    std::sort(nanos.begin(), nanos.end());
    const auto at = [&](double share) {
      return nanos.empty() ? 0.0 : static_cast<double>(nanos[std::min(nanos.size() - 1, static_cast<size_t>(share * static_cast<double>(nanos.size())))]) / 1e6;
    };
    char text[200];
    std::snprintf(text, sizeof(text), ", \"%s_rows\": %zu, \"%s_p50_ms\": %.3f, \"%s_p99_ms\": %.3f, \"%s_p999_ms\": %.3f", name.c_str(), nanos.size(), name.c_str(), at(0.5),
                  name.c_str(), at(0.99), name.c_str(), at(0.999));
    return text;
  }
  int64_t counted_from_ns_ = 0;
  int64_t rows_ = 0;
  std::vector<int64_t> far_;
  std::vector<int64_t> near_;
};

void shuffle(const StreamExecutionEnvironment& env, int64_t rows, int64_t keys, int64_t micros) {
  env.fromSource(DataGeneratorSource([keys](int64_t i) { return Pair{i % keys, i}; }, rows), WatermarkStrategy<Pair>::noWatermarks(), "pairs")
      .keyBy(&Pair::key)
      .addSink(CountingSink(micros))
      .name("sink");
  env.execute("shuffle");
}

void latency(const StreamExecutionEnvironment& env, double rate, int64_t rows, int64_t micros) {
  const auto make = [](int64_t i) { return Stamped{i % kLatencyKeys, nowNanos(), getpid()}; };
  env.fromSource(DataGeneratorSource(make, rows, RateLimiterStrategy::perSecond(rate)), WatermarkStrategy<Stamped>::noWatermarks(), "rows")
      .keyBy(&Stamped::key)
      .process(CountPerKey(micros))
      .name("count per key")
      .addSink(LatencySink())
      .name("sink");
  env.execute("latency");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string job = argc > 1 ? argv[1] : "";
  const auto number = [&](int at) { return argc > at ? std::atoll(argv[at]) : 0; };
  const auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  if (job == "shuffle" && argc >= 4) shuffle(env, number(2), number(3), number(4));
  else if (job == "latency" && argc >= 4) latency(env, static_cast<double>(number(2)), number(3), number(4));
  else {
    std::cerr << "thalweg-bench-job: see the head of its source\n";
    return 2;
  }
}
