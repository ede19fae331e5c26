// Event time across the border: timestamps and watermarks of streams in tables, and of tables in streams.
#include <algorithm>

#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"

#include <catch2/catch.hpp>

using namespace thalweg::api;
using Catch::Matchers::Contains;

namespace {

struct Reading {
  std::string sensor;
  int64_t time_ms = 0;
  int32_t value = 0;
};
BOOST_DESCRIBE_STRUCT(Reading, (), (sensor, time_ms, value))

using Rows = std::vector<std::string>;

template <typename T>
Rows sortedTexts(const DataStream<T>& stream) {
  Rows rows;
  for (const T& record : stream.executeAndCollect().toVector()) rows.push_back(textOf(record));
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// A program at that parallelism, whose watermark follows every record.
struct Program {
  explicit Program(int parallelism, bool batch = false) {
    env.setParallelism(parallelism);
    throwIfFailed(env.getConfiguration().set("pipeline.auto-watermark-interval", "0"));
    if (batch) env.setRuntimeMode(RuntimeExecutionMode::BATCH);
    tables.emplace(StreamTableEnvironment::create(env));
  }
  DataStream<Reading> readings(Duration delay) const {
    return env.fromElements(Reading{"a", 1000, 1}, Reading{"b", 1500, 2}, Reading{"a", 2500, 3}, Reading{"a", 900, 4}, Reading{"b", 7000, 5}, Reading{"a", 6500, 6})
        .assignTimestampsAndWatermarks(
            WatermarkStrategy<Reading>::forBoundedOutOfOrderness(delay).withTimestampAssigner([](const Reading& r, int64_t) { return r.time_ms; }));
  }
  Table timed(Duration delay) const {
    return tables->fromDataStream(readings(delay), Schema::newBuilder()
                                                       .columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)")
                                                       .watermark("rowtime", "SOURCE_WATERMARK()")
                                                       .build());
  }
  StreamExecutionEnvironment env = StreamExecutionEnvironment::getExecutionEnvironment();
  std::optional<StreamTableEnvironment> tables;
};

/// The watermark and timestamp that each row of a stream meets.
struct Clock : ProcessFunction<Row, std::string> {
  void processElement(const Row& row, Context& ctx, Collector<std::string>& out) override {
    const int64_t watermark = ctx.currentWatermark();
    out.collect(row.toString() + " ts=" + std::to_string(*ctx.timestamp()) + " wm=" + (watermark < 0 ? "-" : std::to_string(watermark)));
  }
};

}  // namespace

TEST_CASE("windows of tables close by the watermarks of streams") {
  const std::string query = "SELECT sensor, SUM(v) AS total FROM (SELECT sensor, `value` AS v, window_start, window_end FROM "
                            "TABLE(TUMBLE(TABLE timed, DESCRIPTOR(rowtime), INTERVAL '2' SECOND))) GROUP BY sensor, window_start, window_end";
  for (const int parallelism : {1, 4}) {
    INFO("parallelism " << parallelism);
    const Program patient(parallelism);
    patient.tables->createTemporaryView("timed", patient.timed(Duration::ofSeconds(5)));
    CHECK(sortedTexts(patient.tables->toDataStream(patient.tables->sqlQuery(query))) == Rows{"+I[a, 3]", "+I[a, 5]", "+I[a, 6]", "+I[b, 2]", "+I[b, 5]"});
  }
  const Program strict(1);                      // 900 comes behind the watermark that closed its window
  strict.tables->createTemporaryView("timed", strict.timed(Duration::zero()));
  CHECK(sortedTexts(strict.tables->toDataStream(strict.tables->sqlQuery(query))) == Rows{"+I[a, 1]", "+I[a, 3]", "+I[a, 6]", "+I[b, 2]", "+I[b, 5]"});
  const Program batch(2, true);
  batch.tables->createTemporaryView("timed", batch.timed(Duration::zero()));
  CHECK(sortedTexts(batch.tables->toDataStream(batch.tables->sqlQuery(query))) == Rows{"+I[a, 3]", "+I[a, 5]", "+I[a, 6]", "+I[b, 2]", "+I[b, 5]"});
}

