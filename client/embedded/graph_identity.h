// What tells two processes that they planned the same job (coordinator/compiler/graph_fingerprint.h, for rooms that
// may not know the coordinator). Threads: pure.
#pragma once

#include <string>

#include "common/plan/job_graph.h"

namespace thalweg::client {

struct GraphIdentity {
  std::string text;
  std::string fingerprint;
};

GraphIdentity identityOf(const JobGraph& graph);

}  // namespace thalweg::client
