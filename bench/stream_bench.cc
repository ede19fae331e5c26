#include "bench/stream_bench.h"

#include "bench/resource_use.h"
#include "bench/trade.h"
#include "client/api/thalweg/keyed_stream.h"
#include "client/api/thalweg/environment.h"

namespace thalweg::bench {
namespace {

using namespace thalweg::api;

struct Discard {
  void operator()(const Trade& trade) { sum += trade.cents; }
  int64_t sum = 0;
};

DataStream<Trade> trades(const StreamExecutionEnvironment& env, const StreamOptions& options) {
  return env
      .fromSource(DataGeneratorSource([keys = options.keys](int64_t i) { return Trade{i % keys, i, 1.5}; }, options.records),
                  WatermarkStrategy<Trade>::noWatermarks(), "trades")
      .map([](Trade trade) {
        trade.rate *= 2;
        return trade;
      })
      .filter([](const Trade& trade) { return trade.cents % 10 != 0; });
}

std::string measured(const StreamExecutionEnvironment& env, const StreamOptions& options, const std::string& name) {
  const ResourceUse start = ResourceUse::now();
  env.execute(name);
  const ResourceUse use = ResourceUse::now().since(start);
  return R"({"program": ")" + name + R"(", "records": )" + std::to_string(options.records) + R"(, "parallelism": )" +
         std::to_string(options.parallelism) + R"(, "cpu_seconds": )" + std::to_string(use.cpu_seconds) +
         R"(, "records_per_cpu_second": )" + std::to_string(static_cast<int64_t>(static_cast<double>(options.records) / use.cpu_seconds)) + "}";
}

}  // namespace

Result<std::string> runStreamBench(const StreamOptions& options) {
  try {
    auto env = StreamExecutionEnvironment::getExecutionEnvironment();
    env.setParallelism(options.parallelism);
    trades(env, options).addSink(Discard());
    std::string lines = measured(env, options, "map-filter-sink");
    trades(env, options).keyBy(&Trade::account).sum(&Trade::cents).addSink(Discard());
    return lines + "\n" + measured(env, options, "map-filter-keyBy-sum");
  } catch (const std::exception& error) {
    return Status::runtime(error.what());
  }
}

}  // namespace thalweg::bench
