// Flink improvement proposal 129, second example: the same table by the connector's name and options.
#include <iostream>

#include "client/api/thalweg/exception.h"
#include "examples/seeds/log_schema.h"

using namespace thalweg::api;
using namespace thalweg::descriptors;

int main() {
  const auto tEnv = TableEnvironment::create();
  tEnv.createTemporaryTable("MyTable", Connector("kafka-0.11")
                                           .option("topic", "user_logs")
                                           .option("properties.bootstrap.servers", "localhost:9092")
                                           .option("properties.group.id", "test-group")
                                           .option("scan.startup.mode", "earliest")
                                           .option("format", "json")
                                           .option("json.ignore-parse-errors", "true")
                                           .option("sink.partitioner", "round-robin")
                                           .schema(logSchema())
                                           .partitionedBy("part_field_0", "part_field_1"));

  // the table is what this DDL declares
  std::cout << tEnv.executeSql("SHOW CREATE TABLE MyTable").collect().next().getFieldAs<std::string>(0);
  try {
    tEnv.from("MyTable").execute();
  } catch (const UnsupportedOperationException& refused) {
    std::cout << refused.what() << '\n';
  }
}
