// Latency of a query whose events come by the clock, whether or not the engine keeps up (an open loop): for every row that
// reaches the sink, the time from when its event was due. Event times have milliseconds, so figures are good to one.
//
// Rows of windows are due when the watermark reaches their end: `watermark_delay_ms` after that time by the clock.
// Looked at is the newest time among a row's TIMESTAMP columns; rows that take something back do not count, nor do those of
// the first second, in which the job starts.
#pragma once

#include <string>

#include "bench/nexmark_job.h"

namespace thalweg::bench {

/// A JSON line; `options.rate` events a second come until there were `options.events`.
Result<std::string> runLatencyBench(NexmarkOptions options, const std::string& query);

}  // namespace thalweg::bench
