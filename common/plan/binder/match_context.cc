#include "common/plan/binder/match_context.h"

#include <algorithm>
#include <array>

#include "common/functions/function_registry.h"
#include "common/plan/binder/aggregate_binder.h"
#include "common/plan/expressions/expression_binder.h"

namespace thalweg {
namespace {

constexpr std::array kNotInFlink = {"PREV", "NEXT", "CLASSIFIER", "MATCH_NUMBER"};

/// The variable that the first part of a name is; -1 if none.
int variableOf(const MatchClauses& clauses, const sql::QualifiedName& name) {
  if (name.isSimple()) return -1;
  for (size_t i = 0; i < clauses.pattern.size(); ++i) {
    if (clauses.pattern[i].name == name.parts[0].text) return static_cast<int>(i);
  }
  return -1;
}

/// A column of the input, named with or without a variable.
struct InputColumn {
  int variable = -1;
  NamedColumn column;
};

Result<std::optional<InputColumn>> findInput(const MatchClauses& clauses, const sql::QualifiedName& name) {
  const int variable = variableOf(clauses, name);
  sql::QualifiedName rest = name;
  if (variable >= 0) rest.parts.erase(rest.parts.begin());
  else if (!name.isSimple() && std::find(clauses.subsets.begin(), clauses.subsets.end(), name.parts[0].text) != clauses.subsets.end()) {
    return Status::plan("SUBSET '" + name.parts[0].text + "' cannot be used in DEFINE or MEASURES: subsets are not supported", name.position);
  }
  ASSIGN_OR_RETURN(auto match, clauses.input.scope.find(rest));
  if (!match) return std::optional<InputColumn>();
  const size_t parts = match->parts + (variable >= 0 ? 1 : 0);
  return std::optional(InputColumn{variable, {match->column->expr, parts, {}, match->column->name}});
}

Status unknownInput(const MatchClauses& clauses, const sql::QualifiedName& name) {
  sql::QualifiedName rest = name;
  if (variableOf(clauses, name) >= 0) rest.parts.erase(rest.parts.begin());
  return unknownColumn(clauses.input.scope, rest);
}

/// The call behind FINAL, which says what measures are anyway.
Result<const sql::Expr*> behindPrefix(const sql::Expr& expr) {
  const auto* prefix = sql::tryAs<sql::OperatorCall>(expr);
  if (!prefix || prefix->operands.size() != 1) return &expr;
  if (prefix->op == "RUNNING") return Status::plan("RUNNING is not supported in MATCH_RECOGNIZE: measures are those of the whole match", expr.position);
  return prefix->op == "FINAL" ? prefix->operands[0].get() : &expr;
}

}  // namespace

Result<std::optional<NamedColumn>> MatchRowContext::findColumn(const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(auto found, findInput(clauses_, name));
  if (!found) return std::optional<NamedColumn>();
  named_.push_back(found->variable);
  return std::optional(found->column);
}

Result<NamedColumn> MatchRowContext::column(const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(auto found, findColumn(name));
  if (found) return *found;
  return unknownInput(clauses_, name);
}

Result<BoundExprPtr> MatchRowContext::replacement(const sql::Expr& expr) {
  const auto* call = sql::tryAs<sql::FunctionCall>(expr);
  if (!call || !call->name.isSimple()) return BoundExprPtr();
  const std::string name = upperName(call->name.last());
  if (name == "FIRST" || name == "LAST" || std::find(kNotInFlink.begin(), kNotInFlink.end(), name) != kNotInFlink.end()) {
    return Status::plan(name + " cannot stand inside FIRST, LAST or an aggregate of MATCH_RECOGNIZE", expr.position);
  }
  return BoundExprPtr();
}

Result<int> MatchRowContext::variable(std::string_view what, SourcePosition position) const {
  for (const int variable : named_) {
    if (variable != named_[0]) return Status::plan(std::string(what) + " must read the rows of one pattern variable only", position);
  }
  return named_.empty() ? -1 : named_[0];
}

Result<std::optional<NamedColumn>> MatchContext::findColumn(const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(auto found, findInput(clauses_, name));
  if (!found) return std::optional<NamedColumn>();
  found->column.expr = pick(MatchValue::Kind::LAST, found->variable, 0, found->column.expr);
  return std::optional(found->column);
}

Result<NamedColumn> MatchContext::column(const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(auto found, findColumn(name));
  if (found) return *found;
  return unknownInput(clauses_, name);
}

Result<BoundExprPtr> MatchContext::replacement(const sql::Expr& expr) {
  ASSIGN_OR_RETURN(const sql::Expr* inner, behindPrefix(expr));
  if (inner != &expr) return ExpressionBinder(clauses_.environment, *this).bind(*inner);
  const auto* call = sql::tryAs<sql::FunctionCall>(expr);
  if (!call || !call->name.isSimple()) return BoundExprPtr();
  const std::string name = upperName(call->name.last());
  if (name == "FIRST") return navigation(*call, MatchValue::Kind::FIRST);
  if (name == "LAST") return navigation(*call, MatchValue::Kind::LAST);
  if (name == "MATCH_ROWTIME" || name == "MATCH_PROCTIME") return matchTime(*call);
  if (std::find(kNotInFlink.begin(), kNotInFlink.end(), name) != kNotInFlink.end()) {
    return Status::plan(name + " is not supported in MATCH_RECOGNIZE; FIRST and LAST reach rows of a variable", expr.position);
  }
  return BoundExprPtr();
}

Result<BoundExprPtr> MatchContext::navigation(const sql::FunctionCall& call, MatchValue::Kind kind) {
  const std::string name = upperName(call.name.last());
  if (call.args.empty() || call.args.size() > 2) return Status::plan(name + " takes a value and perhaps an offset", call.position);
  MatchRowContext row(clauses_);
  ASSIGN_OR_RETURN(BoundExprPtr value, ExpressionBinder(clauses_.environment, row).bind(*call.args[0]));
  ASSIGN_OR_RETURN(const int variable, row.variable(name, call.position));
  int64_t offset = 0;
  if (call.args.size() == 2) {
    NoColumns none("the offset of " + name);
    ASSIGN_OR_RETURN(BoundExprPtr bound, ExpressionBinder(clauses_.environment, none).bind(*call.args[1]));
    if (!bound->isLiteral() || !bound->type.isInteger() || bound->value.isNull() || bound->value.asInt() < 0) {
      return Status::plan("the offset of " + name + " must be a constant whole number, 0 or more", call.args[1]->position);
    }
    offset = bound->value.asInt();
  }
  return pick(kind, variable, offset, value);
}

Result<BoundExprPtr> MatchContext::matchTime(const sql::FunctionCall& call) {
  const std::string name = upperName(call.name.last());
  if (name == "MATCH_PROCTIME") {
    if (!call.args.empty()) return Status::plan("MATCH_PROCTIME takes no arguments", call.position);
    return ExpressionBinder(clauses_.environment, *this).calls().call("PROCTIME", {}, call.position);
  }
  if (call.args.size() > 1) return Status::plan("MATCH_ROWTIME takes one argument at most", call.position);
  BoundExprPtr time = clauses_.time;
  if (!call.args.empty()) {
    MatchRowContext row(clauses_);
    ASSIGN_OR_RETURN(time, ExpressionBinder(clauses_.environment, row).bind(*call.args[0]));
    if (timeAttributeOf(*time, clauses_.input.node->schema) != TimeAttribute::ROWTIME) {
      return Status::plan("MATCH_ROWTIME takes a row-time attribute", call.args[0]->position);
    }
    return pick(MatchValue::Kind::LAST, -1, 0, time);
  }
  if (clauses_.attribute != TimeAttribute::ROWTIME) {
    return Status::notSupported("MATCH_ROWTIME of rows that are ordered by processing time is not supported; use MATCH_PROCTIME", call.position);
  }
  BoundExprPtr picked = pick(MatchValue::Kind::LAST, -1, 0, time);
  auto never_null = std::make_shared<BoundExpr>(*picked);
  never_null->type = never_null->type.withNullable(false);
  values_[static_cast<size_t>(never_null->index)].type = never_null->type;
  return BoundExprPtr(never_null);
}

Result<BoundExprPtr> MatchContext::aggregate(const sql::FunctionCall& call) {
  if (call.quantifier == sql::SetQuantifier::DISTINCT) {
    return Status::plan("DISTINCT aggregates are not supported in MATCH_RECOGNIZE", call.position);
  }
  MatchRowContext row(clauses_);
  ExpressionBinder binder(clauses_.environment, row);
  ASSIGN_OR_RETURN(BoundAggregate bound, bindAggregateCall(binder, call));
  ASSIGN_OR_RETURN(const int variable, row.variable("the aggregate " + call.name.toString(), call.position));
  if (!bound.arguments.empty() && !row.namesColumns()) {
    return Status::plan("the aggregate " + call.name.toString() + " must read a column of the rows in MATCH_RECOGNIZE", call.position);
  }
  if (bound.filter || !bound.order.empty()) {
    return Status::plan("aggregates of MATCH_RECOGNIZE take neither FILTER nor ORDER BY", call.position);
  }
  MatchValue value;
  value.kind = MatchValue::Kind::AGGREGATE;
  value.variable = variable;
  value.call = bound.spec;
  if (!value.call.function->never_null) value.call.result_type = value.call.result_type.asNullable();
  for (const BoundExprPtr& argument : bound.arguments) value.call.arguments.push_back(clauses_.slots.add(argument));
  value.type = value.call.result_type;
  return valueColumn(std::move(value));
}

Result<BoundExprPtr> MatchContext::subquery(const sql::Expr& expr) {
  return Status::plan("a sub-query is not allowed in " + clause() + " of MATCH_RECOGNIZE", expr.position);
}

bool MatchContext::mayBeMissing(int variable, int64_t offset) const {
  if (offset > 0) return true;
  if (variable < 0 || variable == tested_) return false;
  return clauses_.pattern[static_cast<size_t>(variable)].min == 0 || (tested_ >= 0 && variable > tested_);
}

BoundExprPtr MatchContext::pick(MatchValue::Kind kind, int variable, int64_t offset, const BoundExprPtr& expression) {
  MatchValue value;
  value.kind = kind;
  value.variable = variable;
  value.offset = offset;
  value.column = clauses_.slots.add(expression);
  value.type = mayBeMissing(variable, offset) ? expression->type.asNullable() : expression->type;
  return valueColumn(std::move(value));
}

BoundExprPtr MatchContext::valueColumn(MatchValue value) {
  values_.push_back(std::move(value));
  return BoundExpr::column(static_cast<int>(values_.size() - 1), values_.back().type);
}

TimeAttribute MatchContext::timeOf(const BoundExpr& expr) const {
  if (!expr.isColumn()) return timeAttributeOf(expr, Schema());
  const MatchValue& value = values_[static_cast<size_t>(expr.index)];
  if (value.kind == MatchValue::Kind::AGGREGATE) return TimeAttribute::NONE;
  return timeAttributeOf(*clauses_.slots.expression(value.column), clauses_.input.node->schema);
}

}  // namespace thalweg
