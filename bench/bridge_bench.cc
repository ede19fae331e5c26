#include "bench/bridge_bench.h"

#include <functional>

#include "bench/resource_use.h"
#include "bench/trade.h"
#include "client/api/thalweg/stream_table_environment.h"

namespace thalweg::bench {
namespace {

using namespace thalweg::api;

constexpr const char* kFilter = "SELECT account, cents, rate FROM trades WHERE MOD(cents, 10) <> 0";
constexpr const char* kAggregate = "SELECT account, SUM(cents) AS cents, MAX(rate) AS rate FROM trades GROUP BY account";

struct Program {
  Program(const StreamOptions& options_in, RuntimeExecutionMode mode) : options(options_in) {
    env.setParallelism(options.parallelism);
    env.setRuntimeMode(mode);
    tables = StreamTableEnvironment::create(env);      // takes the mode as it is now
  }
  const StreamOptions& options;
  StreamExecutionEnvironment env = StreamExecutionEnvironment::getExecutionEnvironment();
  StreamTableEnvironment tables = StreamTableEnvironment::create(env);

  DataStream<Trade> stream() const {
    return env.fromSource(DataGeneratorSource([keys = options.keys](int64_t i) { return Trade{i % keys, i, 1.5}; }, options.records),
                          WatermarkStrategy<Trade>::noWatermarks(), "trades");
  }
  void tableOfStream() const { tables.createTemporaryView("trades", stream()); }
  /// The same records, made by a connector and the query's own projection.
  void table() const {
    tables.executeSql("CREATE TABLE numbers (cents BIGINT) WITH ('connector' = 'datagen', 'fields.cents.kind' = 'sequence', 'fields.cents.start' = '0', "
                      "'fields.cents.end' = '" + std::to_string(options.records - 1) + "', 'rows-per-second' = '1000000000')");
    tables.executeSql("CREATE VIEW trades AS SELECT MOD(cents, CAST(" + std::to_string(options.keys) + " AS BIGINT)) AS account, cents, 1.5E0 AS rate FROM numbers");
    tables.executeSql("CREATE TABLE nowhere (account BIGINT, cents BIGINT, rate DOUBLE) WITH ('connector' = 'blackhole')");
  }
};

double cpuOf(const std::function<void()>& run) {
  const ResourceUse start = ResourceUse::now();
  run();
  return ResourceUse::now().since(start).cpu_seconds;
}

class Measured {
 public:
  explicit Measured(const StreamOptions& options) : options_(options) {}

  /// CPU nanoseconds a record: the least of three runs, as others work on the machine, too.
  double nanos(const std::string& name, const std::function<void(const Program&)>& run, RuntimeExecutionMode mode = RuntimeExecutionMode::STREAMING) {
    double least = 1e18;
    for (int i = 0; i < 3; ++i) {
      const Program program(options_, mode);
      least = std::min(least, cpuOf([&] { run(program); }));
    }
    const double nanos = least * 1e9 / static_cast<double>(options_.records);
    line("\"program\": \"" + name + "\", \"cpu_ns_per_record\": " + std::to_string(nanos));
    return nanos;
  }
  void line(const std::string& content) {
    lines_ += (lines_.empty() ? "" : "\n") + ("{" + content) + ", \"records\": " + std::to_string(options_.records) + ", \"parallelism\": " +
              std::to_string(options_.parallelism) + "}";
  }
  const std::string& lines() const { return lines_; }

 private:
  const StreamOptions& options_;
  std::string lines_;
};

void discard(const Program& program, const DataStream<Trade>& stream) {
  stream.addSink([sum = int64_t{0}](const Trade& trade) mutable { sum += trade.cents; });
  program.env.execute("bench");
}

void insert(const Program& program, const std::string& query) {
  program.table();
  program.tables.executeSql("INSERT INTO nowhere " + query).await();
}

}  // namespace

Result<std::string> runBridgeBench(const StreamOptions& options) {
  try {
    Measured measured(options);
    const double stream = measured.nanos("stream", [](const Program& p) { discard(p, p.stream()); });
    const double table = measured.nanos("table", [](const Program& p) { insert(p, "SELECT * FROM trades"); });
    const double stream_filter = measured.nanos("stream-filter-stream", [](const Program& p) {
      p.tableOfStream();
      discard(p, p.tables.toDataStream<Trade>(p.tables.sqlQuery(kFilter)));
    });
    const double table_filter = measured.nanos("table-filter", [](const Program& p) { insert(p, kFilter); });
    const double stream_aggregate = measured.nanos("stream-aggregate-stream", [](const Program& p) {
      p.tableOfStream();
      p.tables.toChangelogStream(p.tables.sqlQuery(kAggregate)).addSink([](const Row&) {});
      p.env.execute("bench");
    });
    const double table_aggregate = measured.nanos("table-aggregate", [](const Program& p) { insert(p, kAggregate); });
    const double stream_batch = measured.nanos("stream-aggregate-stream, batch", [](const Program& p) {
      p.tableOfStream();
      discard(p, p.tables.toDataStream<Trade>(p.tables.sqlQuery(kAggregate)));
    }, RuntimeExecutionMode::BATCH);
    const double table_batch = measured.nanos("table-aggregate, batch", [](const Program& p) { insert(p, kAggregate); }, RuntimeExecutionMode::BATCH);
    const double into_table = measured.nanos("stream-aggregate", [](const Program& p) {
      p.tableOfStream();
      p.tables.executeSql("CREATE TABLE nowhere (account BIGINT, cents BIGINT, rate DOUBLE) WITH ('connector' = 'blackhole')");
      p.tables.executeSql(std::string("INSERT INTO nowhere ") + kAggregate).await();
    });
    const auto cost = [&](const std::string& query, double bridged, double pure) {
      measured.line("\"bridge\": \"" + query + "\", \"ns_per_record\": " + std::to_string((bridged - stream) - (pure - table)));
    };
    cost("filter", stream_filter, table_filter);
    cost("aggregate, batch", stream_batch, table_batch);
    cost("aggregate, every change as a Row", stream_aggregate, table_aggregate);
    cost("aggregate, into a table", into_table, table_aggregate);
    return measured.lines();
  } catch (const std::exception& error) {
    return Status::runtime(error.what());
  }
}

}  // namespace thalweg::bench
