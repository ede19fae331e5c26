// Planner: bound queries → compiled plan.
//
// Steps, each a file: rewrite the logical trees by rules (optimizer.h), find out which columns are read
// (required_columns.h), choose operators and exchanges (physical_builder.h), infer changelog modes and check them
// against the consumers (changelog_inference.h), fuse neighbouring projections, freeze. Pure: no I/O, no clock.
// Errors: PLAN_ERROR when the query cannot run (naming the operator and the cure), NOT_SUPPORTED for gaps of ours.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/config/configuration.h"
#include "common/plan/logical_plan.h"
#include "common/plan/plan_node.h"

namespace thalweg {

struct PlannerSettings {
  Configuration configuration;      ///< the session's, frozen into the plan
  bool batch_mode = false;
  int64_t query_start_ms = 0;       ///< for folding what is constant within a query
  std::function<bool()> interrupted = {};   ///< whether the user gave up: planning then ends as CANCELLED, between two constants
  /// About how many rows a table has, where that is known; asked in batch mode. Null where plans must not depend on it.
  std::function<std::optional<double>(const ResolvedTable& table)> table_rows = {};
};

/// The stages of planning, kept for EXPLAIN.
struct PlannedJob {
  std::vector<LogicalNodePtr> logical;     ///< as bound
  std::vector<LogicalNodePtr> optimized;   ///< after the rules
  CompiledPlan plan;
};

/// Plans the sinks of one job together, so that equal sub-plans and sources are shared.
Result<PlannedJob> planJob(std::vector<LogicalNodePtr> sinks, const PlannerSettings& settings);

/// EXPLAIN's text: logical plan, optimised plan with changelog modes and upsert keys.
std::string explainText(const PlannedJob& job);

}  // namespace thalweg
