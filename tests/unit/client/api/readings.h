// Readings: the nine records that Flink was asked about, and a single-threaded environment with per-record watermarks.
#pragma once

#include "client/api/thalweg/environment.h"

namespace thalweg::api {

struct Reading {
  std::string sensor;
  int32_t value = 0;
  int64_t time_ms = 0;
  bool operator==(const Reading&) const = default;
};
BOOST_DESCRIBE_STRUCT(Reading, (), (sensor, value, time_ms))

using Lines = std::vector<std::string>;
using Mode = RuntimeExecutionMode;

inline StreamExecutionEnvironment environment(Mode mode = Mode::STREAMING, int parallelism = 1) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.configure("pipeline.auto-watermark-interval", "0").setRuntimeMode(mode).setParallelism(parallelism);
  return env;
}

inline Lines sorted(Lines lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// In their order, with their watermarks, whatever the parallelism.
inline DataStream<Reading> readings(const StreamExecutionEnvironment& env, int64_t out_of_order_ms = 0) {
  return env.fromElements<Reading>({{"a", 1, 1000}, {"bb", 2, 1500}, {"a", 3, 2500}, {"c", 4, 900}, {"a", 5, 3999},
                                    {"a", 6, 1100}, {"bb", 7, 7000}, {"a", 8, 6500}, {"a", 9, 12000}})
      .assignTimestampsAndWatermarks(WatermarkStrategy<Reading>::forBoundedOutOfOrderness(Duration::ofMillis(out_of_order_ms))
                                         .withTimestampAssigner([](const Reading& reading, int64_t) { return reading.time_ms; }))
      .setParallelism(1);
}

}  // namespace thalweg::api
