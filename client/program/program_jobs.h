// The jobs of a program, started as the program itself was: by hand they run here, by `thalweg run` they are sent to a
// cluster, and in a process that a worker started execute() is where the program becomes that job's task process.
//
// Threads: one. Lifetime: jobs may outlive everything else.
#pragma once

#include <memory>
#include <string>

#include "client/embedded/stream_job.h"
#include "common/config/configuration.h"

namespace thalweg::client {

/// What environments of this program begin with: `-D` and `-p` of `thalweg run`. Empty in a program started by hand.
/// INVALID_ARGUMENT if the program was started in a way it does not understand.
Result<Configuration> programSettings();

/// Whether the program was started by hand. False also if how it was started is not understood.
bool jobsRunHere();

/// Starts the next job. In a task process whose job it is, the call does not return.
Result<std::shared_ptr<ProgramJob>> startProgramJob(StreamJob job, const std::string& name);

/// The same for plans; null in a program started by hand, whose engine runs them itself.
std::shared_ptr<PlanLauncher> programPlanLauncher();

}  // namespace thalweg::client
