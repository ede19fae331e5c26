// Binding one aggregate call.
#include <algorithm>

#include "common/functions/function_registry.h"
#include "common/plan/binder/aggregate_binder.h"
#include "common/plan/binder/query_binder.h"
#include "common/plan/expressions/ast_walk.h"
#include "common/plan/expressions/bare_null.h"

namespace thalweg {
namespace {

Status checkCount(const AggregateFunction& function, size_t found, SourcePosition position) {
  if (found >= function.min_arguments && found <= function.max_arguments) return Status::ok();
  std::string message = function.name + " cannot take " + std::to_string(found) + " arguments";
  if (!function.signature.empty()) message += "; it is " + function.signature;
  return Status::plan(message, position);
}

bool isJsonAggregate(std::string_view name) { return name == "JSON_OBJECTAGG" || name == "JSON_ARRAYAGG"; }

/// A call whose text is JSON already, which the JSON aggregates take over as it is.
bool isJsonConstructor(const sql::Expr& expr) {
  const auto* call = sql::tryAs<sql::FunctionCall>(expr);
  if (!call || !call->name.isSimple()) return false;
  return givesJsonText(upperName(call->name.last()));
}

/// JSON_OBJECTAGG and JSON_ARRAYAGG hear of their NULL clause through the name of the function.
std::string registryName(const sql::FunctionCall& call) {
  std::string name = upperName(call.name.last());
  if (!isJsonAggregate(name)) return name;
  bool absent = name == "JSON_ARRAYAGG";
  if (call.json && call.json->nulls != sql::JsonNulls::UNSPECIFIED) {
    absent = call.json->nulls == sql::JsonNulls::ABSENT_ON_NULL;
  }
  return name + (absent ? "_ABSENT_ON_NULL" : "_NULL_ON_NULL");
}

}  // namespace

const sql::FunctionCall* asAggregateCall(const sql::Expr& expr) {
  const auto* call = sql::tryAs<sql::FunctionCall>(expr);
  if (!call || call->over || !call->name.isSimple()) return nullptr;
  const FunctionRegistry& registry = FunctionRegistry::instance();
  const std::string& name = call->name.last();
  bool json = isJsonAggregate(upperName(name));
  if (!json && (!registry.aggregate(name) || registry.scalar(name))) return nullptr;
  return call;
}

bool hasAggregate(const sql::Expr& expr) {
  return anyPart(expr, [](const sql::Expr& part) { return asAggregateCall(part) != nullptr; });
}

Result<BoundAggregate> bindAggregateCall(ExpressionBinder& binder, const sql::FunctionCall& call) {
  std::string name = registryName(call);
  const AggregateFunction* function = FunctionRegistry::instance().aggregate(name);
  if (!function) return Status::notSupported("aggregate function " + call.name.toString() + " is not built", call.position);
  bool ignores_nulls = call.nulls == sql::NullTreatment::IGNORE;
  if (call.nulls == sql::NullTreatment::RESPECT && function->name != "ARRAY_AGG") {
    return Status::notSupported("RESPECT NULLS is only built for ARRAY_AGG", call.position);
  }
  if (!call.within_distinct.empty()) return Status::notSupported("WITHIN DISTINCT is not built", call.position);
  if (!call.within_group.empty()) {
    return Status::plan(call.name.toString() + " takes no WITHIN GROUP clause", call.within_group[0].expr->position);
  }
  BoundAggregate bound;
  bool star = call.args.size() == 1 && call.args[0]->kind == sql::ExprKind::STAR;
  if (function->name == "COUNT" && call.args.size() > 1) {
    return Status::plan("COUNT takes one value; count rows in which none of several is NULL with a FILTER", call.position);
  }
  if (function->name == "COUNT" && call.args.empty()) return Status::plan("COUNT takes a value or `*`", call.position);
  if (star && function->name != "COUNT") {
    return Status::plan("`*` is only an argument of COUNT, not of " + call.name.toString(), call.position);
  }
  std::vector<ArgumentInfo> infos;
  if (!star) {
    for (const sql::ExprPtr& arg : call.args) {
      if (!call.over && hasAggregate(*arg)) return Status::plan("an aggregate function cannot stand in another's arguments", arg->position);
      ASSIGN_OR_RETURN(BoundExprPtr value, binder.bind(*arg));
      // Functions like PERCENTILE(x, ARRAY[0.5, 0.9]) need to see their constants.
      if (value->type.isNull() && value->isLiteral()) return bareNullError(arg->position);
      value = foldConstant(value, binder.calls().zone());
      infos.push_back({value->type, value->isLiteral() ? std::optional(value->value) : std::nullopt});
      bound.arguments.push_back(std::move(value));
    }
    RETURN_IF_ERROR(checkCount(*function, bound.arguments.size(), call.position));
    if (isJsonAggregate(upperName(call.name.last())) && isJsonConstructor(*call.args.back())) {
      bound.arguments.push_back(symbolLiteral("RAW"));
      infos.push_back({bound.arguments.back()->type, bound.arguments.back()->value});
    }
  }
  auto resolved = function->resolve(infos);
  if (!resolved.isOk()) return resolved.status().withContext(function->name).at(call.position);
  const bool of_row = !resolved->argument_types.empty() && resolved->argument_types[0].kind() == TypeKind::ROW;
  if (call.quantifier == sql::SetQuantifier::DISTINCT && of_row) {
    return Status::plan(call.name.toString() + " cannot tell distinct values of type ROW", call.position);
  }
  AggregateCallSpec& spec = bound.spec;
  spec.function = function;
  spec.distinct = call.quantifier == sql::SetQuantifier::DISTINCT;
  spec.result_type = resolved->result_type;
  spec.argument_types = resolved->argument_types;
  for (size_t i = 0; i < bound.arguments.size(); ++i) {
    bound.arguments[i] = binder.calls().coerce(bound.arguments[i], spec.argument_types[i]);
    const BoundExprPtr& arg = bound.arguments[i];
    spec.argument_types[i] = arg->type;
    spec.literals.push_back(arg->isLiteral() ? std::optional(arg->value) : std::nullopt);
  }
  if (call.filter) {
    if (hasAggregate(*call.filter)) return Status::plan("FILTER cannot hold an aggregate function", call.filter->position);
    ASSIGN_OR_RETURN(bound.filter, binder.bindCondition(*call.filter, "the condition of FILTER"));
  }
  if (ignores_nulls && !bound.arguments.empty()) {
    ASSIGN_OR_RETURN(BoundExprPtr known, binder.calls().call("IS NOT NULL", {bound.arguments[0]}, call.position));
    if (bound.filter) bound.filter = BoundExpr::conjunction({std::move(bound.filter), std::move(known)});
    else bound.filter = std::move(known);
  }
  const auto& order = call.within_group.empty() ? call.order_by : call.within_group;
  for (const sql::OrderItem& item : order) {
    ASSIGN_OR_RETURN(BoundExprPtr key, binder.bind(*item.expr));
    bound.order.emplace_back(std::move(key), sortKey(0, item));
  }
  return bound;
}

}  // namespace thalweg
