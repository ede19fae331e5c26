#include "bench/state_bench.h"

#include <iomanip>
#include <sstream>

#include "bench/resource_use.h"
#include "client/embedded/sql_engine.h"
#include "common/columnar/builder.h"
#include "common/columnar/key_codec.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"
#include "worker/state/hot_keyed_table.h"

namespace thalweg::bench {
namespace {

constexpr size_t kBatchRows = 8192;

/// Counts of `rounds` * `keys` rows in random order of keys, through encoder and table as an operator does it. CPU seconds.
double countInTable(const StateOptions& options) {
  const DataType type = options.nullable ? DataType::bigint() : DataType::bigint().notNull();
  KeyEncoder encoder({0}, {type});
  KeyedTableSpec spec;
  spec.name = "counts";
  spec.payload_bytes = sizeof(int64_t);
  spec.fixed_keys = encoder.isFixed();
  worker::HotKeyedTable table(std::move(spec), {});
  std::vector<char*> entries(kBatchRows);
  std::vector<uint8_t> created(kBatchRows);
  const auto rows = static_cast<uint64_t>(options.keys * options.rounds);
  const ResourceUse start = ResourceUse::now();
  uint64_t random = 1;
  for (uint64_t done = 0; done < rows; done += kBatchRows) {
    FlatBuilder<int64_t> builder(type, kBatchRows);
    for (size_t i = 0; i < kBatchRows; ++i) {
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      builder.set(i, static_cast<int64_t>((static_cast<unsigned __int128>(random) * static_cast<uint64_t>(options.keys)) >> 64));
    }
    const Batch batch(kBatchRows, {builder.finish()});
    if (!table.upsert(0, encoder.encode(batch), entries, created).isOk()) return 0;
    for (char* entry : entries) ++*reinterpret_cast<int64_t*>(entry);
  }
  return ResourceUse::now().since(start).cpu_seconds;
}

std::string scriptOf(const StateOptions& options) {
  const std::string type = options.nullable ? "BIGINT" : "BIGINT NOT NULL";
  const std::string rows = std::to_string(options.keys * options.rounds);
  return "CREATE TABLE numbers (n " + type + ") WITH ('connector' = 'datagen', 'rows-per-second' = '1000000000', 'number-of-rows' = '" + rows +
         "', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '" + rows + "');\n" +
         "CREATE TABLE counts (k BIGINT, c BIGINT) WITH ('connector' = 'blackhole');\n" +
         "INSERT INTO counts SELECT k, COUNT(*) FROM (SELECT MOD(n, " + std::to_string(options.keys) + ") AS k FROM numbers) GROUP BY k;\n";
}

Result<ResourceUse> countInJob(const StateOptions& options) {
  client::SqlEngine engine;
  RETURN_IF_ERROR(engine.session().configuration().set("parallelism.default", "2"));
  ResourceUse used;
  for (const auto& piece : sql::splitScript(scriptOf(options))) {
    ASSIGN_OR_RETURN(const auto statement, sql::parseStatement(piece.text));
    const ResourceUse start = ResourceUse::now();
    ASSIGN_OR_RETURN(const auto outcome, engine.execute(statement));
    if (!outcome.job) continue;
    RETURN_IF_ERROR(outcome.job->wait());
    used = ResourceUse::now().since(start);
  }
  return used;
}

}  // namespace

Result<std::string> runStateBench(const StateOptions& options) {
  const double idle_mb = ResourceUse::now().peak_rss_mb;
  ASSIGN_OR_RETURN(const ResourceUse job, countInJob(options));
  const double table_seconds = countInTable(options);
  const auto rows = static_cast<double>(options.keys * options.rounds);
  std::ostringstream line;
  line << std::fixed << "{\"bench\": \"state\", \"keys\": " << options.keys << ", \"rounds\": " << options.rounds
       << ", \"nullable\": " << (options.nullable ? "true" : "false") << std::setprecision(1)
       << ", \"bytes_per_key\": " << (job.peak_rss_mb - idle_mb) * 1024 * 1024 / static_cast<double>(options.keys)
       << ", \"peak_rss_mb\": " << job.peak_rss_mb << ", \"idle_rss_mb\": " << idle_mb << std::setprecision(0)
       << ", \"job_rows_per_cpu_second\": " << rows / job.cpu_seconds << ", \"table_upserts_per_cpu_second\": " << rows / table_seconds << "}";
  return line.str();
}

}  // namespace thalweg::bench
