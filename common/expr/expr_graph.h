// ExprGraph: bound expressions as a graph of nodes in which equal parts stand once, with their kernels.
//
// Nodes come before the nodes that use them. Equal means: same kind, type, function, literal and the same children;
// parts that are NON_DETERMINISTIC are shared only when it is the very same tree node. Trees are lowered (lowering.h)
// on the way in. Threads: one owner (kernels keep scratch). Lifetime: shares the trees it was made from.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "common/base/status.h"
#include "common/expr/bound_expr.h"

namespace thalweg {

/// Position of a node in ExprGraph::nodes.
using ExprNodeId = uint32_t;

struct ExprNode {
  BoundExprPtr expr;  ///< what it computes, for types, literals and messages
  BoundKind kind;
  std::vector<ExprNodeId> args = {};
  std::unique_ptr<ScalarKernel> kernel = {};  ///< CALL, CAST, TRY_CAST
  VectorPtr literal = {};                     ///< LITERAL: one row
  std::vector<VectorPtr> arguments = {};      ///< scratch of one evaluation
  bool is_strict = false;                     ///< NULL in, NULL out
  bool is_foldable = false;                   ///< constant arguments give a constant result
  bool can_fail = false;                      ///< it or a part of it
  bool is_shared = false;                     ///< used more than once: worth keeping during a batch
};

class ExprGraph {
 public:
  static Result<ExprGraph> build(const std::vector<BoundExprPtr>& expressions);

  std::vector<ExprNode>& nodes() { return nodes_; }
  const std::vector<ExprNodeId>& roots() const { return roots_; }

 private:
  Result<ExprNodeId> add(const BoundExprPtr& expr);
  ExprNodeId find(const BoundExpr& expr, const std::vector<ExprNodeId>& args, size_t hash) const;
  Status makeKernel(ExprNode& node) const;

  std::vector<ExprNode> nodes_;
  std::vector<ExprNodeId> roots_;
  // While building only:
  std::unordered_map<const BoundExpr*, ExprNodeId> by_tree_;  // the same tree node met again
  std::unordered_multimap<size_t, ExprNodeId> by_content_;    // hash of kind, function and children
  std::vector<BoundExprPtr> lowered_;                         // keeps trees made here alive for by_tree_
};

}  // namespace thalweg
