#include "client/program/program_jobs.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <thread>

#include "client/program/program_parts.h"
#include "common/base/current_work.h"
#include "common/process/crash_report.h"
#include "common/process/daemon.h"
#include "coordinator/compiler/graph_fingerprint.h"

namespace thalweg::client {
namespace {

/// What nobody caught, usually a job's failure, is the program's end and not a crash; but for what the engine's own threads
/// let through.
[[noreturn]] void endOnUncaught() {
  try {
    if (const auto caught = std::current_exception()) std::rethrow_exception(caught);
    std::abort();
  } catch (const std::exception& error) {
    std::cout.flush();
    std::cerr << "thalweg run: " << error.what() << std::endl;
    if (currentWork().task.load() != nullptr) std::abort();
  } catch (...) {
    std::abort();
  }
  std::fflush(nullptr);
  _exit(1);
}

/// A task process that is to stop does so at once; what it owes is the next attempt's.
void stopWhenAsked() {
  installCrashReport();
  blockTermination();
  std::thread([] {
    waitForTermination();
    _exit(witnessIsThere() ? 0 : kDescriptorsClosedCode);
  }).detach();
}

struct Program {
  Result<ProgramStart> start = ProgramStart::take();
  int executions = 0;                    ///< jobs started so far

  Program() {
    if (!start.isOk()) return;
    if (start->mode != ProgramStart::Mode::ALONE) std::set_terminate(endOnUncaught);
    if (start->mode == ProgramStart::Mode::TASK) stopWhenAsked();
  }
};

Program& program() {
  static auto* const made = new Program();     // jobs may end after main
  return *made;
}

Result<std::shared_ptr<ProgramJob>> startElsewhere(const ProgramParts& parts) {
  const ProgramStart& start = *program().start;
  const int execution = program().executions++;
  if (start.mode == ProgramStart::Mode::SUBMIT) return submitJob(start, execution, parts);
  if (execution < start.program.execution) return passBy(execution, parts.outline.is_query);
  runTask(start, parts);
}

class ProgramPlanLauncher final : public PlanLauncher {
 public:
  Result<std::shared_ptr<JobHandle>> launchPlan(const JobGraph& graph, bool is_query) override {
    ProgramParts parts;
    parts.outline = outlineOf(graph);
    parts.outline.is_query = is_query;
    parts.outline.text = coordinator::canonicalGraphText(graph);
    parts.outline.fingerprint = coordinator::fingerprintOf(parts.outline.text);
    parts.configuration = graph.configuration;
    parts.name = graph.configuration.getString("pipeline.name");
    if (parts.name.empty()) parts.name = is_query ? "collect" : "insert-into";
    if (is_query) {
      const Schema rows = graph.tasks.back().outputSchema();
      for (const Column& column : rows.columns()) parts.row_types.push_back(column.type);
    }
    parts.build = [&graph] { return buildTaskGraph(graph); };
    ASSIGN_OR_RETURN(const std::shared_ptr<ProgramJob> job, startElsewhere(parts));
    return std::shared_ptr<JobHandle>(job);
  }
  int64_t planTimeMillis() const override { return program().start->plan_time_ms; }
};

}  // namespace

Result<Configuration> programSettings() {
  const Result<ProgramStart>& start = program().start;
  if (!start.isOk()) return start.status();
  Configuration configuration;
  for (const auto& [key, value] : start->program.settings) RETURN_IF_ERROR(configuration.set(key, value));
  return configuration;
}

bool jobsRunHere() { return program().start.isOk() && program().start->mode == ProgramStart::Mode::ALONE; }

Result<std::shared_ptr<ProgramJob>> startProgramJob(StreamJob job, const std::string& name) {
  if (!program().start.isOk()) return program().start.status();
  if (program().start->mode == ProgramStart::Mode::ALONE) {
    ASSIGN_OR_RETURN(std::shared_ptr<EmbeddedJob> embedded, startStreamJob(std::move(job)));
    return std::shared_ptr<ProgramJob>(std::move(embedded));
  }
  ProgramParts parts;
  parts.name = name;
  parts.outline = outlineOf(job);
  parts.configuration = job.configuration;
  if (job.collected_types) parts.row_types = *job.collected_types;
  parts.build = [&job] { return buildStreamJob(std::move(job)); };
  return startElsewhere(parts);
}

std::shared_ptr<PlanLauncher> programPlanLauncher() {
  const Result<ProgramStart>& start = program().start;
  if (start.isOk() && start->mode == ProgramStart::Mode::ALONE) return nullptr;
  return std::make_shared<ProgramPlanLauncher>();
}

}  // namespace thalweg::client
