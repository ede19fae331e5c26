// Flink documentation program 001-6: a retract stream and an upsert stream as tables.
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);

  // === EXAMPLE 1 === a retract stream
  DataStream<Row> retract = env.fromElements(Row::ofKind(RowKind::INSERT, "Alice", 12), Row::ofKind(RowKind::INSERT, "Bob", 5),
                                             Row::ofKind(RowKind::UPDATE_BEFORE, "Alice", 12), Row::ofKind(RowKind::UPDATE_AFTER, "Alice", 100));
  tableEnv.createTemporaryView("InputTable", tableEnv.fromChangelogStream(retract));
  tableEnv.executeSql("SELECT f0 AS name, SUM(f1) AS score FROM InputTable GROUP BY f0").print();

  // === EXAMPLE 2 === an upsert stream, without a need for UPDATE_BEFORE
  DataStream<Row> upsert = env.fromElements(Row::ofKind(RowKind::INSERT, "Alice", 12), Row::ofKind(RowKind::INSERT, "Bob", 5),
                                            Row::ofKind(RowKind::UPDATE_AFTER, "Alice", 100));
  const Table table = tableEnv.fromChangelogStream(upsert, Schema::newBuilder().primaryKey("f0").build(), ChangelogMode::upsert());
  tableEnv.createTemporaryView("InputTable2", table);
  tableEnv.executeSql("SELECT f0 AS name, SUM(f1) AS score FROM InputTable2 GROUP BY f0").print();
}
