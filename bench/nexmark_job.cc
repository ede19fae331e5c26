#include "bench/nexmark_job.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "bench/cluster_of_run.h"
#include "bench/cpu_split.h"
#include "bench/resource_use.h"
#include "bench/scratch_folder.h"
#include "client/embedded/sql_engine.h"
#include "common/sql/error_text.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"
#include "worker/connectors/blackhole/blackhole_sink.h"

namespace thalweg::bench {
namespace {

using client::SqlEngine;

constexpr int kSideInputLines = 10'000;

Result<std::string> readFile(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) return Status::invalid("cannot read " + path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& name, const std::string& value) {
  const std::string key = "${" + name + "}";
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key)) text.replace(at, key.size(), value);
  return text;
}

/// The statement that makes the columns named in `-- Reads: a, b.c` and swallows them.
Result<std::string> sourceStatement(const std::string& script) {
  const std::string mark = "-- Reads: ";
  const size_t at = script.find(mark);
  if (at == std::string::npos) return Status::invalid("the script has no line '" + mark + "…', which a run of the source alone needs");
  std::istringstream names(script.substr(at + mark.size(), script.find('\n', at) - at - mark.size()));
  std::string columns;
  std::string name;
  for (int i = 0; std::getline(names, name, ','); ++i) columns += (i == 0 ? "" : ", ") + name + " AS c" + std::to_string(i);
  return "CREATE TABLE source_columns WITH ('connector' = 'blackhole') AS SELECT " + columns + " FROM datagen;\n";
}

Status setAll(Configuration& configuration, const NexmarkOptions& options, const std::string& folder) {
  RETURN_IF_ERROR(configuration.set("parallelism.default", std::to_string(options.parallelism)));
  RETURN_IF_ERROR(configuration.set("table.local-time-zone", "UTC"));
  if (options.mini_batch) {
    RETURN_IF_ERROR(configuration.set("table.exec.mini-batch.enabled", "true"));
    RETURN_IF_ERROR(configuration.set("table.exec.mini-batch.allow-latency", "2 s"));
    RETURN_IF_ERROR(configuration.set("table.exec.mini-batch.size", "50000"));
  }
  if (options.checkpoint_interval_ms > 0) {
    RETURN_IF_ERROR(configuration.set("execution.checkpointing.interval", std::to_string(options.checkpoint_interval_ms) + " ms"));
    RETURN_IF_ERROR(configuration.set("execution.checkpointing.dir", folder + "/checkpoints"));
    RETURN_IF_ERROR(configuration.set("state.backend.type", "rocksdb"));
    RETURN_IF_ERROR(configuration.set("state.backend.rocksdb.localdir", folder));
    RETURN_IF_ERROR(configuration.set("taskmanager.memory.process.size", options.memory));
  }
  for (const std::string& setting : options.settings) {
    const size_t at = setting.find('=');
    if (at == std::string::npos) return Status::invalid("expected key=value, found '" + setting + "'");
    RETURN_IF_ERROR(configuration.set(setting.substr(0, at), setting.substr(at + 1)));
  }
  return {};
}

/// What the last job of a script cost and wrote.
struct Measured {
  ResourceUse used;
  uint64_t rows_out = 0;
  uint64_t checksum = 0;
  client::CheckpointFigures checkpoints = {};
};

/// Runs all statements, one job after the other; the last job is what is measured.
Result<Measured> runScript(SqlEngine& engine, const std::string& script) {
  Measured measured;
  for (const auto& piece : sql::splitScript(script)) {
    const auto failed = [&](const Status& status) { return Status(status.code(), sql::renderError(piece.text, status)); };
    const auto statement = sql::parseStatement(piece.text);
    if (!statement.isOk()) return failed(statement.status());
    const ResourceUse start = ResourceUse::now();
    const uint64_t sum = worker::blackholeTotals().checksum;
    auto outcome = engine.execute(*statement);
    if (!outcome.isOk()) return failed(outcome.status());
    if (!outcome->job) continue;
    if (const auto status = outcome->job->wait(); !status.isOk()) return failed(status);
    measured = {ResourceUse::now().since(start), outcome->job->progress().rows_written, worker::blackholeTotals().checksum - sum};
    if (outcome->embedded != nullptr) measured.checkpoints = outcome->embedded->checkpointFigures();
  }
  return measured;
}

/// Makes the events of the tables' script come when they are due.
Status pace(std::string& script) {
  for (const auto& [old_text, new_text] : {std::pair<std::string, std::string>{"'max-emit-speed' = 'true'", "'max-emit-speed' = 'false'"},
                                           {"    'base-time' = '1767225600000',\n", ""}}) {
    const size_t at = script.find(old_text);
    if (at == std::string::npos) return Status::invalid("tables.sql does not say " + old_text);
    script.replace(at, old_text.size(), new_text);
  }
  return {};
}

