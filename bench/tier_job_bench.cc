#include <iomanip>
#include <sstream>

#include "bench/resource_use.h"
#include "bench/tier_bench.h"
#include "client/embedded/sql_engine.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"

namespace thalweg::bench {

Result<std::string> runTierJob(const TierOptions& options, int64_t memory_mb) {
  const std::string rows = std::to_string(options.keys + options.rows);
  const std::string script =
      "CREATE TABLE numbers (n BIGINT NOT NULL) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000000', 'number-of-rows' = '" + rows +
      "', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '" + rows + "');\n" +
      "CREATE TABLE counts (k BIGINT, c BIGINT, s BIGINT) WITH ('connector' = 'blackhole');\n" +
      "INSERT INTO counts SELECT k, COUNT(*), SUM(n) FROM (SELECT MOD(n * 7919, " + std::to_string(options.keys) +
      ") AS k, n FROM numbers) GROUP BY k;\n";
  client::SqlEngine engine;
  Configuration& configuration = engine.session().configuration();
  RETURN_IF_ERROR(configuration.set("parallelism.default", "2"));
  if (memory_mb > 0) {
    RETURN_IF_ERROR(configuration.set("state.backend.type", "rocksdb"));
    RETURN_IF_ERROR(configuration.set("state.backend.rocksdb.localdir", options.folder));
    RETURN_IF_ERROR(configuration.set("taskmanager.memory.process.size", std::to_string(memory_mb) + " mb"));
  }
  ResourceUse used;
  for (const auto& piece : sql::splitScript(script)) {
    ASSIGN_OR_RETURN(const auto statement, sql::parseStatement(piece.text));
    const ResourceUse start = ResourceUse::now();
    ASSIGN_OR_RETURN(const auto outcome, engine.execute(statement));
    if (!outcome.job) continue;
    RETURN_IF_ERROR(outcome.job->wait());
    used = ResourceUse::now().since(start);
  }
  std::ostringstream line;
  line << std::fixed << std::setprecision(1) << "{\"bench\": \"tier_job\", \"keys\": " << options.keys << ", \"rows\": " << rows << ", \"limit_mb\": " << memory_mb
       << ", \"peak_rss_mb\": " << used.peak_rss_mb << ", \"wall_seconds\": " << used.wall_seconds << ", \"cpu_seconds\": " << used.cpu_seconds << std::setprecision(0)
       << ", \"rows_per_cpu_second\": " << static_cast<double>(options.keys + options.rows) / used.cpu_seconds << "}";
  return line.str();
}

}  // namespace thalweg::bench
