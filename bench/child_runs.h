// Runs of a query in processes of their own, here and on another engine: each gives the JSON line it printed, or nothing.
#pragma once

#include <string>

#include "bench/nexmark_job.h"

namespace thalweg::bench {

/// The query in a child process: the cheapest of the repetitions. Where a number of checkpoints is wanted, the interval is
/// halved until so many complete.
std::string runInChild(const NexmarkOptions& options, const std::string& query);
/// The same query by `options.peer`.
std::string runPeer(const NexmarkOptions& options, const std::string& query);

}  // namespace thalweg::bench
