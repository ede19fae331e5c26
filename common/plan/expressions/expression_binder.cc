#include "common/plan/expressions/expression_binder.h"

#include <cmath>
#include <cstdlib>

#include "common/base/edit_distance.h"
#include "common/functions/function_registry.h"
#include "common/plan/binder/view_expansion.h"
#include "common/plan/expressions/literal_binder.h"
#include "common/plan/expressions/type_binder.h"
#include "common/types/type_rules.h"

namespace thalweg {

Result<BoundExprPtr> ExpressionBinder::bind(const sql::Expr& expr) {
  if (!environment_.foreign_text || strips_) return bindPlaced(expr);
  strips_ = true;                                   // once, from the whole
  auto bound = bindPlaced(expr);
  strips_ = false;
  return bound.isOk() ? Result<BoundExprPtr>(withoutPositions(*bound)) : bound;
}

Result<BoundExprPtr> ExpressionBinder::bindPlaced(const sql::Expr& expr) {
  ASSIGN_OR_RETURN(BoundExprPtr computed, rows_.replacement(expr));
  if (computed) return withPosition(computed, expr.position);
  auto bound = bindKind(expr);
  if (!bound.isOk()) return bound.status().at(expr.position);
  if ((*bound)->position.known()) return bound;
  return withPosition(*bound, expr.position);
}

Result<BoundExprPtr> ExpressionBinder::bindCondition(const sql::Expr& expr, std::string_view what) {
  ASSIGN_OR_RETURN(BoundExprPtr bound, bind(expr));
  return calls_.condition(std::move(bound), what, expr.position);
}

Result<std::vector<BoundExprPtr>> ExpressionBinder::bindAll(const std::vector<sql::ExprPtr>& exprs) {
  std::vector<BoundExprPtr> bound;
  bound.reserve(exprs.size());
  for (const sql::ExprPtr& expr : exprs) {
    ASSIGN_OR_RETURN(BoundExprPtr one, bind(*expr));
    bound.push_back(std::move(one));
  }
  return bound;
}

Result<BoundExprPtr> ExpressionBinder::bindKind(const sql::Expr& expr) {
  using sql::ExprKind;
  switch (expr.kind) {
    case ExprKind::LITERAL: return bindLiteral(sql::as<sql::Literal>(expr), environment_.session_zone);
    case ExprKind::INTERVAL_LITERAL: return bindInterval(sql::as<sql::IntervalLiteral>(expr));
    case ExprKind::COLUMN_REF: return bindColumn(sql::as<sql::ColumnRef>(expr));
    case ExprKind::OPERATOR: return bindOperator(sql::as<sql::OperatorCall>(expr));
    case ExprKind::BETWEEN: return bindBetween(sql::as<sql::Between>(expr));
    case ExprKind::IN_LIST: return bindInList(sql::as<sql::InList>(expr));
    case ExprKind::QUANTIFIED: return bindQuantified(sql::as<sql::Quantified>(expr));
    case ExprKind::IN_QUERY: case ExprKind::EXISTS: case ExprKind::SUBQUERY: return rows_.subquery(expr);
    case ExprKind::CASE: return bindCase(sql::as<sql::Case>(expr));
    case ExprKind::CAST: return bindCast(sql::as<sql::Cast>(expr));
    case ExprKind::FUNCTION_CALL: return bindCall(sql::as<sql::FunctionCall>(expr));
    case ExprKind::ROW: return bindRow(sql::as<sql::RowConstructor>(expr));
    case ExprKind::COLLECTION: return bindCollection(sql::as<sql::CollectionConstructor>(expr));
    case ExprKind::ITEM_ACCESS: return bindItem(sql::as<sql::ItemAccess>(expr));
    case ExprKind::FIELD_ACCESS: {
      const auto& access = sql::as<sql::FieldAccess>(expr);
      ASSIGN_OR_RETURN(BoundExprPtr row, bind(*access.operand));
      return bindField(std::move(row), access.field);
    }
    case ExprKind::SYMBOL: return symbolLiteral(sql::as<sql::Symbol>(expr).text);
    case ExprKind::STAR: return Status::plan("`*` is only allowed as an item of SELECT and in COUNT(*)", expr.position);
    case ExprKind::COLLECTION_QUERY: return Status::notSupported("ARRAY(SELECT ..) and its kin are not built", expr.position);
    case ExprKind::NAMED_ARGUMENT:
      return Status::plan("arguments by name are only taken by table functions", expr.position);
    case ExprKind::DEFAULT: return Status::plan("DEFAULT is not allowed here", expr.position);
    case ExprKind::DESCRIPTOR: return Status::plan("DESCRIPTOR is only allowed in a window table function", expr.position);
    case ExprKind::TABLE_ARGUMENT: return Status::plan("TABLE is only allowed in a table function", expr.position);
    case ExprKind::MODEL_ARGUMENT: return Status::notSupported("models are not built", expr.position);
  }
  return Status::internal("expression of an unknown kind");
}

Result<BoundExprPtr> ExpressionBinder::bindColumn(const sql::ColumnRef& ref) {
  Result<NamedColumn> found = rows_.column(ref.name);
  // PI is a function that needs no parentheses.
  const bool is_pi = ref.name.parts.size() == 1 && upperName(ref.name.last()) == "PI";
  if (!found.isOk() && is_pi) return calls_.call("PI", {}, ref.position);
  ASSIGN_OR_RETURN(NamedColumn column, std::move(found));
  if (environment_.expansion) environment_.expansion->noteColumn(ref, column.table, column.name, column.parts);
  return bindFields(std::move(column.expr), ref.name, column.parts);
}

Result<BoundExprPtr> ExpressionBinder::bindFields(BoundExprPtr row, const sql::QualifiedName& name, size_t first) {
  for (size_t i = first; i < name.parts.size(); ++i) {
    ASSIGN_OR_RETURN(row, bindField(std::move(row), name.parts[i]));
  }
  return withPosition(row, name.position);
}

Result<BoundExprPtr> ExpressionBinder::bindField(BoundExprPtr row, const sql::Identifier& field) {
  if (row->type.kind() != TypeKind::ROW) {
    return Status::plan("'" + field.text + "' cannot be a field: " + row->type.toString() + " is no ROW", field.position);
  }
  int index = row->type.fieldIndex(field.text);
  if (index < 0) {
    std::vector<std::string> names;
    for (const Field& f : row->type.fields()) names.push_back(f.name);
    return Status::plan("there is no field '" + field.text + "' in " + row->type.toString() +
                        didYouMean(field.text, std::span<const std::string>(names)), field.position);
  }
  return BoundExpr::field(std::move(row), index);
}

Result<BoundExprPtr> ExpressionBinder::bindItem(const sql::ItemAccess& access) {
  ASSIGN_OR_RETURN(BoundExprPtr operand, bind(*access.operand));
  ASSIGN_OR_RETURN(BoundExprPtr index, bind(*access.index));
  if (operand->type.kind() == TypeKind::ROW && index->isLiteral()) {
    // r[1] and r['name'] are fields.
    if (index->type.isInteger()) {
      int64_t position = index->value.asInt();
      if (position < 1 || position > static_cast<int64_t>(operand->type.childCount())) {
        return Status::plan("the row has " + std::to_string(operand->type.childCount()) + " fields; there is no field " +
                            std::to_string(position), access.index->position);
      }
      return BoundExpr::field(std::move(operand), static_cast<int>(position - 1));
    }
    if (index->type.isString()) {
      sql::Identifier name{index->value.asString(), access.index->position, true};
      return bindField(std::move(operand), name);
    }
  }
  const std::string_view item = operand->type.kind() == TypeKind::VARIANT ? "VARIANT_ITEM" : "ITEM";
  return calls_.call(item, {std::move(operand), std::move(index)}, access.position);
}

Result<BoundExprPtr> ExpressionBinder::bindCase(const sql::Case& expr) {
  std::vector<BoundExprPtr> args;
  BoundExprPtr operand;
  if (expr.operand) {
    ASSIGN_OR_RETURN(operand, bind(*expr.operand));
  }
  for (const sql::CaseBranch& branch : expr.branches) {
    BoundExprPtr when;
    if (operand) {
      ASSIGN_OR_RETURN(BoundExprPtr value, bind(*branch.when));
      ASSIGN_OR_RETURN(when, calls_.compare("=", operand, std::move(value), branch.when->position));
    } else {
      ASSIGN_OR_RETURN(when, bindCondition(*branch.when, "the condition of WHEN"));
    }
    ASSIGN_OR_RETURN(BoundExprPtr then, bind(*branch.then));
    args.push_back(std::move(when));
    args.push_back(std::move(then));
  }
  if (expr.otherwise) {
    ASSIGN_OR_RETURN(BoundExprPtr otherwise, bind(*expr.otherwise));
    args.push_back(std::move(otherwise));
  }
  return calls_.caseWhen(std::move(args), expr.position);
}

namespace {

/// Months or milliseconds of one unit of an interval's first field.
int64_t unitOf(const sql::IntervalQualifier& qualifier) {
  switch (qualifier.start) {
    case sql::TimeUnit::YEAR: return 12;
    case sql::TimeUnit::QUARTER: return 3;
    case sql::TimeUnit::WEEK: return 7 * 86'400'000LL;
    case sql::TimeUnit::DAY: return 86'400'000;
    case sql::TimeUnit::HOUR: return 3'600'000;
    case sql::TimeUnit::MINUTE: return 60'000;
    case sql::TimeUnit::SECOND: return 1000;
    default: return 1;
  }
}

/// CAST(5 AS INTERVAL DAY): a number as written counts the unit, where one that is computed counts what is stored.
BoundExprPtr intervalOfNumber(double number, const sql::IntervalQualifier& qualifier, const DataType& type) {
  return BoundExpr::literal(Value::integer(std::llround(number * static_cast<double>(unitOf(qualifier)))), type.withNullable(false));
}

/// The value of a number that is written, perhaps with a minus, and not computed.
std::optional<double> writtenNumber(const sql::Expr& expr) {
  if (const auto* literal = sql::tryAs<sql::Literal>(expr)) return std::strtod(literal->text.c_str(), nullptr);
  const auto* minus = sql::tryAs<sql::OperatorCall>(expr);
  if (!minus || minus->op != "-" || minus->operands.size() != 1) return std::nullopt;
  const auto inner = writtenNumber(*minus->operands[0]);
  return inner ? std::optional(-*inner) : std::nullopt;
}

}  // namespace

Result<BoundExprPtr> ExpressionBinder::bindCast(const sql::Cast& expr) {
  ASSIGN_OR_RETURN(BoundExprPtr operand, bind(*expr.operand));
  ASSIGN_OR_RETURN(DataType type, bindType(expr.type, TypePlace::CAST));
  if (operand->isColumn() && operand->type.isTimestamp() && operand->type.sameAs(type) && !expr.is_try) {
    // A cast to the same type still turns a time attribute into a plain timestamp.
    BoundExpr cast{.kind = BoundKind::CAST, .type = operand->type, .args = {operand}, .position = expr.position};
    return std::make_shared<const BoundExpr>(std::move(cast));
  }
  if (type.isInterval() && operand->type.isExactNumeric() && !expr.is_try) {
    if (expr.type.interval.start != expr.type.interval.end) {
      return Status::plan("a number cannot be cast to an interval of several units; add intervals of one unit each", expr.position);
    }
    if (const auto units = writtenNumber(*expr.operand)) return intervalOfNumber(*units, expr.type.interval, type);
  }
  return calls_.cast(std::move(operand), type, expr.is_try, expr.position);
}

Result<BoundExprPtr> ExpressionBinder::bindRow(const sql::RowConstructor& expr) {
  ASSIGN_OR_RETURN(auto fields, bindAll(expr.fields));
  return calls_.call("ROW", std::move(fields), expr.position);
}

Result<BoundExprPtr> ExpressionBinder::bindCollection(const sql::CollectionConstructor& expr) {
  ASSIGN_OR_RETURN(auto elements, bindAll(expr.elements));
  switch (expr.collection) {
    case sql::CollectionKind::ARRAY: return calls_.call("ARRAY", std::move(elements), expr.position);
    case sql::CollectionKind::MAP: return calls_.call("MAP", std::move(elements), expr.position);
    case sql::CollectionKind::MULTISET: return calls_.call("MULTISET", std::move(elements), expr.position);
  }
  return Status::internal("collection of an unknown kind");
}

}  // namespace thalweg
