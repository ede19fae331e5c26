#include "client/api/table/projection.h"

#include <algorithm>

#include "client/api/table/expression_tree.h"
#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/expressions.h"
#include "common/functions/function_registry.h"
#include "common/plan/expressions/ast_walk.h"

namespace thalweg::api {
namespace {

bool isAggregate(const sql::Expr& expr) {
  const auto* call = sql::tryAs<sql::FunctionCall>(expr);
  return call && isAggregateCall(*call);
}

std::string nameOfNode(const sql::Expr& expr) {
  if (const auto* ref = sql::tryAs<sql::ColumnRef>(expr)) {
    std::string name;
    for (const std::string& part : ref->name.texts()) name += (name.empty() ? "" : "$") + part;
    return name;
  }
  if (const auto* field = sql::tryAs<sql::FieldAccess>(expr)) {
    const std::string row = nameOfNode(*field->operand);
    return row.empty() ? "" : row + "$" + field->field.text;
  }
  if (const auto* cast = sql::tryAs<sql::Cast>(expr)) return nameOfNode(*cast->operand);
  return "";
}

/// Positions that the arguments of withColumns() mean: names and ranges of them.
std::vector<size_t> positionsOf(const sql::FunctionCall& call, const thalweg::Schema& input) {
  std::vector<size_t> positions;
  const auto position = [&](const sql::Expr& expr) {
    const std::string name = columnNameOf(expr);
    requireColumn(input, name, "withColumns");
    return static_cast<size_t>(input.indexOf(name));
  };
  for (const sql::ExprPtr& arg : call.args) {
    if (arg->kind == sql::ExprKind::STAR) {
      for (size_t i = 0; i < input.size(); ++i) positions.push_back(i);
    } else if (const auto* range = asCall(*arg, "$range")) {
      for (size_t i = position(*range->args[0]); i <= position(*range->args[1]); ++i) positions.push_back(i);
    } else {
      positions.push_back(position(*arg));
    }
  }
  return positions;
}

}  // namespace

void requireColumn(const thalweg::Schema& schema, const std::string& name, const char* what) {
  if (schema.indexOf(name) >= 0) return;
  std::string known;
  for (const thalweg::Column& column : schema.columns()) known += (known.empty() ? "" : ", ") + column.name;
  throw ValidationException(std::string(what) + ": cannot resolve field [" + name + "], input field list: [" + known + "]");
}

std::vector<Expression> spreadColumns(const std::vector<Expression>& fields, const thalweg::Schema& input) {
  std::vector<Expression> out;
  for (const Expression& field : fields) {
    const sql::Expr& node = *field.node();
    if (node.kind == sql::ExprKind::STAR && sql::as<sql::Star>(node).qualifier.empty()) {
      for (const thalweg::Column& column : input.columns()) out.push_back(Expression(columnNode({column.name})));
    } else if (const auto* with = asCall(node, "$with")) {
      for (const size_t i : positionsOf(*with, input)) out.push_back(Expression(columnNode({input.column(i).name})));
    } else if (const auto* without = asCall(node, "$without")) {
      const auto left_out = positionsOf(*without, input);
      for (size_t i = 0; i < input.size(); ++i) {
        if (std::find(left_out.begin(), left_out.end(), i) == left_out.end()) out.push_back(Expression(columnNode({input.column(i).name})));
      }
    } else {
      out.push_back(field);
    }
  }
  return out;
}

std::string nameOf(const Expression& field) { return field.names().empty() ? nameOfNode(*field.node()) : field.names()[0]; }

std::vector<sql::SelectItem> selectItems(const std::vector<Expression>& fields, const thalweg::Schema& input) {
  std::vector<sql::SelectItem> items;
  size_t aggregates = 0;
  for (const Expression& field : spreadColumns(fields, input)) {
    std::string name = nameOf(field);
    const bool aggregate = isAggregate(*field.node());
    if (name.empty()) name = aggregate ? "EXPR$" + std::to_string(aggregates) : "_c" + std::to_string(items.size());
    anyPart(*field.node(), [&](const sql::Expr& part) {
      aggregates += isAggregate(part);
      return false;
    });
    sql::SelectItem item;
    item.expr = field.node();
    item.alias = identifier(std::move(name));
    items.push_back(std::move(item));
  }
  return items;
}

bool isAggregateCall(const sql::FunctionCall& call) {
  if (call.over || !call.name.isSimple()) return false;
  const FunctionRegistry& registry = FunctionRegistry::instance();
  return registry.aggregate(call.name.last()) != nullptr && registry.scalar(call.name.last()) == nullptr;
}

bool containsAggregate(const Expression& field) {
  return anyPart(*field.node(), [](const sql::Expr& part) { return isAggregate(part); });
}

std::vector<sql::ExprPtr> nodesOf(const std::vector<Expression>& fields) {
  std::vector<sql::ExprPtr> nodes;
  for (const Expression& field : fields) nodes.push_back(field.node());
  return nodes;
}

std::vector<sql::OrderItem> orderItems(const std::vector<Expression>& fields) {
  std::vector<sql::OrderItem> items;
  for (const Expression& field : fields) {
    sql::OrderItem item;
    const auto* ascending = asCall(*field.node(), "$asc");
    const auto* descending = asCall(*field.node(), "$desc");
    item.direction = descending ? sql::SortDirection::DESC : sql::SortDirection::ASC;
    item.expr = ascending ? ascending->args[0] : descending ? descending->args[0] : field.node();
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace thalweg::api
