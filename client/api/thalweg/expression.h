// Expression: a computation over the columns of a table, built by calls instead of SQL text.
//
//   table.filter($("amount") > 10 && $("name").like("A%"))
//        .groupBy($("name"))
//        .select($("name"), $("amount").sum().as("total"));
//
// $("x") is a column, lit(5) a constant; C++ values stand for constants wherever an expression is expected. Methods are
// the built-in functions under their Table API names; call("NAME", …) calls any function, built-in or registered.
// Nothing is checked before the expression meets a table. Threads: immutable values, cheap to copy.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/api/thalweg/data_types.h"
#include "client/api/thalweg/row.h"

namespace thalweg::sql {
struct Expr;
}

namespace thalweg::api {

class Table;
class Expression;

/// What stands for a constant in an expression.
template <typename T>
concept LiteralValue =
    !std::same_as<std::remove_cvref_t<T>, Expression> &&
    (std::is_null_pointer_v<std::remove_cvref_t<T>> || std::is_convertible_v<T, std::string_view> ||
     (Usable<std::decay_t<T>> && !std::same_as<std::decay_t<T>, Row>));

class Expression {
 public:
  using Node = std::shared_ptr<const sql::Expr>;

  /// A constant: any C++ value that can be a field of a record, or nullptr.
  template <LiteralValue T>
  Expression(T&& value) : Expression(literal(std::forward<T>(value))) {}   // NOLINT: meant to convert
  /// The engine's value of that type.
  Expression(const Value& value, const DataType& type);
  explicit Expression(Node node) : node_(std::move(node)) {}

  // --- names ------------------------------------------------------------------------------------------
  /// A name for the result; further names for the columns of a table function.
  template <typename... Names>
  Expression as(std::string name, Names... further) const {
    return named({std::move(name), std::string(further)...});
  }

  // --- comparison and logic ---------------------------------------------------------------------------
  Expression isEqual(const Expression& other) const { return infix("=", other); }
  Expression isNotEqual(const Expression& other) const { return infix("<>", other); }
  Expression isLess(const Expression& other) const { return infix("<", other); }
  Expression isLessOrEqual(const Expression& other) const { return infix("<=", other); }
  Expression isGreater(const Expression& other) const { return infix(">", other); }
  Expression isGreaterOrEqual(const Expression& other) const { return infix(">=", other); }
  Expression isDistinctFrom(const Expression& other) const { return infix("IS DISTINCT FROM", other); }
  Expression isNotDistinctFrom(const Expression& other) const { return infix("IS NOT DISTINCT FROM", other); }
  Expression between(const Expression& low, const Expression& high) const { return betweenOf(low, high, false); }
  Expression notBetween(const Expression& low, const Expression& high) const { return betweenOf(low, high, true); }
  template <typename... Values>
  Expression in(const Expression& first, const Values&... more) const {
    return inList({first, Expression(more)...});
  }
  /// Whether the value is in the only column of a table.
  Expression in(const Table& table) const;
  Expression isNull() const { return postfix("IS NULL"); }
  Expression isNotNull() const { return postfix("IS NOT NULL"); }
  Expression isTrue() const { return postfix("IS TRUE"); }
  Expression isFalse() const { return postfix("IS FALSE"); }
  Expression isNotTrue() const { return postfix("IS NOT TRUE"); }
  Expression isNotFalse() const { return postfix("IS NOT FALSE"); }
  Expression isJson() const { return postfix("IS JSON VALUE"); }
  Expression and_(const Expression& other) const { return infix("AND", other); }
  Expression or_(const Expression& other) const { return infix("OR", other); }
  Expression not_() const { return prefix("NOT"); }
  /// Flink's ternary operator: CASE WHEN this THEN a ELSE b END.
  Expression then(const Expression& if_true, const Expression& if_false) const;
  Expression ifNull(const Expression& replacement) const { return call("IFNULL", {replacement}); }
  Expression nullIf(const Expression& value) const { return call("NULLIF", {value}); }

