// What keyed state costs that does not fit in memory: updates a CPU-second of a table with a cold tier, beside a read
// and a write of RocksDB for every row; and a whole job with a memory limit.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"

namespace thalweg::bench {

struct TierOptions {
  int64_t keys = 4'000'000;
  int64_t payload_bytes = 48;
  int64_t rows = 8'000'000;      ///< after every key came once
  double over = 4;               ///< how many times the state is larger than the memory for it
  double skew = 0;               ///< 0: keys are drawn evenly; else the exponent of Zipf's law
  int64_t rocks_rows = 400'000;
  std::string backend = "rocksdb";   ///< of the job with checkpoints
  std::string folder = "/tmp";
};

/// A JSON line.
Result<std::string> runTierBench(const TierOptions& options);
/// Snapshots of one table with a cold tier: of all of it, of a tenth that changed, and its restart; a JSON line.
Result<std::string> runSnapshotBench(const TierOptions& options);
/// A job whose updates go to a tenth of `keys` keys, with a checkpoint every `interval_ms` (0: none): how long they take and
/// subtasks pause, and how many rows a second pass while one runs and otherwise; a JSON line.
Result<std::string> runCheckpointJob(const TierOptions& options, int64_t interval_ms);
/// COUNT and SUM of `keys` keys in a job of two subtasks with `memory_mb` for the process; a JSON line.
Result<std::string> runTierJob(const TierOptions& options, int64_t memory_mb);

}  // namespace thalweg::bench
