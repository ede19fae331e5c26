// Flink documentation program 001, section 1.1.1: fromDataStream with all fields derived, with computed columns, with
// time attributes, and with columns declared by hand.
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

// some example record
struct User {
  std::optional<std::string> name;
  std::optional<int32_t> score;
  std::optional<Instant> event_time;
};
BOOST_DESCRIBE_STRUCT(User, (), (name, score, event_time))

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);

  // create a DataStream
  DataStream<User> dataStream = env.fromElements(User{"Alice", 4, Instant::ofEpochMilli(1000)}, User{"Bob", 6, Instant::ofEpochMilli(1001)},
                                                 User{"Alice", 10, Instant::ofEpochMilli(1002)});

  // === EXAMPLE 1 === derive all physical columns automatically
  tableEnv.fromDataStream(dataStream).printSchema();

  // === EXAMPLE 2 === and add computed columns (in this case for creating a proctime attribute column)
  tableEnv.fromDataStream(dataStream, Schema::newBuilder().columnByExpression("proc_time", "PROCTIME()").build()).printSchema();

  // === EXAMPLE 3 === a rowtime attribute column and a custom watermark strategy
  tableEnv
      .fromDataStream(dataStream, Schema::newBuilder()
                                      .columnByExpression("rowtime", "CAST(event_time AS TIMESTAMP_LTZ(3))")
                                      .watermark("rowtime", "rowtime - INTERVAL '10' SECOND")
                                      .build())
      .printSchema();

  // === EXAMPLE 4 === access the record's timestamp, rely on the stream's watermarks
  tableEnv
      .fromDataStream(dataStream, Schema::newBuilder()
                                      .columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)")
                                      .watermark("rowtime", "SOURCE_WATERMARK()")
                                      .build())
      .printSchema();

  // === EXAMPLE 5 === define physical columns manually: another precision, and `event_time` at the beginning
  tableEnv
      .fromDataStream(dataStream, Schema::newBuilder()
                                      .column("event_time", "TIMESTAMP_LTZ(3)")
                                      .column("name", "STRING")
                                      .column("score", "INT")
                                      .watermark("event_time", "SOURCE_WATERMARK()")
                                      .build())
      .printSchema();
  // note: the watermark strategy is not shown due to the inserted column reordering projection
}
