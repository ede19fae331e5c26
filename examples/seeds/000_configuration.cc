// Flink documentation program 000, section 1.1: settings are made early, in both APIs, before pipelines are defined.
#include <iostream>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

struct MyCustomType {
  int part = 0;
};

// What Flink calls addDefaultKryoSerializer(classOf[MyCustomType], classOf[CustomKryoSerializer]).
template <>
struct thalweg::api::TypeSerializer<MyCustomType> {
  static std::string serialize(const MyCustomType& value) { return std::to_string(value.part); }
  static MyCustomType deserialize(std::string_view bytes) { return {std::stoi(std::string(bytes))}; }
  static std::string toString(const MyCustomType& value) { return "MyCustomType(" + std::to_string(value.part) + ")"; }
};

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  // set various configuration early
  env.setMaxParallelism(256);
  env.setParallelism(1);
  throwIfFailed(env.getConfiguration().set("execution.checkpointing.mode", "EXACTLY_ONCE"));

  // then switch to the Table API, and configure it early
  auto tableEnv = StreamTableEnvironment::create(env);
  tableEnv.getConfig().setLocalTimeZone(ZoneId::of("Europe/Berlin"));

  // start defining your pipelines in both APIs...
  env.fromElements(MyCustomType{1}, MyCustomType{2}).print();
  env.execute();
  tableEnv.sqlQuery("SELECT CAST(TO_TIMESTAMP_LTZ(0, 3) AS STRING) AS berlin").execute().print();
  std::cout << env.getMaxParallelism() << ' ' << tableEnv.getConfig().getLocalTimeZone().getId() << '\n';
}
