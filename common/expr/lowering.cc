#include "common/expr/lowering.h"

#include <algorithm>

#include "common/functions/function_registry.h"

namespace thalweg {

namespace {

/// From so many equalities on, a set is better.
constexpr size_t kSetSizeMin = 3;

const ScalarFunction* required(std::string_view name) {
  const ScalarFunction* function = FunctionRegistry::instance().scalar(name);
  CHECK_MSG(function != nullptr, "no function " + std::string(name));
  return function;
}

BoundExprPtr isNotNull(const BoundExprPtr& value) {
  static const ScalarFunction* const kFunction = required("IS NOT NULL");
  return BoundExpr::call(kFunction, {value}, DataType::boolean(false));
}

BoundExprPtr loweredConditional(const BoundExpr& expr) {
  static const ScalarFunction* const kIf = required("IF");
  static const ScalarFunction* const kCoalesce = required("COALESCE");
  static const ScalarFunction* const kIfNull = required("IFNULL");
  if (expr.function != kIf && expr.function != kCoalesce && expr.function != kIfNull) return nullptr;
  if (std::none_of(expr.args.begin() + 1, expr.args.end(), [](const BoundExprPtr& arg) { return canFail(*arg); })) {
    return nullptr;
  }
  if (expr.function == kIf) return BoundExpr::caseWhen(expr.args, expr.type);
  std::vector<BoundExprPtr> branches;
  for (size_t i = 0; i + 1 < expr.args.size(); ++i) {
    branches.push_back(isNotNull(expr.args[i]));
    branches.push_back(expr.args[i]);
  }
  branches.push_back(expr.args.back());
  return BoundExpr::caseWhen(std::move(branches), expr.type);
}

/// The fields of a ROW constructor, perhaps under a CAST, or of a constant ROW; none for other expressions.
std::optional<std::vector<BoundExprPtr>> constructedFields(const BoundExpr& expr) {
  std::vector<BoundExprPtr> fields;
  if (expr.isLiteral()) {
    if (expr.value.isNull()) return std::nullopt;
    for (size_t i = 0; i < expr.type.childCount(); ++i) {
      fields.push_back(BoundExpr::literal(expr.value.asRow()[i], expr.type.child(i)));
    }
    return fields;
  }
  if (expr.kind == BoundKind::CALL && expr.function->name == "ROW") return expr.args;
  if (expr.kind != BoundKind::CAST) return std::nullopt;
  std::optional<std::vector<BoundExprPtr>> inner = constructedFields(*expr.args[0]);
  if (!inner) return std::nullopt;
  for (size_t i = 0; i < inner->size(); ++i) fields.push_back(BoundExpr::cast((*inner)[i], expr.type.child(i)));
  return fields;
}

BoundExprPtr loweredRowComparison(const BoundExpr& expr) {
  static const ScalarFunction* const kEquals = required("=");
  static const ScalarFunction* const kDiffers = required("<>");
  static const ScalarFunction* const kNot = required("NOT");
  if ((expr.function != kEquals && expr.function != kDiffers) || expr.args[0]->type.kind() != TypeKind::ROW)
    return nullptr;
  const auto left = constructedFields(*expr.args[0]);
  const auto right = constructedFields(*expr.args[1]);
  if (!left || !right) return nullptr;
  std::vector<BoundExprPtr> equalities;
  for (size_t i = 0; i < left->size(); ++i) {
    const bool nullable = (*left)[i]->type.nullable() || (*right)[i]->type.nullable() || expr.type.nullable();
    equalities.push_back(BoundExpr::call(kEquals, {(*left)[i], (*right)[i]}, DataType::boolean(nullable)));
  }
  BoundExprPtr all = BoundExpr::conjunction(std::move(equalities));
  return expr.function == kEquals ? all : BoundExpr::call(kNot, {all}, expr.type);
}

/// `x = constant`, whichever way round.
struct Equality {
  BoundExprPtr operand;
  BoundExprPtr constant;
};

std::optional<Equality> asEquality(const BoundExpr& expr) {
  static const ScalarFunction* const kEquals = required("=");
  if (expr.kind != BoundKind::CALL || expr.function != kEquals) return std::nullopt;
  const bool swapped = expr.args[0]->isLiteral();
  Equality equality{expr.args[swapped ? 1 : 0], expr.args[swapped ? 0 : 1]};
  if (equality.operand->isLiteral() || !equality.constant->isLiteral()) return std::nullopt;
  const DataType& a = equality.operand->type;
  const DataType& b = equality.constant->type;
  const bool same = a.sameIgnoringNullability(b) || (a.isString() && b.isString()) || (a.isBinary() && b.isBinary());
  return same && !a.isNested() && isRepeatable(*equality.operand) ? std::optional(equality) : std::nullopt;
}

BoundExprPtr membership(const BoundExprPtr& operand, std::vector<BoundExprPtr> constants) {
  static const ScalarFunction* const kIn = required("IN");
  const auto nullable = [](const BoundExprPtr& arg) { return arg->type.nullable(); };
  constants.insert(constants.begin(), operand);
  const DataType type = DataType::boolean(std::ranges::any_of(constants, nullable));
  return BoundExpr::call(kIn, std::move(constants), type);
}

BoundExprPtr loweredDisjunction(const BoundExpr& expr) {
  if (expr.args.size() < kSetSizeMin) return nullptr;
  struct Group {
    BoundExprPtr operand;
    std::vector<BoundExprPtr> constants = {};
    std::vector<BoundExprPtr> equalities = {};
  };
  std::vector<Group> groups;
  std::vector<BoundExprPtr> others;
  for (const BoundExprPtr& arg : expr.args) {
    const std::optional<Equality> equality = asEquality(*arg);
    if (!equality) {
      others.push_back(arg);
      continue;
    }
    const auto group =
        std::ranges::find_if(groups, [&](const Group& g) { return exprEqual(*g.operand, *equality->operand); });
    Group& target = group != groups.end() ? *group : groups.emplace_back(Group{.operand = equality->operand});
    target.constants.push_back(equality->constant);
    target.equalities.push_back(arg);
  }
  bool changed = false;
  std::vector<BoundExprPtr> operands;
  for (Group& group : groups) {
    if (group.constants.size() >= kSetSizeMin) {
      operands.push_back(membership(group.operand, std::move(group.constants)));
      changed = true;
    } else {
      operands.insert(operands.end(), group.equalities.begin(), group.equalities.end());
    }
  }
  if (!changed) return nullptr;
  operands.insert(operands.end(), others.begin(), others.end());  // those that can fail come last
  return BoundExpr::disjunction(std::move(operands));
}

}  // namespace

BoundExprPtr lowered(const BoundExpr& expr) {
  if (expr.kind == BoundKind::OR) return loweredDisjunction(expr);
  if (expr.kind != BoundKind::CALL || expr.args.size() < 2) return nullptr;
  BoundExprPtr better = loweredConditional(expr);
  return better != nullptr ? better : loweredRowComparison(expr);
}

}  // namespace thalweg
