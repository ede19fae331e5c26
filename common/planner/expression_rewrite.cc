#include "common/planner/expression_rewrite.h"

#include <algorithm>

namespace thalweg {

BoundExprPtr rewriteExpr(const BoundExprPtr& expr, const std::function<BoundExprPtr(const BoundExprPtr&)>& rule) {
  if (expr->args.empty()) return rule(expr);
  auto copy = std::make_shared<BoundExpr>(*expr);
  for (auto& arg : copy->args) arg = rewriteExpr(arg, rule);
  return rule(copy->args == expr->args ? expr : BoundExprPtr(std::move(copy)));
}

std::vector<int> columnsOf(const BoundExpr& expr) {
  std::vector<bool> used;
  collectColumns(expr, used);
  std::vector<int> columns;
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i]) columns.push_back(static_cast<int>(i));
  }
  return columns;
}

namespace {

/// Whether `expr` is NULL when all columns in [begin, end) are NULL.
bool nullOnNulls(const BoundExpr& expr, int begin, int end) {
  switch (expr.kind) {
    case BoundKind::COLUMN: return expr.index >= begin && expr.index < end;
    case BoundKind::FIELD:
    case BoundKind::CAST:
    case BoundKind::TRY_CAST: return nullOnNulls(*expr.args[0], begin, end);
    case BoundKind::CALL:
      if (!expr.function->strict) return false;
      for (const auto& arg : expr.args) {
        if (nullOnNulls(*arg, begin, end)) return true;
      }
      return false;
    default: return false;
  }
}

}  // namespace

bool rejectsNulls(const BoundExpr& expr, int begin, int end) {
  switch (expr.kind) {
    case BoundKind::AND:
      for (const auto& arg : expr.args) {
        if (rejectsNulls(*arg, begin, end)) return true;
      }
      return false;
    case BoundKind::OR:
      for (const auto& arg : expr.args) {
        if (!rejectsNulls(*arg, begin, end)) return false;
      }
      return true;
    case BoundKind::CALL:
      if (expr.function->name == "IS NOT NULL") return nullOnNulls(*expr.args[0], begin, end);
      return nullOnNulls(expr, begin, end);
    default: return nullOnNulls(expr, begin, end);
  }
}

namespace {

bool holds(const std::vector<BoundExprPtr>& parts, const BoundExpr& wanted) {
  return std::any_of(parts.begin(), parts.end(), [&](const BoundExprPtr& part) { return exprEqual(*part, wanted); });
}

/// The conjuncts of each alternative of an OR.
std::vector<std::vector<BoundExprPtr>> alternativesOf(const BoundExpr& expr) {
  std::vector<std::vector<BoundExprPtr>> alternatives;
  for (const auto& arg : expr.args) {
    if (arg->kind == BoundKind::OR) {
      for (auto& each : alternativesOf(*arg)) alternatives.push_back(std::move(each));
    } else {
      alternatives.push_back(splitConjunction(arg));
    }
  }
  return alternatives;
}

}  // namespace

BoundExprPtr pullCommonFactors(const BoundExprPtr& expr) {
  if (expr->kind != BoundKind::OR || !isDeterministic(*expr)) return expr;
  const auto alternatives = alternativesOf(*expr);
  std::vector<BoundExprPtr> factors;
  for (const BoundExprPtr& part : alternatives[0]) {
    const bool common = std::all_of(alternatives.begin(), alternatives.end(), [&](const auto& each) { return holds(each, *part); });
    if (common && !holds(factors, *part)) factors.push_back(part);
  }
  if (factors.empty()) return expr;
  std::vector<BoundExprPtr> rests;
  bool always = false;                                // some alternative asks for nothing else
  for (const auto& alternative : alternatives) {
    std::vector<BoundExprPtr> rest;
    for (const BoundExprPtr& part : alternative) {
      if (!holds(factors, *part)) rest.push_back(part);
    }
    always = always || rest.empty();
    if (!rest.empty()) rests.push_back(BoundExpr::conjunction(std::move(rest)));
  }
  if (!always) factors.push_back(BoundExpr::disjunction(std::move(rests)));
  return BoundExpr::conjunction(std::move(factors));
}

BoundExprPtr impliedWithin(const BoundExpr& expr, int begin, int end) {
  if (expr.kind != BoundKind::OR || !isDeterministic(expr) || canFail(expr)) return nullptr;
  std::vector<BoundExprPtr> implied;
  for (const auto& alternative : alternativesOf(expr)) {
    std::vector<BoundExprPtr> own;
    for (const BoundExprPtr& part : alternative) {
      const auto columns = columnsOf(*part);
      if (!columns.empty() && columns.front() >= begin && columns.back() < end) own.push_back(part);
    }
    if (own.empty()) return nullptr;
    implied.push_back(BoundExpr::conjunction(std::move(own)));
  }
  return BoundExpr::disjunction(std::move(implied));
}

bool matchEquiPair(const BoundExpr& expr, int split, EquiPair& pair) {
  if (expr.kind != BoundKind::CALL || expr.args.size() != 2) return false;
  const bool null_equal = expr.function->name == "IS NOT DISTINCT FROM";
  if (!null_equal && expr.function->name != "=") return false;
  const BoundExpr* a = expr.args[0].get();
  const BoundExpr* b = expr.args[1].get();
  if (!a->isColumn() || !b->isColumn()) return false;
  if (a->index >= split) std::swap(a, b);
  if (a->index >= split || b->index < split) return false;
  pair = {a->index, b->index - split, null_equal};
  return true;
}

}  // namespace thalweg
