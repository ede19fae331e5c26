// What a DataStream program costs: records per CPU-second of map→filter→sink, and of map→filter→keyBy→sum, over a
// generated stream of a described struct.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"

namespace thalweg::bench {

struct StreamOptions {
  int64_t records = 20'000'000;
  int parallelism = 2;
  int64_t keys = 1000;
};

/// Runs both; JSON lines.
Result<std::string> runStreamBench(const StreamOptions& options);

}  // namespace thalweg::bench
