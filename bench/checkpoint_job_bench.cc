#include <algorithm>
#include <chrono>
#include <iomanip>
#include <sstream>
#include <thread>

#include "bench/resource_use.h"
#include "bench/tier_bench.h"
#include "client/embedded/embedded_job.h"
#include "client/embedded/sql_engine.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"

namespace thalweg::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto kLookEvery = std::chrono::milliseconds(2);

struct Sample {
  double seconds;
  double cpu_seconds;
  uint64_t rows;
};
struct Checkpoint {
  double begun_seconds;
  double ended_seconds;
  double pause_ms;
  uint64_t bytes;
};

/// What was seen of the job from outside, every few milliseconds.
struct Course {
  std::vector<Sample> samples;
  std::vector<Checkpoint> checkpoints;
  double loaded_seconds = 0;           // every key has come once
};

std::string scriptOf(const TierOptions& options) {
  const std::string keys = std::to_string(options.keys);
  const std::string rows = std::to_string(options.keys + options.rows);
  return "CREATE TABLE numbers (n BIGINT NOT NULL) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000000', 'number-of-rows' = '" + rows +
         "', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '" + rows + "');\n" +
         "CREATE TABLE counts (k BIGINT, c BIGINT, s BIGINT, low BIGINT, high BIGINT, a DOUBLE, b BIGINT, d BIGINT) WITH ('connector' = 'blackhole');\n" +
         "INSERT INTO counts SELECT k, COUNT(*), SUM(n), MIN(n), MAX(n), AVG(CAST(n AS DOUBLE)), SUM(n * 3), MAX(-n) FROM (SELECT CASE WHEN n < " +
         keys + " THEN n ELSE MOD(n * 7919, " + std::to_string(options.keys / 10) + ") * 10 END AS k, n FROM numbers) GROUP BY k;\n";
}

Course watch(const client::EmbeddedJob& job, int64_t keys) {
  Course course;
  const auto start = SteadyClock::now();
  const ResourceUse use = ResourceUse::now();
  int64_t completed = 0;
  while (!job.hasEnded()) {
    std::this_thread::sleep_for(kLookEvery);
    const double now = std::chrono::duration<double>(SteadyClock::now() - start).count();
    const uint64_t rows = job.progress().rows_read;
    course.samples.push_back({now, ResourceUse::now().since(use).cpu_seconds, rows});
    if (course.loaded_seconds == 0 && rows >= static_cast<uint64_t>(keys)) course.loaded_seconds = now;
    const client::CheckpointFigures figures = job.checkpointFigures();
    if (figures.completed == completed) continue;
    completed = figures.completed;
    course.checkpoints.push_back({now - static_cast<double>(figures.duration_ms_last) / 1000, now, static_cast<double>(figures.pause_ns_last) / 1e6, figures.bytes_last});
  }
  return course;
}

/// Rows a second, and a CPU-second, of the updates: while a checkpoint ran, or while none did.
std::pair<double, double> rateOf(const Course& course, bool while_checkpointing) {
  double seconds = 0;
  double cpu_seconds = 0;
  double rows = 0;
  const double end = course.samples.empty() ? 0 : course.samples.back().seconds;
  for (size_t i = 1; i < course.samples.size(); ++i) {
    const Sample& before = course.samples[i - 1];
    const Sample& now = course.samples[i];
    if (before.seconds < course.loaded_seconds || now.seconds > end * 0.98) continue;
    const bool is_inside = std::any_of(course.checkpoints.begin(), course.checkpoints.end(), [&](const Checkpoint& each) {
      return now.seconds > each.begun_seconds && before.seconds < each.ended_seconds;
    });
    if (is_inside != while_checkpointing) continue;
    seconds += now.seconds - before.seconds;
    cpu_seconds += now.cpu_seconds - before.cpu_seconds;
    rows += static_cast<double>(now.rows - before.rows);
  }
  return {seconds > 0 ? rows / seconds : 0, cpu_seconds > 0 ? rows / cpu_seconds : 0};
}

double partOf(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<size_t>(part * static_cast<double>(values.size())))];
}

}  // namespace

Result<std::string> runCheckpointJob(const TierOptions& options, int64_t interval_ms) {
  client::SqlEngine engine;
  Configuration& configuration = engine.session().configuration();
  RETURN_IF_ERROR(configuration.set("parallelism.default", "2"));
  RETURN_IF_ERROR(configuration.set("state.backend.type", options.backend));
  RETURN_IF_ERROR(configuration.set("state.backend.rocksdb.localdir", options.folder));
  RETURN_IF_ERROR(configuration.set("taskmanager.memory.process.size", "6 gb"));
  if (interval_ms > 0) {
    RETURN_IF_ERROR(configuration.set("execution.checkpointing.interval", std::to_string(interval_ms) + " ms"));
    RETURN_IF_ERROR(configuration.set("execution.checkpointing.dir", options.folder + "/checkpoints"));
  }
  Course course;
  for (const auto& piece : sql::splitScript(scriptOf(options))) {
    ASSIGN_OR_RETURN(const auto statement, sql::parseStatement(piece.text));
    ASSIGN_OR_RETURN(const auto outcome, engine.execute(statement));
    if (!outcome.job) continue;
    course = watch(*outcome.embedded, options.keys);
    RETURN_IF_ERROR(outcome.job->wait());
  }
  std::vector<double> pauses;
  std::vector<double> durations;
  for (const Checkpoint& each : course.checkpoints) {
    if (each.begun_seconds < course.loaded_seconds) continue;
    pauses.push_back(each.pause_ms);
    durations.push_back((each.ended_seconds - each.begun_seconds) * 1000);
  }
  // The first of them writes what came while it was loaded.
  if (!durations.empty()) {
    pauses.erase(pauses.begin());
    durations.erase(durations.begin());
  }
  double load_pause_ms = 0;
  for (const Checkpoint& each : course.checkpoints) {
    if (each.begun_seconds < course.loaded_seconds) load_pause_ms = std::max(load_pause_ms, each.pause_ms);
  }
  const auto [rate, cpu_rate] = rateOf(course, false);
  const auto [rate_during, cpu_rate_during] = rateOf(course, true);
  std::ostringstream line;
  line << std::fixed << std::setprecision(1) << "{\"bench\": \"checkpoint_job\", \"backend\": \"" << options.backend << "\", \"keys\": " << options.keys << ", \"updates\": " << options.rows
       << ", \"interval_ms\": " << interval_ms << ", \"checkpoints\": " << durations.size() << ", \"checkpoint_ms_p50\": " << partOf(durations, 0.5)
       << ", \"checkpoint_ms_max\": " << partOf(durations, 1) << ", \"pause_ms_p50\": " << partOf(pauses, 0.5) << ", \"pause_ms_p99\": " << partOf(pauses, 0.99)
       << ", \"pause_ms_max_while_loading\": " << load_pause_ms << ", \"state_mb\": "
       << (course.checkpoints.empty() ? 0 : static_cast<double>(course.checkpoints.back().bytes) / 1e6) << std::setprecision(0) << ", \"rows_per_second\": " << rate
       << ", \"rows_per_second_during\": " << rate_during << ", \"rows_per_cpu_second\": " << cpu_rate << ", \"rows_per_cpu_second_during\": " << cpu_rate_during
       << ", \"load_seconds\": " << course.loaded_seconds << ", \"peak_rss_mb\": " << ResourceUse::now().peak_rss_mb << "}";
  return line.str();
}

}  // namespace thalweg::bench
