// Flink documentation program 001, section 1.1.1.2: fromDataStream with fields chosen by expressions.
#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"
#include "examples/seeds/event.h"

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);

  DataGeneratorSource dataGeneratorSource(EventGenerator("Tom2"), 10, 1);   // without the 1 it never ends
  DataStream<std::string> sourceStream = env.addSource(dataGeneratorSource);
  DataStream<Event> mapStream = sourceStream.map(parseEvent);
  mapStream.print("map source");

  // choose columns, and rename them by as()
  const Table table = tableEnv.fromDataStream(mapStream, $("name").as("username"), $("address"));
  // a temporary table named source
  tableEnv.createTemporaryView("source", table);
  const Table result = tableEnv.sqlQuery("select username, address from source");
  // the result as a stream again
  tableEnv.toDataStream(result).print("result");

  env.execute("job start");
}
