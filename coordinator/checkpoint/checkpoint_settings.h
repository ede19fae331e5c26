// CheckpointSettings: what a job's configuration says about checkpoints, under Flink's keys and with its defaults.
//
// Threads: a value.
#pragma once

#include <cstdint>
#include <string>

#include "common/config/configuration.h"

namespace thalweg::coordinator {

/// What becomes of the last checkpoints when a job ends for good.
enum class CheckpointRetention : uint8_t {
  NO_EXTERNALIZED_CHECKPOINTS,  ///< removed however the job ends
  DELETE_ON_CANCELLATION,       ///< kept when the job fails
  RETAIN_ON_CANCELLATION,       ///< kept when it fails or is cancelled
};

/// How a job ended.
enum class JobEnd : uint8_t { FINISHED, STOPPED, CANCELLED, FAILED };

struct CheckpointSettings {
  int64_t interval_ms = 0;              ///< 0: none are taken
  int64_t timeout_ms = 600'000;
  int64_t min_pause_ms = 0;             ///< between the end of one and the beginning of the next
  int64_t tolerable_failures = 0;       ///< consecutive ones; the next fails the job
  int64_t retained_max = 1;
  CheckpointRetention retention = CheckpointRetention::NO_EXTERNALIZED_CHECKPOINTS;
  std::string folder;                   ///< empty: checkpoints are kept in memory, for restarts within the process
  std::string savepoint_folder;         ///< default target of savepoints; empty: none
  std::string restore_path;             ///< where the job starts from; empty: nothing
  bool ignore_unclaimed_state = false;

  bool isEnabled() const { return interval_ms > 0; }
  bool keepsAfter(JobEnd end) const;
};

CheckpointSettings checkpointSettings(const Configuration& configuration);

}  // namespace thalweg::coordinator
