// Small rewrites of bound expressions that several planner rules share.
#pragma once

#include <functional>

#include "common/expr/bound_expr.h"

namespace thalweg {

/// Applies `rule` to every node, operands first.
BoundExprPtr rewriteExpr(const BoundExprPtr& expr, const std::function<BoundExprPtr(const BoundExprPtr&)>& rule);

/// Input columns that `expr` reads, ascending.
std::vector<int> columnsOf(const BoundExpr& expr);

/// Whether `expr` cannot be TRUE when all columns in [begin, end) are NULL.
bool rejectsNulls(const BoundExpr& expr, int begin, int end);

/// `(a AND b) OR (a AND c)` as `a AND (b OR c)`: what every alternative asks for is asked for once. Other expressions as
/// they are.
BoundExprPtr pullCommonFactors(const BoundExprPtr& expr);

/// What an OR asks of the columns in [begin, end) alone, whatever the others hold: null if some alternative asks nothing.
BoundExprPtr impliedWithin(const BoundExpr& expr, int begin, int end);

/// `a = b` (or IS NOT DISTINCT FROM) between a column below `split` and one at or above it.
struct EquiPair {
  int left = -1;
  int right = -1;       ///< relative to the right input
  bool null_equal = false;
};
bool matchEquiPair(const BoundExpr& expr, int split, EquiPair& pair);

}  // namespace thalweg
