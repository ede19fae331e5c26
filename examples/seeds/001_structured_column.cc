// Flink documentation program 001, section 1.1.1: the whole record as one column of a structured type.
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

struct User {
  std::optional<std::string> name;
  std::optional<int32_t> score;
};
BOOST_DESCRIBE_STRUCT(User, (), (name, score))

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);
  DataStream<User> dataStream = env.fromElements(User{"Alice", 4}, User{"Bob", 6}, User{"Alice", 10});

  const Table table = tableEnv.fromDataStream(dataStream, Schema::newBuilder().column("f0", DataTypes::of<User>()).build()).as("user");
  table.printSchema();

  // data types can be extracted as above or explicitly defined
  const Table table3 =
      tableEnv
          .fromDataStream(dataStream, Schema::newBuilder()
                                          .column("f0", DataTypes::STRUCTURED("User", {DataTypes::FIELD("name", DataTypes::STRING()),
                                                                                       DataTypes::FIELD("score", DataTypes::INT())}))
                                          .build())
          .as("user");
  table3.printSchema();

  tableEnv.toDataStream(table3.select($("user").get("name"), $("user").get("score"))).print();
  env.execute();
}
