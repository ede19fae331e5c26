// Flink documentation program 002: a processing time in a DDL with the option keys of that time, given to sqlUpdate().
#include <iostream>

#include "client/api/thalweg/table_environment.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace thalweg::api;

int main(int, char** argv) {
  const std::string sensor = argv[1];   // /…/sensor.txt
  const auto blinkTabEnv = TableEnvironment::create();

  const std::string sourceDDL = R"(
      create table input_ddl_table(
      id string,
      ts bigint,
      temp double,
      pt as proctime()
      )with(
      'connector.type' = 'filesystem',
      'connector.path' = 'file://)" + sensor + R"(',
      'format.type' = 'csv'
      )
      )";
  blinkTabEnv.sqlUpdate(sourceDDL);

  blinkTabEnv.from("input_ddl_table").printSchema();
  blinkTabEnv.sqlQuery("SELECT id, ts, temp FROM input_ddl_table").execute().print();
}
