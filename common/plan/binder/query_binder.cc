#include "common/plan/binder/query_binder.h"

#include <set>

#include "common/plan/binder/from_binder.h"
#include "common/plan/binder/scope_context.h"
#include "common/plan/binder/select_binder.h"
#include "common/plan/binder/time_attributes.h"
#include "common/plan/expressions/bare_null.h"
#include "common/plan/expressions/expression_binder.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

/// Renames a plan's columns; a PROJECT only if a name differs.
LogicalNodePtr renamed(LogicalNodePtr node, std::vector<std::string> names) {
  if (names == columnNames(node->schema)) return node;
  std::vector<BoundExprPtr> columns = identityColumns(node->schema);
  return project(std::move(node), std::move(columns), std::move(names));
}

/// Casts a plan's columns to `types` where they differ in more than nullability.
LogicalNodePtr coerced(const CallFactory& calls, LogicalNodePtr node, const std::vector<DataType>& types) {
  std::vector<BoundExprPtr> columns = identityColumns(node->schema);
  bool changed = false;
  for (size_t i = 0; i < columns.size(); ++i) {
    BoundExprPtr cast = calls.coerce(columns[i], types[i]);
    changed = changed || cast != columns[i];
    columns[i] = std::move(cast);
  }
  if (!changed) return node;
  std::vector<std::string> names = columnNames(node->schema);
  return project(std::move(node), std::move(columns), std::move(names));
}

}  // namespace

std::vector<std::string> uniqueNames(std::vector<std::string> names) {
  std::set<std::string> used;
  for (std::string& name : names) {
    if (used.insert(name).second) continue;
    int number = 0;
    while (!used.insert(name + std::to_string(number)).second) ++number;
    name += std::to_string(number);
  }
  return names;
}

SortKey sortKey(int column, const sql::OrderItem& item) {
  SortKey key;
  key.column = column;
  bool descending = item.direction == sql::SortDirection::DESC;
  key.direction = descending ? SortDirection::DESCENDING : SortDirection::ASCENDING;
  bool nulls_last = item.nulls == sql::NullOrder::UNSPECIFIED ? descending : item.nulls == sql::NullOrder::LAST;
  key.nulls = nulls_last ? NullOrder::LAST : NullOrder::FIRST;
  return key;
}

Result<int64_t> bindCount(const BindEnvironment& environment, const sql::Expr& expr, std::string_view what) {
  NoColumns rows{std::string(what)};
  ASSIGN_OR_RETURN(BoundExprPtr bound, ExpressionBinder(environment, rows).bind(expr));
  if (!bound->isLiteral() || !bound->type.isInteger() || bound->value.isNull() || bound->value.asInt() < 0) {
    return Status::plan(std::string(what) + " needs a whole number of 0 or more", expr.position);
  }
  return bound->value.asInt();
}

Result<LogicalNodePtr> bindQuery(StatementContext& statement, const sql::Query& query, const CommonTables* common) {
  ASSIGN_OR_RETURN(LogicalNodePtr node, QueryBinder(statement, nullptr, common).bind(query));
  for (const Column& column : node->schema.columns()) {
    if (column.type.isNull()) {
      return Status::plan("column '" + column.name + "' is a bare NULL; give it a type, as in CAST(NULL AS INT)", query.position);
    }
  }
  Status times = statement.environment->batch_mode ? checkNoWatermarks(*node) : checkTimeAttributes(*node);
  if (!times.isOk()) return times.at(query.position);
  std::vector<std::string> names = uniqueNames(columnNames(node->schema));
  return renamed(std::move(node), std::move(names));
}

Result<LogicalNodePtr> QueryBinder::bind(const sql::Query& query) {
  CommonTables here;
  here.parent = common_;
  if (query.recursive) return Status::notSupported("WITH RECURSIVE is not built", query.position);
  for (const sql::CommonTable& table : query.with) {
    ASSIGN_OR_RETURN(LogicalNodePtr node, QueryBinder(statement_, outer_, &here).bind(*table.query));
    if (!table.columns.empty()) {
      if (table.columns.size() != node->schema.size()) {
        return Status::plan("WITH " + table.name.text + " names " + std::to_string(table.columns.size()) +
                            " columns, but its query has " + std::to_string(node->schema.size()), table.position);
      }
      std::vector<std::string> names;
      for (const sql::Identifier& name : table.columns) names.push_back(name.text);
      node = renamed(std::move(node), std::move(names));
    }
    here.tables[table.name.text] = std::move(node);
  }
  return bindBody(*query.body, &here, &query);
}

