// CheckpointFigures: how often, how long and how much a job's checkpoints were. Threads: a value.
#pragma once

#include <cstdint>

namespace thalweg::client {

/// What the periodic checkpoints of a job came to so far.
struct CheckpointFigures {
  int64_t completed = 0;
  int64_t duration_ms_max = 0;      ///< from its beginning until it was stored and committed
  int64_t duration_ms_total = 0;
  int64_t duration_ms_last = 0;
  int64_t pause_ns_max = 0;         ///< the longest that a subtask did nothing else
  int64_t pause_ns_last = 0;
  uint64_t bytes_last = 0;          ///< of state
};

}  // namespace thalweg::client
