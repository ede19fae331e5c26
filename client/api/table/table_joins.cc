// Table: joins, table functions, set operations, aggregation of the whole.
#include "client/api/table/expression_tree.h"
#include "client/api/table/group_plan.h"
#include "client/api/table/projection.h"
#include "client/api/table/table_state.h"
#include "client/api/thalweg/exception.h"

namespace thalweg::api {
namespace {

const thalweg::Schema& schemaOf(const Table& table) { return table.state()->node->schema; }

void requireSameEnvironment(const Table& left, const Table& right, const char* what) {
  if (left.state()->environment != right.state()->environment) {
    throw ValidationException(std::string("only tables of one TableEnvironment can be ") + what);
  }
}

Table joined(const Table& left, const Table& right, sql::JoinType type, sql::ExprPtr condition) {
  requireSameEnvironment(left, right, "joined");
  std::string ambiguous;
  for (const thalweg::Column& column : schemaOf(left).columns()) {
    if (schemaOf(right).indexOf(column.name) >= 0) ambiguous += (ambiguous.empty() ? "" : ", ") + column.name;
  }
  if (!ambiguous.empty()) throw ValidationException("both sides of the join have the columns [" + ambiguous + "]; rename those of one side with as()");
  auto join = std::make_shared<sql::Join>();
  join->type = condition ? type : sql::JoinType::CROSS;
  join->left = tableRef();
  join->right = tableRef(kRight);
  join->on = std::move(condition);
  auto body = selectAll();
  body->from = std::move(join);
  const EnvironmentStatePtr& environment = left.state()->environment;
  return makeTable(environment, environment->bind(queryOf(std::move(body)), {{kInput, left.state()->node}, {kRight, right.state()->node}}));
}

Table lateral(const Table& table, const Expression& call, sql::JoinType type, sql::ExprPtr condition) {
  const auto* function = sql::tryAs<sql::FunctionCall>(*call.node());
  if (!function) throw ValidationException("joinLateral takes a call of a table function, as in call(\"split\", $(\"text\"))");
  const ScalarFunction* known = functionsOf(table).scalar(function->name.last());
  if (!known || known->category != kUserTableFunction) {
    throw ValidationException("Table function expected, but '" + function->name.last() + "' is none that this environment knows");
  }
  auto right = std::make_shared<sql::TableFunctionCall>();
  right->call = std::static_pointer_cast<const sql::FunctionCall>(call.node());
  right->lateral = true;
  if (!call.names().empty()) {
    right->alias = identifier("$f");
    for (const std::string& name : call.names()) right->column_aliases.push_back(identifier(name));
  }
  auto join = std::make_shared<sql::Join>();
  join->type = type;
  join->left = tableRef();
  join->right = std::move(right);
  if (!condition) {
    auto always = std::make_shared<sql::Literal>();
    always->literal = sql::LiteralKind::BOOLEAN;
    always->text = "TRUE";
    condition = std::move(always);
  }
  join->on = std::move(condition);
  auto body = selectAll();
  body->from = std::move(join);
  return refine(table, queryOf(std::move(body)));
}

Table combined(const Table& left, const Table& right, sql::SetOperator op, bool all, const char* what) {
  requireSameEnvironment(left, right, what);
  auto body = std::make_shared<sql::SetOperation>();
  body->op = op;
  body->all = all;
  body->left = selectAll();
  body->right = selectAll(kRight);
  const EnvironmentStatePtr& environment = left.state()->environment;
  return makeTable(environment, environment->bind(queryOf(std::move(body)), {{kInput, left.state()->node}, {kRight, right.state()->node}}));
}

}  // namespace

Table Table::join(const Table& right) const { return joined(*this, right, sql::JoinType::INNER, nullptr); }
Table Table::join(const Table& right, const Expression& condition) const { return joined(*this, right, sql::JoinType::INNER, condition.node()); }
Table Table::leftOuterJoin(const Table& right) const { return leftOuterJoin(right, lit(true)); }
Table Table::leftOuterJoin(const Table& right, const Expression& condition) const {
  return joined(*this, right, sql::JoinType::LEFT, condition.node());
}
Table Table::rightOuterJoin(const Table& right, const Expression& condition) const {
  return joined(*this, right, sql::JoinType::RIGHT, condition.node());
}
Table Table::fullOuterJoin(const Table& right, const Expression& condition) const {
  return joined(*this, right, sql::JoinType::FULL, condition.node());
}

Table Table::joinLateral(const Expression& call) const { return lateral(*this, call, sql::JoinType::INNER, nullptr); }
Table Table::joinLateral(const Expression& call, const Expression& condition) const {
  return lateral(*this, call, sql::JoinType::INNER, condition.node());
}
Table Table::leftOuterJoinLateral(const Expression& call) const { return lateral(*this, call, sql::JoinType::LEFT, nullptr); }

Table Table::leftOuterJoinLateral(const Expression& call, const Expression& condition) const {
  if (condition.toString() != "TRUE") throw ValidationException("Predicate for lateral left outer join with table function can only be empty or literal true.");
  return leftOuterJoinLateral(call);
}

Table Table::union_(const Table& right) const { return combined(*this, right, sql::SetOperator::UNION, false, "united"); }
Table Table::unionAll(const Table& right) const { return combined(*this, right, sql::SetOperator::UNION, true, "united"); }
Table Table::intersect(const Table& right) const { return combined(*this, right, sql::SetOperator::INTERSECT, false, "intersected"); }
Table Table::intersectAll(const Table& right) const { return combined(*this, right, sql::SetOperator::INTERSECT, true, "intersected"); }
Table Table::minus(const Table& right) const { return combined(*this, right, sql::SetOperator::EXCEPT, false, "subtracted"); }
Table Table::minusAll(const Table& right) const { return combined(*this, right, sql::SetOperator::EXCEPT, true, "subtracted"); }

Expression Expression::in(const Table& table) const {
  auto node = std::make_shared<sql::InQuery>();
  node->operand = node_;
  auto body = std::make_shared<sql::SelectBody>();
  body->items = {item(std::make_shared<sql::Star>())};
  const std::string name = table.toString();
  body->from = tableRef(name.substr(1, name.size() - 2));
  node->query = std::make_shared<const sql::Query>(queryOf(std::move(body)));
  return Expression(Node(std::move(node)));
}

}  // namespace thalweg::api
