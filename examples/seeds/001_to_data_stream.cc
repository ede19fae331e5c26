// Flink documentation program 001, section 2.1: a table with an event time as rows, as records of a class, and as records
// of a structured type; the time becomes the records' timestamp each time.
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

// a record with fields in alphabetical order, as Flink takes them
struct User {
  std::optional<Instant> event_time;
  std::string name;
  int32_t score = 0;
};
BOOST_DESCRIBE_STRUCT(User, (), (event_time, name, score))

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tableEnv = StreamTableEnvironment::create(env);

  tableEnv.executeSql(
      "CREATE TABLE GeneratedTable "
      "("
      "  name STRING,"
      "  score INT,"
      "  event_time TIMESTAMP_LTZ(3),"
      "  WATERMARK FOR event_time AS event_time - INTERVAL '10' SECOND"
      ")"
      "WITH ('connector'='datagen', 'fields.name.length'='4', 'number-of-rows'='2')");   // the original never ends
  const Table table = tableEnv.from("GeneratedTable");

  // === EXAMPLE 1 === the default conversion to instances of Row
  tableEnv.toDataStream(table).print("row");

  // === EXAMPLE 2 === a data type is extracted from the class; fields are reordered, and cast where possible
  tableEnv.toDataStream<User>(table).print("class");
  // data types can be extracted as above or explicitly defined
  tableEnv
      .toDataStream<User>(table, DataTypes::STRUCTURED("User", {DataTypes::FIELD("name", DataTypes::STRING()),
                                                                DataTypes::FIELD("score", DataTypes::INT()),
                                                                DataTypes::FIELD("event_time", DataTypes::TIMESTAMP_LTZ(3))}))
      .print("structured");
  env.execute();
}
