// Flink documentation program 002: a processing time behind the fields of a stream.
#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"
#include "examples/seeds/sensor_reading.h"

using namespace thalweg::api;

int main(int, char** argv) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto oldTabEnv = StreamTableEnvironment::create(env);

  DataStream<SensorReading> dataStream = env.readTextFile(argv[1]).map(parseReading);
  const Table sensorTableFromStream = oldTabEnv.fromDataStream(dataStream, $("id"), $("timestamp"), $("temperature"), $("pt").proctime());

  sensorTableFromStream.printSchema();
  sensorTableFromStream.select($("id"), $("timestamp"), $("temperature")).execute().print();
}