Result<LogicalNodePtr> QueryBinder::bindBody(const sql::QueryBody& body, const CommonTables* common,
                                             const sql::Query* decorated) {
  LogicalNodePtr node;
  switch (body.kind) {
    case sql::BodyKind::SELECT: {
      // ORDER BY of a SELECT sees more than its result.
      SelectBinder select(statement_, outer_, common);
      return select.bind(sql::as<sql::SelectBody>(body), decorated);
    }
    case sql::BodyKind::VALUES: {
      ASSIGN_OR_RETURN(node, bindValues(sql::as<sql::ValuesBody>(body)));
      break;
    }
    case sql::BodyKind::SET_OPERATION: {
      ASSIGN_OR_RETURN(node, bindSetOperation(sql::as<sql::SetOperation>(body), common));
      break;
    }
    case sql::BodyKind::TABLE: {
      FromBinder from(statement_, outer_, common);
      ASSIGN_OR_RETURN(Relation relation, from.bindTable(sql::as<sql::ExplicitTable>(body).name));
      node = std::move(relation.node);
      break;
    }
    case sql::BodyKind::NESTED: {
      ASSIGN_OR_RETURN(node, QueryBinder(statement_, outer_, common).bind(*sql::as<sql::NestedQuery>(body).query));
      break;
    }
  }
  if (!decorated) return node;
  return bindOrder(std::move(node), *decorated);
}

/// ORDER BY, OFFSET, FETCH over a result whose columns are all there is to sort by.
Result<LogicalNodePtr> QueryBinder::bindOrder(LogicalNodePtr input, const sql::Query& query) {
  if (query.order_by.empty() && !query.offset && !query.fetch) return input;
  Scope scope = Scope::ofTable({}, input->schema);
  ScopeContext rows(scope, outer_, "ORDER BY");
  ColumnSlots slots(input, true);
  std::vector<SortKey> keys;
  for (const sql::OrderItem& item : query.order_by) {
    BoundExprPtr expr;
    ASSIGN_OR_RETURN(expr, ExpressionBinder(environment(), rows).bind(*item.expr));
    if (expr->isLiteral() && expr->type.isInteger()) {
      int64_t ordinal = expr->value.asInt();
      if (ordinal < 1 || ordinal > static_cast<int64_t>(input->schema.size())) {
        return Status::plan("ORDER BY " + std::to_string(ordinal) + ": the query has " +
                            std::to_string(input->schema.size()) + " columns", item.position);
      }
      expr = BoundExpr::column(static_cast<int>(ordinal - 1), input->schema.type(static_cast<size_t>(ordinal - 1)));
    }
    keys.push_back(sortKey(slots.add(expr), item));
  }
  size_t width = input->schema.size();
  LogicalNodePtr prepared = slots.finish();
  for (SortKey& key : keys) key.column = slots.column(key.column);
  int64_t offset = 0;
  std::optional<int64_t> fetch;
  if (query.offset) {
    ASSIGN_OR_RETURN(offset, bindCount(environment(), *query.offset, "OFFSET"));
  }
  if (query.fetch) {
    ASSIGN_OR_RETURN(fetch, bindCount(environment(), *query.fetch, "LIMIT"));
  }
  auto sort = std::make_shared<LogicalSort>(prepared, std::move(keys), offset, fetch);
  if (!query.order_by.empty()) sort->position = environment().shown(query.order_by[0].position);
  LogicalNodePtr sorted = std::move(sort);
  if (sorted->schema.size() == width) return sorted;
  std::vector<BoundExprPtr> columns = identityColumns(sorted->schema);
  std::vector<std::string> names = columnNames(sorted->schema);
  columns.resize(width);
  names.resize(width);
  return project(std::move(sorted), std::move(columns), std::move(names));
}

namespace {

/// A literal, perhaps with a sign.
bool isPlainLiteral(const sql::Expr& expr) {
  const auto* op = sql::tryAs<sql::OperatorCall>(expr);
  if (op && op->operands.size() == 1 && (op->op == "-" || op->op == "+")) return isPlainLiteral(*op->operands[0]);
  return expr.kind == sql::ExprKind::LITERAL;
}

}  // namespace

Result<LogicalNodePtr> QueryBinder::bindForInsert(const sql::Query& query) {
  for_insert_ = true;
  return bind(query);
}

