// Flink documentation program 002: an event time in a DDL with the option keys of that time, given to sqlUpdate().
#include <iostream>

#include "client/api/thalweg/table_environment.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace thalweg::api;

int main(int, char** argv) {
  const std::string sensor = argv[1];   // sensor.txt
  const auto tabEnv = TableEnvironment::create();

  const std::string tableDDL = R"(
      create table dataTable (
       id varchar(20) not null,
       ts bigint,
       temperature double,
       rt AS TO_TIMESTAMP( FROM_UNIXTIME(ts) ),
       watermark for rt as rt - interval '1' second
      ) with (
       'connector.type' = 'filesystem',
       'connector.path' = ')" + sensor + R"(',
       'format.type' = 'csv'
      )
      )";
  tabEnv.sqlUpdate(tableDDL);

  tabEnv.from("dataTable").printSchema();
  tabEnv.sqlQuery("SELECT id, temperature, rt FROM dataTable").execute().print();
}
