#include "common/plan/expressions/call_factory.h"

#include <algorithm>

#include "common/base/edit_distance.h"
#include "common/expr/evaluator.h"
#include "common/functions/function_registry.h"
#include "common/plan/expressions/bare_null.h"
#include "common/types/cast_scalar.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

bool isTextLiteral(const BoundExpr& expr) { return expr.isLiteral() && expr.type.isString(); }

/// Functions of Flink's that this engine knows by name only.
constexpr std::string_view kNotBuilt[] = {"AI_COMPLETE",      "ML_PREDICT", "VECTOR_SEARCH", "STREAMRECORD_TIMESTAMP",
                                          "SOURCE_WATERMARK", "GROUP_ID"};

Status unknownFunction(std::string_view name, SourcePosition position) {
  for (const std::string_view known : kNotBuilt) {
    if (name == known)
      return Status::notSupported("the function " + std::string(name) + " is not supported yet", position);
  }
  std::vector<std::string> names = FunctionRegistry::instance().names();
  return Status::plan(
      "unknown function '" + std::string(name) + "'" + didYouMean(name, std::span<const std::string>(names)), position);
}

Status wrongCount(const ScalarFunction& function, size_t found, SourcePosition position) {
  std::string expected = std::to_string(function.min_arguments);
  if (function.max_arguments == SIZE_MAX)
    expected += " or more";
  else if (function.max_arguments != function.min_arguments)
    expected += " to " + std::to_string(function.max_arguments);
  std::string message =
      function.name + " takes " + expected + " arguments, but " + std::to_string(found) + " were given";
  if (!function.signature.empty()) message += "; it is " + function.signature;
  return Status::plan(message, position);
}

bool hasColumn(const BoundExpr& expr) {
  return expr.isColumn() ||
         std::any_of(expr.args.begin(), expr.args.end(), [](const BoundExprPtr& arg) { return hasColumn(*arg); });
}

}  // namespace

BoundExprPtr foldConstant(const BoundExprPtr& expr, const TimeZone& zone) {
  if (expr->isLiteral() || hasColumn(*expr) || !isDeterministic(*expr)) return expr;
  EvalContext context;
  context.session_zone = &zone;
  auto value = evaluateConstant(expr, context);
  if (!value.isOk()) return expr;
  return withPosition(BoundExpr::literal(std::move(value).value(), expr->type), expr->position);
}

BoundExprPtr withPosition(const BoundExprPtr& expr, SourcePosition position) {
  auto copy = std::make_shared<BoundExpr>(*expr);
  copy->position = position;
  return copy;
}

BoundExprPtr withoutPositions(const BoundExprPtr& expr) {
  bool changed = expr->position.known();
  std::vector<BoundExprPtr> args;
  for (const BoundExprPtr& arg : expr->args) {
    args.push_back(withoutPositions(arg));
    changed = changed || args.back() != arg;
  }
  if (!changed) return expr;
  auto copy = std::make_shared<BoundExpr>(*expr);
  copy->position = {};
  copy->args = std::move(args);
  return copy;
}

bool givesJsonText(std::string_view function) { return function == "JSON_OBJECT" || function == "JSON_ARRAY" || function == "JSON"; }

BoundExprPtr nullLiteral(const DataType& type) { return BoundExpr::literal(Value::null(), type.asNullable()); }
BoundExprPtr symbolLiteral(std::string text) {
  return BoundExpr::literal(Value::string(std::move(text)), DataType::symbol());
}
BoundExprPtr booleanLiteral(bool value) { return BoundExpr::literal(Value::boolean(value), DataType::boolean(false)); }

Result<BoundExprPtr> CallFactory::call(std::string_view name, std::vector<BoundExprPtr> args,
                                       SourcePosition position) const {
  const ScalarFunction* function = FunctionRegistry::instance().scalar(name);
  if (!function) return unknownFunction(name, position);
  return call(*function, std::move(args), position);
}

Result<BoundExprPtr> CallFactory::call(const ScalarFunction& function, std::vector<BoundExprPtr> args,
                                       SourcePosition position) const {
  if (args.size() < function.min_arguments || args.size() > function.max_arguments) {
    return wrongCount(function, args.size(), position);
  }
  std::vector<ArgumentInfo> infos;
  for (size_t i = 0; i < args.size(); ++i) {
    const BoundExprPtr& arg = args[i];
    const bool is_bare_null = arg->type.isNull() && arg->isLiteral();
    if (is_bare_null && !function.category.starts_with("user") && !takesBareNull(function.name, i)) {
      return bareNullError(arg->position.known() ? arg->position : position);
    }
    infos.push_back({arg->type, arg->isLiteral() ? std::optional(arg->value) : std::nullopt});
  }
  auto resolved = function.resolve(infos);
  if (!resolved.isOk()) return resolved.status().withContext(function.name).at(position);
  for (size_t i = 0; i < args.size(); ++i) args[i] = coerce(args[i], resolved->argument_types[i]);
  return withPosition(BoundExpr::call(&function, std::move(args), std::move(resolved->result_type)), position);
}

BoundExprPtr CallFactory::coerce(const BoundExprPtr& arg, const DataType& type) const {
  if (type.kind() == TypeKind::SYMBOL || type.isNull()) return arg;
  if (arg->isLiteral() && arg->type.isNull()) return withPosition(nullLiteral(type), arg->position);
  if (arg->type.sameIgnoringNullability(type)) return arg;
  DataType target = type.withNullable(arg->type.nullable());
  if (arg->isLiteral()) {
    auto value = castValue(arg->value, arg->type, target, zone_);
    if (value.isOk() && value->isNull() == arg->value.isNull()) {
      return withPosition(BoundExpr::literal(std::move(value).value(), target), arg->position);
    }
  }
  return BoundExpr::cast(arg, std::move(target));
}

