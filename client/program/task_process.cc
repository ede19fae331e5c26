// Where main ends in a process that a worker started: its graph is the job's, its functions are at hand, and from here on
// the process is what thalweg-task is to SQL.
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "client/program/program_parts.h"
#include "coordinator/compiler/graph_fingerprint.h"
#include "worker/host/task_host.h"

namespace thalweg::client {
namespace {

Result<worker::PlannedTasks> planOf(const ProgramParts& parts) {
  ASSIGN_OR_RETURN(BuiltTaskGraph built, parts.build());
  return worker::PlannedTasks{std::move(built.graph), std::move(built.results), parts.outline.fingerprint, parts.outline.text};
}

}  // namespace

void runTask(const ProgramStart& start, const ProgramParts& parts) {
  worker::TaskHostOptions options;
  options.coordinator = start.coordinator;
  options.worker_id = start.worker_id;
  options.job_id = start.job_id;
  options.attempt = start.attempt;
  options.epoch = start.epoch;
  options.process = start.process;
  options.exchange_host = start.host;
  options.slots = static_cast<size_t>(std::max(1, start.slots));
  options.security = start.security;
  worker::TaskProgram program;
  program.plan = [&parts](const FrozenScript&) { return planOf(parts); };
  program.difference = [](const std::string& expected, const std::string& found) { return coordinator::firstDifference(expected, found); };
  program.remedy = "what a program builds must follow from its arguments, not from the machine, the time or chance";
  const int code = worker::runTaskHost(options, std::move(program));
  std::cout.flush();
  std::fflush(nullptr);
  _exit(code);
}

}  // namespace thalweg::client
