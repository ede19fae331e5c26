// RowEstimates: roughly how many rows a logical node gives, for choosing an order of joins.
//
// Tables say how many rows they have if PlannerSettings::table_rows knows it; conditions take a share of them by their form.
// Wrong by factors as all such guesses are: only good for telling a dimension from a fact. Threads: one owner.
#pragma once

#include <unordered_map>

#include "common/planner/planner.h"

namespace thalweg {

struct RowEstimate {
  double rows = 1;
  double before = 1;      ///< conditions took any: about how many values a key of it may have
  bool known = false;     ///< it rests on tables whose sizes are known
};

class RowEstimates {
 public:
  explicit RowEstimates(const PlannerSettings& settings) : settings_(settings) {}
  RowEstimate of(const LogicalNodePtr& node);

  /// The share of rows that a condition leaves.
  static double shareOf(const BoundExpr& condition);
  /// Rows joined on equal keys.
  static RowEstimate joined(const RowEstimate& left, const RowEstimate& right, bool has_keys);

 private:
  RowEstimate compute(const LogicalNodePtr& node);

  const PlannerSettings& settings_;
  std::unordered_map<const LogicalNode*, RowEstimate> known_;
};

}  // namespace thalweg
