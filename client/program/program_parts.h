// ProgramParts: one job of a program, however it was made, as the ways to run it elsewhere need it. For this room only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/embedded/stream_job.h"
#include "common/rpc/program_start.h"

namespace thalweg::client {

struct ProgramParts {
  std::string name;
  JobOutline outline;
  Configuration configuration;
  std::vector<DataType> row_types = {};                    ///< of a query
  std::function<Result<BuiltTaskGraph>()> build;
};

/// Sends it to the cluster.
Result<std::shared_ptr<ProgramJob>> submitJob(const ProgramStart& start, int execution, const ProgramParts& parts);
/// Runs this process's share of it and ends the process.
[[noreturn]] void runTask(const ProgramStart& start, const ProgramParts& parts);
/// The job of an execute() before the one that this task process is for.
std::shared_ptr<ProgramJob> passBy(int execution, bool gives_rows);

}  // namespace thalweg::client