Result<BoundExprPtr> CallFactory::cast(BoundExprPtr arg, const DataType& type, bool try_cast,
                                       SourcePosition position) const {
  const bool is_variant = arg->type.kind() == TypeKind::VARIANT;  // as in Flink, not even to itself
  if (!arg->type.isNull() && (is_variant || !supportsExplicitCast(arg->type, type))) {
    return Status::plan("a value of type " + arg->type.toString() + " cannot be cast to " + type.toString(), position);
  }
  if (arg->isLiteral() && arg->value.isNull()) return withPosition(nullLiteral(type), position);
  if (!try_cast) {
    if (arg->type == type.withNullable(arg->type.nullable())) return arg;
    BoundExprPtr cast_expr = coerce(arg, type);
    // A cast that only renames the fields of rows is one all the same.
    if (!(cast_expr->type == type.withNullable(arg->type.nullable()))) {
      cast_expr = BoundExpr::cast(arg, type.withNullable(arg->type.nullable()));
    }
    return withPosition(cast_expr, position);
  }
  return withPosition(BoundExpr::cast(std::move(arg), type.asNullable(), true), position);
}

Result<BoundExprPtr> CallFactory::compare(std::string_view op, BoundExprPtr a, BoundExprPtr b,
                                          SourcePosition position) const {
  const auto refuse = [&]() {
    return Status::plan("cannot compare " + a->type.toString() + " " + std::string(op) + " " + b->type.toString() +
                            "; cast one side to the other's type",
                        position);
  };
  if (a->type.isNull()) a = coerce(a, b->type.isNull() ? DataType::boolean() : b->type);
  if (b->type.isNull()) b = coerce(b, a->type);
  // A text beside a date or time is read as one, and fails the job where it is none.
  const auto reads = [](const BoundExpr& text, const DataType& type) { return text.type.isString() && (type.kind() == TypeKind::BOOLEAN || (isTextLiteral(text) ? isTextCoercible(type) : type.isTemporal())); };
  if (reads(*a, b->type)) a = coerce(a, b->type);
  else if (reads(*b, a->type)) b = coerce(b, a->type);
  bool equality = op == "=" || op == "<>" || op.ends_with("DISTINCT FROM");
  if (!(equality ? isEquatable(a->type, b->type) : isOrderable(a->type, b->type))) return refuse();
  const bool by_order = op != "=" && op != "<>" && op != "!=";
  std::optional<DataType> common = by_order ? orderType(a->type, b->type) : comparisonType(a->type, b->type);
  if (!common) return refuse();
  a = coerce(a, *common);
  b = coerce(b, *common);
  return call(op, {std::move(a), std::move(b)}, position);
}

Result<BoundExprPtr> CallFactory::caseWhen(std::vector<BoundExprPtr> args, SourcePosition position) const {
  std::vector<DataType> types;
  bool has_else = args.size() % 2 == 1;
  for (size_t i = 0; i < args.size(); ++i) {
    bool is_result = i % 2 == 1 || (has_else && i + 1 == args.size());
    if (is_result) types.push_back(args[i]->type);
  }
  std::optional<DataType> common = leastRestrictive(types);
  if (!common) {
    std::string found;
    for (const DataType& type : types) found += (found.empty() ? "" : ", ") + type.toString();
    return Status::plan("the results of CASE have no common type: " + found, position);
  }
  if (common->isNull()) {
    return Status::plan("all results of CASE are NULL; give one a type, as in CAST(NULL AS INT)", position);
  }
  bool nullable = common->nullable() || !has_else;
  for (size_t i = 0; i < args.size(); ++i) {
    bool is_result = i % 2 == 1 || (has_else && i + 1 == args.size());
    if (is_result) args[i] = coerce(args[i], *common);
  }
  return withPosition(BoundExpr::caseWhen(std::move(args), common->withNullable(nullable)), position);
}

Result<BoundExprPtr> CallFactory::condition(BoundExprPtr expr, std::string_view what, SourcePosition position) const {
  if (expr->type.isNull()) return coerce(expr, DataType::boolean());
  if (expr->type.kind() != TypeKind::BOOLEAN) {
    return Status::plan(std::string(what) + " must be BOOLEAN, but is " + expr->type.toString(), position);
  }
  return expr;
}

Result<BoundExprPtr> CallFactory::conjunction(std::vector<BoundExprPtr> args, SourcePosition position) const {
  for (BoundExprPtr& arg : args) {
    if (arg->type.isNull()) return bareNullError(arg->position.known() ? arg->position : position);
    ASSIGN_OR_RETURN(arg, condition(arg, "an operand of AND", arg->position.known() ? arg->position : position));
  }
  return withPosition(BoundExpr::conjunction(std::move(args)), position);
}

Result<BoundExprPtr> CallFactory::disjunction(std::vector<BoundExprPtr> args, SourcePosition position) const {
  for (BoundExprPtr& arg : args) {
    if (arg->type.isNull()) return bareNullError(arg->position.known() ? arg->position : position);
    ASSIGN_OR_RETURN(arg, condition(arg, "an operand of OR", arg->position.known() ? arg->position : position));
  }
  return withPosition(BoundExpr::disjunction(std::move(args)), position);
}

Result<BoundExprPtr> CallFactory::negation(BoundExprPtr arg, SourcePosition position) const {
  if (arg->type.isNull()) return bareNullError(position);
  ASSIGN_OR_RETURN(arg, condition(std::move(arg), "the operand of NOT", position));
  return call("NOT", {std::move(arg)}, position);
}

}  // namespace thalweg
