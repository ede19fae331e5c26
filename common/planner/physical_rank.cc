// Ordering: Top-N and deduplication (a filter on a row number), sorts and limits, OVER aggregation.

#include <algorithm>

#include "common/functions/function_registry.h"
#include "common/planner/expression_rewrite.h"
#include "common/planner/monotonicity.h"
#include "common/planner/physical_builder.h"

namespace thalweg {
namespace {

std::optional<RankKind> rankKind(const std::string& function) {
  if (function == "ROW_NUMBER") return RankKind::ROW_NUMBER;
  if (function == "RANK") return RankKind::RANK;
  if (function == "DENSE_RANK") return RankKind::DENSE_RANK;
  return std::nullopt;
}

/// Rank bounds that a condition on the rank column gives.
struct RankBounds {
  int64_t start = 1;
  std::optional<int64_t> end;
  BoundExprPtr end_expression = nullptr;   ///< N of the row itself, over the OVER's columns
};

std::optional<int64_t> integerLiteral(const BoundExpr& expr) {
  if (!expr.isLiteral() || expr.value.isNull() || !expr.type.isInteger()) return std::nullopt;
  return expr.value.asInt();
}

const BoundExpr& withoutCast(const BoundExpr& expr) {
  return expr.kind == BoundKind::CAST && expr.type.isInteger() && expr.args[0]->type.isInteger() ? withoutCast(*expr.args[0]) : expr;
}

/// Whether `part` bounds the rank column; if so it is taken into `bounds`.
bool takeRankBound(const BoundExpr& part, int rank_column, RankBounds& bounds) {
  if (part.kind != BoundKind::CALL || part.args.size() != 2) return false;
  std::string op = part.function->name;
  const BoundExpr* a = &withoutCast(*part.args[0]);
  const BoundExpr* b = &withoutCast(*part.args[1]);
  if (b->isColumn() && b->index == rank_column) {
    std::swap(a, b);
    if (op == "<") op = ">";
    else if (op == "<=") op = ">=";
    else if (op == ">") op = "<";
    else if (op == ">=") op = "<=";
  }
  if (!a->isColumn() || a->index != rank_column) return false;
  const auto n = integerLiteral(*b);
  if (!n) {
    const auto read = columnsOf(*b);
    const bool of_row = !read.empty() && std::find(read.begin(), read.end(), rank_column) == read.end();
    if (!of_row || op != "<=" || bounds.end_expression || !b->type.isInteger() || !isDeterministic(*b)) return false;
    bounds.end_expression = std::make_shared<BoundExpr>(*b);
    return true;
  }
  if (op == "=") { bounds.start = std::max(bounds.start, *n); bounds.end = std::min(bounds.end.value_or(*n), *n); }
  else if (op == "<=") bounds.end = std::min(bounds.end.value_or(*n), *n);
  else if (op == "<") bounds.end = std::min(bounds.end.value_or(*n - 1), *n - 1);
  else if (op == ">=") bounds.start = std::max(bounds.start, *n);
  else if (op == ">") bounds.start = std::max(bounds.start, *n + 1);
  else return false;
  return true;
}

/// `rn = 1` of insert-only rows in an order that is not one descending key: Flink plans it like a deduplication that
/// keeps the first row, which has no updates, and still sends them.
bool isFirstByOrder(const RankSpec& rank) {
  if (rank.final_only || rank.input_retracts || rank.start != 1 || rank.end != 1 || rank.end_column >= 0) return false;
  return rank.order_by.size() != 1 || rank.order_by[0].direction == SortDirection::ASCENDING;
}

/// Rows replaced by key in an order they only move forward in: N of them are enough (RankSpec::monotonic).
void chooseRankStrategy(RankSpec& rank, const Draft& input) {
  if (!rank.input_retracts || rank.final_only) return;
  const std::vector<int>& partition = rank.partition_keys;
  for (const auto& key : input.upsert_keys) {
    const bool holds_partition = std::all_of(partition.begin(), partition.end(), [&](int column) {
      return std::find(key.begin(), key.end(), column) != key.end();
    });
    if (!holds_partition || !movesForward(input, rank.order_by)) continue;
    rank.upsert_key = key;
    rank.monotonic = true;
    return;
  }
}

}  // namespace

/// The draft column that holds `expression` (over logical columns), computed behind the others if it is none of them.
int PhysicalBuilder::appendColumn(Built& input, const BoundExprPtr& expression) {
  auto local = remapColumns(expression, input.columns);
  if (local->isColumn()) return local->index;
  std::vector<BoundExprPtr> projections;
  std::vector<Column> columns = input.draft->schema.columns();
  for (size_t i = 0; i < columns.size(); ++i) projections.push_back(BoundExpr::column(static_cast<int>(i), columns[i].type));
  columns.push_back({"$n", local->type});
  projections.push_back(std::move(local));
  input.draft = makeCalc(input.draft, nullptr, std::move(projections), Schema(std::move(columns)));
  return static_cast<int>(input.draft->schema.size()) - 1;
}

Result<std::optional<Built>> PhysicalBuilder::buildRank(const LogicalFilter& filter) {
  if (filter.inputs[0]->kind != LogicalKind::OVER) return std::optional<Built>();
  const auto& over = filter.inputs[0]->as<LogicalOver>();
  if (over.calls.size() != 1 || over.window.order_by.empty()) return std::optional<Built>();
  const auto kind = rankKind(over.calls[0].function);
  if (!kind) return std::optional<Built>();
  const int rank_column = static_cast<int>(over.schema.size()) - 1;
  RankBounds bounds;
  std::vector<BoundExprPtr> rest;
  for (const auto& part : splitConjunction(filter.condition)) {
    if (!takeRankBound(*part, rank_column, bounds)) rest.push_back(part);
  }
  if (!batch() && !bounds.end && !bounds.end_expression && bounds.start > 1) {
    return Status::plan(over.calls[0].function + "() OVER in streaming mode needs a filter that bounds it from above (Top-N): WHERE rn <= N");
  }
  if (!bounds.end && !bounds.end_expression) return std::optional<Built>();
  const int64_t end = bounds.end.value_or(0);

  ASSIGN_OR_RETURN(Built input, build(over.inputs[0]));
  input = prune(std::move(input), required_.of(*over.inputs[0]), over.inputs[0]->schema);
  bool rank_used = required_.of(filter)[static_cast<size_t>(rank_column)].used();
  for (const auto& part : rest) {
    const auto read = columnsOf(*part);
    rank_used = rank_used || std::find(read.begin(), read.end(), rank_column) != read.end();
  }
  const Schema& input_schema = over.inputs[0]->schema;

  RankSpec rank;
  rank.kind = *kind;
  rank.partition_keys = remapColumnList(over.window.partition_keys, input.columns);
  rank.order_by = remapSortKeys(over.window.order_by, input.columns);
  rank.start = bounds.start;
  rank.end = end;
  if (bounds.end_expression) rank.end_column = appendColumn(input, bounds.end_expression);
  rank.output_rank = rank_used;
  rank.input_retracts = !input.draft->mode.isInsertOnly();
  rank.final_only = batch();
  rank.state_ttl_ms = stateTtlMs();
  chooseRankStrategy(rank, *input.draft);

  std::vector<Column> columns = input.draft->schema.columns();
  Built built;
  built.columns = input.columns;
  built.columns.push_back(rank_used ? static_cast<int>(columns.size()) : -1);
  if (rank_used) columns.push_back(over.schema.column(static_cast<size_t>(rank_column)));

  const TimeAttribute time = input_schema.column(static_cast<size_t>(over.window.order_by[0].column)).time;
  const auto window = windowColumnsOf(*over.inputs[0]);
  const auto& partition = over.window.partition_keys;
  const auto inPartition = [&](int column) { return std::find(partition.begin(), partition.end(), column) != partition.end(); };
  const bool in_window = window && window->start >= 0 && window->end >= 0 && inPartition(window->start) && inPartition(window->end);

  const Distribution distribution = hashOn(rank.partition_keys);
  std::vector<std::vector<int>> upsert_keys;
  OperatorSpec spec;
  ChangelogMode mode;
  bool unannounced = false;
  if (in_window && !batch()) {
    if (rank.input_retracts) return Status::plan("Top-N within windows does not support update and delete changes of its input");
    if (*kind != RankKind::ROW_NUMBER) return Status::plan("Top-N within windows is by ROW_NUMBER() only");
    WindowRankSpec window_rank;
    window_rank.window_end_column = input.columns[static_cast<size_t>(window->end)];
    window_rank.local_time = window->window.local_time;
    window_rank.later_wins = *kind == RankKind::ROW_NUMBER && bounds.start == 1 && end == 1 && time != TimeAttribute::NONE &&
                             over.window.order_by.size() == 1 && over.window.order_by[0].direction == SortDirection::DESCENDING;
    window_rank.rank = rank;
    spec = std::move(window_rank);
  } else if (!batch() && time != TimeAttribute::NONE && *kind == RankKind::ROW_NUMBER && bounds.start == 1 && end == 1 &&
             !bounds.end_expression && over.window.order_by.size() == 1 && !rank.input_retracts) {
    DeduplicateSpec dedup;
    dedup.keys = rank.partition_keys;
    dedup.keep_last = over.window.order_by[0].direction == SortDirection::DESCENDING;
    dedup.time_column = time == TimeAttribute::ROWTIME ? rank.order_by[0].column : -1;
    dedup.state_ttl_ms = stateTtlMs();
    dedup.output_rank = rank_used;
    if (dedup.keep_last) mode = {true, true, false};
    upsert_keys = {dedup.keys};
    spec = std::move(dedup);
  } else {
    if (!batch()) mode = ChangelogMode::all();
    if (rank.kind == RankKind::ROW_NUMBER && rank_used) {
      std::vector<int> key = rank.partition_keys;
      key.push_back(static_cast<int>(columns.size()) - 1);
      upsert_keys = {std::move(key)};
    } else if (end == 1 && rank.kind == RankKind::ROW_NUMBER) {
      upsert_keys = {rank.partition_keys};
    }
    unannounced = isFirstByOrder(rank);
    spec = std::move(rank);
  }
  built.draft = makeDraft(std::move(spec), {{input.draft, distribution}}, Schema(columns), mode);
  built.draft->upsert_keys = std::move(upsert_keys);
  built.draft->updates_unannounced = unannounced;
  if (!rest.empty()) {
    std::vector<BoundExprPtr> all;
    for (size_t i = 0; i < columns.size(); ++i) all.push_back(BoundExpr::column(static_cast<int>(i), columns[i].type));
    built.draft = makeCalc(built.draft, remapColumns(BoundExpr::conjunction(std::move(rest)), built.columns), std::move(all), Schema(columns));
  }
  return std::optional<Built>(std::move(built));
}

Result<Built> PhysicalBuilder::buildSort(const LogicalSort& sort) {
  ASSIGN_OR_RETURN(Built input, build(sort.inputs[0]));
  input = prune(std::move(input), required_.of(*sort.inputs[0]), sort.inputs[0]->schema);
  const Schema schema = input.draft->schema;
  const bool retracts = !input.draft->mode.isInsertOnly();
  const auto keys = remapSortKeys(sort.keys, input.columns);
  OperatorSpec spec;
  ChangelogMode mode = input.draft->mode;
  std::vector<std::vector<int>> upsert_keys = input.draft->upsert_keys;
  if (sort.offset > 0 && !sort.fetch && (!batch() || !keys.empty())) {
    return Status::plan("OFFSET needs a LIMIT (FETCH NEXT … ROWS ONLY) beside it here");
  }
  if (batch()) {
    spec = SortSpec{keys, sort.offset, sort.fetch};
  } else if (keys.empty()) {
    LimitSpec limit;
    limit.offset = sort.offset;
    limit.limit = sort.fetch;
    limit.input_retracts = retracts;
    spec = limit;
    if (retracts) mode = ChangelogMode::all();
  } else if (sort.fetch) {
    RankSpec rank;
    rank.order_by = keys;
    rank.start = sort.offset + 1;
    rank.end = sort.offset + *sort.fetch;
    rank.input_retracts = retracts;
    chooseRankStrategy(rank, *input.draft);
    rank.state_ttl_ms = stateTtlMs();
    spec = std::move(rank);
    mode = ChangelogMode::all();
  } else {
    const TimeAttribute time = sort.inputs[0]->schema.column(static_cast<size_t>(sort.keys[0].column)).time;
    if (sort.offset != 0 || time == TimeAttribute::NONE || sort.keys[0].direction != SortDirection::ASCENDING) {
      return Status::plan(
          "ORDER BY without LIMIT in streaming mode needs an ascending time attribute as its first key; add a LIMIT, order by the "
          "table's time attribute, or run with 'execution.runtime-mode' = 'batch'");
    }
    if (retracts) return Status::plan("ORDER BY a time attribute does not support update and delete changes of its input");
    spec = TemporalSortSpec{keys, time == TimeAttribute::PROCTIME};
  }
  Built built;
  built.columns = input.columns;
  built.draft = makeDraft(std::move(spec), {{input.draft, singleton()}}, schema, mode);
  built.draft->upsert_keys = std::move(upsert_keys);
  return built;
}

namespace {

/// What streaming mode can do along a column that is no time attribute.
Status checkSortedOver(const OverAggregateSpec& spec, bool bounded_allowed) {
  if (spec.order_by.size() != 1 || spec.order_by[0].direction == SortDirection::DESCENDING) {
    return Status::plan("OVER windows in streaming mode must be ordered by one column, ascending");
  }
  for (const std::string& function : spec.functions) {
    if (function.empty() || (function == "ROW_NUMBER" && spec.rows_frame && !spec.preceding)) continue;
    const bool bounds = rankKind(function).has_value();
    return Status::plan(function + "() OVER a column that is no time attribute is not supported in streaming mode" +
                        (bounds ? "; a filter that bounds it makes it a Top-N: WHERE rn <= N" : ""));
  }
  if (spec.preceding && !bounded_allowed) {
    return Status::plan("OVER windows with a bounded beginning must be ordered by a time attribute in streaming mode; for ROWS "
                        "'thalweg.exec.over.bounded-by-any-column' = 'true' allows any column");
  }
  if (spec.preceding && (!spec.rows_frame || *spec.preceding < 0)) return Status::plan("RANGE windows with a bounded beginning must be ordered by a time attribute in streaming mode");
  if (!spec.following || *spec.following != 0) return Status::plan("OVER windows in streaming mode must end at CURRENT ROW");
  return {};
}

/// What streaming mode can do along a time attribute.
Status checkTimedOver(const OverAggregateSpec& spec, const ChangelogMode& input) {
  if (spec.order_by.size() > 1) {
    return Status::plan("OVER windows in streaming mode must be ordered by one time attribute and nothing else");
  }
  for (const std::string& function : spec.functions) {
    if (function == "NTILE" || function == "CUME_DIST" || function == "PERCENT_RANK" || function == "LEAD") {
      return Status::plan(function + " looks ahead and is for batch mode only; set 'execution.runtime-mode' = 'batch'");
    }
  }
  if (spec.preceding && *spec.preceding == 0) return Status::plan("OVER windows in streaming mode must begin before CURRENT ROW");
  if (!spec.following || *spec.following != 0) return Status::plan("OVER windows in streaming mode must end at CURRENT ROW");
  if (!input.isInsertOnly()) return Status::notSupported("OVER aggregation along time over an updating input is not supported yet");
  return {};
}

}  // namespace

Result<Built> PhysicalBuilder::buildOver(const LogicalOver& over) {
  ASSIGN_OR_RETURN(Built input, build(over.inputs[0]));
  input = prune(std::move(input), required_.of(*over.inputs[0]), over.inputs[0]->schema);
  OverAggregateSpec spec = over.window;
  spec.partition_keys = remapColumnList(spec.partition_keys, input.columns);
  spec.order_by = remapSortKeys(spec.order_by, input.columns);
  if (spec.time_column >= 0) spec.time_column = input.columns[static_cast<size_t>(spec.time_column)];
  spec.final_only = batch();
  spec.calls.clear();
  for (const auto& call : over.calls) {
    spec.functions.push_back(call.aggregate.function != nullptr ? std::string() : call.function);
    spec.calls.push_back(remapCall(call.aggregate, input.columns));
  }
  if (!batch()) RETURN_IF_ERROR(spec.time_column < 0 ? checkSortedOver(spec, settings_.configuration.getBool("thalweg.exec.over.bounded-by-any-column")) : checkTimedOver(spec, input.draft->mode));
  Built built;
  built.columns = input.columns;
  std::vector<Column> columns = input.draft->schema.columns();
  for (size_t i = over.inputs[0]->schema.size(); i < over.schema.size(); ++i) {
    built.columns.push_back(static_cast<int>(columns.size()));
    columns.push_back(over.schema.column(i));
  }
  const Distribution distribution = hashOn(spec.partition_keys);
  ChangelogMode mode = input.draft->mode;
  if (!batch() && spec.time_column < 0) mode = {true, true, !mode.isInsertOnly()};
  built.draft = makeDraft(std::move(spec), {{input.draft, distribution}}, Schema(std::move(columns)), mode);
  return built;
}

}  // namespace thalweg