  // --- arithmetic -------------------------------------------------------------------------------------
  Expression plus(const Expression& other) const { return infix("+", other); }
  Expression minus(const Expression& other) const { return infix("-", other); }
  Expression times(const Expression& other) const { return infix("*", other); }
  Expression dividedBy(const Expression& other) const { return infix("/", other); }
  Expression mod(const Expression& other) const { return call("MOD", {other}); }
  Expression negate() const { return prefix("-"); }
  Expression abs() const { return call("ABS"); }
  Expression ceil() const { return call("CEIL"); }
  Expression floor() const { return call("FLOOR"); }
  Expression round(const Expression& digits) const { return call("ROUND", {digits}); }
  Expression truncate(const Expression& digits) const { return call("TRUNCATE", {digits}); }
  Expression truncate() const { return call("TRUNCATE"); }
  Expression power(const Expression& exponent) const { return call("POWER", {exponent}); }
  Expression sqrt() const { return call("SQRT"); }
  Expression exp() const { return call("EXP"); }
  Expression ln() const { return call("LN"); }
  Expression log10() const { return call("LOG10"); }
  Expression log2() const { return call("LOG2"); }
  Expression log() const { return call("LOG"); }
  Expression log(const Expression& base) const { return callOf("LOG", {base, *this}); }
  Expression sin() const { return call("SIN"); }
  Expression cos() const { return call("COS"); }
  Expression tan() const { return call("TAN"); }
  Expression cot() const { return call("COT"); }
  Expression asin() const { return call("ASIN"); }
  Expression acos() const { return call("ACOS"); }
  Expression atan() const { return call("ATAN"); }
  Expression sinh() const { return call("SINH"); }
  Expression cosh() const { return call("COSH"); }
  Expression tanh() const { return call("TANH"); }
  Expression degrees() const { return call("DEGREES"); }
  Expression radians() const { return call("RADIANS"); }
  Expression sign() const { return call("SIGN"); }
  Expression bin() const { return call("BIN"); }
  Expression hex() const { return call("HEX"); }
  Expression unhex() const { return call("UNHEX"); }

  // --- text -------------------------------------------------------------------------------------------
  Expression upperCase() const { return call("UPPER"); }
  Expression lowerCase() const { return call("LOWER"); }
  Expression upper() const { return call("UPPER"); }
  Expression lower() const { return call("LOWER"); }
  Expression initCap() const { return call("INITCAP"); }
  Expression charLength() const { return call("CHAR_LENGTH"); }
  Expression substring(const Expression& begin) const { return call("SUBSTRING", {begin}); }
  Expression substring(const Expression& begin, const Expression& length) const { return call("SUBSTRING", {begin, length}); }
  Expression substr(const Expression& begin, const Expression& length) const { return call("SUBSTRING", {begin, length}); }
  Expression trim() const;
  Expression trimLeading(const Expression& characters = Expression(" ")) const;
  Expression trimTrailing(const Expression& characters = Expression(" ")) const;
  Expression ltrim() const { return call("LTRIM"); }
  Expression rtrim() const { return call("RTRIM"); }
  Expression replace(const Expression& search, const Expression& replacement) const { return call("REPLACE", {search, replacement}); }
  Expression like(const Expression& pattern) const { return infix("LIKE", pattern); }
  Expression similar(const Expression& pattern) const { return infix("SIMILAR TO", pattern); }
  Expression position(const Expression& haystack) const { return callOf("POSITION", {*this, haystack}); }
  Expression lpad(const Expression& length, const Expression& pad) const { return call("LPAD", {length, pad}); }
  Expression rpad(const Expression& length, const Expression& pad) const { return call("RPAD", {length, pad}); }
  Expression overlay(const Expression& text, const Expression& start) const { return call("OVERLAY", {text, start}); }
  Expression overlay(const Expression& text, const Expression& start, const Expression& length) const {
    return call("OVERLAY", {text, start, length});
  }
  Expression regexp(const Expression& regex) const { return call("REGEXP", {regex}); }
  Expression regexpReplace(const Expression& regex, const Expression& replacement) const { return call("REGEXP_REPLACE", {regex, replacement}); }
  Expression regexpExtract(const Expression& regex, const Expression& group) const { return call("REGEXP_EXTRACT", {regex, group}); }
  Expression regexpExtract(const Expression& regex) const { return call("REGEXP_EXTRACT", {regex}); }
  Expression fromBase64() const { return call("FROM_BASE64"); }
  Expression toBase64() const { return call("TO_BASE64"); }
  Expression ascii() const { return call("ASCII"); }
  Expression chr() const { return call("CHR"); }
  Expression decode(const Expression& charset) const { return call("DECODE", {charset}); }
  Expression encode(const Expression& charset) const { return call("ENCODE", {charset}); }
  Expression left(const Expression& length) const { return call("LEFT", {length}); }
  Expression right(const Expression& length) const { return call("RIGHT", {length}); }
  Expression instr(const Expression& text) const { return call("INSTR", {text}); }
  Expression locate(const Expression& text) const { return callOf("LOCATE", {*this, text}); }
  Expression splitIndex(const Expression& separator, const Expression& index) const { return call("SPLIT_INDEX", {separator, index}); }
  Expression split(const Expression& separator) const { return call("SPLIT", {separator}); }
  Expression startsWith(const Expression& text) const { return call("STARTSWITH", {text}); }
  Expression endsWith(const Expression& text) const { return call("ENDSWITH", {text}); }
  Expression strToMap() const { return call("STR_TO_MAP"); }
  Expression repeat(const Expression& times) const { return call("REPEAT", {times}); }
  Expression reverse() const { return call("REVERSE"); }
  Expression concat(const Expression& other) const { return infix("||", other); }
  Expression translate(const Expression& from, const Expression& to) const { return call("TRANSLATE", {from, to}); }
  Expression md5() const { return call("MD5"); }
  Expression sha1() const { return call("SHA1"); }
  Expression sha224() const { return call("SHA224"); }
  Expression sha256() const { return call("SHA256"); }
  Expression sha384() const { return call("SHA384"); }
  Expression sha512() const { return call("SHA512"); }
  Expression sha2(const Expression& bits) const { return call("SHA2", {bits}); }

