// The table of a run over many Nexmark queries: each in a process of its own (the program starts itself again), so that
// peak memory is the query's; ratios to reference figures and, on request, to another engine run in turn with this one.
#pragma once

#include "bench/nexmark_job.h"

namespace thalweg::bench {

/// Runs the queries, prints the table, appends a JSON line each to options.results. The exit code.
int runNexmarkTable(const NexmarkOptions& options);

/// Every query of the suite, and the two runs of the source alone.
std::vector<std::string> nexmarkQueries();

}  // namespace thalweg::bench
