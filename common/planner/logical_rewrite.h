// Rebuilding logical trees: the one place that knows how to copy each node with other inputs.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "common/plan/logical_plan.h"

namespace thalweg {

/// `node` over `inputs` (same count, same columns); returns `node` itself when nothing changed.
LogicalNodePtr withInputs(const LogicalNodePtr& node, std::vector<LogicalNodePtr> inputs);

/// Applies `rule` to every node, inputs first, each shared node once. The rule gets a node whose inputs are done.
class BottomUpRewrite {
 public:
  using Rule = std::function<Result<LogicalNodePtr>(const LogicalNodePtr&)>;
  explicit BottomUpRewrite(Rule rule) : rule_(std::move(rule)) {}
  Result<LogicalNodePtr> apply(const LogicalNodePtr& node);

 private:
  Rule rule_;
  std::unordered_map<const LogicalNode*, LogicalNodePtr> done_;
};

/// Which nodes of a plan several others read.
class ConsumerCounts {
 public:
  explicit ConsumerCounts(const LogicalNodePtr& root) { count(root); }
  bool isShared(const LogicalNodePtr& node) const {
    const auto found = consumers_.find(node.get());
    return found != consumers_.end() && found->second > 1;
  }

 private:
  void count(const LogicalNodePtr& node) {
    if (++consumers_[node.get()] > 1) return;
    for (const auto& input : node->inputs) count(input);
  }
  std::unordered_map<const LogicalNode*, int> consumers_;
};

/// A text equal for two nodes exactly when they compute the same (inputs by address: share bottom-up).
std::string nodeDigest(const LogicalNode& node);

}  // namespace thalweg
