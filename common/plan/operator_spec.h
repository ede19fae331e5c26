// OperatorSpec: everything a worker must know to make one operator. The contract between planner and operators.
//
// Plain values; column numbers refer to the operator's input schema (input 0 unless said). Output columns are the
// operator's own columns in the order each struct gives. An operator gets its input schemas with its spec
// (plan_node.h). Specs travel in the compiled plan, so fields are append-only.
// One struct per operator kind; the operator registry in worker/operators has one factory per struct.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/columnar/batch.h"
#include "common/columnar/key_codec.h"
#include "common/expr/bound_expr.h"
#include "common/functions/aggregate_function.h"
#include "common/plan/changelog_mode.h"
#include "common/types/schema.h"

namespace thalweg {

using OptionMap = std::map<std::string, std::string>;

/// How watermarks come from rows: expression over the scan's output (may give NULL: ignored).
struct WatermarkSpec {
  int rowtime_column = -1;          ///< a NULL there fails the job (batch: ignored)
  BoundExprPtr expression;          ///< over the assigner's input; TIMESTAMP or TIMESTAMP_LTZ
  int64_t idle_timeout_ms = 0;      ///< scan.watermark.idle-timeout or table.exec.source.idle-timeout; 0: never idle
};

/// Reads a table through its connector. Output: `schema` columns, in this order.
struct SourceSpec {
  std::string table_name;                  ///< for messages and metrics
  std::string connector;
  OptionMap options;                       ///< resolved: defaults not filled in, paths absolute
  Schema physical;                         ///< the table's physical columns as declared (what the format sees)
  std::vector<std::string> partition_keys;
  /// Per output column: the physical column, or the metadata key it comes from.
  struct Output {
    int physical_column = -1;
    std::string metadata_key;              ///< if physical_column is -1
    DataType type;
    /// Nested projection: field paths below the column that are read; empty: all. Unread fields may be absent children.
    std::vector<std::vector<int>> used_paths;
  };
  std::vector<Output> outputs;
  BoundExprPtr filter;                     ///< pushed predicate over the outputs the connector said it applies fully; may be null
  std::optional<int64_t> limit;            ///< rows enough per reader
  bool bounded = true;
};

/// Rows given in the query. Output: schema of the node.
struct ValuesSpec {
  std::vector<std::vector<Value>> rows;
};

/// Filter and projection. Output: one column per projection. A row whose condition is not TRUE goes.
/// In changelogs each row is judged alone (semantics: aggregation 4).
struct CalcSpec {
  BoundExprPtr condition;                  ///< null: all rows
  std::vector<BoundExprPtr> projections;
};

/// Puts watermark marks into the stream. Output: the input's columns.
struct WatermarkAssignerSpec {
  WatermarkSpec watermark;
};

struct AggregateCallSpec {
  const AggregateFunction* function = nullptr;
  std::vector<int> arguments;              ///< input columns
  std::vector<DataType> argument_types;
  std::vector<std::optional<Value>> literals;  ///< per argument, when constant (LISTAGG separator, PERCENTILE share)
  bool distinct = false;
  int filter = -1;                         ///< BOOLEAN input column; row counts when TRUE
  DataType result_type;
  std::string name;                        ///< output column
  std::vector<SortKey> order_by = {};      ///< ordered aggregates (batch; streaming only where Flink allows)
};

/// GROUP BY without windows. Output: keys, then one column per call.
struct GroupAggregateSpec {
  std::vector<int> keys;                   ///< empty: one global group
  std::vector<AggregateCallSpec> calls;
  bool input_retracts = false;             ///< input may carry -U/-D
  bool emit_update_before = true;          ///< false: consumers do without -U
  bool final_only = false;                 ///< BATCH: one row per group at end of input
  int64_t mini_batch_rows = 0;             ///< > 0: fold that many rows before emitting (or until watermark/barrier)
  int64_t state_ttl_ms = 0;
};

enum class WindowKind : uint8_t { TUMBLE, HOP, CUMULATE, SESSION };

/// A window definition over a time column. Sizes in milliseconds; offsets may be negative.
struct WindowSpec {
  WindowKind kind = WindowKind::TUMBLE;
  int64_t size_ms = 0;                     ///< TUMBLE, HOP size; CUMULATE max size; SESSION gap
  int64_t slide_ms = 0;                    ///< HOP slide; CUMULATE step
  int64_t offset_ms = 0;
  int time_column = -1;
  bool local_time = false;                 ///< time is TIMESTAMP_LTZ: windows are cut in session-zone wall clock
  bool processing_time = false;
  std::vector<int> partition_keys = {};    ///< SESSION
};

/// The TVF alone: appends window_start, window_end (TIMESTAMP(3)), window_time to each row (HOP, CUMULATE: several rows).
struct WindowTableFunctionSpec {
  WindowSpec window;
  bool keep_late = true;                   ///< TUMBLE, HOP, CUMULATE pass late rows at once (semantics: windows 8)
};

/// Aggregation per window. Output: keys, one column per call, then the window columns asked for.
struct WindowAggregateSpec {
  enum class Property : uint8_t { WINDOW_START, WINDOW_END, WINDOW_TIME };
  WindowSpec window;
  /// True: rows carry window_start/window_end columns already (cascaded windows); `window.time_column` unused.
  bool attached = false;
  int start_column = -1;                   ///< attached windows
  int end_column = -1;
  std::vector<int> keys;
  std::vector<AggregateCallSpec> calls;
  std::vector<Property> properties;
  std::vector<DataType> property_types;
  bool input_retracts = false;
  bool final_only = false;                 ///< BATCH: fire at end of input, no late rows; NULL times are in no window
};

enum class JoinType : uint8_t { INNER, LEFT, RIGHT, FULL, SEMI, ANTI };

/// Equi-join with residual. Output: left columns, right columns (SEMI, ANTI: left only).
struct JoinSpec {
  JoinType type = JoinType::INNER;
  std::vector<int> left_keys;
  std::vector<int> right_keys;             ///< types equal left_keys' after casts
  std::vector<bool> null_equal;            ///< per key: IS NOT DISTINCT FROM
  BoundExprPtr residual;                   ///< over left ++ right columns; may be null
  std::vector<int> left_unique_key;        ///< columns that identify a left row; empty: none known
  std::vector<int> right_unique_key;
  bool left_retracts = false;
  bool right_retracts = false;
  bool final_only = false;                 ///< BATCH: build right, probe left
  bool null_aware_anti = false;            ///< NOT IN: a NULL on the right side of an equal-or-unknown comparison removes the row
  int64_t left_ttl_ms = 0;
  int64_t right_ttl_ms = 0;
};

/// Join of two streams on equal keys with left.time - right.time within [lower, upper] ms.
struct IntervalJoinSpec {
  JoinSpec join;
  int left_time = -1;
  int right_time = -1;
  int64_t lower_ms = 0;                    ///< inclusive bounds of left.time - right.time
  int64_t upper_ms = 0;
  bool processing_time = false;
};

/// Join with the version of the right side valid at left.time. Output: left ++ right.
struct TemporalJoinSpec {
  JoinSpec join;
  int left_time = -1;
  int right_time = -1;
};

/// Join within equal windows. Output: left ++ right.
struct WindowJoinSpec {
  JoinSpec join;
  int left_window_end = -1;
  int right_window_end = -1;
  bool local_time = false;                 ///< window columns are session-zone wall clock (of TIMESTAMP_LTZ times)
};

enum class RankKind : uint8_t { ROW_NUMBER, RANK, DENSE_RANK };

/// Top-N per partition. Output: the input's columns, then the rank (BIGINT) if output_rank.
struct RankSpec {
  RankKind kind = RankKind::ROW_NUMBER;
  std::vector<int> partition_keys;
  std::vector<SortKey> order_by;
  int64_t start = 1;                       ///< ranks [start, end]
  int64_t end = 1;
  int end_column = -1;                     ///< variable N taken from a column; -1: `end`
  bool output_rank = false;
  bool input_retracts = false;
  std::vector<int> upsert_key;             ///< of the input, holding the partition keys; used if `monotonic`
  bool emit_update_before = true;
  bool final_only = false;
  int64_t state_ttl_ms = 0;
  /// The input is an updating one without deletes, and the sort keys of an upsert key only ever move towards rank 1
  /// (ORDER BY COUNT(*) DESC of a group aggregate over inserts): rows are replaced by key, N are kept, -U is ignored.
  bool monotonic = false;
};

/// First or last row per key. Output: the input's columns.
struct DeduplicateSpec {
  std::vector<int> keys;
  bool keep_last = false;
  int time_column = -1;                    ///< -1: processing time (arrival order)
  bool emit_update_before = true;
  bool emit_insert_kind = true;            ///< first row as +I (else +U, where consumers do not care)
  bool final_only = false;
  int64_t state_ttl_ms = 0;
  bool output_rank = false;                ///< appends the constant 1 (rn selected by the query)
};

/// ROW_NUMBER/dedup within windows: emits when the window closes. Output as RankSpec.
struct WindowRankSpec {
  RankSpec rank;
  int window_end_column = -1;
  bool local_time = false;                 ///< as in WindowJoinSpec
  bool later_wins = false;                 ///< of rows with equal sort keys the last to come stands first (deduplication: DESC)
};

/// Full sort at end of input (BATCH), then offset/limit. Output: the input's columns.
struct SortSpec {
  std::vector<SortKey> keys;               ///< empty: limit only, arrival order
  int64_t offset = 0;
  std::optional<int64_t> limit;
};

/// Streaming ORDER BY time: holds rows until the watermark passes. First key is the ascending time attribute.
struct TemporalSortSpec {
  std::vector<SortKey> keys;
  bool processing_time = false;
};

/// Streaming LIMIT without order: the first rows per arrival (retracting inputs handled as Top-N).
struct LimitSpec {
  int64_t offset = 0;
  std::optional<int64_t> limit;
  bool input_retracts = false;
};

/// OVER aggregation. Output: the input's columns, then one per call.
struct OverAggregateSpec {
  std::vector<int> partition_keys;
  std::vector<SortKey> order_by;
  bool rows_frame = false;                 ///< ROWS, else RANGE
  std::optional<int64_t> preceding;        ///< rows, or ms; unset: UNBOUNDED
  std::optional<int64_t> following;        ///< 0: CURRENT ROW; unset: UNBOUNDED (batch)
  std::vector<AggregateCallSpec> calls;
  int time_column = -1;
  bool processing_time = false;
  bool final_only = false;
  /// Per call, "" for an aggregate, else ROW_NUMBER, RANK, DENSE_RANK, NTILE, PERCENT_RANK, CUME_DIST, LAG or LEAD, whose
  /// arguments stand in the call; `preceding` < 0 and `following` < 0 lie on the other side of the row. Empty: all aggregates.
  std::vector<std::string> functions = {};
};

/// Rows of a collection column. Output: the input's columns, then the element's columns (and the ordinality).
/// A BIGINT in place of the collection repeats the input's row so many times.
struct UnnestSpec {
  BoundExprPtr collection;
  bool outer = false;                      ///< LEFT JOIN: a row without elements is padded
  bool with_ordinality = false;
  BoundExprPtr condition;                  ///< over input ++ element columns; may be null
};

/// GROUPING SETS: one output row per set, columns not in the set NULL, and the set's id (BIGINT) last.
struct ExpandSpec {
  std::vector<std::vector<int>> kept_columns;  ///< per set: the nullable key columns kept
  std::vector<int> key_columns;                ///< all columns that some set may blank
  std::vector<int64_t> set_ids;
};

/// UNION ALL: inputs have equal columns.
struct UnionSpec {};

/// Turns an upsert stream into a full changelog with -U (state per key); DropUpdateBefore is the opposite.
struct ChangelogNormalizeSpec {
  std::vector<int> keys;
  bool emit_update_before = true;
  BoundExprPtr filter;
  int64_t state_ttl_ms = 0;
};
struct DropUpdateBeforeSpec {};

/// TO_CHANGELOG: the kind of each row as text, output: it, then the input's columns, all inserted; a kind without text is
/// left out. FROM_CHANGELOG: the opposite, output: the input's columns but `text_column`; an unknown text fails the job.
struct ChangelogTextSpec {
  bool to_text = true;
  int text_column = -1;                    ///< FROM_CHANGELOG: of the input
  std::vector<std::pair<std::string, RowKind>> kinds;
};

/// Writes a table through its connector. Input columns are the sink's columns in order.
struct SinkSpec {
  std::string table_name;
  std::string connector;
  OptionMap options;
  Schema schema;                           ///< the table's physical (and written metadata) columns
  std::vector<std::string> partition_keys;
  std::map<std::string, std::string> static_partition;
  bool overwrite = false;
  std::vector<int> primary_key;
  ChangelogMode input_mode;
  enum class NotNullEnforcer : uint8_t { ERROR, DROP } not_null_enforcer = NotNullEnforcer::ERROR;
  enum class LengthEnforcer : uint8_t { IGNORE, TRIM_PAD, ERROR } length_enforcer = LengthEnforcer::IGNORE;
  std::vector<bool> not_null_columns;      ///< columns to enforce
  bool materialize = false;                ///< sink upsert materialisation by primary_key
};

/// Hands rows to whoever asked (SELECT in the shell, collect()). The receiver is found by `channel`.
struct CollectSpec {
  std::string channel;
};

/// What a condition or measure of MATCH_RECOGNIZE reads: a column of one row of the match, or an aggregate over rows.
struct MatchValue {
  enum class Kind : uint8_t { FIRST, LAST, AGGREGATE };
  Kind kind = Kind::LAST;
  int variable = -1;                       ///< whose rows, in the order of the pattern; -1: all rows of the match
  int64_t offset = 0;                      ///< FIRST, LAST: that many rows further inside
  int column = -1;                         ///< FIRST, LAST: input column
  AggregateCallSpec call = {};             ///< AGGREGATE
  DataType type = {};
};

/// A variable of the pattern, which stands there once. Column i of `condition` is `values[i]`, the row under test being
/// the variable's last one.
struct MatchVariable {
  std::string name;
  int64_t min = 1;                         ///< rows that it takes
  std::optional<int64_t> max = 1;          ///< unset: without bound
  bool reluctant = false;                  ///< takes as few rows as it can, else as many
  BoundExprPtr condition = nullptr;        ///< null: any row
  std::vector<MatchValue> values = {};
};

enum class MatchSkip : uint8_t { TO_NEXT_ROW, PAST_LAST_ROW, TO_FIRST, TO_LAST };

/// MATCH_RECOGNIZE with ONE ROW PER MATCH. Output: the partition keys, then one column per measure.
struct MatchSpec {
  std::vector<int> partition_keys;
  int time_column = -1;
  bool processing_time = false;
  std::vector<SortKey> order_by;           ///< of rows with equal times
  std::vector<MatchVariable> pattern;      ///< in sequence
  std::vector<BoundExprPtr> measures;      ///< column i is `measure_values[i]`
  std::vector<MatchValue> measure_values;
  MatchSkip skip = MatchSkip::TO_NEXT_ROW;
  int skip_variable = -1;                  ///< TO_FIRST, TO_LAST
  int64_t within_ms = 0;                   ///< the last row is less than that after the first; 0: any time
};

/// Lookup joins and others follow as structs of their own (append only).
using OperatorSpec =
    std::variant<SourceSpec, ValuesSpec, CalcSpec, WatermarkAssignerSpec, GroupAggregateSpec, WindowTableFunctionSpec,
                 WindowAggregateSpec, JoinSpec, IntervalJoinSpec, TemporalJoinSpec, WindowJoinSpec, RankSpec,
                 DeduplicateSpec, WindowRankSpec, SortSpec, TemporalSortSpec, LimitSpec, OverAggregateSpec, UnnestSpec,
                 ExpandSpec, UnionSpec, ChangelogNormalizeSpec, DropUpdateBeforeSpec, SinkSpec, CollectSpec, MatchSpec,
                 ChangelogTextSpec>;

/// `GroupAggregate`, `Calc`: the kind's name in EXPLAIN and metrics.
std::string_view operatorKindName(const OperatorSpec& spec);

}  // namespace thalweg
