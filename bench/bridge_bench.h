// What it costs that a query is between two streams: the CPU time of a filter and of an aggregate over a generated
// stream, less that of the bare stream, against the same query over a table of a connector, less that of the bare table.
#pragma once

#include <string>

#include "bench/stream_bench.h"

namespace thalweg::bench {

/// JSON lines: each program, and per query what crossing from stream to table and back costs a record.
Result<std::string> runBridgeBench(const StreamOptions& options);

}  // namespace thalweg::bench
