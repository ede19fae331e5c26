// PlanNode: the compiled plan — a DAG of operator specs with their exchanges. What coordinator and worker execute.
//
// Immutable once built; nodes shared by several consumers appear once (shared sources and sub-plans).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/config/configuration.h"
#include "common/plan/operator_spec.h"

namespace thalweg {

/// How rows reach the parallel copies of an operator.
struct Distribution {
  enum class Kind : uint8_t {
    ANY,        ///< as they come; chained if possible, else forwarded or rebalanced
    HASH,       ///< equal `keys` to one subtask, by key group
    SINGLETON,  ///< all to one subtask
    BROADCAST,  ///< each to every subtask
  };
  Kind kind = Kind::ANY;
  std::vector<int> keys = {};
};

struct PlanNode;
using PlanNodePtr = std::shared_ptr<const PlanNode>;

struct PlanInput {
  PlanNodePtr node;
  Distribution distribution;
};

struct PlanNode {
  int id = 0;                       ///< unique in the plan, ascending from sources to sinks
  std::string uid;                  ///< stable: derived from kind, keys and position (savepoints)
  std::string description;          ///< for EXPLAIN, metrics and messages: `GroupAggregate(groupBy=[a], …)`
  OperatorSpec spec;
  std::vector<PlanInput> inputs;
  Schema schema;                    ///< output
  ChangelogMode mode;               ///< output
  std::vector<std::vector<int>> upsert_keys = {};  ///< of the output
  int parallelism = 0;              ///< 0: the job's default
  /// Of an operator whose state may outlive the plan: what is computed on the way to it (OperatorUids).
  std::optional<std::string> computed_inputs = std::nullopt;
};

struct CompiledPlan {
  std::vector<PlanNodePtr> sinks;   ///< SinkSpec or CollectSpec nodes
  Configuration configuration;      ///< frozen session settings
  bool batch_mode = false;
};

}  // namespace thalweg
