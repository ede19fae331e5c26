// Queries of the syntax tree: WITH, set operations, SELECT, VALUES, and what may stand in FROM.
//
// A Query is a body with its decorations: `WITH ..` before, `ORDER BY .. OFFSET .. FETCH ..` behind. A body is
// one of SelectBody, ValuesBody, SetOperation, ExplicitTable, NestedQuery; `as<>`/`tryAs<>` as for expressions.
// LIMIT n is `fetch`; LIMIT ALL is no `fetch`. Threads: immutable, share freely.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/sql/ast_expression.h"

namespace thalweg::sql {

/// `'key' = 'value'`, `'key'`, `name` or `3` in a hint.
struct HintArgument {
  std::optional<std::string> key;
  std::string value;
  bool is_name = false;    ///< the value, or with a key the key, is an identifier
  bool is_number = false;  ///< the value is a number
  SourcePosition position;
};
/// One hint of `/*+ A(..), B(..) */`; its name is as written.
struct Hint {
  Identifier name;
  std::vector<HintArgument> arguments;
  SourcePosition position;
};

enum class BodyKind {
  SELECT,         ///< SelectBody
  VALUES,         ///< ValuesBody
  SET_OPERATION,  ///< SetOperation
  TABLE,          ///< ExplicitTable: TABLE t
  NESTED,         ///< NestedQuery: a decorated query in parentheses
};
struct QueryBody {
  BodyKind kind;
  SourcePosition position;
  int depth = 1;
  virtual ~QueryBody() = default;

 protected:
  explicit QueryBody(BodyKind k) : kind(k) {}
};
using QueryBodyPtr = std::shared_ptr<const QueryBody>;

struct CommonTable {
  Identifier name;
  std::vector<Identifier> columns;
  QueryPtr query;
  SourcePosition position;
};

struct Query {
  std::vector<CommonTable> with;
  bool recursive = false;  ///< WITH RECURSIVE
  QueryBodyPtr body;
  std::vector<OrderItem> order_by;
  ExprPtr offset;  ///< null if not written
  ExprPtr fetch;   ///< null if not written
  SourcePosition position;
  int depth = 1;
};

struct SelectItem {
  ExprPtr expr;  ///< may be a Star
  std::optional<Identifier> alias;
  SourcePosition position;
};

enum class GroupItemKind {
  EXPRESSION,  ///< expressions[0]
  EMPTY,       ///< ()
  COMPOSITE,   ///< (a, b) as one element
  ROLLUP,
  CUBE,           ///< items: EXPRESSION or COMPOSITE
  GROUPING_SETS,  ///< items of any kind
};
struct GroupItem {
  GroupItemKind kind = GroupItemKind::EXPRESSION;
  std::vector<ExprPtr> expressions;
  std::vector<GroupItem> items;
  SourcePosition position;
};
struct GroupBy {
  SetQuantifier quantifier = SetQuantifier::UNSPECIFIED;
  std::vector<GroupItem> items;
  SourcePosition position;
};

struct NamedWindow {
  Identifier name;
  std::shared_ptr<const WindowSpec> spec;
};

struct SelectBody : QueryBody {
  static constexpr BodyKind kKind = BodyKind::SELECT;
  SelectBody() : QueryBody(kKind) {}
  std::vector<Hint> hints;
  SetQuantifier quantifier = SetQuantifier::UNSPECIFIED;
  std::vector<SelectItem> items;
  TableRefPtr from;  ///< null without FROM; `FROM a, b` is a COMMA join
  ExprPtr where;
  std::optional<GroupBy> group_by;
  ExprPtr having;
  std::vector<NamedWindow> windows;
  ExprPtr qualify;
};

struct ValuesBody : QueryBody {
  static constexpr BodyKind kKind = BodyKind::VALUES;
  ValuesBody() : QueryBody(kKind) {}
  std::vector<std::vector<ExprPtr>> rows;
};

enum class SetOperator { UNION, INTERSECT, EXCEPT };
struct SetOperation : QueryBody {
  static constexpr BodyKind kKind = BodyKind::SET_OPERATION;
  SetOperation() : QueryBody(kKind) {}
  SetOperator op = SetOperator::UNION;
  bool all = false;
  QueryBodyPtr left, right;
};

struct ExplicitTable : QueryBody {
  static constexpr BodyKind kKind = BodyKind::TABLE;
  ExplicitTable() : QueryBody(kKind) {}
  QualifiedName name;
};

struct NestedQuery : QueryBody {
  static constexpr BodyKind kKind = BodyKind::NESTED;
  NestedQuery() : QueryBody(kKind) {}
  QueryPtr query;
};

enum class TableRefKind {
  NAMED,            ///< NamedTable
  DERIVED,          ///< DerivedTable: (query) [AS t]
  JOIN,             ///< Join
  FUNCTION,         ///< TableFunctionCall: TABLE(f(..)), LATERAL TABLE(f(..)), f(..)
  UNNEST,           ///< Unnest
  MATCH_RECOGNIZE,  ///< MatchRecognize
};
struct TableSample {
  bool bernoulli = false;  ///< BERNOULLI(p) [REPEATABLE(n)] or SYSTEM(p)
  std::string substitute;  ///< TABLESAMPLE SUBSTITUTE('name')
  std::string percentage;
  std::optional<std::string> repeatable;
};
struct TableRef {
  TableRefKind kind;
  SourcePosition position;
  int depth = 1;
  std::optional<Identifier> alias;
  std::vector<Identifier> column_aliases;  ///< t (a, b)
  std::optional<TableSample> sample;
  virtual ~TableRef() = default;

