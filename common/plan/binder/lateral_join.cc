// LATERAL: the sub-query's flattened form joined to the rows it sees.
#include "common/plan/binder/decorrelate.h"
#include "common/plan/binder/relation.h"

namespace thalweg {
namespace {

/// Outputs as plain columns of the node where they do not depend on the outer row, so that padding makes them NULL.
void materializeOutputs(Flattened& f) {
  std::vector<BoundExprPtr> columns = identityColumns(f.node->schema);
  std::vector<std::string> names = columnNames(f.node->schema);
  size_t width = columns.size();
  for (BoundExprPtr& output : f.outputs) {
    if (output->isColumn() || hasOuterReference(*output)) continue;
    columns.push_back(output);
    names.push_back("$f" + std::to_string(names.size()));
    output = BoundExpr::column(static_cast<int>(columns.size() - 1), output->type);
  }
  if (columns.size() > width) f.node = project(std::move(f.node), std::move(columns), std::move(names));
}

/// `expr` over left ++ sub-query with the sub-query's columns replaced by their expressions over left ++ node.
BoundExprPtr replaceSub(const BoundExprPtr& expr, int left_width, const std::vector<BoundExprPtr>& outputs) {
  if (expr->isColumn()) {
    bool of_sub = expr->index >= left_width && expr->index < kOuterStride;
    return of_sub ? outputs[static_cast<size_t>(expr->index - left_width)] : expr;
  }
  if (expr->args.empty()) return expr;
  auto copy = std::make_shared<BoundExpr>(*expr);
  for (BoundExprPtr& arg : copy->args) arg = replaceSub(arg, left_width, outputs);
  return copy;
}

/// NULL unless `condition`; a padded plain column is NULL by itself.
Result<BoundExprPtr> onlyIf(const CallFactory& calls, const BoundExprPtr& condition, const BoundExprPtr& expr) {
  return calls.caseWhen({condition, expr, nullLiteral(expr->type)}, {});
}

}  // namespace

Result<LogicalNodePtr> joinLateral(const CallFactory& calls, const LogicalNodePtr& left, const LogicalNodePtr& sub,
                                   JoinType type, const BoundExprPtr& on) {
  ASSIGN_OR_RETURN(Flattened f, flattenOrCorrelate(calls, left, sub));
  // As in Flink, JOIN LATERAL with an aggregate over correlated rows drops outer rows without any.
  if (type == JoinType::INNER && !f.predicates.empty()) f.one_row = false;
  if (!f.one_row) materializeOutputs(f);
  int width = static_cast<int>(left->schema.size());
  bool padded = type == JoinType::LEFT && !f.one_row;
  BoundExprPtr marker;
  if (padded) {
    // Tells a padded row where outputs depend on the outer row.
    std::vector<BoundExprPtr> columns = identityColumns(f.node->schema);
    std::vector<std::string> names = columnNames(f.node->schema);
    columns.push_back(booleanLiteral(true));
    names.push_back("$match");
    marker = BoundExpr::column(width + static_cast<int>(columns.size()) - 1, DataType::boolean());
    f.node = project(std::move(f.node), std::move(columns), std::move(names));
  }
  std::vector<BoundExprPtr> outputs;
  for (const BoundExprPtr& output : f.outputs) outputs.push_back(lowerLevel(output, width));
  std::vector<BoundExprPtr> conditions;
  for (const BoundExprPtr& predicate : f.predicates) conditions.push_back(lowerLevel(predicate, width));
  BoundExprPtr late_on = on ? replaceSub(on, width, outputs) : nullptr;
  if (late_on && !f.one_row) {
    conditions.push_back(late_on);
    late_on = nullptr;
  }
  BoundExprPtr condition = conditions.empty() ? nullptr : BoundExpr::conjunction(std::move(conditions));
  LogicalNodePtr node = join(left, f.node, f.one_row ? JoinType::LEFT : type, std::move(condition));
  if (late_on && type == JoinType::INNER) node = filter(std::move(node), {late_on});
  std::vector<BoundExprPtr> columns = identityColumns(left->schema);
  std::vector<std::string> names = columnNames(left->schema);
  for (size_t i = 0; i < outputs.size(); ++i) {
    BoundExprPtr output = outputs[i];
    bool plain = output->isColumn() && output->index >= width && output->index < kOuterStride;
    if (padded && plain) {
      output = BoundExpr::column(output->index, output->type.asNullable());
    } else if (padded) {
      ASSIGN_OR_RETURN(BoundExprPtr matched, calls.call("IS NOT NULL", {marker}, {}));
      ASSIGN_OR_RETURN(output, onlyIf(calls, matched, output));
    } else if (late_on && type == JoinType::LEFT) {
      ASSIGN_OR_RETURN(output, onlyIf(calls, late_on, output));
    }
    columns.push_back(std::move(output));
    names.push_back(sub->schema.column(i).name);
  }
  return project(std::move(node), std::move(columns), std::move(names));
}

}  // namespace thalweg
