// Ordering: Top-N and deduplication (a filter on a row number), sorts and limits, OVER aggregation.

#include <algorithm>

#include "common/functions/function_registry.h"
#include "common/planner/expression_rewrite.h"
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
  int end_column = -1;
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
    if (b->isColumn() && b->index != rank_column && op == "<=" && bounds.end_column < 0) {
      bounds.end_column = b->index;
      return true;
    }
    return false;
  }
  if (op == "=") { bounds.start = std::max(bounds.start, *n); bounds.end = std::min(bounds.end.value_or(*n), *n); }
  else if (op == "<=") bounds.end = std::min(bounds.end.value_or(*n), *n);
  else if (op == "<") bounds.end = std::min(bounds.end.value_or(*n - 1), *n - 1);
  else if (op == ">=") bounds.start = std::max(bounds.start, *n);
  else if (op == ">") bounds.start = std::max(bounds.start, *n + 1);
  else return false;
  return true;
}

}  // namespace

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
  if (!bounds.end && bounds.end_column < 0) return std::optional<Built>();
  const int64_t end = bounds.end.value_or(0);

  ASSIGN_OR_RETURN(Built input, build(over.inputs[0]));
  input = prune(std::move(input), required_.of(*over.inputs[0]), over.inputs[0]->schema);
  const bool rank_used = required_.of(filter)[static_cast<size_t>(rank_column)].used() || !rest.empty();
  const Schema& input_schema = over.inputs[0]->schema;

  RankSpec rank;
  rank.kind = *kind;
  rank.partition_keys = remapColumnList(over.window.partition_keys, input.columns);
  rank.order_by = remapSortKeys(over.window.order_by, input.columns);
  rank.start = bounds.start;
  rank.end = end;
  if (bounds.end_column >= 0) rank.end_column = input.columns[static_cast<size_t>(bounds.end_column)];
  rank.output_rank = rank_used;
  rank.input_retracts = !input.draft->mode.isInsertOnly();
  rank.final_only = batch();
  rank.state_ttl_ms = stateTtlMs();
  if (!input.draft->upsert_keys.empty() && rank.input_retracts) rank.upsert_key = input.draft->upsert_keys[0];

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
  if (in_window && !batch()) {
    WindowRankSpec window_rank;
    window_rank.window_end_column = input.columns[static_cast<size_t>(window->end)];
    window_rank.local_time = window->window.local_time;
    window_rank.later_wins = *kind == RankKind::ROW_NUMBER && bounds.start == 1 && end == 1 && time != TimeAttribute::NONE &&
                             over.window.order_by.size() == 1 && over.window.order_by[0].direction == SortDirection::DESCENDING;
    window_rank.rank = rank;
    spec = std::move(window_rank);
  } else if (!batch() && time != TimeAttribute::NONE && *kind == RankKind::ROW_NUMBER && bounds.start == 1 && end == 1 &&
             bounds.end_column < 0 && over.window.order_by.size() == 1 && !rank.input_retracts) {
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
    spec = std::move(rank);
  }
  built.draft = makeDraft(std::move(spec), {{input.draft, distribution}}, Schema(columns), mode);
  built.draft->upsert_keys = std::move(upsert_keys);
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
    if (retracts && !upsert_keys.empty()) rank.upsert_key = upsert_keys[0];
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
    const bool is_aggregate = call.aggregate.function != nullptr;
    if (!is_aggregate && !batch() && rankKind(call.function) && spec.time_column < 0) {
      return Status::plan(call.function + "() OVER in streaming mode needs a filter that bounds it (Top-N): WHERE rn <= N");
    }
    spec.functions.push_back(is_aggregate ? std::string() : call.function);
    spec.calls.push_back(remapCall(call.aggregate, input.columns));
  }
  if (!batch() && spec.time_column < 0) {
    return Status::plan("OVER windows in streaming mode must be ordered by a time attribute, ascending");
  }
  if (!batch() && !input.draft->mode.isInsertOnly()) {
    return Status::notSupported("OVER aggregation over an updating input is not supported yet");
  }
  Built built;
  built.columns = input.columns;
  std::vector<Column> columns = input.draft->schema.columns();
  for (size_t i = over.inputs[0]->schema.size(); i < over.schema.size(); ++i) {
    built.columns.push_back(static_cast<int>(columns.size()));
    columns.push_back(over.schema.column(i));
  }
  const Distribution distribution = hashOn(spec.partition_keys);
  const ChangelogMode mode = input.draft->mode;
  built.draft = makeDraft(std::move(spec), {{input.draft, distribution}}, Schema(std::move(columns)), mode);
  return built;
}

}  // namespace thalweg
