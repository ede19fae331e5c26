// RestartStrategy: whether and when a failed job starts again, by Flink's `restart-strategy.*` keys.
//
//   none                a failure ends the job
//   fixed-delay         so many times, with the same pause
//   exponential-delay   for ever (or so many times), with growing pauses that shrink again after a quiet time
//   failure-rate        as long as failures do not come too thick
// Without a choice of the user a job with checkpoints ('execution.checkpointing.interval') is restarted with growing pauses
// and one without is not, as in Flink.
// Threads: one owner. Times are milliseconds.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "common/base/random.h"
#include "common/base/status.h"

namespace thalweg::coordinator {

class RestartStrategy {
 public:
  virtual ~RestartStrategy() = default;
  /// The job failed now: the pause before its next attempt, or none if it is over.
  virtual std::optional<int64_t> pauseAfterFailure(int64_t now_ms) = 0;

  /// From a job's settings, with the cluster's beneath them. INVALID_ARGUMENT names a bad value.
  static Result<std::unique_ptr<RestartStrategy>> make(const std::map<std::string, std::string>& settings, uint64_t seed);
};

}  // namespace thalweg::coordinator
