// Flink documentation program 000, section 3.1: a stream of case classes as a table, by five schemas.
#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"

using namespace thalweg::api;

struct User {
  std::optional<std::string> name;
  int32_t score = 0;
  std::optional<Instant> event_time;
};
BOOST_DESCRIBE_STRUCT(User, (), (name, score, event_time))

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);

  DataStream<User> dataStream = env.fromElements(User{"Alice", 4, Instant::ofEpochMilli(1000)}, User{"Bob", 6, Instant::ofEpochMilli(1001)},
                                                 User{"Alice", 10, Instant::ofEpochMilli(1002)});
  // example (4) inherits these watermarks
  DataStream<User> dataStream2 = dataStream.assignTimestampsAndWatermarks(
      WatermarkStrategy<User>::forBoundedOutOfOrderness(Duration::ofSeconds(2))
          .withTimestampAssigner([](const User& element, int64_t) { return element.event_time->toEpochMilli(); }));

  // example (1): everything from the stream
  const Table table = tableEnv.fromDataStream(dataStream);
  table.printSchema();

  // example (2): and a computed column, here a processing time
  const Table table2 = tableEnv.fromDataStream(dataStream, Schema::newBuilder().columnByExpression("proc_time", "PROCTIME()").build());
  table2.printSchema();

  // example (3): an event time with watermarks of its own
  const Table table3 = tableEnv.fromDataStream(dataStream, Schema::newBuilder()
                                                               .columnByExpression("rowtime", "CAST(event_time AS TIMESTAMP_LTZ(3))")
                                                               .watermark("rowtime", "rowtime - INTERVAL '10' SECOND")
                                                               .build());
  table3.printSchema();
  tableEnv.toDataStream(table3).print("table3");

  // example (4): the records' timestamps and the stream's watermarks
  const Table table4 = tableEnv.fromDataStream(dataStream2, Schema::newBuilder()
                                                                .columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)")
                                                                .watermark("rowtime", "SOURCE_WATERMARK()")
                                                                .build());
  table4.printSchema();
  tableEnv.toDataStream(table4).print("table4");

  // example (5): columns declared by hand, the time with precision 3 instead of 9
  const Table table5 = tableEnv.fromDataStream(dataStream2, Schema::newBuilder()
                                                                .column("name", "STRING")
                                                                .column("score", "INT")
                                                                .column("event_time", "TIMESTAMP_LTZ(3)")
                                                                .watermark("event_time", "SOURCE_WATERMARK()")
                                                                .build());
  table5.printSchema();
  tableEnv.toDataStream(table5).print("table5");

  env.execute();
}
