// JobGraph: a compiled plan cut into tasks. What the coordinator schedules and workers instantiate.
//
// A task is a chain: a head (source, or operator with one or more inputs behind exchanges) and single-input operators
// fused behind it. The output of a chain's last operator may feed several tasks. Immutable once made.
#pragma once

#include <string>
#include <vector>

#include "common/plan/plan_node.h"

namespace thalweg {

/// How rows travel between the subtasks of two tasks.
enum class ExchangeKind : uint8_t {
  FORWARD,    ///< subtask i to subtask i; equal parallelism
  HASH,       ///< by key group of `keys`
  REBALANCE,  ///< batches in turn
  BROADCAST,
  SINGLETON,  ///< the receiver has one subtask
};

struct JobEdge {
  int from_task = 0;                   ///< index in JobGraph::tasks
  ExchangeKind exchange = ExchangeKind::FORWARD;
  std::vector<int> keys = {};          ///< HASH: columns of the sender's output
};

struct JobTask {
  std::string name;                    ///< `Source: bids -> Calc`, as REST and metrics show it
  int parallelism = 1;
  std::vector<PlanNodePtr> chain;      ///< head first
  std::vector<JobEdge> inputs;         ///< one per input of the head; empty for sources
  Schema outputSchema() const { return chain.back()->schema; }
};

struct JobGraph {
  std::vector<JobTask> tasks;          ///< upstream before downstream
  Configuration configuration;
  int max_parallelism = 128;
  bool batch_mode = false;
};

}  // namespace thalweg
