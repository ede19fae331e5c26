#include "common/planner/monotonicity.h"

#include <algorithm>

#include "common/planner/expression_rewrite.h"

namespace thalweg {
namespace {

using Columns = std::vector<Monotonicity>;

/// What is known of a column's sign.
struct Sign {
  bool not_negative = false;
  bool not_positive = false;
};

std::optional<double> numberOf(const BoundExpr& expr) {
  if (expr.kind == BoundKind::CAST && expr.type.isNumeric()) return numberOf(*expr.args[0]);
  if (!expr.isLiteral() || expr.value.isNull()) return std::nullopt;
  if (expr.type.isInteger()) return static_cast<double>(expr.value.asInt());
  return std::nullopt;
}

const BoundExpr& withoutCast(const BoundExpr& expr) {
  return expr.kind == BoundKind::CAST && expr.type.isNumeric() ? withoutCast(*expr.args[0]) : expr;
}

/// What `part` (a comparison with a number) says of `column`.
void learnSign(const BoundExpr& part, int column, Sign& sign) {
  if (part.kind != BoundKind::CALL || part.args.size() != 2) return;
  const BoundExpr* a = &withoutCast(*part.args[0]);
  const BoundExpr* b = part.args[1].get();
  std::string op = part.function->name;
  if (!a->isColumn()) {
    a = &withoutCast(*part.args[1]);
    b = part.args[0].get();
    if (op == "<") op = ">";
    else if (op == "<=") op = ">=";
    else if (op == ">") op = "<";
    else if (op == ">=") op = "<=";
  }
  const auto number = numberOf(*b);
  if (!a->isColumn() || a->index != column || !number) return;
  if ((op == ">" || op == ">=" || op == "=") && *number >= 0) sign.not_negative = true;
  if ((op == "<" || op == "<=" || op == "=") && *number <= 0) sign.not_positive = true;
}

Sign signOf(const Draft& draft, int column);

Sign signOf(const BoundExpr& expr, const Draft& input) {
  if (const auto number = numberOf(expr)) return {*number >= 0, *number <= 0};
  const BoundExpr& plain = withoutCast(expr);
  return plain.isColumn() ? signOf(input, plain.index) : Sign();
}

Sign signOf(const Draft& draft, int column) {
  if (const auto* calc = std::get_if<CalcSpec>(&draft.spec)) {
    const BoundExpr& projection = *calc->projections[static_cast<size_t>(column)];
    Sign sign = signOf(projection, *draft.inputs[0].draft);
    const BoundExpr& plain = withoutCast(projection);
    if (calc->condition && plain.isColumn()) {
      for (const auto& part : splitConjunction(calc->condition)) learnSign(*part, plain.index, sign);
    }
    return sign;
  }
  if (const auto* group = std::get_if<GroupAggregateSpec>(&draft.spec)) {
    const int call = column - static_cast<int>(group->keys.size());
    if (call < 0) return signOf(*draft.inputs[0].draft, group->keys[static_cast<size_t>(column)]);
    return {group->calls[static_cast<size_t>(call)].function->name == "COUNT", false};
  }
  if (std::holds_alternative<WatermarkAssignerSpec>(draft.spec)) return signOf(*draft.inputs[0].draft, column);
  return {};
}

Monotonicity ofCall(const AggregateCallSpec& call, const Draft& input) {
  const std::string& name = call.function->name;
  if (name == "COUNT" || name == "MAX") return Monotonicity::INCREASING;
  if (name == "MIN") return Monotonicity::DECREASING;
  if (name == "SUM" && call.arguments.size() == 1) {
    const Sign sign = signOf(input, call.arguments[0]);
    if (sign.not_negative) return Monotonicity::INCREASING;
    if (sign.not_positive) return Monotonicity::DECREASING;
  }
  return Monotonicity::NONE;
}

std::optional<Columns> ofAggregate(const Draft& draft, const GroupAggregateSpec& group) {
  const Draft& input = *draft.inputs[0].draft;
  const auto below = monotonicityOf(input);
  if (!below) return std::nullopt;
  Columns columns;
  for (const int key : group.keys) {
    if ((*below)[static_cast<size_t>(key)] != Monotonicity::CONSTANT) return std::nullopt;
    columns.push_back(Monotonicity::CONSTANT);
  }
  for (const AggregateCallSpec& call : group.calls) {
    Monotonicity own = ofCall(call, input);
    if (!input.mode.isInsertOnly()) {
      if (call.arguments.size() > 1) return std::nullopt;
      if (call.arguments.size() == 1) {
        const Monotonicity argument = (*below)[static_cast<size_t>(call.arguments[0])];
        if (argument != own && argument != Monotonicity::CONSTANT) own = Monotonicity::NONE;
      }
    }
    columns.push_back(own);
  }
  return columns;
}

bool readsOnlyConstant(const BoundExpr& expr, const Columns& input) {
  const auto columns = columnsOf(expr);
  return std::all_of(columns.begin(), columns.end(),
                     [&](int column) { return input[static_cast<size_t>(column)] == Monotonicity::CONSTANT; });
}

}  // namespace

std::optional<Columns> monotonicityOf(const Draft& draft) {
  if (draft.mode.isInsertOnly()) return Columns(draft.schema.size(), Monotonicity::CONSTANT);
  if (draft.mode.deletes) return std::nullopt;
  if (const auto* group = std::get_if<GroupAggregateSpec>(&draft.spec)) return ofAggregate(draft, *group);
  if (const auto* calc = std::get_if<CalcSpec>(&draft.spec)) {
    const auto below = monotonicityOf(*draft.inputs[0].draft);
    if (!below) return std::nullopt;
    // A row that leaves the condition goes for the consumer.
    if (calc->condition && !readsOnlyConstant(*calc->condition, *below)) return std::nullopt;
    Columns columns;
    for (const auto& projection : calc->projections) {
      columns.push_back(projection->isColumn() ? (*below)[static_cast<size_t>(projection->index)] : Monotonicity::NONE);
    }
    return columns;
  }
  return std::nullopt;
}

bool movesForward(const Draft& draft, const std::vector<SortKey>& order) {
  const auto columns = monotonicityOf(draft);
  if (!columns || order.empty()) return false;
  return std::all_of(order.begin(), order.end(), [&](const SortKey& key) {
    const Monotonicity way = (*columns)[static_cast<size_t>(key.column)];
    const bool descending = key.direction == SortDirection::DESCENDING;
    return way == Monotonicity::CONSTANT || way == (descending ? Monotonicity::INCREASING : Monotonicity::DECREASING);
  });
}

}  // namespace thalweg
