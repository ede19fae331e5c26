// Flink documentation program 002: an event time in the schema of a connect() descriptor.
#include <iostream>

#include "client/api/thalweg/descriptors.h"
#include "client/api/thalweg/exception.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace thalweg::api;
namespace d = thalweg::descriptors;

int main(int, char** argv) {
  const std::string sensor = argv[1];   // sensor.txt
  const auto tabEnv = TableEnvironment::create();

  // As the original has it: the rowtime does not say where its timestamps come from, which is refused.
  try {
    tabEnv.connect(d::FileSystem().path(sensor))
        .withFormat(d::Csv())
        .withSchema(d::Schema()
                        .field("id", DataTypes::STRING())
                        .field("ts", DataTypes::BIGINT())
                        .field("temp", DataTypes::DOUBLE())
                        .rowtime(d::Rowtime().watermarksPeriodicBounded(1000)))
        .createTemporaryTable("input_table");
  } catch (const ValidationException& refused) {
    std::cout << refused.what() << '\n';
  }

  tabEnv.connect(d::FileSystem().path(sensor))
      .withFormat(d::Csv())
      .withSchema(d::Schema()
                      .field("id", DataTypes::STRING())
                      .field("ts", DataTypes::BIGINT())
                      .field("temp", DataTypes::DOUBLE())
                      .field("rt", DataTypes::TIMESTAMP(3))
                      .rowtime(d::Rowtime().timestampsFromField("ts").watermarksPeriodicBounded(1000)))
      .createTemporaryTable("input_table");
  tabEnv.from("input_table").printSchema();
  tabEnv.sqlQuery("SELECT id, temp, rt FROM input_table").execute().print();
}
