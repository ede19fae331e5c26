// Equalities between expressions become equalities between columns, so that joins have keys.
//
// `a.x + 1 = b.y`, or `a.i = b.big` with its cast: the side that is no column is computed below the join as a further
// column, which a projection above drops. Comparisons of times stay as they are, since interval joins read them.

#include "common/functions/function_registry.h"
#include "common/planner/expression_rewrite.h"
#include "common/planner/logical_rewrite.h"
#include "common/planner/optimizer.h"

namespace thalweg {
namespace {

/// One input of a join with the columns that are computed for it.
class KeySide {
 public:
  KeySide(const LogicalNodePtr& input, int first) : input_(input), first_(first), end_(first + static_cast<int>(input->schema.size())) {
    for (size_t i = 0; i < input->schema.size(); ++i) {
      expressions_.push_back(BoundExpr::column(static_cast<int>(i), input->schema.type(i)));
    }
    columns_ = input->schema.columns();
  }

  bool owns(const BoundExpr& expr) const {
    const auto columns = columnsOf(expr);
    for (const int column : columns) {
      if (column < first_ || column >= end_) return false;
    }
    return !columns.empty();
  }

  /// The column (of this side, from 0) that holds `expr`.
  int columnFor(const BoundExprPtr& expr) {
    std::vector<int> mapping(static_cast<size_t>(end_), -1);
    for (int i = first_; i < end_; ++i) mapping[static_cast<size_t>(i)] = i - first_;
    BoundExprPtr local = remapColumns(expr, mapping);
    for (size_t i = 0; i < expressions_.size(); ++i) {
      if (exprEqual(*expressions_[i], *local)) return static_cast<int>(i);
    }
    columns_.push_back({"$key" + std::to_string(expressions_.size()), local->type});
    expressions_.push_back(std::move(local));
    return static_cast<int>(expressions_.size()) - 1;
  }

  size_t width() const { return expressions_.size(); }
  size_t ownWidth() const { return input_->schema.size(); }
  bool grew() const { return width() > ownWidth(); }

  /// The input with its further columns; the versions of a temporal join stay outermost.
  LogicalNodePtr node() const {
    if (!grew()) return input_;
    if (input_->kind == LogicalKind::TEMPORAL) {
      auto versions = std::make_shared<LogicalProject>(input_->inputs[0], expressions_, Schema(columns_));
      return std::make_shared<LogicalTemporal>(std::move(versions), input_->as<LogicalTemporal>().time);
    }
    return std::make_shared<LogicalProject>(input_, expressions_, Schema(columns_));
  }

