// Flink documentation program 001, section 1.1.1.3: fromDataStream with a schema.
#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"
#include "examples/seeds/event.h"

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);

  DataGeneratorSource dataGeneratorSource(EventGenerator("Tom3"), 10, 1);   // without the 1 it never ends
  DataStream<std::string> sourceStream = env.addSource(dataGeneratorSource);
  DataStream<Event> mapStream = sourceStream.map(parseEvent);
  mapStream.print("map source");

  // declare a schema
  const Table table = tableEnv.fromDataStream(mapStream, Schema::newBuilder().column("name", "string").column("timestamp", "bigint").build());
  // a temporary table named source
  tableEnv.createTemporaryView("source", table);
  const Table result = tableEnv.sqlQuery("select name, `timestamp` from source");
  // the result as a stream again
  tableEnv.toDataStream(result).print("result");

  env.execute("job start");
}
