// Constant folding: a deterministic call over literals becomes a literal.
//
// What fails while folding stays as it is and fails when the job runs, as the user would see it in Flink; but a division
// of constants by zero is refused. Folded values are as literals hold them: no -0.0, no digits beyond the type's precision.

#include "common/expr/evaluator.h"
#include "common/functions/scalar_function.h"
#include "common/planner/expression_rewrite.h"
#include "common/planner/logical_rewrite.h"
#include "common/planner/optimizer.h"
#include "common/types/datetime.h"

namespace thalweg {
namespace {

bool allLiteral(const BoundExpr& expr) {
  if (expr.args.empty()) return expr.isLiteral();
  for (const auto& arg : expr.args) {
    if (!arg->isLiteral()) return false;
  }
  return true;
}

bool isZero(const BoundExpr& expr) {
  if (!expr.isLiteral() || expr.value.isNull()) return false;
  if (expr.type.isInteger()) return expr.value.asInt() == 0;
  if (expr.type.kind() == TypeKind::DECIMAL) return expr.value.asDecimal() == 0;
  return expr.type.isApproximateNumeric() && expr.value.asDouble() == 0;
}

/// A value that is not NULL, as a literal of the type holds it.
BoundExprPtr literalOf(const Value& value, const DataType& type) {
  if (type.isApproximateNumeric() && value.asDouble() == 0) return BoundExpr::literal(Value::floating(0), type);
  if (type.isTimestamp()) {
    return BoundExpr::literal(Value::timestamp(truncateToPrecision(value.asTimestamp(), type.precision())), type);
  }
  if (type.kind() == TypeKind::TIME) {
    return BoundExpr::literal(Value::integer(truncateTimeToPrecision(static_cast<int32_t>(value.asInt()), type.precision())), type);
  }
  return BoundExpr::literal(value, type);
}

class Folder {
 public:
  explicit Folder(const PlannerSettings& settings) : interrupted_(settings.interrupted) {
    const auto zone = TimeZone::of(settings.configuration.getString("table.local-time-zone"));
    zone_ = zone.isOk() ? *zone : TimeZone();
    context_.session_zone = &zone_;
    context_.query_start_ms = settings.query_start_ms;
    context_.now_ms = [start = settings.query_start_ms] { return start; };
    context_.random = [] { return uint64_t{0}; };
    context_.batch_mode = settings.batch_mode;
  }

  BoundExprPtr fold(const BoundExprPtr& expr) {
    return rewriteExpr(expr, [this](const BoundExprPtr& node) { return foldNode(node); });
  }
  /// Why the plan is refused, if it is.
  const Status& failure() const { return failure_; }

 private:
  BoundExprPtr foldNode(const BoundExprPtr& node) {
    if (node->kind == BoundKind::CALL && node->function->name == "/" && allLiteral(*node) && !node->args[0]->value.isNull() &&
        isZero(*node->args[1])) {
      failure_ = Status::plan("division by zero; divide by NULLIF(divisor, 0) to get NULL instead", node->position);
    }
    if (node->isLiteral() || node->args.empty() || !allLiteral(*node)) return node;
    if (node->kind == BoundKind::CALL && node->function->determinism != Determinism::DETERMINISTIC) return node;
    if (interrupted_ && interrupted_()) {
      failure_ = Status::cancelled("the statement was interrupted while it was planned");
      return node;
    }
    auto value = evaluateConstant(node, context_);
    if (!value.isOk()) return node;
    if (value->isNull() && !node->type.nullable()) return node;
    return value->isNull() ? BoundExpr::literal(Value::null(), node->type) : literalOf(*value, node->type);
  }

  std::function<bool()> interrupted_;
  TimeZone zone_;
  EvalContext context_;
  Status failure_;
};

/// `exprs` over one row of VALUES; nothing where one of them does not fold.
std::optional<std::vector<Value>> foldOverRow(Folder& folder, const std::vector<BoundExprPtr>& exprs, const LogicalValues& values,
                                              const std::vector<Value>& row) {
  std::vector<BoundExprPtr> literals;
  for (size_t i = 0; i < row.size(); ++i) literals.push_back(BoundExpr::literal(row[i], values.schema.type(i)));
  std::vector<Value> result;
  for (const BoundExprPtr& expr : exprs) {
    const BoundExprPtr folded = folder.fold(substituteColumns(expr, literals));
    if (!folded->isLiteral()) return std::nullopt;
    result.push_back(folded->value);
  }
  return result;
}

/// A projection or filter over rows of VALUES that are sources of their own becomes part of these rows.
LogicalNodePtr foldOverValues(Folder& folder, const LogicalNodePtr& node) {
  if (node->inputs[0]->kind != LogicalKind::VALUES) return node;
  const auto& values = node->inputs[0]->as<LogicalValues>();
  if (!values.from_expressions) return node;
  std::vector<std::vector<Value>> rows;
  for (const auto& row : values.rows) {
    if (node->kind == LogicalKind::PROJECT) {
      auto result = foldOverRow(folder, node->as<LogicalProject>().expressions, values, row);
      if (!result) return node;
      rows.push_back(std::move(*result));
    } else {
      const auto result = foldOverRow(folder, {node->as<LogicalFilter>().condition}, values, row);
      if (!result) return node;
      if (!result->front().isNull() && result->front().asBool()) rows.push_back(row);
    }
  }
  auto folded = std::make_shared<LogicalValues>(std::move(rows), node->schema);
  folded->from_expressions = true;
  return folded;
}

}  // namespace

Result<LogicalNodePtr> foldConstants(const LogicalNodePtr& root, const PlannerSettings& settings) {
  Folder folder(settings);
  BottomUpRewrite rewrite([&folder](const LogicalNodePtr& node) -> Result<LogicalNodePtr> {
    switch (node->kind) {
      case LogicalKind::PROJECT: {
        const auto& project = node->as<LogicalProject>();
        std::vector<BoundExprPtr> expressions;
        for (const auto& e : project.expressions) expressions.push_back(folder.fold(e));
        return foldOverValues(folder, std::make_shared<LogicalProject>(node->inputs[0], std::move(expressions), node->schema));
      }
      case LogicalKind::FILTER: {
        auto condition = folder.fold(node->as<LogicalFilter>().condition);
        if (condition->isLiteral() && !condition->value.isNull() && condition->value.asBool()) return node->inputs[0];
        return foldOverValues(folder, std::make_shared<LogicalFilter>(node->inputs[0], std::move(condition)));
      }
      case LogicalKind::JOIN: {
        const auto& join = node->as<LogicalJoin>();
        if (!join.condition) return node;
        auto copy = std::make_shared<LogicalJoin>(join);
        copy->condition = folder.fold(join.condition);
        if (copy->condition->isLiteral() && !copy->condition->value.isNull() && copy->condition->value.asBool()) {
          copy->condition = nullptr;
        }
        return LogicalNodePtr(std::move(copy));
      }
      default: return node;
    }
  });
  ASSIGN_OR_RETURN(LogicalNodePtr folded, rewrite.apply(root));
  RETURN_IF_ERROR(folder.failure());
  return folded;
}

}  // namespace thalweg
