// Flink improvement proposal 129, first example: a table by the class of its connector.
#include <iostream>

#include "client/api/thalweg/exception.h"
#include "examples/seeds/log_schema.h"

using namespace thalweg::api;
using namespace thalweg::descriptors;

int main() {
  const auto tEnv = TableEnvironment::create();
  tEnv.createTemporaryTable("MyTable", Kafka()
                                           .version("0.11")
                                           .topic("user_logs")
                                           .property("bootstrap.servers", "localhost:9092")
                                           .property("group.id", "test-group")
                                           .startFromEarliest()
                                           .sinkPartitionerRoundRobin()
                                           .format(Json().ignoreParseErrors(false))
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