/// The query's script behind the tables', its variables filled in.
Result<std::string> scriptOf(const NexmarkOptions& options, const std::string& query, const std::string& folder) {
  ASSIGN_OR_RETURN(std::string script, readFile(options.folder + "/tables.sql"));
  ASSIGN_OR_RETURN(std::string statements, readFile(options.folder + "/" + query + ".sql"));
  if (options.source_only) { ASSIGN_OR_RETURN(statements, sourceStatement(statements)); }
  if (!options.from.empty()) {
    ASSIGN_OR_RETURN(const std::string file, readFile(options.folder + "/from_" + options.from + ".sql"));
    script += file;
  }
  if (options.paced) RETURN_IF_ERROR(pace(script));
  script += statements;
  script = replaced(replaced(script, "events", std::to_string(options.events)), "rate", std::to_string(options.rate));
  script = replaced(script, "parallelism", std::to_string(options.parallelism));
  return replaced(replaced(script, "folder", folder), "all", options.all_columns ? "true" : "false");
}

void writeSideInput(const std::string& folder) {
  std::ofstream lines(folder + "/side_input.csv");
  for (int i = 0; i < kSideInputLines; ++i) lines << i << ',' << i << '\n';
}

std::string splitText(const CpuSplit& split) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3) << ", \"source_share\": " << split.source << ", \"exchange_share\": " << split.exchange
       << ", \"operators_share\": " << split.operators << ", \"state_share\": " << split.state << ", \"checkpoint_share\": " << split.checkpoint
       << ", \"other_share\": " << split.other << ", \"samples\": " << split.samples;
  return text.str();
}

std::string lineOf(const NexmarkOptions& options, const std::string& query, const Measured& measured, const std::string& split) {
  // What decodes a file is measured by its rows, not by the events that the file was made of.
  const bool decodes = query.rfind("decode", 0) == 0;
  const auto events = static_cast<double>(decodes ? static_cast<int64_t>(measured.rows_out) : options.events);
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  const client::CheckpointFigures& checkpoints = measured.checkpoints;
  std::ostringstream line;
  line << std::fixed << "{\"query\": \"" << query << (options.from.empty() ? "" : "\", \"from\": \"" + options.from) << "\", \"events\": " << options.events << ", \"parallelism\": " << options.parallelism
       << ", \"processes\": " << options.processes << ", \"mini_batch\": " << flag(options.mini_batch) << ", \"source_only\": " << flag(options.source_only)
       << ", \"all_columns\": " << flag(options.all_columns) << std::setprecision(3) << ", \"seconds\": " << measured.used.wall_seconds
       << ", \"cpu_seconds\": " << measured.used.cpu_seconds << std::setprecision(0)
       << ", \"events_per_cpu_second\": " << events / measured.used.cpu_seconds << ", \"events_per_second\": " << events / measured.used.wall_seconds
       << std::setprecision(1) << ", \"peak_rss_mb\": " << measured.used.peak_rss_mb << ", \"rows_out\": " << measured.rows_out;
  if (options.processes == 1) line << ", \"checksum\": " << measured.checksum;       // another process' sink keeps its own
  if (options.checkpoint_interval_ms > 0 && options.processes == 1) {
    line << ", \"checkpoint_interval_ms\": " << options.checkpoint_interval_ms << ", \"checkpoints\": " << checkpoints.completed
         << ", \"checkpoint_ms_max\": " << checkpoints.duration_ms_max << ", \"pause_ms_max\": " << static_cast<double>(checkpoints.pause_ns_max) / 1e6
         << ", \"checkpoint_mb\": " << static_cast<double>(checkpoints.bytes_last) / 1e6;
  }
  line << split << ", \"time\": " << std::time(nullptr) << "}";
  return line.str();
}

}  // namespace

Result<std::string> runNexmarkQuery(const NexmarkOptions& options, const std::string& query) {
  const ScratchFolder scratch;
  if (scratch.path().empty()) return Status::invalid("cannot make a folder for temporary files");
  const std::string& folder = options.keep_files_in.empty() ? scratch.path() : options.keep_files_in;
  SqlEngine engine;
  RETURN_IF_ERROR(setAll(engine.session().configuration(), options, folder));
  if (query == "q13") writeSideInput(folder);
  ASSIGN_OR_RETURN(const std::string script, scriptOf(options, query, folder));
  std::unique_ptr<ClusterOfRun> cluster;
  if (options.processes > 1) {
    if (options.split) return Status::notSupported("--split with --processes: it samples one process");
    ASSIGN_OR_RETURN(cluster, ClusterOfRun::start(folder, options.parallelism));
    engine.setLauncher(cluster->launcher());
  }
  if (options.split) startCpuSamples();
  ASSIGN_OR_RETURN(Measured measured, runScript(engine, script));
  if (cluster != nullptr) {
    const ResourceUse children = cluster->stop();
    measured.used.cpu_seconds += children.cpu_seconds;
    measured.used.peak_rss_mb = children.peak_rss_mb;
  }
  std::string split;
  if (options.split) {
    ASSIGN_OR_RETURN(const CpuSplit shares, stopCpuSamples());
    split = splitText(shares);
  }
  return lineOf(options, query, measured, split);
}

}  // namespace thalweg::bench
