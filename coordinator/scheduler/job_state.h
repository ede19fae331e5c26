// JobState: the life of a job, with Flink's names, and the one table of its legal transitions.
//
//   INITIALIZING → CREATED → RUNNING → FINISHED
//   RUNNING → FAILING → RESTARTING → CREATED …, or FAILING → FAILED
//   any that is not over → CANCELLING → CANCELED; SUSPENDED: the coordinator gave it up without ending it
// Threads: values.
#pragma once

#include <cstdint>
#include <string_view>

namespace thalweg::coordinator {

enum class JobState : uint8_t {
  INITIALIZING,  ///< its graph is being planned
  CREATED,       ///< it waits for slots
  RUNNING,       ///< its processes are being started, or run
  FAILING,       ///< its processes are being stopped after a failure
  FAILED,
  CANCELLING,    ///< its processes are being stopped because somebody asked
  CANCELED,
  FINISHED,
  RESTARTING,    ///< it waits for its next attempt
  SUSPENDED,     ///< a coordinator stopped before it ended
};
constexpr int kJobStates = 10;

std::string_view jobStateName(JobState state);
bool isLegalTransition(JobState from, JobState to);
/// Nothing comes after it.
bool isTerminal(JobState state);

}  // namespace thalweg::coordinator
