// LogicalNode: a bound query as relational algebra — what the binder makes and the optimiser rewrites.
//
// Immutable trees, shared where the query shares (views, CTEs used twice keep one node: sub-plan sharing).
// Each node knows its output schema with time attributes. Sub-queries are gone: the binder turned them into joins
// (SEMI, ANTI, LEFT with SINGLE_VALUE aggregates).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/expr/bound_expr.h"
#include "common/plan/catalog/catalog.h"
#include "common/plan/operator_spec.h"

namespace thalweg {

enum class LogicalKind : uint8_t {
  SCAN,        ///< a catalog table: physical, metadata and computed columns, watermark applied as declared
  VALUES,
  PROJECT,
  FILTER,
  AGGREGATE,   ///< keys are input columns; grouping sets as sets of positions in keys
  WINDOW_TVF,  ///< appends window_start, window_end, window_time
  JOIN,
  TEMPORAL,    ///< right side of FOR SYSTEM_TIME AS OF: only below JOIN
  UNNEST,      ///< lateral over a collection of the input row
  SORT,        ///< keys, offset, fetch
  SET_OP,
  OVER,        ///< appends one column per windowed call
  SINK,
  MATCH,       ///< MATCH_RECOGNIZE: partition keys, then measures
  CHANGELOG,   ///< TO_CHANGELOG and FROM_CHANGELOG
};

struct LogicalNode;
using LogicalNodePtr = std::shared_ptr<const LogicalNode>;

struct LogicalNode {
  LogicalNode(LogicalKind node_kind, Schema node_schema, std::vector<LogicalNodePtr> node_inputs)
      : kind(node_kind), schema(std::move(node_schema)), inputs(std::move(node_inputs)) {}
  virtual ~LogicalNode() = default;

  const LogicalKind kind;
  const Schema schema;
  const std::vector<LogicalNodePtr> inputs;
  SourcePosition position = {};        ///< what in the statement asks for it, if that is known; for messages

