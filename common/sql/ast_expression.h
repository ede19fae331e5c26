// Expressions of the syntax tree: what the parser makes of SQL text and the binder walks.
//
// A node is immutable and shared (`ExprPtr`); `kind` says which struct it is: `as<Cast>(*expr)` casts with a
// check, `tryAs<Cast>(*expr)` gives null for another kind. `position` spans the node's text, `depth` is its
// height, bounded by kExpressionDepthMax, so a recursive walk never runs out of stack.
//
// Special syntaxes are plain FunctionCalls with these arguments (a Symbol is a bare word such as DAY or BOTH):
//   EXTRACT(u FROM x)                   EXTRACT(Symbol u, x)
//   FLOOR(x TO u), CEIL(x TO u)         FLOOR(x, Symbol u); CEILING is CEIL
//   TRIM([BOTH|LEADING|TRAILING] c FROM x), TRIM(x)   TRIM(Symbol side, c, x), always three
//   SUBSTRING(x FROM a FOR b)           SUBSTRING(x, a[, b])
//   OVERLAY(x PLACING y FROM a FOR b)   OVERLAY(x, y, a[, b])
//   POSITION(a IN b [FROM c])           POSITION(a, b[, c])
//   TIMESTAMPADD / TIMESTAMPDIFF        (Symbol u, a, b)
//   CONVERT / TRANSLATE (x USING c)     (x, Symbol c)
//   (a - b) DAY TO SECOND               MINUS_DATE(a, b, IntervalLiteral '1' with the qualifier)
//   CURRENT_DATE and its kin            no arguments, `bare` is true
//   JSON_VALUE(x, path ..) and its kin  (x, path), the clauses in `json`
//   JSON_OBJECT(KEY k VALUE v, ..), JSON_OBJECTAGG    (k, v, k, v, ..); JSON_ARRAY, JSON_ARRAYAGG  (x, ..)
// Threads: immutable, share freely.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/check.h"
#include "common/sql/ast_name.h"

namespace thalweg::sql {

/// No tree the parser returns is higher than this; longer chains than that of AND or OR are one flat node.
inline constexpr int kExpressionDepthMax = 1000;

enum class ExprKind {
  LITERAL,           ///< Literal: 1, 1.5, 1e3, 'x', x'0a', TRUE, NULL, DATE '..', TIME '..', TIMESTAMP '..'
  INTERVAL_LITERAL,  ///< IntervalLiteral: INTERVAL '1' DAY
  COLUMN_REF,        ///< ColumnRef: a, t.a, cat.db.t.a.field
  STAR,              ///< Star: *, t.*; also the argument of COUNT(*)
  OPERATOR,          ///< OperatorCall: unary, infix and postfix operators
  BETWEEN,           ///< Between
  IN_LIST,           ///< InList: x IN (1, 2)
  IN_QUERY,          ///< InQuery: x IN (SELECT ..)
  QUANTIFIED,        ///< Quantified: x > ALL (SELECT ..), x = ANY (1, 2)
  EXISTS,            ///< Exists
  SUBQUERY,          ///< Subquery: a query as a value
  CASE,              ///< Case, both forms
  CAST,              ///< Cast: CAST, TRY_CAST
  FUNCTION_CALL,     ///< FunctionCall
  ROW,               ///< RowConstructor: ROW(a, b), (a, b)
  COLLECTION,        ///< CollectionConstructor: ARRAY[..], MAP[..], MULTISET[..]
  COLLECTION_QUERY,  ///< CollectionQuery: ARRAY(SELECT ..)
  ITEM_ACCESS,       ///< ItemAccess: a[i]
  FIELD_ACCESS,      ///< FieldAccess: (expr).f; a path of plain names is a ColumnRef
  SYMBOL,            ///< Symbol: a bare word as an argument
  NAMED_ARGUMENT,    ///< NamedArgument: name => value
  DEFAULT,           ///< Default: DEFAULT as an argument or in VALUES
  DESCRIPTOR,        ///< Descriptor: DESCRIPTOR(a, b)
  TABLE_ARGUMENT,    ///< TableArgument: TABLE t [PARTITION BY ..] [ORDER BY ..] as an argument, see there
  MODEL_ARGUMENT,    ///< ModelArgument: MODEL m
};

struct Expr {
  ExprKind kind;
  SourcePosition position;
  int depth = 1;

  virtual ~Expr() = default;