 protected:
  explicit TableRef(TableRefKind k) : kind(k) {}
};

struct NamedTable : TableRef {
  static constexpr TableRefKind kKind = TableRefKind::NAMED;
  NamedTable() : TableRef(kKind) {}
  QualifiedName name;
  std::vector<Hint> hints;
  ExprPtr system_time;  ///< FOR SYSTEM_TIME AS OF x, or null
};

struct DerivedTable : TableRef {
  static constexpr TableRefKind kKind = TableRefKind::DERIVED;
  DerivedTable() : TableRef(kKind) {}
  QueryPtr query;
  bool lateral = false;
  std::vector<Hint> hints;
};

enum class JoinType { INNER, LEFT, RIGHT, FULL, CROSS, COMMA };
struct Join : TableRef {
  static constexpr TableRefKind kKind = TableRefKind::JOIN;
  Join() : TableRef(kKind) {}
  JoinType type = JoinType::INNER;
  bool natural = false;
  TableRefPtr left, right;
  ExprPtr on;                             ///< null unless ON
  std::vector<Identifier> using_columns;  ///< empty unless USING
};

/// `call` holds the arguments; `TABLE t PARTITION BY k` among them is a TableArgument.
struct TableFunctionCall : TableRef {
  static constexpr TableRefKind kKind = TableRefKind::FUNCTION;
  TableFunctionCall() : TableRef(kKind) {}
  std::shared_ptr<const FunctionCall> call;
  bool lateral = false;
  bool wrapped = true;  ///< within TABLE(..); false for a bare f(..)
  std::vector<Hint> hints;
};

struct Unnest : TableRef {
  static constexpr TableRefKind kKind = TableRefKind::UNNEST;
  Unnest() : TableRef(kKind) {}
  std::vector<ExprPtr> arguments;
  bool with_ordinality = false;
  bool lateral = false;
};

enum class PatternKind {
  VARIABLE,    ///< name
  CONCAT,      ///< items in sequence
  ALTERNATE,   ///< items parted by |
  QUANTIFIED,  ///< items[0], min, max, reluctant
  PERMUTE,     ///< PERMUTE(items)
  EXCLUDE,     ///< {- items[0] -}
  GROUP,       ///< (items[0])
};
struct Pattern {
  PatternKind kind = PatternKind::VARIABLE;
  Identifier name;
  std::vector<Pattern> items;
  int min = 1;
  std::optional<int> max = 1;  ///< absent: without bound
  bool reluctant = false;
  SourcePosition position;
};
struct PatternDefinition {
  Identifier variable;
  ExprPtr condition;
};
struct PatternSubset {
  Identifier name;
  std::vector<Identifier> variables;
};
enum class AfterMatch { UNSPECIFIED, PAST_LAST_ROW, TO_NEXT_ROW, TO_FIRST, TO_LAST };
enum class RowsPerMatch { UNSPECIFIED, ONE_ROW, ALL_ROWS };
struct MatchRecognize : TableRef {
  static constexpr TableRefKind kKind = TableRefKind::MATCH_RECOGNIZE;
  MatchRecognize() : TableRef(kKind) {}
  TableRefPtr input;
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
  std::vector<SelectItem> measures;  ///< each with an alias
  RowsPerMatch rows_per_match = RowsPerMatch::UNSPECIFIED;
  AfterMatch after_match = AfterMatch::UNSPECIFIED;
  std::optional<Identifier> after_match_variable;  ///< with TO_FIRST and TO_LAST
  Pattern pattern;
  bool starts_at_first = false;  ///< ^
  bool ends_at_last = false;     ///< $
  ExprPtr within;                ///< an interval, or null
  std::vector<PatternSubset> subsets;
  std::vector<PatternDefinition> definitions;
};

}  // namespace thalweg::sql
