// Flink documentation program 001-8: fromValues, a group, and its changelog.
#include <iostream>

#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);
  const Table simpleTable = tableEnv.fromValues(row("Alice", 12), row("Alice", 2), row("Bob", 12))
                                .as("name", "score")
                                .groupBy($("name"))
                                .select($("name"), $("score").sum().as("score"));
  simpleTable.printSchema();
  simpleTable.execute().print();
  for (const Row& row : tableEnv.toChangelogStream(simpleTable).executeAndCollect()) std::cout << row.toString() << '\n';
}
