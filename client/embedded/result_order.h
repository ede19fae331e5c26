// In which order the rows of a query's changing result belong, for those who show it while it changes.
//
// Threads: pure.
#pragma once

#include <vector>

#include "common/columnar/key_codec.h"
#include "common/plan/plan_node.h"

namespace thalweg::client {

/// By partition and rank, over the result's columns, if `sink` collects a Top-N; empty if it has no order of its own, or
/// the columns that tell it are not among its columns.
std::vector<SortKey> resultOrderOf(const PlanNode& sink);

}  // namespace thalweg::client