  // --- time -------------------------------------------------------------------------------------------
  Expression toDate() const { return cast(DataTypes::DATE()); }
  Expression toTime() const { return cast(DataTypes::TIME()); }
  Expression toTimestamp() const { return cast(DataTypes::TIMESTAMP(3)); }
  /// The field of a date or time by its unit's name: extract("YEAR").
  Expression extract(std::string_view unit) const;
  Expression floor(std::string_view unit) const;
  Expression ceil(std::string_view unit) const;
  Expression dateFormat(const Expression& pattern) const { return call("DATE_FORMAT", {pattern}); }
  // Intervals of whole numbers: lit(10).minutes().
  Expression years() const { return interval("YEAR"); }
  Expression year() const { return interval("YEAR"); }
  Expression quarters() const { return interval("QUARTER"); }
  Expression months() const { return interval("MONTH"); }
  Expression month() const { return interval("MONTH"); }
  Expression weeks() const { return interval("WEEK"); }
  Expression days() const { return interval("DAY"); }
  Expression day() const { return interval("DAY"); }
  Expression hours() const { return interval("HOUR"); }
  Expression hour() const { return interval("HOUR"); }
  Expression minutes() const { return interval("MINUTE"); }
  Expression minute() const { return interval("MINUTE"); }
  Expression seconds() const { return interval("SECOND"); }
  Expression second() const { return interval("SECOND"); }
  Expression millis() const { return interval("MILLISECOND"); }
  Expression milli() const { return interval("MILLISECOND"); }
  /// A number of rows, for windows that count them.
  Expression rows() const;

  // --- types and nested values ------------------------------------------------------------------------
  Expression cast(const DataType& type) const { return castTo(type, false); }
  Expression tryCast(const DataType& type) const { return castTo(type, true); }
  Expression typeOf() const { return call("TYPEOF"); }
  /// A field of a row, by name or position.
  Expression get(std::string name) const;
  Expression get(int position) const;
  /// An element of an array (from 1) or a value of a map.
  Expression at(const Expression& index) const;
  Expression cardinality() const { return call("CARDINALITY"); }
  Expression element() const { return call("ELEMENT"); }
  Expression arrayContains(const Expression& value) const { return call("ARRAY_CONTAINS", {value}); }
  Expression arrayConcat(const Expression& other) const { return call("ARRAY_CONCAT", {other}); }
  Expression arrayDistinct() const { return call("ARRAY_DISTINCT"); }
  Expression arrayJoin(const Expression& delimiter) const { return call("ARRAY_JOIN", {delimiter}); }
  Expression arrayReverse() const { return call("ARRAY_REVERSE"); }
  Expression arraySort() const { return call("ARRAY_SORT"); }
  Expression mapKeys() const { return call("MAP_KEYS"); }
  Expression mapValues() const { return call("MAP_VALUES"); }
  Expression mapEntries() const { return call("MAP_ENTRIES"); }
  Expression jsonExists(const Expression& path) const { return call("JSON_EXISTS", {path}); }
  Expression jsonValue(const Expression& path) const { return call("JSON_VALUE", {path}); }
  Expression jsonQuery(const Expression& path) const { return call("JSON_QUERY", {path}); }

