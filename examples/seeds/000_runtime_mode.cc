// Flink documentation program 000, section 2: batch mode adopted from the stream environment, or said explicitly.
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

void show(const StreamTableEnvironment& tableEnv) {
  tableEnv.sqlQuery("SELECT name, SUM(score) AS total FROM (VALUES ('Alice', 12), ('Alice', 100)) AS t (name, score) GROUP BY name").execute().print();
}

int main() {
  {
    // adopt mode from StreamExecutionEnvironment
    auto env = StreamExecutionEnvironment::getExecutionEnvironment();
    env.setRuntimeMode(RuntimeExecutionMode::BATCH);
    auto tableEnv = StreamTableEnvironment::create(env);
    show(tableEnv);
  }
  {
    // set mode explicitly for StreamTableEnvironment
    auto env = StreamExecutionEnvironment::getExecutionEnvironment();
    auto tableEnv = StreamTableEnvironment::create(env, EnvironmentSettings::inBatchMode());
    show(tableEnv);
  }
  {
    auto env = StreamExecutionEnvironment::getExecutionEnvironment();
    auto tableEnv = StreamTableEnvironment::create(env, EnvironmentSettings::inStreamingMode());
    show(tableEnv);
  }
}
