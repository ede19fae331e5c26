// Lowering: what the evaluator does better under another shape. Plans keep the shape that people wrote.
#pragma once

#include "common/expr/bound_expr.h"

namespace thalweg {

/// The tree to evaluate instead of `expr` (its top only), or null if there is none better:
///   COALESCE, IF and IFNULL whose later arguments can fail become CASE, which evaluates lazily;
///   `=` and `<>` of two ROW constructors become comparisons of their fields: a NULL field leaves the answer open,
///   while between ROW columns two NULL fields are the same, as they are for joins and groups; OR over several `x =
///   constant` of one x becomes x IN (constants), one look into a hash set.
BoundExprPtr lowered(const BoundExpr& expr);

}  // namespace thalweg