  // --- aggregates -------------------------------------------------------------------------------------
  Expression sum() const { return call("SUM"); }
  Expression sum0() const { return callOf("COALESCE", {call("SUM"), Expression(0)}); }
  Expression min() const { return call("MIN"); }
  Expression max() const { return call("MAX"); }
  Expression count() const { return call("COUNT"); }
  Expression avg() const { return call("AVG"); }
  Expression stddevPop() const { return call("STDDEV_POP"); }
  Expression stddevSamp() const { return call("STDDEV_SAMP"); }
  Expression varPop() const { return call("VAR_POP"); }
  Expression varSamp() const { return call("VAR_SAMP"); }
  Expression collect() const { return call("COLLECT"); }
  Expression firstValue() const { return call("FIRST_VALUE"); }
  Expression lastValue() const { return call("LAST_VALUE"); }
  Expression listAgg() const { return call("LISTAGG"); }
  Expression listAgg(const Expression& separator) const { return call("LISTAGG", {separator}); }
  Expression arrayAgg() const { return call("ARRAY_AGG"); }
  /// The aggregate over different values only: $("x").sum().distinct().
  Expression distinct() const;
  /// The aggregate over an over window: .over($("w")).
  Expression over(const Expression& window) const;

  // --- order and time attributes ----------------------------------------------------------------------
  Expression asc() const { return marked("$asc"); }
  Expression desc() const { return marked("$desc"); }
  /// Declares the event time of a stream (fromDataStream), or names a group window's row time.
  Expression rowtime() const { return marked("$rowtime"); }
  Expression proctime() const { return marked("$proctime"); }
  /// Bounds of a group window: $("w").start().
  Expression start() const { return marked("$start"); }
  Expression end() const { return marked("$end"); }

  /// The expression as SQL; what has no SQL form prints as it was called.
  std::string asSerializableString() const;
  std::string toString() const { return asSerializableString(); }

  const Node& node() const { return node_; }
  const std::vector<std::string>& names() const { return names_; }
  Expression withNames(std::vector<std::string> names) const { return named(std::move(names)); }

  /// A call of `function` over `arguments`.
  static Expression callOf(std::string_view function, const std::vector<Expression>& arguments);

 private:
  template <typename T>
  static Expression literal(const T& value) {
    if constexpr (std::is_null_pointer_v<T>) return Expression(Value::null(), DataType::null());
    else if constexpr (std::is_convertible_v<T, std::string_view>) return Expression(Value::string(std::string(std::string_view(value))), DataType::string(false));
    else if constexpr (std::is_same_v<T, Decimal>) return decimalLiteral(value);
    else return Expression(FieldTraits<T>::toValue(value), FieldTraits<T>::type());
  }
  /// With the digits and the scale that the value has.
  static Expression decimalLiteral(const Decimal& value);
  Expression named(std::vector<std::string> names) const;
  Expression call(std::string_view function, const std::vector<Expression>& further = {}) const;
  Expression infix(std::string_view op, const Expression& other) const;
  Expression prefix(std::string_view op) const;
  Expression postfix(std::string_view op) const;
  Expression betweenOf(const Expression& low, const Expression& high, bool negated) const;
  Expression inList(const std::vector<Expression>& values) const;
  Expression castTo(const DataType& type, bool is_try) const;
  Expression interval(std::string_view unit) const;
  Expression marked(std::string_view mark) const;

  Node node_;
  std::vector<std::string> names_;
};

}  // namespace thalweg::api
