// Flink documentation program 000-1: a stream of names as a view, a table, and a stream again.
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);

  DataStream<std::string> inputTable = env.fromElements("Alice", "Bob", "John");
  tableEnv.createTemporaryView("InputTable", inputTable);
  const Table resultTable = tableEnv.sqlQuery("select * from InputTable");

  tableEnv.createTemporaryView("InputTable3", resultTable);
  const Table resultTable3 = tableEnv.sqlQuery("select * from InputTable3");

  const DataStream<Row> resultStream = tableEnv.toDataStream(resultTable);
  const DataStream<Row> resultStream3 = tableEnv.toDataStream(resultTable3);
  resultStream.print();
  resultStream3.print();

  env.execute();
}
