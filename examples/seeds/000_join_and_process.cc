// Flink documentation program 000, section 2.1: a join by SQL, then a KeyedProcessFunction that lets the first row of
// each name through. With the argument `streaming` in streaming mode.
#include <cstring>

#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"

using namespace thalweg::api;

struct FirstOfEachName : KeyedProcessFunction<std::string, Row, std::string> {
  ValueState<std::string> seen;

  void open(const OpenContext&) override { seen = getRuntimeContext().getState(ValueStateDescriptor<std::string>("seen")); }

  void processElement(const Row& row, Context&, Collector<std::string>& out) override {
    const auto name = row.getFieldAs<std::string>("name");
    if (!seen.value()) {   // only the first match of an order
      seen.update(name);
      out.collect(row.toString());
    }
  }
};

int main(int argc, char** argv) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  const bool streaming = argc > 1 && std::strcmp(argv[1], "streaming") == 0;
  env.setRuntimeMode(streaming ? RuntimeExecutionMode::STREAMING : RuntimeExecutionMode::BATCH);
  auto tableEnv = StreamTableEnvironment::create(env);

  auto userStream = env.fromElements(Row::of(LocalDateTime::parse("2021-08-21T13:00:00"), 1, "Alice"),
                                     Row::of(LocalDateTime::parse("2021-08-21T13:05:00"), 2, "Bob"),
                                     Row::of(LocalDateTime::parse("2021-08-21T13:10:00"), 2, "Bob"))
                        .returns(Types::ROW_NAMED({"ts", "uid", "name"}, {Types::LOCAL_DATE_TIME(), Types::INT(), Types::STRING()}));

  auto orderStream = env.fromElements(Row::of(LocalDateTime::parse("2021-08-21T13:02:00"), 1, 122),
                                      Row::of(LocalDateTime::parse("2021-08-21T13:07:00"), 2, 239),
                                      Row::of(LocalDateTime::parse("2021-08-21T13:11:00"), 2, 999),
                                      Row::of(LocalDateTime::parse("2021-08-21T13:15:01"), 2, 999))
                         .returns(Types::ROW_NAMED({"ts", "uid", "amount"}, {Types::LOCAL_DATE_TIME(), Types::INT(), Types::INT()}));

  tableEnv.createTemporaryView("UserTable", userStream,
                               Schema::newBuilder()
                                   .column("ts", DataTypes::TIMESTAMP())
                                   .column("uid", DataTypes::INT())
                                   .column("name", DataTypes::STRING())
                                   .build());
  tableEnv.createTemporaryView("OrderTable", orderStream,
                               Schema::newBuilder()
                                   .column("ts", DataTypes::TIMESTAMP())
                                   .column("uid", DataTypes::INT())
                                   .column("amount", DataTypes::INT())
                                   .build());

  const Table joinedTable = tableEnv.sqlQuery(
      "select U.name, U.ts as Uts, O.amount, O.ts as Ots "
      "from UserTable U, OrderTable O "
      "where U.uid=O.uid and O.ts between U.ts and U.ts +interval '5' minutes");

  DataStream<Row> joinedStream = tableEnv.toDataStream(joinedTable);
  joinedStream.print("joinedStream: ");
  joinedStream.keyBy([](const Row& r) { return r.getFieldAs<std::string>("name"); }).process(FirstOfEachName()).print("process: ");

  env.execute();
}
