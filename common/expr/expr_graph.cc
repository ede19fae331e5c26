#include "common/expr/expr_graph.h"

#include <functional>

#include "common/expr/lowering.h"
#include "common/functions/function_registry.h"
#include "common/types/type_rules.h"

namespace thalweg {

namespace {

constexpr ExprNodeId kNoNode = ~ExprNodeId{0};

void mix(size_t& hash, size_t part) { hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL; }

/// Parts values that differ, so that a list of thousands of literals is not compared each with each. Nested values
/// share one hash: they are rarely many.
struct LiteralHash {
  size_t operator()(int64_t value) const { return static_cast<size_t>(value); }
  size_t operator()(int128 value) const {
    size_t hash = static_cast<size_t>(value);
    mix(hash, static_cast<size_t>(value >> 64));
    return hash;
  }
  size_t operator()(double value) const { return value != value || value == 0 ? 0 : std::hash<double>{}(value); }
  size_t operator()(const std::string& value) const { return std::hash<std::string>{}(value); }
  size_t operator()(const TimestampValue& value) const {
    auto hash = static_cast<size_t>(value.millis);
    mix(hash, static_cast<size_t>(value.nanos));
    return hash;
  }
  template <typename Other>
  size_t operator()(const Other&) const {
    return 0;
  }
};

size_t contentHash(const BoundExpr& expr, const std::vector<ExprNodeId>& args) {
  size_t hash = static_cast<size_t>(expr.kind);
  mix(hash, static_cast<size_t>(expr.type.kind()));
  mix(hash, static_cast<size_t>(expr.index));
  mix(hash, reinterpret_cast<size_t>(expr.function));
  if (expr.kind == BoundKind::LITERAL) mix(hash, std::visit(LiteralHash{}, expr.value.content()));
  for (const ExprNodeId arg : args) mix(hash, arg);
  return hash;
}

}  // namespace

Result<ExprGraph> ExprGraph::build(const std::vector<BoundExprPtr>& expressions) {
  ExprGraph graph;
  for (const BoundExprPtr& expression : expressions) {
    ASSIGN_OR_RETURN(const ExprNodeId root, graph.add(expression));
    graph.roots_.push_back(root);
  }
  graph.by_tree_.clear();
  graph.by_content_.clear();
  graph.lowered_.clear();
  return graph;
}

Result<ExprNodeId> ExprGraph::add(const BoundExprPtr& expr) {
  if (const auto met = by_tree_.find(expr.get()); met != by_tree_.end()) {
    nodes_[met->second].is_shared = true;
    return met->second;
  }
  if (BoundExprPtr better = lowered(*expr)) {
    lowered_.push_back(better);
    ASSIGN_OR_RETURN(const ExprNodeId id, add(better));
    by_tree_.emplace(expr.get(), id);
    return id;
  }

  std::vector<ExprNodeId> args;
  args.reserve(expr->args.size());
  for (const BoundExprPtr& arg : expr->args) {
    ASSIGN_OR_RETURN(const ExprNodeId id, add(arg));
    args.push_back(id);
  }
  const bool is_repeatable =
      expr->kind != BoundKind::CALL || expr->function->determinism != Determinism::NON_DETERMINISTIC;
  const size_t hash = contentHash(*expr, args);
  if (is_repeatable) {
    // children that must not be shared have ids of their own, so equal ids mean equal values
    if (const ExprNodeId equal = find(*expr, args, hash); equal != kNoNode) {
      nodes_[equal].is_shared = true;
      by_tree_.emplace(expr.get(), equal);
      return equal;
    }
  }

  const auto id = static_cast<ExprNodeId>(nodes_.size());
  ExprNode node{.expr = expr, .kind = expr->kind, .args = std::move(args)};
  RETURN_IF_ERROR(makeKernel(node));
  for (const ExprNodeId arg : node.args) node.can_fail = node.can_fail || nodes_[arg].can_fail;
  nodes_.push_back(std::move(node));
  by_tree_.emplace(expr.get(), id);
  by_content_.emplace(hash, id);
  return id;
}

ExprNodeId ExprGraph::find(const BoundExpr& expr, const std::vector<ExprNodeId>& args, size_t hash) const {
  const auto [begin, end] = by_content_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const ExprNode& node = nodes_[it->second];
    const BoundExpr& other = *node.expr;
    if (node.kind == expr.kind && node.args == args && other.index == expr.index && other.function == expr.function &&
        other.type == expr.type && other.value == expr.value) {
      return it->second;
    }
  }
  return kNoNode;
}

Status ExprGraph::makeKernel(ExprNode& node) const {
  const BoundExpr& expr = *node.expr;
  switch (node.kind) {
    case BoundKind::LITERAL:
      node.literal = expr.type.kind() == TypeKind::SYMBOL ? Vector::constant(DataType::string(false), expr.value, 1)
                                                          : Vector::constant(expr.type, expr.value, 1);
      break;
    case BoundKind::COLUMN:
      node.is_shared = true;  // cheap to keep, and sub-selections ask for it again
      break;
    case BoundKind::CALL: {
      Result<std::unique_ptr<ScalarKernel>> kernel = expr.function->make(functionCallOf(expr));
      if (!kernel.isOk()) return kernel.status().withContext(exprText(expr)).at(expr.position);
      node.kernel = *std::move(kernel);
      node.is_strict = expr.function->strict;
      node.is_foldable = expr.function->determinism == Determinism::DETERMINISTIC && !expr.args.empty();
      node.can_fail = expr.function->can_fail;
      break;
    }
    case BoundKind::CAST:
    case BoundKind::TRY_CAST: {
      const bool is_try = node.kind == BoundKind::TRY_CAST;
      Result<std::unique_ptr<ScalarKernel>> kernel = makeCastKernel(expr.args[0]->type, expr.type, is_try);
      if (!kernel.isOk()) return kernel.status().at(expr.position);
      node.kernel = *std::move(kernel);
      node.is_strict = true;
      node.is_foldable = true;
      node.can_fail = !is_try && castCanFail(expr.args[0]->type, expr.type);
      break;
    }
    case BoundKind::FIELD:
    case BoundKind::CASE:
    case BoundKind::AND:
    case BoundKind::OR: break;
  }
  return {};
}

}  // namespace thalweg
