// What keyed state costs: memory a key of COUNT(*) GROUP BY a BIGINT in a whole job, and counts a CPU-second of the
// table alone.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"

namespace thalweg::bench {

struct StateOptions {
  int64_t keys = 10'000'000;
  int64_t rounds = 2;       ///< how often each key comes
  bool nullable = false;    ///< keys of a type that may be NULL
};

/// Runs both; a JSON line.
Result<std::string> runStateBench(const StateOptions& options);

}  // namespace thalweg::bench