Result<LogicalNodePtr> QueryBinder::bindValues(const sql::ValuesBody& values) {
  Scope none;
  ScopeContext rows(none, outer_, "VALUES");
  ExpressionBinder binder(environment(), rows);
  std::vector<std::vector<BoundExprPtr>> cells;
  bool from_expressions = false;
  size_t width = values.rows.front().size();
  for (const auto& row : values.rows) {
    std::vector<sql::ExprPtr> exprs = row;
    if (const auto* constructor = row.size() == 1 ? sql::tryAs<sql::RowConstructor>(*row[0]) : nullptr) {
      exprs = constructor->fields;  // VALUES ROW(1, 2)
      if (cells.empty()) width = exprs.size();
    }
    if (exprs.size() != width) {
      return Status::plan("the rows of VALUES must have equally many columns, but the first has " + std::to_string(width) +
                          " and another " + std::to_string(exprs.size()), exprs.empty() ? values.position : exprs[0]->position);
    }
    std::vector<BoundExprPtr> bound;
    for (const sql::ExprPtr& expr : exprs) {
      ASSIGN_OR_RETURN(BoundExprPtr cell, binder.bind(*expr));
      if (cell->type.isNull()) return bareNullError(expr->position);
      from_expressions = from_expressions || !isPlainLiteral(*expr);
      bound.push_back(foldConstant(cell, environment().session_zone));
    }
    cells.push_back(std::move(bound));
  }
  std::vector<Column> columns;
  bool constant = true;
  for (size_t c = 0; c < width; ++c) {
    std::vector<DataType> types;
    for (const auto& row : cells) types.push_back(row[c]->type);
    auto common = leastRestrictive(types);
    if (!common) {
      return Status::plan("column " + std::to_string(c + 1) + " of VALUES has no common type of " + types[0].toString() +
                          " and the types of other rows", values.position);
    }
    for (auto& row : cells) {
      row[c] = binder.calls().coerce(row[c], *common);
      constant = constant && row[c]->isLiteral();
    }
    columns.push_back({"EXPR$" + std::to_string(c), *common});
  }
  Schema schema(std::move(columns));
  if (constant) {
    std::vector<std::vector<Value>> rows_of_values;
    for (const auto& row : cells) {
      std::vector<Value> out;
      for (const BoundExprPtr& cell : row) out.push_back(cell->value);
      rows_of_values.push_back(std::move(out));
    }
    auto node = std::make_shared<LogicalValues>(std::move(rows_of_values), std::move(schema));
    node->from_expressions = from_expressions;
    return node;
  }
  std::vector<LogicalNodePtr> inputs;
  for (auto& row : cells) inputs.push_back(project(singleRow(), std::move(row), columnNames(schema)));
  if (inputs.size() == 1) return inputs[0];
  return std::make_shared<LogicalSetOp>(std::move(inputs), SetOpKind::UNION, true, std::move(schema));
}

Result<LogicalNodePtr> QueryBinder::bindSetOperation(const sql::SetOperation& op, const CommonTables* common) {
  ASSIGN_OR_RETURN(LogicalNodePtr left, bindBody(*op.left, common, nullptr));
  ASSIGN_OR_RETURN(LogicalNodePtr right, bindBody(*op.right, common, nullptr));
  SetOpKind kind = op.op == sql::SetOperator::UNION ? SetOpKind::UNION
                   : op.op == sql::SetOperator::INTERSECT ? SetOpKind::INTERSECT : SetOpKind::EXCEPT;
  const char* name = kind == SetOpKind::UNION ? "UNION" : kind == SetOpKind::INTERSECT ? "INTERSECT" : "EXCEPT";
  if (left->schema.size() != right->schema.size()) {
    return Status::plan(std::string(name) + " needs equally many columns on both sides, but has " +
                        std::to_string(left->schema.size()) + " and " + std::to_string(right->schema.size()), op.position);
  }
  std::vector<Column> columns;
  std::vector<DataType> types;
  for (size_t i = 0; i < left->schema.size(); ++i) {
    const Column& a = left->schema.column(i);
    const Column& b = right->schema.column(i);
    if ((a.type.isNull() || b.type.isNull()) && !for_insert_) return bareNullError(op.position);
    auto type = leastRestrictive(a.type, b.type);
    if (!type) {
      return Status::plan("column " + std::to_string(i + 1) + " of " + name + " is " + a.type.toString() + " on one side and " +
                          b.type.toString() + " on the other; cast one", op.position);
    }
    TimeAttribute time = op.all && kind == SetOpKind::UNION && a.time == b.time ? a.time : TimeAttribute::NONE;
    columns.push_back({a.name, *type, time});
    types.push_back(std::move(*type));
  }
  CallFactory calls(environment().session_zone);
  left = coerced(calls, std::move(left), types);
  right = coerced(calls, std::move(right), types);
  std::vector<LogicalNodePtr> inputs;
  // A chain of UNION ALL is one node.
  const auto* left_union = left->kind == LogicalKind::SET_OP ? &left->as<LogicalSetOp>() : nullptr;
  if (op.all && kind == SetOpKind::UNION && left_union && left_union->all && left_union->op == kind) {
    inputs = left->inputs;
  } else {
    inputs = {left};
  }
  inputs.push_back(std::move(right));
  return std::make_shared<LogicalSetOp>(std::move(inputs), kind, op.all, Schema(std::move(columns)));
}

}  // namespace thalweg
