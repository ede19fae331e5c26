#include "common/planner/row_estimates.h"

#include <algorithm>

#include "common/planner/expression_rewrite.h"

namespace thalweg {

namespace {

constexpr double kUnknownRows = 1e6;

double shareOfCall(const BoundExpr& call) {
  const std::string& name = call.function->name;
  if (name == "AND") {
    double share = 1;
    for (const auto& part : call.args) share *= RowEstimates::shareOf(*part);
    return share;
  }
  if (name == "OR") {
    double share = 0;
    for (const auto& part : call.args) share += RowEstimates::shareOf(*part);
    return std::min(share, 0.9);
  }
  if (name == "=") return 0.05;
  if (name == "IN") return std::min(0.5, 0.05 * static_cast<double>(call.args.size() - 1));
  if (name == "LIKE") return 0.1;
  if (name == "<" || name == "<=" || name == ">" || name == ">=") return 0.4;
  if (name == "BETWEEN") return 0.2;
  return 0.7;
}

}  // namespace

double RowEstimates::shareOf(const BoundExpr& condition) {
  return condition.kind == BoundKind::CALL ? shareOfCall(condition) : 0.7;
}

RowEstimate RowEstimates::joined(const RowEstimate& left, const RowEstimate& right, bool has_keys) {
  // The smaller side's key is taken for unique: what conditions took from it finds no partner.
  const double keys = has_keys ? std::max(1.0, std::min(left.before, right.before)) : 1;
  return {std::max(1.0, left.rows * right.rows / keys), std::max(left.before, right.before), left.known && right.known};
}

RowEstimate RowEstimates::of(const LogicalNodePtr& node) {
  const auto found = known_.find(node.get());
  if (found != known_.end()) return found->second;
  return known_[node.get()] = compute(node);
}

RowEstimate RowEstimates::compute(const LogicalNodePtr& node) {
  if (node->kind == LogicalKind::SCAN) {
    const auto rows = settings_.table_rows ? settings_.table_rows(*node->as<LogicalScan>().table) : std::nullopt;
    const double count = std::max(1.0, rows.value_or(kUnknownRows));
    return {count, count, rows.has_value()};
  }
  if (node->kind == LogicalKind::VALUES) {
    const auto count = std::max(1.0, static_cast<double>(node->as<LogicalValues>().rows.size()));
    return {count, count, true};
  }
  if (node->inputs.empty()) return {kUnknownRows, kUnknownRows, false};
  RowEstimate estimate = of(node->inputs[0]);
  switch (node->kind) {
    case LogicalKind::FILTER: {
      for (const auto& part : splitConjunction(node->as<LogicalFilter>().condition)) estimate.rows *= shareOf(*part);
      break;
    }
    case LogicalKind::AGGREGATE: {
      const bool one = node->as<LogicalAggregate>().keys.empty();
      estimate.rows = one ? 1 : estimate.rows / 4;
      estimate.before = one ? 1 : estimate.before / 4;
      break;
    }
    case LogicalKind::JOIN: {
      const auto& join = node->as<LogicalJoin>();
      if (join.type == JoinType::SEMI || join.type == JoinType::ANTI) {
        estimate.rows /= 2;
        break;
      }
      const RowEstimate right = of(node->inputs[1]);
      const RowEstimate both = joined(estimate, right, join.condition != nullptr);
      if (join.type == JoinType::LEFT || join.type == JoinType::FULL) estimate.rows = std::max(estimate.rows, both.rows);
      else estimate.rows = join.type == JoinType::RIGHT ? std::max(right.rows, both.rows) : both.rows;
      estimate.before = both.before;
      estimate.known = both.known;
      break;
    }
    case LogicalKind::SORT:
      if (const auto fetch = node->as<LogicalSort>().fetch) estimate.rows = std::min(estimate.rows, static_cast<double>(*fetch));
      break;
    case LogicalKind::SET_OP:
      for (size_t i = 1; i < node->inputs.size(); ++i) {
        const RowEstimate other = of(node->inputs[i]);
        estimate.rows += other.rows;
        estimate.before += other.before;
        estimate.known = estimate.known && other.known;
      }
      break;
    default: break;
  }
  estimate.rows = std::max(1.0, estimate.rows);
  estimate.before = std::max(1.0, estimate.before);
  return estimate;
}

}  // namespace thalweg