TEST_CASE("a stream behind a table has its timestamps and watermarks") {
  const Program program(1);
  const DataStream<Row> rows = program.tables->toDataStream(program.timed(Duration::ofSeconds(1)).select($("sensor"), $("rowtime")));
  CHECK(sortedTexts(rows.process(Clock())) ==
        Rows{"+I[a, 1970-01-01T00:00:00.900Z] ts=900 wm=1499", "+I[a, 1970-01-01T00:00:01Z] ts=1000 wm=-", "+I[a, 1970-01-01T00:00:02.500Z] ts=2500 wm=499",
             "+I[a, 1970-01-01T00:00:06.500Z] ts=6500 wm=5999", "+I[b, 1970-01-01T00:00:01.500Z] ts=1500 wm=-", "+I[b, 1970-01-01T00:00:07Z] ts=7000 wm=1499"});
}

TEST_CASE("a watermark of the schema replaces the stream's") {
  const Program program(1);
  const Table table = program.tables->fromDataStream(program.readings(Duration::ofHours(1)),
                                                     Schema::newBuilder()
                                                         .columnByExpression("t", "TO_TIMESTAMP_LTZ(time_ms, 3)")
                                                         .watermark("t", "t - INTERVAL '0.001' SECOND")
                                                         .build());
  CHECK(sortedTexts(program.tables->toDataStream(table.select($("value"), $("t"))).process(Clock())).front() ==
        "+I[1, 1970-01-01T00:00:01Z] ts=1000 wm=-");
  CHECK_THAT(sortedTexts(program.tables->toDataStream(table.select($("value"), $("t"))).process(Clock())).back(), Contains("ts=6500 wm=6999"));
}

TEST_CASE("without a time in the schema the table's stream has none") {
  const Program program(1);
  struct HasTime : ProcessFunction<Row, std::string> {
    void processElement(const Row&, Context& ctx, Collector<std::string>& out) override { out.collect(ctx.timestamp() || ctx.currentWatermark() > thalweg::kMinWatermark ? "timed" : "none"); }
  };
  const Table plain = program.tables->fromDataStream(program.readings(Duration::zero()));
  CHECK(sortedTexts(program.tables->toDataStream(plain).process(HasTime())) == Rows(6, "none"));
}

TEST_CASE("times of field expressions are UTC in any zone") {
  const Program program(1);
  program.tables->getConfig().setLocalTimeZone(ZoneId::of("Asia/Shanghai"));
  const Table appended = program.tables->fromDataStream(program.readings(Duration::zero()), $("sensor"), $("rt").rowtime(), $("pt").proctime());
  CHECK(appended.getResolvedSchema().toString() ==
        "(\n  `sensor` STRING NOT NULL,\n  `rt` TIMESTAMP(3) *ROWTIME*,\n  `pt` TIMESTAMP_LTZ(3) *PROCTIME*\n)");
  CHECK(appended.select($("sensor"), $("rt")).execute().collect().next().toString() == "+I[a, 1970-01-01T00:00:01]");
  const Table replaced = program.tables->fromDataStream(program.readings(Duration::zero()), $("sensor"), $("time_ms").rowtime().as("t"), $("value"));
  CHECK(replaced.getResolvedSchema().toString() == "(\n  `sensor` STRING NOT NULL,\n  `t` TIMESTAMP(3) *ROWTIME*,\n  `value` INT NOT NULL\n)");
  CHECK_THROWS_WITH(program.tables->fromDataStream(program.readings(Duration::zero()), $("sensor").rowtime(), $("value")),
                    Contains("can only replace a field with a valid time type"));
}

TEST_CASE("a keyed stream is a table of its records, and a table's rows can be keyed") {
  const Program program(2);
  const auto keyed = program.readings(Duration::zero()).keyBy([](const Reading& r) { return r.sensor; });
  const Table sums = program.tables->fromDataStream(keyed).groupBy($("sensor")).select($("sensor"), $("value").sum().as("total"));
  struct Last : KeyedProcessFunction<std::string, Row, int32_t> {
    ValueState<int32_t> total;
    void open(const OpenContext&) override { total = getRuntimeContext().getState(ValueStateDescriptor<int32_t>("total")); }
    void processElement(const Row& row, Context&, Collector<int32_t>& out) override {
      if (row.getKind() == RowKind::UPDATE_BEFORE) return;
      total.update(row.getFieldAs<int32_t>("total"));
      out.collect(*total.value());
    }
  };
  Rows totals = sortedTexts(program.tables->toChangelogStream(sums).keyBy([](const Row& row) { return row.getFieldAs<std::string>("sensor"); }).process(Last()));
  CHECK(std::count(totals.begin(), totals.end(), "14") == 1);
  CHECK(std::count(totals.begin(), totals.end(), "7") == 1);
}
