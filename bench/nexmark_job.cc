#include "bench/nexmark_job.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "bench/resource_use.h"
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

/// A folder of the run's own, gone with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "thalweg-bench-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

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

Status setAll(Configuration& configuration, const NexmarkOptions& options) {
  RETURN_IF_ERROR(configuration.set("parallelism.default", std::to_string(options.parallelism)));
  RETURN_IF_ERROR(configuration.set("table.local-time-zone", "UTC"));
  if (!options.mini_batch) return {};
  RETURN_IF_ERROR(configuration.set("table.exec.mini-batch.enabled", "true"));
  RETURN_IF_ERROR(configuration.set("table.exec.mini-batch.allow-latency", "2 s"));
  return configuration.set("table.exec.mini-batch.size", "50000");
}

/// What the last job of a script cost and wrote.
struct Measured {
  ResourceUse used;
  uint64_t rows_out = 0;
  uint64_t checksum = 0;
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
  }
  return measured;
}

}  // namespace

Result<std::string> runNexmarkQuery(const NexmarkOptions& options, const std::string& query) {
  SqlEngine engine;
  RETURN_IF_ERROR(setAll(engine.session().configuration(), options));
  const ScratchFolder folder;
  if (folder.path().empty()) return Status::invalid("cannot make a folder for temporary files");
  std::ofstream side_input(folder.path() + "/side_input.csv");
  for (int i = 0; i < kSideInputLines; ++i) side_input << i << ',' << i << '\n';
  side_input.close();

  ASSIGN_OR_RETURN(std::string script, readFile(options.folder + "/tables.sql"));
  ASSIGN_OR_RETURN(std::string statements, readFile(options.folder + "/" + query + ".sql"));
  if (options.source_only) { ASSIGN_OR_RETURN(statements, sourceStatement(statements)); }
  script += statements;
  script = replaced(replaced(script, "events", std::to_string(options.events)), "rate", std::to_string(options.rate));
  script = replaced(replaced(script, "folder", folder.path()), "all", options.all_columns ? "true" : "false");
  ASSIGN_OR_RETURN(const Measured measured, runScript(engine, script));

  // What decodes a file is measured by its rows, not by the events that the file was made of.
  const bool decodes = query.rfind("decode", 0) == 0;
  const auto events = static_cast<double>(decodes ? static_cast<int64_t>(measured.rows_out) : options.events);
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  std::ostringstream line;
  line << std::fixed << "{\"query\": \"" << query << "\", \"events\": " << options.events << ", \"parallelism\": " << options.parallelism
       << ", \"mini_batch\": " << flag(options.mini_batch) << ", \"source_only\": " << flag(options.source_only)
       << ", \"all_columns\": " << flag(options.all_columns) << std::setprecision(3) << ", \"seconds\": " << measured.used.wall_seconds
       << ", \"cpu_seconds\": " << measured.used.cpu_seconds << std::setprecision(0)
       << ", \"events_per_cpu_second\": " << events / measured.used.cpu_seconds << ", \"events_per_second\": " << events / measured.used.wall_seconds
       << std::setprecision(1) << ", \"peak_rss_mb\": " << measured.used.peak_rss_mb << ", \"rows_out\": " << measured.rows_out
       << ", \"checksum\": " << measured.checksum << ", \"time\": " << std::time(nullptr) << "}";
  return line.str();
}

}  // namespace thalweg::bench
