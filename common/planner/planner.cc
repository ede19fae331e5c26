#include "common/planner/planner.h"

#include <unordered_set>

#include "common/planner/changelog_inference.h"
#include "common/planner/optimizer.h"
#include "common/planner/physical_builder.h"

namespace thalweg {
namespace {

void appendNode(const PlanNode& node, const std::string& indent, std::unordered_set<const PlanNode*>& shown, std::string& out) {
  out += indent + node.description + ", changelogMode=" + node.mode.toString();
  for (const auto& key : node.upsert_keys) {
    out += ", upsertKey=[";
    for (size_t i = 0; i < key.size(); ++i) out += (i > 0 ? ", " : "") + node.schema.column(static_cast<size_t>(key[i])).name;
    out += "]";
  }
  if (!shown.insert(&node).second) {
    out += " (shared, shown above)\n";
    return;
  }
  out += "\n";
  for (const PlanInput& input : node.inputs) {
    std::string below = indent.empty() ? "+- " : "   " + indent;
    if (input.distribution.kind != Distribution::Kind::ANY) {
      static constexpr std::string_view kNames[] = {"any", "hash", "single", "broadcast"};
      out += below + "Exchange(distribution=[" + std::string(kNames[static_cast<size_t>(input.distribution.kind)]);
      if (!input.distribution.keys.empty()) {
        out += "[";
        for (size_t i = 0; i < input.distribution.keys.size(); ++i) {
          out += (i > 0 ? ", " : "") + input.node->schema.column(static_cast<size_t>(input.distribution.keys[i])).name;
        }
        out += "]";
      }
      out += "])\n";
      below = "   " + below;
    }
    appendNode(*input.node, below, shown, out);
  }
}

}  // namespace

Result<PlannedJob> planJob(std::vector<LogicalNodePtr> sinks, const PlannerSettings& settings) {
  PlannedJob job;
  job.logical = std::move(sinks);
  ASSIGN_OR_RETURN(job.optimized, optimize(job.logical, settings));
  const RequiredColumns required(job.optimized);
  const RequiredColumns asked(job.optimized, true);
  PhysicalBuilder builder(settings, required, asked);
  std::vector<DraftPtr> drafts;
  for (const auto& root : job.optimized) {
    auto draft = builder.buildSink(root->as<LogicalSink>());
    if (!draft.isOk()) return draft.status().at(root->position);
    drafts.push_back(*std::move(draft));
  }
  fuseCalcs(drafts);
  inferUpdateBefore(drafts);
  job.plan.sinks = freeze(drafts);
  job.plan.configuration = settings.configuration;
  job.plan.batch_mode = settings.batch_mode;
  return job;
}

std::string explainText(const PlannedJob& job) {
  std::string text = "== Abstract Syntax Tree ==\n";
  for (const auto& root : job.logical) text += logicalPlanText(*root) + "\n";
  text += "== Optimized Logical Plan ==\n";
  for (const auto& root : job.optimized) text += logicalPlanText(*root) + "\n";
  text += "== Optimized Execution Plan ==\n";
  std::unordered_set<const PlanNode*> shown;
  for (const auto& root : job.plan.sinks) {
    appendNode(*root, "", shown, text);
    text += "\n";
  }
  return text;
}

}  // namespace thalweg
