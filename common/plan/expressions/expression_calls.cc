// Function calls: which kind a name is of, arguments, the clauses of the JSON functions.
#include <algorithm>
#include <array>
#include <cctype>

#include "common/functions/function_registry.h"
#include "common/plan/expressions/expression_binder.h"
#include "common/plan/expressions/type_binder.h"

namespace thalweg {

std::string upperName(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

bool isRankingFunction(std::string_view name) {
  constexpr std::array kNames = {"ROW_NUMBER", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST", "NTILE", "LAG", "LEAD"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool isGroupFunction(std::string_view name) {
  if (name == "GROUPING" || name == "GROUPING_ID" || name == "GROUP_ID") return true;
  for (std::string_view window : {"TUMBLE", "HOP", "SESSION"}) {
    if (!name.starts_with(window)) continue;
    std::string_view rest = name.substr(window.size());
    if (rest.empty() || rest == "_START" || rest == "_END" || rest == "_ROWTIME" || rest == "_PROCTIME") return true;
  }
  return false;
}

Result<BoundExprPtr> ExpressionBinder::bindCall(const sql::FunctionCall& call) {
  if (!call.name.isSimple()) {
    return Status::plan("unknown function '" + call.name.toString() + "'; built-in functions have plain names", call.position);
  }
  std::string name = upperName(call.name.last());
  if (!environment_.catalog->coreLoaded()) {
    return Status::plan("unknown function '" + call.name.last() + "': the module core is not loaded; LOAD MODULE core", call.position);
  }
  if (call.over) return rows_.over(call);
  if (isRankingFunction(name)) return Status::plan(name + " needs an OVER clause", call.position);
  if (isGroupFunction(name)) return rows_.groupFunction(call);
  const FunctionRegistry& registry = FunctionRegistry::instance();
  const ScalarFunction* scalar = registry.scalar(name);
  if (registry.aggregate(name) && !scalar) return rows_.aggregate(call);
  if (call.filter || call.quantifier != sql::SetQuantifier::UNSPECIFIED || !call.order_by.empty() ||
      !call.within_group.empty()) {
    return Status::plan("DISTINCT, FILTER and ORDER BY belong to aggregate functions; " + name + " is none", call.position);
  }
  return bindScalarCall(call, name);
}

Result<BoundExprPtr> ExpressionBinder::bindScalarCall(const sql::FunctionCall& call, const std::string& name) {
  if (name == "MINUS_DATE" && call.args.size() == 3) {
    if (const auto* unit = sql::tryAs<sql::IntervalLiteral>(*call.args[2])) {
      // (a - b) DAY TO SECOND: the qualifier says whether months or milliseconds are counted.
      ASSIGN_OR_RETURN(BoundExprPtr to, bind(*call.args[0]));
      ASSIGN_OR_RETURN(BoundExprPtr from, bind(*call.args[1]));
      std::string start(sql::timeUnitName(unit->qualifier.start));
      return calls_.call(name, {std::move(to), std::move(from), symbolLiteral(std::move(start))}, call.position);
    }
  }
  ASSIGN_OR_RETURN(auto args, bindArguments(call));
  if ((name == "CURRENT_DATABASE" || name == "CURRENT_CATALOG") && args.empty()) {
    const SessionCatalog& catalog = *environment_.catalog;
    std::string current = name == "CURRENT_DATABASE" ? catalog.currentDatabase() : catalog.currentCatalog();
    return BoundExpr::literal(Value::string(std::move(current)), DataType::string(false));
  }
  RETURN_IF_ERROR(appendJsonClauses(call, name, args));
  return calls_.call(name, std::move(args), call.position);
}

Result<std::vector<BoundExprPtr>> ExpressionBinder::bindArguments(const sql::FunctionCall& call) {
  for (const sql::ExprPtr& arg : call.args) {
    if (arg->kind == sql::ExprKind::STAR) {
      return Status::plan("`*` is only an argument of COUNT, not of " + call.name.toString(), arg->position);
    }
  }
  const std::string name = upperName(call.name.last());
  if (name != "JSON_OBJECT" && name != "JSON_ARRAY") return bindAll(call.args);
  std::vector<BoundExprPtr> bound;
  for (const sql::ExprPtr& arg : call.args) {
    ASSIGN_OR_RETURN(BoundExprPtr value, bindJsonValue(*arg));
    bound.push_back(std::move(value));
  }
  return bound;
}

/// A value of JSON_OBJECT or JSON_ARRAY: only there may JSON(text) stand, which a symbol tells the function.
Result<BoundExprPtr> ExpressionBinder::bindJsonValue(const sql::Expr& value) {
  if (value.kind != sql::ExprKind::FUNCTION_CALL) return bind(value);
  const auto& call = sql::as<sql::FunctionCall>(value);
  if (upperName(call.name.last()) != "JSON") return bind(value);
  ASSIGN_OR_RETURN(std::vector<BoundExprPtr> args, bindAll(call.args));
  args.push_back(symbolLiteral("RAW"));
  return calls_.call("JSON", std::move(args), call.position);
}

namespace {

const char* behaviorName(sql::JsonBehavior behavior) {
  switch (behavior) {
    case sql::JsonBehavior::UNSPECIFIED: return "";
    case sql::JsonBehavior::NULL_VALUE: return "NULL";
    case sql::JsonBehavior::ERROR: return "ERROR";
    case sql::JsonBehavior::DEFAULT: return "DEFAULT";
    case sql::JsonBehavior::EMPTY: return "EMPTY ARRAY";
    case sql::JsonBehavior::EMPTY_ARRAY: return "EMPTY ARRAY";
    case sql::JsonBehavior::EMPTY_OBJECT: return "EMPTY OBJECT";
    case sql::JsonBehavior::TRUE: return "TRUE";
    case sql::JsonBehavior::FALSE: return "FALSE";
    case sql::JsonBehavior::UNKNOWN: return "UNKNOWN";
  }
  return "";
}

const char* wrapperName(sql::JsonWrapper wrapper) {
  switch (wrapper) {
    case sql::JsonWrapper::UNSPECIFIED: case sql::JsonWrapper::WITHOUT: return "WITHOUT";
    case sql::JsonWrapper::CONDITIONAL: return "CONDITIONAL";
    case sql::JsonWrapper::UNCONDITIONAL: return "UNCONDITIONAL";
  }
  return "";
}

}  // namespace

/// The clauses follow the plain arguments:
///   JSON_EXISTS  (x, path, Symbol on_error)
///   JSON_VALUE   (x, path, Symbol on_empty, default, Symbol on_error, default, typed NULL of the RETURNING type)
///   JSON_QUERY   (x, path, Symbol wrapper, Symbol on_empty, Symbol on_error, typed NULL of the RETURNING type)
///   JSON_OBJECT, JSON_ARRAY  (Symbol nulls, …): the clause comes first
Status ExpressionBinder::appendJsonClauses(const sql::FunctionCall& call, const std::string& name,
                                           std::vector<BoundExprPtr>& args) {
  if (name == "JSON_OBJECT" || name == "JSON_ARRAY") {
    bool absent = name == "JSON_ARRAY";
    if (call.json && call.json->nulls != sql::JsonNulls::UNSPECIFIED) {
      absent = call.json->nulls == sql::JsonNulls::ABSENT_ON_NULL;
    }
    // Behind the clause: the places of arguments that are JSON already, since they are constructors themselves.
    std::string clause = absent ? "ABSENT" : "NULL";
    for (size_t i = 0; i < args.size(); ++i) {
      const bool is_json = args[i]->kind == BoundKind::CALL && givesJsonText(args[i]->function->name);
      if (is_json) clause += "," + std::to_string(i + 1);
    }
    args.insert(args.begin(), symbolLiteral(clause));
    return Status::ok();
  }
  if (name != "JSON_EXISTS" && name != "JSON_VALUE" && name != "JSON_QUERY") return Status::ok();
  static const sql::JsonClauses kNone;
  const sql::JsonClauses& json = call.json ? *call.json : kNone;
  DataType returning = DataType::string();
  if (json.returning) {
    ASSIGN_OR_RETURN(returning, bindType(*json.returning, TypePlace::CAST));
  }
  const auto symbol = [&](sql::JsonBehavior behavior) { args.push_back(symbolLiteral(behaviorName(behavior))); };
  const auto fallback = [&](const sql::JsonReaction& reaction) -> Status {
    BoundExprPtr value = nullLiteral(returning);
    if (reaction.default_value) {
      ASSIGN_OR_RETURN(value, bind(*reaction.default_value));
      ASSIGN_OR_RETURN(value, calls_.cast(std::move(value), returning, false, reaction.default_value->position));
    }
    args.push_back(std::move(value));
    return Status::ok();
  };
  if (name == "JSON_EXISTS") {
    symbol(json.on_error.behavior);
    return Status::ok();
  }
  if (name == "JSON_QUERY") {
    const auto gives_object = [](const sql::JsonReaction& reaction) { return reaction.behavior == sql::JsonBehavior::EMPTY_OBJECT; };
    if (returning.kind() == TypeKind::ARRAY && (gives_object(json.on_empty) || gives_object(json.on_error))) {
      return Status::plan("an empty object is no value of the RETURNING type " + returning.toString(), call.position);
    }
    args.push_back(symbolLiteral(wrapperName(json.wrapper)));
  }
  symbol(json.on_empty.behavior);
  if (name == "JSON_VALUE") RETURN_IF_ERROR(fallback(json.on_empty));
  symbol(json.on_error.behavior);
  if (name == "JSON_VALUE") RETURN_IF_ERROR(fallback(json.on_error));
  args.push_back(nullLiteral(returning));
  return Status::ok();
}

}  // namespace thalweg
