#include "bench/child_runs.h"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>

#include "bench/json_line.h"

namespace thalweg::bench {
namespace {

constexpr int64_t kShortestIntervalMs = 5;

/// What a command prints, if it ends well.
std::optional<std::string> outputOf(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  char buffer[4096];
  while (fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
  if (pclose(pipe) != 0) return std::nullopt;
  return text;
}

std::string commandOf(const NexmarkOptions& options, const std::string& query) {
  std::ostringstream command;
  command << "'" << std::filesystem::read_symlink("/proc/self/exe").string() << "' nexmark --only " << query << " --events " << options.events << " --rate "
          << options.rate << " --parallelism " << options.parallelism << " --processes " << options.processes << " --folder '" << options.folder << "' --checkpoint-interval "
          << options.checkpoint_interval_ms << " --memory '" << options.memory << "'";
  for (const std::string& setting : options.settings) command << " --set '" << setting << "'";
  if (!options.from.empty()) command << " --from " << options.from;
  command << (options.mini_batch ? " --mini-batch" : "") << (options.source_only ? " --source-only" : "") << (options.all_columns ? " --all-columns" : "")
          << (options.split ? " --split" : "");
  return command.str();
}

std::string cheapestOf(const NexmarkOptions& options, const std::string& query) {
  std::string best;
  for (int i = 0; i < options.repeat; ++i) {
    const std::string line = outputOf(commandOf(options, query)).value_or("");
    if (line.empty()) return {};
    if (best.empty() || number(line, "cpu_seconds") < number(best, "cpu_seconds")) best = line;
  }
  return best;
}

}  // namespace

std::string runInChild(const NexmarkOptions& options, const std::string& query) {
  NexmarkOptions run = options;
  for (;;) {
    std::string line = cheapestOf(run, query);
    const bool enough = run.checkpoint_interval_ms == 0 || number(line, "checkpoints") >= run.checkpoints;
    if (line.empty() || enough || run.checkpoint_interval_ms <= kShortestIntervalMs) return line;
    run.checkpoint_interval_ms /= 2;
  }
}

std::string runPeer(const NexmarkOptions& options, const std::string& query) {
  const auto text = outputOf(options.peer + " " + query + ":" + std::to_string(options.events));
  std::istringstream lines(text.value_or(""));
  std::string line;
  std::string last;
  while (std::getline(lines, line)) {
    if (line.find("\"query\": \"" + query + "\"") != std::string::npos) last = line;
  }
  return last;
}

}  // namespace thalweg::bench