 private:
  LogicalNodePtr input_;
  int first_;
  int end_;
  std::vector<BoundExprPtr> expressions_;
  std::vector<Column> columns_;
};

bool isEquality(const BoundExpr& expr) {
  return expr.kind == BoundKind::CALL && expr.args.size() == 2 &&
         (expr.function->name == "=" || expr.function->name == "IS NOT DISTINCT FROM");
}

/// Whether `part` is an equality that is to become one of columns.
bool needsColumns(const BoundExpr& part, const KeySide& left, const KeySide& right) {
  if (!isEquality(part) || !isDeterministic(part)) return false;
  const BoundExpr& a = *part.args[0];
  const BoundExpr& b = *part.args[1];
  if (a.isColumn() && b.isColumn()) return false;
  if (a.type.isTimestamp() || b.type.isTimestamp() || !a.type.sameIgnoringNullability(b.type)) return false;
  return (left.owns(a) && right.owns(b)) || (left.owns(b) && right.owns(a));
}

LogicalNodePtr withKeyColumns(const LogicalJoin& join, const LogicalNodePtr& node) {
  const int split = static_cast<int>(join.inputs[0]->schema.size());
  KeySide left(join.inputs[0], 0);
  KeySide right(join.inputs[1], split);
  struct Pair { const ScalarFunction* function; int left; int right; DataType type; };
  std::vector<Pair> pairs;
  std::vector<BoundExprPtr> rest;
  for (const auto& part : splitConjunction(join.condition)) {
    if (!needsColumns(*part, left, right)) {
      rest.push_back(part);
      continue;
    }
    const bool straight = left.owns(*part->args[0]);
    const int a = left.columnFor(part->args[straight ? 0 : 1]);
    const int b = right.columnFor(part->args[straight ? 1 : 0]);
    pairs.push_back({part->function, a, b, part->type});
  }
  if (pairs.empty()) return node;

  const LogicalNodePtr left_node = left.node();
  const LogicalNodePtr right_node = right.node();
  std::vector<int> moved;
  for (size_t i = 0; i < left.ownWidth(); ++i) moved.push_back(static_cast<int>(i));
  for (size_t i = 0; i < right.ownWidth(); ++i) moved.push_back(static_cast<int>(left.width() + i));
  std::vector<BoundExprPtr> conditions;
  for (const auto& part : rest) conditions.push_back(remapColumns(part, moved));
  for (const Pair& pair : pairs) {
    const auto a = BoundExpr::column(pair.left, left_node->schema.type(static_cast<size_t>(pair.left)));
    const auto b = BoundExpr::column(static_cast<int>(left.width()) + pair.right, right_node->schema.type(static_cast<size_t>(pair.right)));
    conditions.push_back(BoundExpr::call(pair.function, {a, b}, pair.type));
  }
  const bool semi = join.type == JoinType::SEMI || join.type == JoinType::ANTI;
  std::vector<Column> columns = left_node->schema.columns();
  for (size_t i = 0; i < left.ownWidth(); ++i) columns[i] = join.schema.column(i);
  if (!semi) {
    columns.insert(columns.end(), right_node->schema.columns().begin(), right_node->schema.columns().end());
    for (size_t i = 0; i < right.ownWidth(); ++i) columns[left.width() + i] = join.schema.column(left.ownWidth() + i);
  }
  auto joined = std::make_shared<LogicalJoin>(left_node, right_node, join.type, BoundExpr::conjunction(std::move(conditions)),
                                              Schema(std::move(columns)));
  joined->state_ttl_ms = join.state_ttl_ms;
  std::vector<BoundExprPtr> back;
  for (size_t i = 0; i < join.schema.size(); ++i) back.push_back(BoundExpr::column(moved[i], join.schema.type(i)));
  return std::make_shared<LogicalProject>(std::move(joined), std::move(back), join.schema);
}

/// NOT IN: a row goes if some comparison with it is TRUE or unknown. So the join is a plain ANTI join whose comparisons
/// count as met unless they are FALSE; what was to be TRUE by itself (correlation) may become a key.
LogicalNodePtr withoutNullAwareness(const LogicalJoin& join) {
  const auto* is_not_false = FunctionRegistry::instance().scalar("IS NOT FALSE");
  if (is_not_false == nullptr) return nullptr;
  std::vector<BoundExprPtr> conditions;
  for (const auto& part : splitConjunction(join.condition)) {
    if (part->kind == BoundKind::CALL && part->function->name == "IS TRUE") conditions.push_back(part->args[0]);
    else if (!part->type.nullable()) conditions.push_back(part);
    else conditions.push_back(BoundExpr::call(is_not_false, {part}, DataType::boolean(false)));
  }
  auto plain = std::make_shared<LogicalJoin>(join.inputs[0], join.inputs[1], join.type, BoundExpr::conjunction(std::move(conditions)), join.schema);
  plain->state_ttl_ms = join.state_ttl_ms;
  return plain;
}

}  // namespace

Result<LogicalNodePtr> giveJoinsKeys(const LogicalNodePtr& root) {
  BottomUpRewrite rewrite([](const LogicalNodePtr& node) -> Result<LogicalNodePtr> {
    if (node->kind != LogicalKind::JOIN) return node;
    LogicalNodePtr plain = node;
    if (node->as<LogicalJoin>().null_aware_anti && node->as<LogicalJoin>().condition) {
      plain = withoutNullAwareness(node->as<LogicalJoin>());
      if (!plain) return Status::internal("IS NOT FALSE is not registered");
    }
    const auto& join = plain->as<LogicalJoin>();
    if (!join.condition || join.null_aware_anti) return plain;
    return withKeyColumns(join, plain);
  });
  return rewrite.apply(root);
}

}  // namespace thalweg
