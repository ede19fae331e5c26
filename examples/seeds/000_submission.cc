// Flink documentation program 000-4: tables that run at once, statement sets, and branches that wait for execute().
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);
  tableEnv.createTemporaryView("InputTable", tableEnv.fromDataStream(env.fromElements(1, 2)).as("n"));
  for (const char* name : {"OutputTable", "OutputTable2"}) {
    tableEnv.createTemporaryTable(name, TableDescriptor::forConnector("blackhole").schema(Schema::newBuilder().column("n", "INT").build()).build());
  }

  // execute with explicit sink
  tableEnv.from("InputTable").executeInsert("OutputTable").await();
  tableEnv.executeSql("INSERT INTO OutputTable SELECT * FROM InputTable").await();
  tableEnv.createStatementSet().addInsert("OutputTable", tableEnv.from("InputTable")).addInsert("OutputTable2", tableEnv.from("InputTable")).execute().await();
  tableEnv.createStatementSet()
      .addInsertSql("INSERT INTO OutputTable SELECT * FROM InputTable")
      .addInsertSql("INSERT INTO OutputTable2 SELECT * FROM InputTable")
      .execute()
      .await();

  // execute with implicit local sink
  tableEnv.from("InputTable").execute().print();
  tableEnv.executeSql("SELECT * FROM InputTable").print();

  // (1) adds a branch with a printing sink to the StreamExecutionEnvironment
  const Table table = tableEnv.from("InputTable");
  tableEnv.toDataStream(table).print("pending");
  // (2) a job of its own; (1) has still not run
  table.execute().print();
  // runs (1)
  env.execute();
}
