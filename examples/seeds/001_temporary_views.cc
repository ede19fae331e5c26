// Flink documentation program 001-5: views of a stream of tuples.
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  auto tableEnv = StreamTableEnvironment::create(env);
  using Pair = std::tuple<int64_t, std::optional<std::string>>;
  DataStream<Pair> dataStream = env.fromElements(Pair(12, "Alice"), Pair(0, "Bob"));

  // all columns are derived automatically
  tableEnv.createTemporaryView("MyView", dataStream);
  tableEnv.from("MyView").printSchema();

  // a schema adjusts the columns: here NOT NULL is gone
  tableEnv.createTemporaryView("MyView2", dataStream, Schema::newBuilder().column("f0", "BIGINT").column("f1", "STRING").build());
  tableEnv.from("MyView2").printSchema();

  // the Table API renames
  tableEnv.createTemporaryView("MyView3", tableEnv.fromDataStream(dataStream).as("id", "name"));
  tableEnv.from("MyView3").printSchema();
}