 protected:
  explicit Expr(ExprKind k) : kind(k) {}
};
using ExprPtr = std::shared_ptr<const Expr>;

/// The node as its struct; the kind must fit.
template <typename T, typename Node>
const T& as(const Node& node) {
  CHECK(node.kind == T::kKind);
  return static_cast<const T&>(node);
}
/// The node as its struct, or null.
template <typename T, typename Node>
const T* tryAs(const Node& node) {
  return node.kind == T::kKind ? static_cast<const T*>(&node) : nullptr;
}

struct Query;  // ast_query.h
using QueryPtr = std::shared_ptr<const Query>;
struct TableRef;  // ast_query.h
using TableRefPtr = std::shared_ptr<const TableRef>;

enum class LiteralKind {
  NULL_VALUE,
  BOOLEAN,      ///< text is TRUE, FALSE or UNKNOWN
  INTEGER,      ///< digits, perhaps behind a minus; any length; `5.`, too
  DECIMAL,      ///< `1.5`, `.5` and DECIMAL '1.5', perhaps behind a minus
  APPROXIMATE,  ///< `1.5e3`, perhaps behind a minus
  STRING,       ///< text is the value in UTF-8, escapes resolved, adjacent literals joined
  BINARY,       ///< text is hexadecimal digits, upper case; may be of odd length, which the binder refuses
  DATE,         ///< text is what stood in the quotes, unchecked
  TIME,
  TIMESTAMP,
  TIMESTAMP_LTZ,  ///< TIMESTAMP WITH LOCAL TIME ZONE '..'
};
struct Literal : Expr {
  static constexpr ExprKind kKind = ExprKind::LITERAL;
  Literal() : Expr(kKind) {}
  LiteralKind literal = LiteralKind::NULL_VALUE;
  std::string text;
  std::string charset;  ///< of _UTF8'..', else empty
};

/// `INTERVAL [-]'text' qualifier`; the text is unchecked. `INTERVAL x DAY` is `x * INTERVAL '1' DAY`.
struct IntervalLiteral : Expr {
  static constexpr ExprKind kKind = ExprKind::INTERVAL_LITERAL;
  IntervalLiteral() : Expr(kKind) {}
  bool negative = false;
  std::string text;
  IntervalQualifier qualifier;
};

struct ColumnRef : Expr {
  static constexpr ExprKind kKind = ExprKind::COLUMN_REF;
  ColumnRef() : Expr(kKind) {}
  QualifiedName name;
};

struct Star : Expr {
  static constexpr ExprKind kKind = ExprKind::STAR;
  Star() : Expr(kKind) {}
  std::vector<Identifier> qualifier;  ///< empty for a lone `*`
};

/// `op` is the operator's upper-case text, words parted by one space:
///   prefix   NOT, -, +, and in MATCH_RECOGNIZE: FINAL, RUNNING
///   infix    OR and AND with two or more operands, all others with two:
///            = <> < <= > >= + - * / % ||, LIKE, NOT LIKE, ILIKE, NOT ILIKE, RLIKE, NOT RLIKE, SIMILAR TO,
///            NOT SIMILAR TO (these with the escape as an optional third operand), IS DISTINCT FROM,
///            IS NOT DISTINCT FROM, MEMBER OF, NOT MEMBER OF, SUBMULTISET OF, NOT SUBMULTISET OF,
///            MULTISET {UNION|INTERSECT|EXCEPT} {ALL|DISTINCT}, OVERLAPS, CONTAINS, EQUALS, PRECEDES,
///            SUCCEEDS, IMMEDIATELY PRECEDES, IMMEDIATELY SUCCEEDS (a period is a row of two)
///   postfix  IS [NOT] {NULL|TRUE|FALSE|UNKNOWN|A SET|EMPTY|JSON VALUE|JSON OBJECT|JSON ARRAY|JSON SCALAR},
///            FORMAT JSON
struct OperatorCall : Expr {
  static constexpr ExprKind kKind = ExprKind::OPERATOR;
  OperatorCall() : Expr(kKind) {}
  std::string op;
  std::vector<ExprPtr> operands;
};

struct Between : Expr {
  static constexpr ExprKind kKind = ExprKind::BETWEEN;
  Between() : Expr(kKind) {}
  ExprPtr operand, low, high;
  bool negated = false;
  bool symmetric = false;
};

struct InList : Expr {
  static constexpr ExprKind kKind = ExprKind::IN_LIST;
  InList() : Expr(kKind) {}
  ExprPtr operand;
  std::vector<ExprPtr> values;
  bool negated = false;
};

struct InQuery : Expr {
  static constexpr ExprKind kKind = ExprKind::IN_QUERY;
  InQuery() : Expr(kKind) {}
  ExprPtr operand;
  QueryPtr query;
  bool negated = false;
};

enum class Quantifier { SOME, ALL };  ///< ANY is SOME
/// `operand op {SOME|ALL} (query)` or `(value, ..)`: `query` is null for the second.
struct Quantified : Expr {
  static constexpr ExprKind kKind = ExprKind::QUANTIFIED;
  Quantified() : Expr(kKind) {}
  std::string op;  ///< = <> < <= > >=
  Quantifier quantifier = Quantifier::SOME;
  ExprPtr operand;
  QueryPtr query;
  std::vector<ExprPtr> values;
};

struct Exists : Expr {
  static constexpr ExprKind kKind = ExprKind::EXISTS;
  Exists() : Expr(kKind) {}
  QueryPtr query;
};

struct Subquery : Expr {
  static constexpr ExprKind kKind = ExprKind::SUBQUERY;
  Subquery() : Expr(kKind) {}
  QueryPtr query;
};

struct CaseBranch {
  ExprPtr when;  ///< a condition, or with an operand the value that it is compared with
  ExprPtr then;
};
/// `WHEN 1, 2 THEN x` is two branches with one `then`.
struct Case : Expr {
  static constexpr ExprKind kKind = ExprKind::CASE;
  Case() : Expr(kKind) {}
  ExprPtr operand;  ///< null in the searched form
  std::vector<CaseBranch> branches;
  ExprPtr otherwise;  ///< null without ELSE
};

struct Cast : Expr {
  static constexpr ExprKind kKind = ExprKind::CAST;
  Cast() : Expr(kKind) {}
  ExprPtr operand;
  TypeSpec type;
  bool is_try = false;
};

enum class SortDirection { ASC, DESC };
enum class NullOrder { UNSPECIFIED, FIRST, LAST };
struct OrderItem {
  ExprPtr expr;
  SortDirection direction = SortDirection::ASC;
  NullOrder nulls = NullOrder::UNSPECIFIED;
  SourcePosition position;
};

enum class FrameUnit { ROWS, RANGE };
enum class FrameBoundKind { UNBOUNDED_PRECEDING, PRECEDING, CURRENT_ROW, FOLLOWING, UNBOUNDED_FOLLOWING };
struct FrameBound {
  FrameBoundKind kind = FrameBoundKind::UNBOUNDED_PRECEDING;
  ExprPtr offset;  ///< with PRECEDING and FOLLOWING only
  SourcePosition position;
};
/// `ROWS x` alone has `end` CURRENT ROW and `between` false.
struct WindowFrame {
  FrameUnit unit = FrameUnit::RANGE;
  FrameBound start;
  FrameBound end{FrameBoundKind::CURRENT_ROW, nullptr, {}};
  bool between = false;
};
/// What stands in the parentheses of OVER (..) and WINDOW w AS (..).
struct WindowSpec {
  std::optional<Identifier> base;  ///< the named window that this one refines
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
  std::optional<WindowFrame> frame;
  std::optional<bool> allow_partial;  ///< ALLOW PARTIAL / DISALLOW PARTIAL
  SourcePosition position;
};
/// `OVER w` has `name`, `OVER (..)` has `spec`.
struct OverClause {
  std::optional<Identifier> name;
  std::shared_ptr<const WindowSpec> spec;
  SourcePosition position;
};

enum class JsonNulls { UNSPECIFIED, NULL_ON_NULL, ABSENT_ON_NULL };
enum class JsonWrapper {
  UNSPECIFIED,
  WITHOUT,
  CONDITIONAL,
  UNCONDITIONAL
};  ///< WITHOUT / WITH [UN]CONDITIONAL [ARRAY] WRAPPER
enum class JsonBehavior {
  UNSPECIFIED,
  NULL_VALUE,
  ERROR,
  DEFAULT,
  EMPTY,
  EMPTY_ARRAY,
  EMPTY_OBJECT,
  TRUE,
  FALSE,
  UNKNOWN
};
struct JsonReaction {
  JsonBehavior behavior = JsonBehavior::UNSPECIFIED;
  ExprPtr default_value;  ///< with DEFAULT only
};
/// The clauses of the JSON functions. The parser fills in the defaults of `nulls` (JSON_OBJECT and JSON_OBJECTAGG:
/// NULL ON NULL, JSON_ARRAY and JSON_ARRAYAGG: ABSENT ON NULL) and, for JSON_QUERY, of the others.
struct JsonClauses {
  std::optional<TypeSpec> returning;
  JsonReaction on_empty;
  JsonReaction on_error;
  JsonWrapper wrapper = JsonWrapper::UNSPECIFIED;
  JsonNulls nulls = JsonNulls::UNSPECIFIED;
};

enum class SetQuantifier { UNSPECIFIED, ALL, DISTINCT };
enum class NullTreatment { UNSPECIFIED, RESPECT, IGNORE };

/// Functions, aggregates and window functions alike.
struct FunctionCall : Expr {
  static constexpr ExprKind kKind = ExprKind::FUNCTION_CALL;
  FunctionCall() : Expr(kKind) {}
  QualifiedName name;  ///< as written; built-in names are matched whatever their case
  std::vector<ExprPtr> args;
  bool bare = false;  ///< written without parentheses
  SetQuantifier quantifier = SetQuantifier::UNSPECIFIED;
  std::vector<OrderItem> order_by;       ///< f(x ORDER BY y)
  std::vector<OrderItem> within_group;   ///< f(x) WITHIN GROUP (ORDER BY y)
  std::vector<ExprPtr> within_distinct;  ///< f(x) WITHIN DISTINCT (y)
  NullTreatment nulls = NullTreatment::UNSPECIFIED;
  ExprPtr filter;  ///< FILTER (WHERE ..), or null
  std::shared_ptr<const OverClause> over;
  std::shared_ptr<const JsonClauses> json;  ///< null unless a JSON function
};

struct RowConstructor : Expr {
  static constexpr ExprKind kKind = ExprKind::ROW;
  RowConstructor() : Expr(kKind) {}
  std::vector<ExprPtr> fields;
  bool explicit_row = false;  ///< ROW(a, b); false for (a, b)
};

enum class CollectionKind { ARRAY, MAP, MULTISET };
struct CollectionConstructor : Expr {
  static constexpr ExprKind kKind = ExprKind::COLLECTION;
  CollectionConstructor() : Expr(kKind) {}
  CollectionKind collection = CollectionKind::ARRAY;
  std::vector<ExprPtr> elements;  ///< of a MAP: key, value, key, value, ..
};

struct CollectionQuery : Expr {
  static constexpr ExprKind kKind = ExprKind::COLLECTION_QUERY;
  CollectionQuery() : Expr(kKind) {}
  CollectionKind collection = CollectionKind::ARRAY;
  QueryPtr query;
};

struct ItemAccess : Expr {
  static constexpr ExprKind kKind = ExprKind::ITEM_ACCESS;
  ItemAccess() : Expr(kKind) {}
  ExprPtr operand;
  ExprPtr index;
};

struct FieldAccess : Expr {
  static constexpr ExprKind kKind = ExprKind::FIELD_ACCESS;
  FieldAccess() : Expr(kKind) {}
  ExprPtr operand;
  Identifier field;
};

struct Symbol : Expr {
  static constexpr ExprKind kKind = ExprKind::SYMBOL;
  Symbol() : Expr(kKind) {}
  std::string text;              ///< upper case; SQL_TSI_DAY is DAY
  std::optional<TimeUnit> unit;  ///< if the word is one
};

struct NamedArgument : Expr {
  static constexpr ExprKind kKind = ExprKind::NAMED_ARGUMENT;
  NamedArgument() : Expr(kKind) {}
  Identifier name;
  ExprPtr value;
};

struct Default : Expr {
  static constexpr ExprKind kKind = ExprKind::DEFAULT;
  Default() : Expr(kKind) {}
};

struct Descriptor : Expr {
  static constexpr ExprKind kKind = ExprKind::DESCRIPTOR;
  Descriptor() : Expr(kKind) {}
  std::vector<Identifier> columns;
};

/// `TABLE t ..`, or `(query) PARTITION BY ..`; a query alone as an argument is a Subquery.
struct TableArgument : Expr {
  static constexpr ExprKind kKind = ExprKind::TABLE_ARGUMENT;
  TableArgument() : Expr(kKind) {}
  TableRefPtr table;  ///< a NamedTable or a DerivedTable
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
};

struct ModelArgument : Expr {
  static constexpr ExprKind kKind = ExprKind::MODEL_ARGUMENT;
  ModelArgument() : Expr(kKind) {}
  QualifiedName name;
};

}  // namespace thalweg::sql
