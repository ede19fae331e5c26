// The program of docs/guide/tables-and-streams.md.
#include "client/api/thalweg/stream_table_environment.h"

using namespace thalweg::api;

struct Order {
  std::string customer;
  int32_t amount = 0;
  Instant placed;
};
BOOST_DESCRIBE_STRUCT(Order, (), (customer, amount, placed))

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tEnv = StreamTableEnvironment::create(env);

  auto orders = env.fromElements(Order{"Alice", 12, Instant::ofEpochMilli(1000)}, Order{"Bob", 10, Instant::ofEpochMilli(2000)},
                                 Order{"Alice", 100, Instant::ofEpochMilli(3000)});
  Table table = tEnv.fromDataStream(orders);
  table.printSchema();

  Table timed = tEnv.fromDataStream(orders, Schema::newBuilder()
                                                .columnByExpression("rowtime", "CAST(placed AS TIMESTAMP_LTZ(3))")
                                                .watermark("rowtime", "rowtime - INTERVAL '1' SECOND")
                                                .build());

  Table sums = table.groupBy($("customer")).select($("customer"), $("amount").sum().as("total"));
  Table large = tEnv.sqlQuery("SELECT customer, total FROM " + sums + " WHERE total > 11");

  large.execute().print();

  tEnv.createTemporarySystemFunction("shout", [](const std::string& text) { return text + "!"; });

  struct Greeting : MapFunction<Row, std::string> {
    std::string map(const Row& row) override { return "hello " + row.getFieldAs<std::string>("who"); }
  };
  tEnv.toDataStream(table.filter($("amount") < 50).select(call("shout", $("customer")).as("who"))).map(Greeting()).print();

  tEnv.toChangelogStream(sums).filter([](const Row& row) { return row.getKind() != RowKind::UPDATE_BEFORE; }).print();

  tEnv.toDataStream(timed.window(Tumble::over(lit(2).seconds()).on($("rowtime")).as("w"))
                        .groupBy($("w"))
                        .select($("w").end().as("until"), $("amount").sum().as("amount")))
      .print("window");
  env.execute();
}
