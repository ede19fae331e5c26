// Flink documentation program 000, section 2: a generated table by descriptor, keyed and mapped as a stream.
#include <iostream>

#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  auto tableEnv = StreamTableEnvironment::create(env);

  const Table table = tableEnv.from(TableDescriptor::forConnector("datagen")
                                        .schema(Schema::newBuilder()
                                                    .column("uid", DataTypes::TINYINT())
                                                    .column("playload", DataTypes::STRING())
                                                    .build())
                                        // .option("number-of-rows", "10")   // without it the source is endless, but for sequences
                                        .option("rows-per-second", "1000")   // the original has 10, and takes ten seconds
                                        .option("fields.uid.kind", "sequence")
                                        .option("fields.uid.start", "0")
                                        .option("fields.uid.end", "100")
                                        .build());
  table.printSchema();

  auto lines = tableEnv.toDataStream(table)
                   .keyBy([](const Row& r) { return r.getFieldAs<std::string>("playload"); })
                   .map([](const Row& r) {
                     return "My custom operator: " + r.getFieldAs<std::string>("playload") + "||" + std::to_string(r.getFieldAs<int8_t>("uid"));
                   })
                   .executeAndCollect();
  for (const std::string& line : lines) std::cout << line << '\n';
}
