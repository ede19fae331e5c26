// Flink documentation program 002: the event time of a stream as a column behind its fields, or in the place of one.
#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"
#include "examples/seeds/sensor_reading.h"

using namespace thalweg::api;

int main(int, char** argv) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);

  DataStream<SensorReading> dataStream =
      env.readTextFile(argv[1])
          .map(parseReading)
          .assignTimestampsAndWatermarks(WatermarkStrategy<SensorReading>::forBoundedOutOfOrderness(Duration::ofMinutes(1))
                                             .withTimestampAssigner([](const SensorReading& element, int64_t) { return element.timestamp * 1000; }));
  auto tabEnv = StreamTableEnvironment::create(env);

  const Table appended = tabEnv.fromDataStream(dataStream, $("id"), $("timestamp").as("ts"), $("temperature").as("temp"), $("rt").rowtime());
  appended.printSchema();
  appended.execute().print();

  const Table replaced = tabEnv.fromDataStream(dataStream, $("id"), $("timestamp").rowtime().as("ts"), $("temperature").as("temp"));
  replaced.printSchema();
  replaced.execute().print();
}
