// Flink documentation program 001, section 2.2.1.2: a changelog whose event time is metadata of the records.
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);

  // create Table with event-time
  tableEnv.executeSql(
      "CREATE TABLE GeneratedTable "
      "("
      "  name STRING,"
      "  score INT,"
      "  event_time TIMESTAMP_LTZ(3),"
      "  WATERMARK FOR event_time AS event_time - INTERVAL '10' SECOND"
      ")"
      "WITH ('connector'='datagen', 'number-of-rows'='2')");   // the original never ends
  const Table table = tableEnv.from("GeneratedTable");
  table.printSchema();

  DataStream<Row> dataStream = tableEnv.toChangelogStream(
      table, Schema::newBuilder().column("name", "string").column("score", "int").columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)").build());
  dataStream.print("dataStream");

  env.execute("job start");
}
