#include "common/planner/optimizer.h"

#include <unordered_map>

#include "common/planner/logical_rewrite.h"

namespace thalweg {

Result<std::vector<LogicalNodePtr>> shareSubplans(const std::vector<LogicalNodePtr>& roots) {
  std::unordered_map<std::string, LogicalNodePtr> known;
  BottomUpRewrite rewrite([&known](const LogicalNodePtr& node) -> Result<LogicalNodePtr> {
    return known.emplace(nodeDigest(*node), node).first->second;
  });
  std::vector<LogicalNodePtr> shared;
  for (const auto& root : roots) {
    ASSIGN_OR_RETURN(auto node, rewrite.apply(root));
    shared.push_back(std::move(node));
  }
  return shared;
}

Result<std::vector<LogicalNodePtr>> optimize(const std::vector<LogicalNodePtr>& roots, const PlannerSettings& settings) {
  std::vector<LogicalNodePtr> nodes;
  for (const auto& root : roots) {
    ASSIGN_OR_RETURN(auto node, foldConstants(root, settings));
    ASSIGN_OR_RETURN(node, rewriteSetOperations(node));
    ASSIGN_OR_RETURN(node, projectUniqueGroups(node, settings));
    ASSIGN_OR_RETURN(node, pushFiltersDown(node, settings));
    ASSIGN_OR_RETURN(node, orderJoins(node, settings));
    ASSIGN_OR_RETURN(node, giveJoinsKeys(node));
    ASSIGN_OR_RETURN(node, pushLimitsIntoScans(node));
    nodes.push_back(std::move(node));
  }
  return shareSubplans(nodes);
}

}  // namespace thalweg
