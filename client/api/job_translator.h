// translate: the pending nodes of a stream graph as a job of chains.
//
// A node is fused with the node it reads from when it has that one input, the edge only forwards, both have the same
// parallelism, and nobody asked otherwise. Pure but for the factories it wraps.
#pragma once

#include "client/api/thalweg/stream_graph.h"
#include "client/embedded/stream_job.h"

namespace thalweg::api {

/// `runs_here`: the job runs in this process. Else a stage that collects stays behind: its records become the job's rows.
/// Errors: PLAN_ERROR for what cannot be (parallelism, partitioning).
Result<client::StreamJob> translate(const StreamGraph& graph, bool runs_here);

}  // namespace thalweg::api
