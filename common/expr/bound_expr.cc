#include "common/expr/bound_expr.h"

#include <algorithm>

#include "common/types/type_rules.h"

namespace thalweg {

namespace {

BoundExprPtr make(BoundExpr expr) { return std::make_shared<const BoundExpr>(std::move(expr)); }

/// AND or OR over `args`, nested ones of the same kind taken apart.
BoundExprPtr junction(BoundKind kind, std::vector<BoundExprPtr> args) {
  std::vector<BoundExprPtr> flat;
  for (BoundExprPtr& arg : args) {
    if (arg->kind == kind)
      flat.insert(flat.end(), arg->args.begin(), arg->args.end());
    else
      flat.push_back(std::move(arg));
  }
  if (flat.empty()) return BoundExpr::literal(Value::boolean(kind == BoundKind::AND), DataType::boolean(false));
  if (flat.size() == 1) return flat[0];
  const bool nullable = std::ranges::any_of(flat, [](const BoundExprPtr& arg) { return arg->type.nullable(); });
  return make({.kind = kind, .type = DataType::boolean(nullable), .args = std::move(flat)});
}

template <typename Predicate>
bool allCalls(const BoundExpr& expr, const Predicate& holds) {
  if (expr.kind == BoundKind::CALL && !holds(*expr.function)) return false;
  return std::ranges::all_of(expr.args, [&](const BoundExprPtr& arg) { return allCalls(*arg, holds); });
}

/// `expr` over other children; shares the node when nothing changed.
BoundExprPtr withArgs(const BoundExprPtr& expr, std::vector<BoundExprPtr> args) {
  if (args == expr->args) return expr;
  BoundExpr copy = *expr;
  copy.args = std::move(args);
  return make(std::move(copy));
}

template <typename Replace>
BoundExprPtr rewriteColumns(const BoundExprPtr& expr, const Replace& replace) {
  if (expr->isColumn()) return replace(*expr);
  std::vector<BoundExprPtr> args;
  args.reserve(expr->args.size());
  for (const BoundExprPtr& arg : expr->args) args.push_back(rewriteColumns(arg, replace));
  return withArgs(expr, std::move(args));
}

}  // namespace

BoundExprPtr BoundExpr::literal(Value value, DataType type) {
  return make({.kind = BoundKind::LITERAL, .type = std::move(type), .value = std::move(value)});
}

BoundExprPtr BoundExpr::column(int index, DataType type) {
  CHECK(index >= 0);
  return make({.kind = BoundKind::COLUMN, .type = std::move(type), .index = index});
}

BoundExprPtr BoundExpr::field(BoundExprPtr row, int index) {
  CHECK(row->type.kind() == TypeKind::ROW && index >= 0 && static_cast<size_t>(index) < row->type.childCount());
  const DataType& field_type = row->type.child(static_cast<size_t>(index));
  DataType type = field_type.withNullable(field_type.nullable() || row->type.nullable());
  return make({.kind = BoundKind::FIELD, .type = std::move(type), .args = {std::move(row)}, .index = index});
}

BoundExprPtr BoundExpr::call(const ScalarFunction* function, std::vector<BoundExprPtr> args, DataType type) {
  CHECK(function != nullptr);
  return make({.kind = BoundKind::CALL, .type = std::move(type), .args = std::move(args), .function = function});
}

BoundExprPtr BoundExpr::cast(BoundExprPtr arg, DataType type, bool try_cast) {
  if (arg->type == type) return arg;
  const SourcePosition position = arg->position;
  return make({.kind = try_cast ? BoundKind::TRY_CAST : BoundKind::CAST,
               .type = std::move(type),
               .args = {std::move(arg)},
               .position = position});
}

BoundExprPtr BoundExpr::caseWhen(std::vector<BoundExprPtr> args, DataType type) {
  CHECK(args.size() >= 2);
  return make({.kind = BoundKind::CASE, .type = std::move(type), .args = std::move(args)});
}

BoundExprPtr BoundExpr::conjunction(std::vector<BoundExprPtr> args) {
  return junction(BoundKind::AND, std::move(args));
}
BoundExprPtr BoundExpr::disjunction(std::vector<BoundExprPtr> args) { return junction(BoundKind::OR, std::move(args)); }

bool exprEqual(const BoundExpr& a, const BoundExpr& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.index != b.index || a.function != b.function || a.args.size() != b.args.size())
    return false;
  if (!(a.type == b.type) || !(a.value == b.value)) return false;
  for (size_t i = 0; i < a.args.size(); ++i) {
    if (!exprEqual(*a.args[i], *b.args[i])) return false;
  }
  return true;
}

FunctionCall functionCallOf(const BoundExpr& call) {
  FunctionCall result{.arguments = {}, .result_type = call.type};
  for (const BoundExprPtr& arg : call.args) {
    result.arguments.push_back({arg->type, arg->isLiteral() ? std::optional(arg->value) : std::nullopt});
  }
  return result;
}

bool isDeterministic(const BoundExpr& expr) {
  return allCalls(expr, [](const ScalarFunction& f) { return f.determinism == Determinism::DETERMINISTIC; });
}

bool isRepeatable(const BoundExpr& expr) {
  return allCalls(expr, [](const ScalarFunction& f) { return f.determinism != Determinism::NON_DETERMINISTIC; });
}

bool canFail(const BoundExpr& expr) {
  if (expr.kind == BoundKind::CALL && expr.function->can_fail) return true;
  if (expr.kind == BoundKind::CAST && castCanFail(expr.args[0]->type, expr.type)) return true;
  return std::ranges::any_of(expr.args, [](const BoundExprPtr& arg) { return canFail(*arg); });
}

void collectColumns(const BoundExpr& expr, std::vector<bool>& used) {
  if (expr.isColumn()) {
    const auto index = static_cast<size_t>(expr.index);
    if (used.size() <= index) used.resize(index + 1);
    used[index] = true;
  }
  for (const BoundExprPtr& arg : expr.args) collectColumns(*arg, used);
}

BoundExprPtr substituteColumns(const BoundExprPtr& expr, const std::vector<BoundExprPtr>& replacement) {
  return rewriteColumns(expr, [&](const BoundExpr& column) {
    const auto index = static_cast<size_t>(column.index);
    CHECK(index < replacement.size() && replacement[index] != nullptr);
    return replacement[index];
  });
}

BoundExprPtr remapColumns(const BoundExprPtr& expr, const std::vector<int>& mapping) {
  return rewriteColumns(expr, [&](const BoundExpr& column) {
    const auto index = static_cast<size_t>(column.index);
    CHECK(index < mapping.size() && mapping[index] >= 0);
    BoundExpr moved = column;
    moved.index = mapping[index];
    return make(std::move(moved));
  });
}

std::vector<BoundExprPtr> splitConjunction(const BoundExprPtr& expr) {
  if (expr->kind != BoundKind::AND) return {expr};
  std::vector<BoundExprPtr> operands;
  for (const BoundExprPtr& arg : expr->args) {
    const std::vector<BoundExprPtr> nested = splitConjunction(arg);
    operands.insert(operands.end(), nested.begin(), nested.end());
  }
  return operands;
}

}  // namespace thalweg
