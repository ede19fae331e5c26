// The words that expressions are made of: columns, constants, constructors, operators.
//
//   $("a") + 1, lit("x"), row(1, "b"), array(1, 2), call("MY_FUNCTION", $("a")), ifThenElse($("a") > 0, 1, 2)
// Threads: pure functions.
#pragma once

#include "client/api/thalweg/expression.h"

namespace thalweg::api {

/// A column; `$("*")` is all of them, `$("row.field")` a field of one.
Expression $(std::string_view name);
Expression col(std::string_view name);
template <LiteralValue T>
Expression lit(const T& value) {
  return Expression(value);
}
/// A constant of that type.
template <LiteralValue T>
Expression lit(const T& value, const DataType& type) {
  return Expression(value).cast(type);
}
Expression nullOf(const DataType& type);

Expression rowOf(const std::vector<Expression>& fields);
Expression arrayOf(const std::vector<Expression>& elements);
Expression mapOf(const std::vector<Expression>& keys_and_values);
template <typename... Fields>
Expression row(const Fields&... fields) {
  return rowOf({Expression(fields)...});
}
template <typename... Elements>
Expression array(const Elements&... elements) {
  return arrayOf({Expression(elements)...});
}
template <typename... Entries>
Expression map(const Entries&... keys_and_values) {
  return mapOf({Expression(keys_and_values)...});
}
/// Any function by name: built-in, or registered with the environment.
template <typename... Arguments>
Expression call(std::string_view function, const Arguments&... arguments) {
  return Expression::callOf(function, {Expression(arguments)...});
}
Expression callSql(std::string_view sql);
Expression ifThenElse(const Expression& condition, const Expression& if_true, const Expression& if_false);
template <typename... Values>
Expression coalesce(const Values&... values) {
  return Expression::callOf("COALESCE", {Expression(values)...});
}
template <typename... Values>
Expression concat(const Values&... values) {
  return Expression::callOf("CONCAT", {Expression(values)...});
}
template <typename... Values>
Expression concatWs(const Expression& separator, const Values&... values) {
  return Expression::callOf("CONCAT_WS", {separator, Expression(values)...});
}
template <typename... Values>
Expression greatest(const Values&... values) {
  return Expression::callOf("GREATEST", {Expression(values)...});
}
template <typename... Values>
Expression least(const Values&... values) {
  return Expression::callOf("LEAST", {Expression(values)...});
}
/// The columns from one to another, for withColumns() and withoutColumns().
Expression range(std::string_view from, std::string_view to);
Expression withColumnsOf(const std::vector<Expression>& columns);
Expression withoutColumnsOf(const std::vector<Expression>& columns);
template <typename... Columns>
Expression withColumns(const Columns&... columns) {
  return withColumnsOf({Expression(columns)...});
}
template <typename... Columns>
Expression withoutColumns(const Columns&... columns) {
  return withoutColumnsOf({Expression(columns)...});
}

Expression and_(const std::vector<Expression>& conditions);
Expression or_(const std::vector<Expression>& conditions);
inline Expression not_(const Expression& condition) { return condition.not_(); }

Expression currentDate();
Expression currentTime();
Expression currentTimestamp();
Expression currentRowTimestamp();
Expression localTime();
Expression localTimestamp();
inline Expression currentWatermark(const Expression& rowtime) { return call("CURRENT_WATERMARK", rowtime); }
inline Expression sourceWatermark() { return Expression::callOf("SOURCE_WATERMARK", {}); }
inline Expression proctime() { return Expression::callOf("PROCTIME", {}); }
inline Expression toDate(const Expression& text) { return call("TO_DATE", text); }
inline Expression toTimestamp(const Expression& text) { return call("TO_TIMESTAMP", text); }
inline Expression toTimestampLtz(const Expression& number, const Expression& precision) { return call("TO_TIMESTAMP_LTZ", number, precision); }
inline Expression fromUnixtime(const Expression& seconds) { return call("FROM_UNIXTIME", seconds); }
inline Expression unixTimestamp(const Expression& text) { return call("UNIX_TIMESTAMP", text); }

inline Expression uuid() { return Expression::callOf("UUID", {}); }
inline Expression rand() { return Expression::callOf("RAND", {}); }
inline Expression pi() { return Expression::callOf("PI", {}); }
inline Expression rowInterval(int64_t rows) { return lit(rows).rows(); }
/// Bounds of over windows.
extern const Expression UNBOUNDED_ROW, UNBOUNDED_RANGE, CURRENT_ROW, CURRENT_RANGE;

Expression timestampDiffOf(std::string_view unit, const Expression& from, const Expression& to);
inline Expression timestampDiff(std::string_view unit, const Expression& from, const Expression& to) {
  return timestampDiffOf(unit, from, to);
}

/// Operators need an expression on one side at least, so that plain C++ values keep their own.
template <typename A, typename B>
concept ExpressionOperands = (std::same_as<A, Expression> || std::same_as<B, Expression>) &&
                             std::constructible_from<Expression, const A&> && std::constructible_from<Expression, const B&>;

template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator+(const A& a, const B& b) { return Expression(a).plus(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator-(const A& a, const B& b) { return Expression(a).minus(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator*(const A& a, const B& b) { return Expression(a).times(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator/(const A& a, const B& b) { return Expression(a).dividedBy(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator%(const A& a, const B& b) { return Expression(a).mod(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator==(const A& a, const B& b) { return Expression(a).isEqual(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator!=(const A& a, const B& b) { return Expression(a).isNotEqual(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator<(const A& a, const B& b) { return Expression(a).isLess(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator<=(const A& a, const B& b) { return Expression(a).isLessOrEqual(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator>(const A& a, const B& b) { return Expression(a).isGreater(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator>=(const A& a, const B& b) { return Expression(a).isGreaterOrEqual(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator&&(const A& a, const B& b) { return Expression(a).and_(Expression(b)); }
template <typename A, typename B>
  requires ExpressionOperands<A, B>
Expression operator||(const A& a, const B& b) { return Expression(a).or_(Expression(b)); }
template <std::same_as<Expression> A>
Expression operator-(const A& a) { return a.negate(); }
template <std::same_as<Expression> A>
Expression operator!(const A& a) { return a.not_(); }

}  // namespace thalweg::api
