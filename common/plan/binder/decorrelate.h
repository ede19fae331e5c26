// Decorrelation: sub-queries that refer to the queries around them become joins.
//
// A sub-query's plan may hold outer references (scope.h). flatten() takes them out: what depends on the row outside
// is handed up as predicates and output expressions, to be applied where both rows meet. Handled: filters and
// projections anywhere, inner joins, aggregates and DISTINCT correlated by equalities (their inner sides become
// keys), Top-N likewise. What flatten() cannot take apart is evaluated once for each different outer row
// (flattenOrCorrelate).
// Errors: NOT_SUPPORTED names the construct. Threads: pure functions.
#pragma once

#include <vector>

#include "common/base/status.h"
#include "common/plan/expressions/call_factory.h"
#include "common/plan/logical_plan.h"

namespace thalweg {

/// A sub-query without outer references below: `node`'s rows meet an outer row where all predicates are TRUE.
struct Flattened {
  LogicalNodePtr node;
  std::vector<BoundExprPtr> outputs;     ///< the sub-query's columns over node's columns and outer references
  std::vector<BoundExprPtr> predicates;  ///< over node's columns and outer references
  /// There is one row for every outer row, even without a match (a global aggregate): outputs over a padded row give it.
  bool one_row = false;
};

Result<Flattened> flatten(const CallFactory& calls, const LogicalNodePtr& node);
/// The sub-query for each different combination of the columns of `outer` that it sees (dependent_join.cc). The
/// predicates compare exactly these columns.
Result<Flattened> correlate(const CallFactory& calls, const LogicalNodePtr& outer, const LogicalNodePtr& sub);
/// flatten(), or where it gives up correlate().
Result<Flattened> flattenOrCorrelate(const CallFactory& calls, const LogicalNodePtr& outer, const LogicalNodePtr& sub);

/// Whether any expression of the plan refers to an enclosing query.
bool hasOuterReference(const LogicalNode& node);
bool hasOuterReference(const BoundExpr& expr);

/// `expr` over a sub-query's columns and outer references, as a join's condition or output sees it: outer columns
/// as they are, inner ones moved by `offset`, references further out one level nearer.
BoundExprPtr lowerLevel(const BoundExprPtr& expr, int offset);

/// `left JOIN LATERAL sub ON on`: columns of left, then of the sub-query. `on` is over both.
Result<LogicalNodePtr> joinLateral(const CallFactory& calls, const LogicalNodePtr& left, const LogicalNodePtr& sub,
                                   JoinType type, const BoundExprPtr& on);

}  // namespace thalweg
