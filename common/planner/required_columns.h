// Which output columns of each logical node are read by anybody, down to the nested fields of scans.
//
// Computed over all roots of a job at once, so that a shared node keeps what any consumer needs.
#pragma once

#include <set>
#include <unordered_map>
#include <vector>

#include "common/plan/logical_plan.h"

namespace thalweg {

/// How one column is read: not at all, as a whole, or only some fields below it.
struct ColumnUse {
  bool whole = false;
  std::set<std::vector<int>> paths;
  bool used() const { return whole || !paths.empty(); }
  void add(const ColumnUse& other) {
    whole = whole || other.whole;
    paths.insert(other.paths.begin(), other.paths.end());
  }
};
using NodeUse = std::vector<ColumnUse>;

/// Adds what `expr` reads of its input to `use`. With `path`, only that field path of the expression's value is read.
void collectUse(const BoundExpr& expr, NodeUse& use);
/// Adds what reading `result` of `expr` needs of the input: fields of a plain column stay fields.
void collectUse(const BoundExpr& expr, const ColumnUse& result, NodeUse& use);

class RequiredColumns {
 public:
  /// With `whole_below_over` an OVER or Top-N counts as reading every column of its input, as Flink sees it when it
  /// decides which aggregates nobody reads.
  explicit RequiredColumns(const std::vector<LogicalNodePtr>& roots, bool whole_below_over = false);
  const NodeUse& of(const LogicalNode& node) const { return uses_.at(&node); }

 private:
  void order(const LogicalNodePtr& node);
  void visit(const LogicalNode& node);
  NodeUse& useOf(const LogicalNode& node);
  void requireAll(const LogicalNode& node);

  bool whole_below_over_;
  std::unordered_map<const LogicalNode*, NodeUse> uses_;
  std::vector<const LogicalNode*> inputs_first_;
};

}  // namespace thalweg