  template <typename T>
  const T& as() const { return static_cast<const T&>(*this); }
};

struct LogicalScan : LogicalNode {
  LogicalScan(std::shared_ptr<const ResolvedTable> t, OptionMap hints, Schema s)
      : LogicalNode(LogicalKind::SCAN, std::move(s), {}), table(std::move(t)), hint_options(std::move(hints)) {}
  std::shared_ptr<const ResolvedTable> table;
  OptionMap hint_options;               ///< OPTIONS hint of this use, already merged over the table's by the binder
  std::optional<int64_t> limit = std::nullopt;   ///< set by the optimizer: so many rows are enough
  /// Set by the optimizer: conditions over the table's `produced` columns that a file's path decides for all its rows.
  std::vector<BoundExprPtr> path_conditions = {};
};

struct LogicalValues : LogicalNode {
  LogicalValues(std::vector<std::vector<Value>> r, Schema s)
      : LogicalNode(LogicalKind::VALUES, std::move(s), {}), rows(std::move(r)) {}
  std::vector<std::vector<Value>> rows;
  /// Some cell was no literal: as in Flink each row is a source of its own, and equal ones are read together.
  bool from_expressions = false;
};

struct LogicalProject : LogicalNode {
  LogicalProject(LogicalNodePtr input, std::vector<BoundExprPtr> e, Schema s)
      : LogicalNode(LogicalKind::PROJECT, std::move(s), {std::move(input)}), expressions(std::move(e)) {}
  std::vector<BoundExprPtr> expressions;
};

struct LogicalFilter : LogicalNode {
  LogicalFilter(LogicalNodePtr input, BoundExprPtr c)
      : LogicalNode(LogicalKind::FILTER, input->schema, {input}), condition(std::move(c)) {}
  BoundExprPtr condition;
};

/// Output: keys, calls; with grouping sets a BIGINT `$e` set id follows the keys, keys are nullable.
struct LogicalAggregate : LogicalNode {
  LogicalAggregate(LogicalNodePtr input, std::vector<int> k, std::vector<std::vector<int>> sets,
                   std::vector<AggregateCallSpec> c, Schema s)
      : LogicalNode(LogicalKind::AGGREGATE, std::move(s), {std::move(input)}), keys(std::move(k)),
        grouping_sets(std::move(sets)), calls(std::move(c)) {}
  std::vector<int> keys;
  std::vector<std::vector<int>> grouping_sets;  ///< positions in `keys`; empty: plain GROUP BY
  std::vector<AggregateCallSpec> calls;
  /// Legacy GROUP BY TUMBLE(...): the aggregate's own window; properties follow the calls in the output.
  std::optional<WindowSpec> group_window = std::nullopt;
  std::vector<WindowAggregateSpec::Property> window_properties = {};
  std::optional<int64_t> state_ttl_ms = std::nullopt;   ///< STATE_TTL hint; none: the session's setting
};

/// The values of `$e`, one for each set: a bit for each key, 1 if the set leaves it out; a set that was there before counts
/// on in the bits above.
std::vector<int64_t> groupingSetIds(const std::vector<std::vector<int>>& sets, size_t key_count);

struct LogicalWindowTvf : LogicalNode {
  LogicalWindowTvf(LogicalNodePtr input, WindowSpec w, Schema s)
      : LogicalNode(LogicalKind::WINDOW_TVF, std::move(s), {std::move(input)}), window(std::move(w)) {}
  WindowSpec window;
};

struct LogicalJoin : LogicalNode {
  LogicalJoin(LogicalNodePtr left, LogicalNodePtr right, JoinType t, BoundExprPtr c, Schema s)
      : LogicalNode(LogicalKind::JOIN, std::move(s), {std::move(left), std::move(right)}), type(t), condition(std::move(c)) {}
  JoinType type;
  BoundExprPtr condition;               ///< over left ++ right; null: TRUE
  bool null_aware_anti = false;         ///< NOT IN
  std::array<std::optional<int64_t>, 2> state_ttl_ms = {};   ///< STATE_TTL hints of the sides; none: the session's setting
};

/// The versioned side of a temporal join; `time` is a column of the join's left input.
struct LogicalTemporal : LogicalNode {
  LogicalTemporal(LogicalNodePtr input, BoundExprPtr t)
      : LogicalNode(LogicalKind::TEMPORAL, input->schema, {input}), time(std::move(t)) {}
  BoundExprPtr time;
};

struct LogicalUnnest : LogicalNode {
  LogicalUnnest(LogicalNodePtr input, UnnestSpec u, Schema s)
      : LogicalNode(LogicalKind::UNNEST, std::move(s), {std::move(input)}), unnest(std::move(u)) {}
  UnnestSpec unnest;
};

struct LogicalSort : LogicalNode {
  LogicalSort(LogicalNodePtr input, std::vector<SortKey> k, int64_t o, std::optional<int64_t> f)
      : LogicalNode(LogicalKind::SORT, input->schema, {input}), keys(std::move(k)), offset(o), fetch(f) {}
  std::vector<SortKey> keys;
  int64_t offset;
  std::optional<int64_t> fetch;
};

enum class SetOpKind : uint8_t { UNION, INTERSECT, EXCEPT };
struct LogicalSetOp : LogicalNode {
  LogicalSetOp(std::vector<LogicalNodePtr> in, SetOpKind k, bool a, Schema s)
      : LogicalNode(LogicalKind::SET_OP, std::move(s), std::move(in)), op(k), all(a) {}
  SetOpKind op;
  bool all;
};

/// One window specification with its calls; ranking calls have their own names (ROW_NUMBER, RANK, …).
struct LogicalOver : LogicalNode {
  struct Call {
    std::string function;               ///< upper case: ROW_NUMBER, RANK, LAG, SUM …
    AggregateCallSpec aggregate;        ///< for aggregate functions; arguments for LAG/LEAD/NTILE too
  };
  LogicalOver(LogicalNodePtr input, OverAggregateSpec w, std::vector<Call> c, Schema s)
      : LogicalNode(LogicalKind::OVER, std::move(s), {std::move(input)}), window(std::move(w)), calls(std::move(c)) {}
  OverAggregateSpec window;             ///< its `calls` are unused
  std::vector<Call> calls;
};

struct LogicalMatch : LogicalNode {
  LogicalMatch(LogicalNodePtr input, MatchSpec m, Schema s)
      : LogicalNode(LogicalKind::MATCH, std::move(s), {std::move(input)}), match(std::move(m)) {}
  MatchSpec match;
};

struct LogicalChangelog : LogicalNode {
  LogicalChangelog(LogicalNodePtr input, ChangelogTextSpec t, Schema s)
      : LogicalNode(LogicalKind::CHANGELOG, std::move(s), {std::move(input)}), text(std::move(t)) {}
  ChangelogTextSpec text;
};

struct LogicalSink : LogicalNode {
  LogicalSink(LogicalNodePtr input, std::shared_ptr<const ResolvedTable> t)
      : LogicalNode(LogicalKind::SINK, input->schema, {input}), table(std::move(t)) {}
  std::shared_ptr<const ResolvedTable> table;   ///< null: collect
  OptionMap hint_options = {};
  std::map<std::string, std::string> static_partition = {};
  bool overwrite = false;
  std::string on_conflict = {};         ///< "", NOTHING, ERROR, DEDUPLICATE
  bool gathers = true;                  ///< collect: by one subtask; false: where the rows are, for a stream of the program
};

/// The plan as an indented tree, one node a line (EXPLAIN's first section).
std::string logicalPlanText(const LogicalNode& root);

}  // namespace thalweg
