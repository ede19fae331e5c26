// The logical optimiser: small named rules, applied in a fixed order.
//
// Each rule keeps the query's meaning, changelog messages of single-input chains included (DESIGN 8).
#pragma once

#include "common/planner/planner.h"

namespace thalweg {

/// Evaluates constant sub-expressions; a filter that is TRUE goes.
Result<LogicalNodePtr> foldConstants(const LogicalNodePtr& root, const PlannerSettings& settings);

/// Moves conditions towards the sources: through projections, unions, grouping keys; into and through joins
/// (an outer join whose padded rows a filter would drop becomes an inner one); into scans, what the paths of files decide.
/// Conditions stay above watermarks.
Result<LogicalNodePtr> pushFiltersDown(const LogicalNodePtr& root, const PlannerSettings& settings);

/// In batch mode: puts inner joins into an order that builds the smaller sides and makes no needless pairs.
Result<LogicalNodePtr> orderJoins(const LogicalNodePtr& root, const PlannerSettings& settings);

/// Computes the sides of equalities in join conditions as columns, so that joins have keys.
Result<LogicalNodePtr> giveJoinsKeys(const LogicalNodePtr& root);

/// Lets sources stop after as many rows as a LIMIT without order wants.
Result<LogicalNodePtr> pushLimitsIntoScans(const LogicalNodePtr& root);

/// Groups by a primary key become a projection, where their aggregates are of one row.
Result<LogicalNodePtr> projectUniqueGroups(const LogicalNodePtr& root, const PlannerSettings& settings);

/// Replaces UNION, INTERSECT and EXCEPT by UNION ALL, aggregates and joins.
Result<LogicalNodePtr> rewriteSetOperations(const LogicalNodePtr& root);

/// Makes equal sub-plans the same node, over all roots.
Result<std::vector<LogicalNodePtr>> shareSubplans(const std::vector<LogicalNodePtr>& roots);

/// All of the above in order.
Result<std::vector<LogicalNodePtr>> optimize(const std::vector<LogicalNodePtr>& roots, const PlannerSettings& settings);

}  // namespace thalweg
