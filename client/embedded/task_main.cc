// The `thalweg-task` program: a process of one job on one worker. Started by workers, never by hand.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>

#include "client/embedded/task_graph_builder.h"
#include "common/process/daemon.h"
#include "coordinator/compiler/graph_fingerprint.h"
#include "coordinator/compiler/script_planner.h"
#include "worker/host/task_host.h"

namespace {

using namespace thalweg;  // NOLINT: a program

/// A relative path means the client's working directory; where that does not exist, it means nothing.
Status checkPaths(const JobGraph& graph, const FrozenScript& script) {
  if (script.working_directory.empty() || access(script.working_directory.c_str(), X_OK) == 0) return {};
  const auto relative = [](const OptionMap& options) {
    const auto path = options.find("path");
    return path != options.end() && !path->second.starts_with("/") && path->second.find("://") == std::string::npos;
  };
  for (const JobTask& task : graph.tasks) {
    for (const PlanNodePtr& node : task.chain) {
      const auto* source = std::get_if<SourceSpec>(&node->spec);
      const auto* sink = std::get_if<SinkSpec>(&node->spec);
      if ((source == nullptr || !relative(source->options)) && (sink == nullptr || !relative(sink->options))) continue;
      return Status::io("a table has a relative path, and the client's working directory " + script.working_directory +
                        " does not exist here; use absolute paths");
    }
  }
  return {};
}

Result<worker::PlannedTasks> plan(const FrozenScript& script) {
  ASSIGN_OR_RETURN(const coordinator::PlannedScript planned, coordinator::planScript(script));
  RETURN_IF_ERROR(checkPaths(planned.graph, script));
  ASSIGN_OR_RETURN(client::BuiltTaskGraph built, client::buildTaskGraph(planned.graph));
  return worker::PlannedTasks{std::move(built.graph), std::move(built.results), planned.fingerprint, planned.text};
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> given;
  for (int i = 1; i + 1 < argc; i += 2) given[argv[i]] = argv[i + 1];
  if (given.count("--coordinator") == 0 || given.count("--job") == 0) {
    std::fprintf(stderr, "thalweg-task is started by thalweg-worker\n");
    return 2;
  }
  blockTermination();
  std::thread([] {
    waitForTermination();
    _exit(0);
  }).detach();
  worker::TaskHostOptions options;
  options.coordinator = given["--coordinator"];
  options.worker_id = given["--worker"];
  options.job_id = given["--job"];
  options.attempt = std::atoi(given["--attempt"].c_str());
  options.epoch = std::strtoull(given["--epoch"].c_str(), nullptr, 10);
  options.process = std::atoi(given["--process"].c_str());
  options.exchange_host = given["--host"];
  options.slots = static_cast<size_t>(std::max(1, std::atoi(given["--slots"].c_str())));
  options.security.ca_file = given["--ca"];
  options.security.cert_file = given["--cert"];
  options.security.key_file = given["--key"];
  if (const char* token = std::getenv("THALWEG_TOKEN")) options.security.token = token;
  const int code = worker::runTaskHost(options, {.plan = plan, .difference = coordinator::firstDifference});
  std::fflush(nullptr);
  _exit(code);
}
