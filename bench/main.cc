// `thalweg-bench`: measures the engine in events per CPU-second. Each query runs in a process of its own (the program
// starts itself again), so that peak memory is the query's. docs/performance.md says how to read the figures.

#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "bench/resource_use.h"
#include "client/embedded/sql_engine.h"
#include "common/sql/error_text.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"

namespace {

using thalweg::bench::ResourceUse;
using thalweg::client::SqlEngine;
using thalweg::client::StatementOutcome;

struct Options {
  std::vector<std::string> queries = {"q0", "q1", "q2", "q12e", "q17", "q22", "source", "source_all", "decode_csv", "decode_json"};
  std::string folder = "bench/nexmark";
  std::string results = "bench/results/nexmark.jsonl";
  std::string only;              // run this query here and print its line
  int64_t events = 20'000'000;
  int64_t rate = 100'000;        // of event time
  int parallelism = 2;
  bool mini_batch = false;
};

std::string readFile(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) {
    std::cerr << "thalweg-bench: cannot read " << path << '\n';
    std::exit(2);
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& name, const std::string& value) {
  const std::string key = "${" + name + "}";
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key)) text.replace(at, key.size(), value);
  return text;
}

[[noreturn]] void fail(const std::string& text, const thalweg::Status& status) {
  std::cerr << thalweg::sql::renderError(text, status);
  std::exit(1);
}

/// What the last job of a script cost and wrote.
struct Measured {
  ResourceUse used;
  uint64_t rows_out = 0;
};

/// Runs all statements, one job after the other; the last job is what is measured.
Measured runScript(SqlEngine& engine, const std::string& script) {
  Measured measured;
  for (const auto& piece : thalweg::sql::splitScript(script)) {
    const auto statement = thalweg::sql::parseStatement(piece.text);
    if (!statement.isOk()) fail(piece.text, statement.status());
    const ResourceUse start = ResourceUse::now();
    auto outcome = engine.execute(*statement);
    if (!outcome.isOk()) fail(piece.text, outcome.status());
    if (!outcome->job) continue;
    if (const auto status = outcome->job->wait(); !status.isOk()) fail(piece.text, status);
    measured = {ResourceUse::now().since(start), outcome->job->progress().rows_written};
  }
  return measured;
}

/// One query in this process; prints a JSON line.
int runHere(const Options& options) {
  SqlEngine engine;
  auto& configuration = engine.session().configuration();
  const auto set = [&](const char* key, const std::string& value) {
    if (const auto status = configuration.set(key, value); !status.isOk()) fail(key, status);
  };
  set("parallelism.default", std::to_string(options.parallelism));
  set("table.local-time-zone", "UTC");
  if (options.mini_batch) {
    set("table.exec.mini-batch.enabled", "true");
    set("table.exec.mini-batch.allow-latency", "2 s");
    set("table.exec.mini-batch.size", "50000");
  }
  std::string script = readFile(options.folder + "/tables.sql") + readFile(options.folder + "/" + options.only + ".sql");
  script = replaced(replaced(script, "events", std::to_string(options.events)), "rate", std::to_string(options.rate));
  char folder[] = "/tmp/thalweg-bench-XXXXXX";
  if (mkdtemp(folder) == nullptr) return 2;
  script = replaced(script, "folder", folder);
  const auto [used, rows_out] = runScript(engine, script);
  std::filesystem::remove_all(folder);
  // What decodes a file is measured by its rows, not by the events that the file was made of.
  const bool decodes = options.only.rfind("decode", 0) == 0;
  const auto events = static_cast<double>(decodes ? static_cast<int64_t>(rows_out) : options.events);
  std::cout << std::fixed << "{\"query\": \"" << options.only << "\", \"events\": " << options.events << ", \"parallelism\": " << options.parallelism
            << ", \"mini_batch\": " << (options.mini_batch ? "true" : "false") << std::setprecision(3) << ", \"seconds\": " << used.wall_seconds
            << ", \"cpu_seconds\": " << used.cpu_seconds << std::setprecision(0) << ", \"events_per_cpu_second\": " << events / used.cpu_seconds
            << ", \"events_per_second\": " << events / used.wall_seconds << std::setprecision(1) << ", \"peak_rss_mb\": " << used.peak_rss_mb
            << ", \"rows_out\": " << rows_out << ", \"time\": " << std::time(nullptr) << "}\n";
  return 0;
}

/// The same in a child process; its line.
std::string runInChild(const Options& options, const std::string& query) {
  std::ostringstream command;
  command << "'" << std::filesystem::read_symlink("/proc/self/exe").string() << "' nexmark --only " << query << " --events " << options.events << " --rate "
          << options.rate << " --parallelism " << options.parallelism << " --folder '" << options.folder << "'" << (options.mini_batch ? " --mini-batch" : "");
  FILE* pipe = popen(command.str().c_str(), "r");
  if (pipe == nullptr) return {};
  std::string line;
  char buffer[4096];
  while (fgets(buffer, sizeof buffer, pipe) != nullptr) line += buffer;
  return pclose(pipe) == 0 ? line : std::string();
}

std::string field(const std::string& line, const std::string& name) {
  const size_t at = line.find("\"" + name + "\": ");
  if (at == std::string::npos) return "-";
  const size_t begin = at + name.size() + 4;
  return line.substr(begin, line.find_first_of(",}", begin) - begin);
}

int runAll(const Options& options) {
  std::filesystem::create_directories(std::filesystem::path(options.results).parent_path());
  std::ofstream results(options.results, std::ios::app);
  std::cout << std::left << std::setw(12) << "query" << std::right << std::setw(12) << "events" << std::setw(10) << "seconds" << std::setw(10) << "cpu s"
            << std::setw(16) << "events/cpu s" << std::setw(16) << "events/s" << std::setw(10) << "peak MB" << std::setw(12) << "rows out" << '\n';
  int code = 0;
  for (const std::string& query : options.queries) {
    const std::string line = runInChild(options, query);
    if (line.empty()) {
      std::cout << std::left << std::setw(12) << query << " failed\n";
      code = 1;
      continue;
    }
    results << line;
    std::cout << std::left << std::setw(12) << query << std::right << std::setw(12) << field(line, "events") << std::setw(10) << field(line, "seconds")
              << std::setw(10) << field(line, "cpu_seconds") << std::setw(16) << field(line, "events_per_cpu_second") << std::setw(16)
              << field(line, "events_per_second") << std::setw(10) << field(line, "peak_rss_mb") << std::setw(12) << field(line, "rows_out") << '\n'
              << std::flush;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Thalweg's benchmarks"};
  app.require_subcommand(1);
  Options options;
  auto* nexmark = app.add_subcommand("nexmark", "the Nexmark queries, in events per CPU-second");
  nexmark->add_option("queries", options.queries, "q0 q1 q2 q12e q17 q22 source source_all decode_csv decode_json");
  nexmark->add_option("--events", options.events, "how many events");
  nexmark->add_option("--rate", options.rate, "events a second of event time");
  nexmark->add_option("--parallelism", options.parallelism, "parallel subtasks");
  nexmark->add_option("--folder", options.folder, "where the queries are");
  nexmark->add_option("--results", options.results, "the file that gets a JSON line a query");
  nexmark->add_option("--only", options.only, "run one query in this process and print its line");
  nexmark->add_flag("--mini-batch", options.mini_batch, "2 s, 50,000 rows");
  CLI11_PARSE(app, argc, argv);
  return options.only.empty() ? runAll(options) : runHere(options);
}
