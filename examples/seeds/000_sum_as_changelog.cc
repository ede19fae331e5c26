// Flink documentation programs 000-2 and 000-3: an updating table as a changelog; with the argument `batch` in batch mode.
#include <cstring>

#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

int main(int argc, char** argv) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  if (argc > 1 && std::strcmp(argv[1], "batch") == 0) env.setRuntimeMode(RuntimeExecutionMode::BATCH);
  auto tableEnv = StreamTableEnvironment::create(env);

  DataStream<Row> dataStream = env.fromElements(Row::of("Alice", 12), Row::of("Bob", 10), Row::of("Alice", 100))
                                   .returns(Types::ROW({Types::STRING(), Types::INT()}));

  const Table inputTable = tableEnv.fromDataStream(dataStream).as("name", "score");
  tableEnv.createTemporaryView("InputTable", inputTable);
  const Table resultTable = tableEnv.sqlQuery("select name, sum(score) as totalScore from InputTable group by name");
  resultTable.printSchema();

  const DataStream<Row> resultStream = tableEnv.toChangelogStream(resultTable);
  resultStream.print();

  env.execute();
}
