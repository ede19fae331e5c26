#include "common/plan/binder/relation.h"

#include "common/plan/binder/scope_context.h"

namespace thalweg {

LogicalNodePtr singleRow() {
  return std::make_shared<LogicalValues>(std::vector<std::vector<Value>>{{}}, Schema());
}

LogicalNodePtr project(LogicalNodePtr input, std::vector<BoundExprPtr> expressions, std::vector<std::string> names) {
  std::vector<Column> columns;
  for (size_t i = 0; i < expressions.size(); ++i) {
    columns.push_back({names[i], expressions[i]->type, timeAttributeOf(*expressions[i], input->schema)});
  }
  return std::make_shared<LogicalProject>(std::move(input), std::move(expressions), Schema(std::move(columns)));
}

std::vector<BoundExprPtr> identityColumns(const Schema& schema) {
  std::vector<BoundExprPtr> columns;
  for (size_t i = 0; i < schema.size(); ++i) columns.push_back(BoundExpr::column(static_cast<int>(i), schema.type(i)));
  return columns;
}

std::vector<std::string> columnNames(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns()) names.push_back(column.name);
  return names;
}

LogicalNodePtr filter(LogicalNodePtr input, std::vector<BoundExprPtr> conditions) {
  if (conditions.empty()) return input;
  return std::make_shared<LogicalFilter>(std::move(input), BoundExpr::conjunction(std::move(conditions)));
}

LogicalNodePtr join(LogicalNodePtr left, LogicalNodePtr right, JoinType type, BoundExprPtr condition) {
  std::vector<Column> columns = left->schema.columns();
  bool semi = type == JoinType::SEMI || type == JoinType::ANTI;
  if (type == JoinType::RIGHT || type == JoinType::FULL) {
    for (Column& column : columns) column.type = column.type.asNullable();
  }
  if (!semi) {
    for (Column column : right->schema.columns()) {
      if (type == JoinType::LEFT || type == JoinType::FULL) column.type = column.type.asNullable();
      columns.push_back(std::move(column));
    }
  }
  const SourcePosition position = condition ? condition->position : SourcePosition();
  auto joined = std::make_shared<LogicalJoin>(std::move(left), std::move(right), type, std::move(condition), Schema(std::move(columns)));
  joined->position = position;
  return joined;
}

LogicalNodePtr distinct(LogicalNodePtr input) {
  std::vector<int> keys;
  for (size_t i = 0; i < input->schema.size(); ++i) keys.push_back(static_cast<int>(i));
  Schema schema = input->schema;
  return std::make_shared<LogicalAggregate>(std::move(input), std::move(keys), std::vector<std::vector<int>>(),
                                            std::vector<AggregateCallSpec>(), std::move(schema));
}

int ColumnSlots::add(const BoundExprPtr& expression) {
  for (size_t i = 0; i < expressions_.size(); ++i) {
    if (exprEqual(*expressions_[i], *expression)) return static_cast<int>(i);
  }
  expressions_.push_back(expression);
  return static_cast<int>(expressions_.size()) - 1;
}

LogicalNodePtr ColumnSlots::finish() {
  bool plain = true;
  for (const BoundExprPtr& expression : expressions_) {
    plain = plain && expression->isColumn() && expression->index < kOuterStride;
  }
  columns_.clear();
  if (plain) {
    for (const BoundExprPtr& expression : expressions_) columns_.push_back(expression->index);
    return input_;
  }
  std::vector<BoundExprPtr> projected;
  std::vector<std::string> names;
  if (keep_input_) {
    projected = identityColumns(input_->schema);
    names = columnNames(input_->schema);
  }
  for (const BoundExprPtr& expression : expressions_) {
    bool column = expression->isColumn() && expression->index < kOuterStride;
    if (keep_input_ && column) {
      columns_.push_back(expression->index);
      continue;
    }
    columns_.push_back(static_cast<int>(projected.size()));
    names.push_back(column ? input_->schema.column(static_cast<size_t>(expression->index)).name
                           : "$f" + std::to_string(projected.size()));
    projected.push_back(expression);
  }
  return project(input_, std::move(projected), std::move(names));
}

}  // namespace thalweg
