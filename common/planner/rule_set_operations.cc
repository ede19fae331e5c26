// UNION → UNION ALL + DISTINCT; INTERSECT → semi join + DISTINCT; EXCEPT → anti join + DISTINCT, all columns compared with
// IS NOT DISTINCT FROM, since NULLs are equal in set operations.
//
// INTERSECT ALL and EXCEPT ALL count per row over a tagged UNION ALL: every input row gets its columns plus one mark column
// per side; grouping by all columns counts the rows of each side, and each group's row is repeated as often as on the side
// with fewer of it, or as there are more on the left.

#include "common/functions/function_registry.h"
#include "common/planner/logical_rewrite.h"
#include "common/planner/optimizer.h"

namespace thalweg {
namespace {

std::vector<int> firstColumns(size_t count) {
  std::vector<int> columns;
  for (size_t i = 0; i < count; ++i) columns.push_back(static_cast<int>(i));
  return columns;
}

LogicalNodePtr distinct(LogicalNodePtr input) {
  auto keys = firstColumns(input->schema.size());
  const Schema schema = input->schema;
  return std::make_shared<LogicalAggregate>(std::move(input), std::move(keys), std::vector<std::vector<int>>{},
                                            std::vector<AggregateCallSpec>{}, schema);
}

/// The columns of `input` and, per side, 1 where the row is of that side (else NULL).
LogicalNodePtr tagged(const LogicalNodePtr& input, const Schema& common, size_t side, size_t sides) {
  std::vector<BoundExprPtr> expressions;
  std::vector<Column> columns;
  for (size_t i = 0; i < common.size(); ++i) {
    expressions.push_back(BoundExpr::cast(BoundExpr::column(static_cast<int>(i), input->schema.type(i)), common.type(i)));
    columns.push_back({common.column(i).name, common.type(i)});
  }
  for (size_t s = 0; s < sides; ++s) {
    const DataType type = DataType::integer();
    expressions.push_back(BoundExpr::literal(s == side ? Value::integer(1) : Value::null(), type));
    columns.push_back({"side" + std::to_string(s), type});
  }
  return std::make_shared<LogicalProject>(input, std::move(expressions), Schema(std::move(columns)));
}

/// Each row of `counted` as often as ALL wants it, from its two counts behind column `width`.
Result<LogicalNodePtr> repeated(const LogicalNodePtr& counted, size_t width, SetOpKind op) {
  const DataType count_type = DataType::bigint(false);
  const auto left = BoundExpr::column(static_cast<int>(width), count_type);
  const auto right = BoundExpr::column(static_cast<int>(width) + 1, count_type);
  const auto* less = FunctionRegistry::instance().scalar("<");
  const auto* minus = FunctionRegistry::instance().scalar("-");
  if (less == nullptr || minus == nullptr) return Status::internal("< or - is not registered");
  UnnestSpec spec;
  if (op == SetOpKind::INTERSECT) {
    auto fewer_left = BoundExpr::call(less, {left, right}, DataType::boolean(false));
    spec.collection = BoundExpr::caseWhen({std::move(fewer_left), left, right}, count_type);
  } else {
    spec.collection = BoundExpr::call(minus, {left, right}, count_type);
  }
  return LogicalNodePtr(std::make_shared<LogicalUnnest>(counted, std::move(spec), counted->schema));
}

LogicalNodePtr withTypes(const LogicalNodePtr& input, const Schema& common) {
  std::vector<BoundExprPtr> expressions;
  std::vector<Column> columns;
  bool same = true;
  for (size_t i = 0; i < common.size(); ++i) {
    const DataType& type = input->schema.type(i);
    const DataType wanted = type.nullable() ? common.type(i).asNullable() : common.type(i);
    same = same && type == wanted;
    expressions.push_back(BoundExpr::cast(BoundExpr::column(static_cast<int>(i), type), wanted));
    columns.push_back({common.column(i).name, wanted});
  }
  return same ? input : std::make_shared<LogicalProject>(input, std::move(expressions), Schema(std::move(columns)));
}

Result<LogicalNodePtr> byJoining(const LogicalSetOp& set) {
  const auto* same = FunctionRegistry::instance().scalar("IS NOT DISTINCT FROM");
  if (same == nullptr) return Status::internal("IS NOT DISTINCT FROM is not registered");
  LogicalNodePtr left = withTypes(set.inputs[0], set.schema);
  for (size_t side = 1; side < set.inputs.size(); ++side) {
    LogicalNodePtr right = withTypes(set.inputs[side], set.schema);
    std::vector<BoundExprPtr> conditions;
    const int width = static_cast<int>(set.schema.size());
    for (int i = 0; i < width; ++i) {
      conditions.push_back(BoundExpr::call(same, {BoundExpr::column(i, left->schema.type(static_cast<size_t>(i))),
                                                  BoundExpr::column(width + i, right->schema.type(static_cast<size_t>(i)))},
                                           DataType::boolean(false)));
    }
    const JoinType type = set.op == SetOpKind::INTERSECT ? JoinType::SEMI : JoinType::ANTI;
    const Schema schema = left->schema;
    left = std::make_shared<LogicalJoin>(std::move(left), std::move(right), type, BoundExpr::conjunction(std::move(conditions)), schema);
  }
  LogicalNodePtr rows = distinct(std::move(left));
  std::vector<BoundExprPtr> columns;
  for (size_t i = 0; i < set.schema.size(); ++i) {
    columns.push_back(BoundExpr::cast(BoundExpr::column(static_cast<int>(i), rows->schema.type(i)), set.schema.type(i)));
  }
  return LogicalNodePtr(std::make_shared<LogicalProject>(std::move(rows), std::move(columns), set.schema));
}

Result<LogicalNodePtr> byCounting(const LogicalSetOp& set) {
  const size_t width = set.schema.size();
  std::vector<LogicalNodePtr> inputs;
  for (size_t side = 0; side < set.inputs.size(); ++side) inputs.push_back(tagged(set.inputs[side], set.schema, side, set.inputs.size()));
  const Schema tagged_schema = inputs[0]->schema;
  auto all = std::make_shared<LogicalSetOp>(std::move(inputs), SetOpKind::UNION, true, tagged_schema);

  const auto* count = FunctionRegistry::instance().aggregate("COUNT");
  if (count == nullptr) return Status::internal("COUNT is not registered");
  std::vector<AggregateCallSpec> calls;
  std::vector<Column> columns(tagged_schema.columns().begin(), tagged_schema.columns().begin() + static_cast<long>(width));
  for (size_t side = 0; side < set.inputs.size(); ++side) {
    AggregateCallSpec call;
    call.function = count;
    call.arguments = {static_cast<int>(width + side)};
    call.argument_types = {DataType::integer()};
    call.literals = {std::nullopt};
    call.result_type = DataType::bigint(false);
    call.name = "count" + std::to_string(side);
    columns.push_back({call.name, call.result_type});
    calls.push_back(std::move(call));
  }
  auto counted = std::make_shared<LogicalAggregate>(all, firstColumns(width), std::vector<std::vector<int>>{},
                                                    std::move(calls), Schema(std::move(columns)));
  ASSIGN_OR_RETURN(LogicalNodePtr kept, repeated(counted, width, set.op));
  std::vector<BoundExprPtr> back;
  for (size_t i = 0; i < width; ++i) back.push_back(BoundExpr::column(static_cast<int>(i), set.schema.type(i)));
  return LogicalNodePtr(std::make_shared<LogicalProject>(kept, std::move(back), set.schema));
}

}  // namespace

Result<LogicalNodePtr> rewriteSetOperations(const LogicalNodePtr& root) {
  BottomUpRewrite rewrite([](const LogicalNodePtr& node) -> Result<LogicalNodePtr> {
    if (node->kind != LogicalKind::SET_OP) return node;
    const auto& set = node->as<LogicalSetOp>();
    if (set.op == SetOpKind::UNION) {
      if (set.all) return node;
      return distinct(std::make_shared<LogicalSetOp>(node->inputs, SetOpKind::UNION, true, node->schema));
    }
    return set.all ? byCounting(set) : byJoining(set);
  });
  return rewrite.apply(root);
}

}  // namespace thalweg
