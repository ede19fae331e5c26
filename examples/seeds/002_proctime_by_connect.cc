// Flink documentation program 002: a processing time in the schema of a connect() descriptor.
#include <fstream>
#include <iostream>

#include "client/api/thalweg/descriptors.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace thalweg::api;
namespace d = thalweg::descriptors;

int main(int, char** argv) {
  const std::string sensor = argv[1];   // sensor.txt
  const auto oldTabEnv = TableEnvironment::create();

  oldTabEnv.connect(d::FileSystem().path(sensor))
      .withFormat(d::Csv())
      .withSchema(d::Schema()
                      .field("id", DataTypes::STRING())
                      .field("ts", DataTypes::DOUBLE())
                      .field("temp", DataTypes::DOUBLE())   // BIGINT in the original, but the file has 35.8
                      .field("pt", DataTypes::TIMESTAMP(3))
                      .proctime())
      .createTemporaryTable("input_table");

  oldTabEnv.from("input_table").printSchema();
  oldTabEnv.sqlQuery("SELECT id, ts, temp, pt IS NOT NULL AS timed FROM input_table").execute().print();
}
