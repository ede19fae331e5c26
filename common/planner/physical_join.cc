// Joins: the condition decides the operator — temporal, window, interval, or regular with state on both sides.

#include <algorithm>

#include "common/plan/expressions/expression_binder.h"
#include "common/planner/expression_rewrite.h"
#include "common/planner/physical_builder.h"

namespace thalweg {
namespace {

/// The condition split into equal pairs and the rest, over logical columns.
struct SplitCondition {
  std::vector<EquiPair> pairs;
  std::vector<BoundExprPtr> rest;
};

SplitCondition splitCondition(const LogicalJoin& join) {
  SplitCondition result;
  if (!join.condition) return result;
  const int split = static_cast<int>(join.inputs[0]->schema.size());
  for (const auto& part : splitConjunction(join.condition)) {
    EquiPair pair;
    if (matchEquiPair(*part, split, pair)) result.pairs.push_back(pair);
    else result.rest.push_back(part);
  }
  return result;
}

bool erasePair(std::vector<EquiPair>& pairs, int left, int right) {
  const auto at = std::find_if(pairs.begin(), pairs.end(), [&](const EquiPair& p) { return p.left == left && p.right == right; });
  if (at == pairs.end()) return false;
  pairs.erase(at);
  return true;
}

bool isRowtime(const Schema& schema, int column) {
  return column >= 0 && static_cast<size_t>(column) < schema.size() &&
         schema.column(static_cast<size_t>(column)).time == TimeAttribute::ROWTIME;
}

bool isTimeOf(const BoundExpr& expr, const Schema& schema, TimeAttribute kind) {
  return expr.isColumn() && schema.column(static_cast<size_t>(expr.index)).time == kind;
}

/// `time + constant` as (column, milliseconds); none for anything else.
struct TimeTerm {
  int column = -1;
  int64_t offset_ms = 0;
};
bool matchTimeTerm(const BoundExpr& expr, TimeTerm& term) {
  if (expr.isColumn()) {
    term.column = expr.index;
    return true;
  }
  if (expr.kind == BoundKind::CAST && expr.type.isTimestamp()) return matchTimeTerm(*expr.args[0], term);
  if (expr.kind != BoundKind::CALL || expr.args.size() != 2) return false;
  const bool plus = expr.function->name == "+";
  if (!plus && expr.function->name != "-") return false;
  const BoundExpr& offset = *expr.args[1];
  if (!offset.isLiteral() || offset.type.kind() != TypeKind::INTERVAL_DAY_TIME || offset.value.isNull()) return false;
  if (!matchTimeTerm(*expr.args[0], term)) return false;
  term.offset_ms += plus ? offset.value.asInt() : -offset.value.asInt();
  return true;
}

struct TimeBounds {
  int left_time = -1;
  int right_time = -1;
  std::optional<int64_t> lower;
  std::optional<int64_t> upper;
};

/// Takes the comparisons between the two sides' time attributes out of `rest`; true if both bounds were found.
bool extractTimeBounds(const LogicalJoin& join, SplitCondition& condition, TimeBounds& bounds) {
  const int split = static_cast<int>(join.inputs[0]->schema.size());
  const auto note = [&](int left, int right, std::optional<int64_t> lower, std::optional<int64_t> upper) {
    if (bounds.left_time >= 0 && (bounds.left_time != left || bounds.right_time != right)) return false;
    bounds.left_time = left;
    bounds.right_time = right;
    if (lower) bounds.lower = std::max(bounds.lower.value_or(*lower), *lower);
    if (upper) bounds.upper = std::min(bounds.upper.value_or(*upper), *upper);
    return true;
  };
  std::vector<BoundExprPtr> rest;
  for (const auto& part : condition.rest) {
    TimeTerm a;
    TimeTerm b;
    const bool comparison = part->kind == BoundKind::CALL && part->args.size() == 2 && matchTimeTerm(*part->args[0], a) &&
                            matchTimeTerm(*part->args[1], b);
    bool taken = false;
    if (comparison && (a.column < split) != (b.column < split)) {
      std::string op = part->function->name;
      if (a.column >= split) {
        std::swap(a, b);
        if (op == "<") op = ">";
        else if (op == "<=") op = ">=";
        else if (op == ">") op = "<";
        else if (op == ">=") op = "<=";
      }
      const int left = a.column;
      const int right = b.column - split;
      if (isRowtime(join.inputs[0]->schema, left) && isRowtime(join.inputs[1]->schema, right)) {
        const int64_t shift = b.offset_ms - a.offset_ms;   // left.time OP right.time + shift
        if (op == ">=") taken = note(left, right, shift, std::nullopt);
        else if (op == ">") taken = note(left, right, shift + 1, std::nullopt);
        else if (op == "<=") taken = note(left, right, std::nullopt, shift);
        else if (op == "<") taken = note(left, right, std::nullopt, shift - 1);
        else if (op == "=") taken = note(left, right, shift, shift);
      }
    }
    if (!taken) rest.push_back(part);
  }
  std::vector<EquiPair> pairs;
  for (const EquiPair& pair : condition.pairs) {
    const bool times = isRowtime(join.inputs[0]->schema, pair.left) && isRowtime(join.inputs[1]->schema, pair.right);
    if (!(times && note(pair.left, pair.right, 0, 0))) pairs.push_back(pair);
  }
  if (!bounds.lower || !bounds.upper) return false;
  condition.rest = std::move(rest);
  condition.pairs = std::move(pairs);
  return true;
}

/// Whether rows of both sides fall into the same windows.
bool sameWindows(const WindowSpec& a, const WindowSpec& b) {
  return a.kind == b.kind && a.size_ms == b.size_ms && a.slide_ms == b.slide_ms && a.offset_ms == b.offset_ms &&
         a.local_time == b.local_time && a.processing_time == b.processing_time;
}

ChangelogMode joinMode(const JoinSpec& spec, bool batch) {
  if (batch) return ChangelogMode::insertOnly();
  const bool inputs_insert_only = !spec.left_retracts && !spec.right_retracts;
  const bool simple = spec.type == JoinType::INNER || spec.type == JoinType::SEMI;
  if (inputs_insert_only && simple) return ChangelogMode::insertOnly();
  return ChangelogMode::all();
}

/// Adds to `keys` (columns of `right`) the integer columns that one of them is only a wider form of.
void addNarrowForms(const LogicalNode& versions, const Built& right, std::vector<int>& keys) {
  if (versions.kind != LogicalKind::PROJECT) return;
  const auto& expressions = versions.as<LogicalProject>().expressions;
  for (size_t i = 0; i < expressions.size(); ++i) {
    const BoundExpr* expr = expressions[i].get();
    if (std::find(keys.begin(), keys.end(), right.columns[i]) == keys.end()) continue;
    while (expr->kind == BoundKind::CAST && expr->type.isInteger() && expr->args[0]->type.isInteger()) expr = expr->args[0].get();
    for (size_t j = 0; expr->isColumn() && j < expressions.size(); ++j) {
      if (expressions[j]->isColumn() && expressions[j]->index == expr->index) keys.push_back(right.columns[j]);
    }
  }
}

/// Whether the rows of a versioned table are told apart by `keys` (columns of `right`).
bool coversVersionKey(const LogicalNode& versions, const Built& right, std::vector<int> keys) {
  addNarrowForms(versions, right, keys);
  std::vector<std::vector<int>> unique = right.draft->upsert_keys;
  const LogicalNode* node = &versions;
  if (unique.empty() && node->kind == LogicalKind::PROJECT) node = node->inputs[0].get();   // key columns behind a scan's own
  if (unique.empty() && node->kind == LogicalKind::SCAN) {
    unique.push_back(remapColumnList(node->as<LogicalScan>().table->primary_key, right.columns));
  }
  if (unique.empty()) return true;
  return std::any_of(unique.begin(), unique.end(), [&](const std::vector<int>& key) {
    return std::all_of(key.begin(), key.end(), [&](int column) { return std::find(keys.begin(), keys.end(), column) != keys.end(); });
  });
}

/// The keys that rows keep although they were sent to where their `columns` belong.
std::vector<std::vector<int>> keysHolding(const std::vector<std::vector<int>>& keys, const std::vector<int>& columns) {
  std::vector<std::vector<int>> kept;
  for (const auto& key : keys) {
    const bool holds = std::all_of(columns.begin(), columns.end(), [&](int column) { return std::find(key.begin(), key.end(), column) != key.end(); });
    if (holds) kept.push_back(key);
  }
  return kept;
}

/// What identifies a joined row: the one side's key where the other side has at most one partner, or both keys.
std::vector<std::vector<int>> joinedKeys(const JoinSpec& join, const Draft& left, const Draft& right) {
  const auto left_keys = keysHolding(left.upsert_keys, join.left_keys);
  auto right_keys = keysHolding(right.upsert_keys, join.right_keys);
  const auto oneRow = [](const std::vector<std::vector<int>>& keys, const std::vector<int>& columns) {
    return std::any_of(keys.begin(), keys.end(), [&](const std::vector<int>& key) {
      return std::all_of(key.begin(), key.end(), [&](int column) { return std::find(columns.begin(), columns.end(), column) != columns.end(); });
    });
  };
  const bool one_left = oneRow(left_keys, join.left_keys);
  const bool one_right = oneRow(right_keys, join.right_keys);
  for (auto& key : right_keys) {
    for (int& column : key) column += static_cast<int>(left.schema.size());
  }
  std::vector<std::vector<int>> keys;
  const bool keeps_left = join.type == JoinType::INNER || join.type == JoinType::LEFT;
  const bool keeps_right = join.type == JoinType::INNER || join.type == JoinType::RIGHT;
  if (one_right && keeps_left) keys.insert(keys.end(), left_keys.begin(), left_keys.end());
  if (one_left && keeps_right) keys.insert(keys.end(), right_keys.begin(), right_keys.end());
  for (const auto& a : left_keys) {
    for (const auto& b : right_keys) {
      std::vector<int> both = a;
      both.insert(both.end(), b.begin(), b.end());
      keys.push_back(std::move(both));
    }
  }
  return keys;
}

}  // namespace

/// A key column that is nullable on one side only becomes so on both: equal keys must have equal bytes and hashes.
void PhysicalBuilder::alignKeyNullability(Built& left, Built& right, const std::vector<std::pair<int, int>>& keys) {
  const auto widen = [this](Built& side, const std::vector<int>& columns) {
    if (columns.empty()) return;
    Schema schema = side.draft->schema;
    std::vector<BoundExprPtr> projections;
    std::vector<Column> widened = schema.columns();
    for (size_t i = 0; i < schema.size(); ++i) projections.push_back(BoundExpr::column(static_cast<int>(i), schema.type(i)));
    for (const int column : columns) {
      const auto at = static_cast<size_t>(column);
      widened[at].type = schema.type(at).asNullable();
      projections[at] = BoundExpr::cast(projections[at], widened[at].type);
    }
    auto upsert_keys = side.draft->upsert_keys;
    side.draft = makeCalc(side.draft, nullptr, std::move(projections), Schema(std::move(widened)));
    side.draft->upsert_keys = std::move(upsert_keys);
  };
  std::vector<int> left_columns;
  std::vector<int> right_columns;
  for (const auto& [a, b] : keys) {
    const bool left_nullable = left.draft->schema.type(static_cast<size_t>(a)).nullable();
    const bool right_nullable = right.draft->schema.type(static_cast<size_t>(b)).nullable();
    if (left_nullable && !right_nullable) right_columns.push_back(b);
    if (!left_nullable && right_nullable) left_columns.push_back(a);
  }
  widen(left, left_columns);
  widen(right, right_columns);
}

/// By processing time: every subtask reads the whole right table, then looks left rows up in it.
Result<Built> PhysicalBuilder::buildLookup(JoinSpec spec, const Built& left, const Built& right, std::vector<int> columns, const Schema& schema) {
  if (spec.left_keys.empty()) return Status::plan("FOR SYSTEM_TIME AS OF a processing time needs an equality with a column of the right table");
  DraftPtr table = right.draft;
  // Watermarks of a table that is read to its end first would only be in the way of the left side's.
  if (std::holds_alternative<WatermarkAssignerSpec>(table->spec)) table = table->inputs[0].draft;
  TemporalJoinSpec lookup;
  lookup.join = std::move(spec);
  Built built;
  built.columns = std::move(columns);
  built.draft = makeDraft(std::move(lookup), {{left.draft, {}}, {table, {Distribution::Kind::BROADCAST, {}}}}, schema, left.draft->mode);
  return built;
}

Result<Built> PhysicalBuilder::buildJoin(const LogicalJoin& join) {
  const bool temporal = join.inputs[1]->kind == LogicalKind::TEMPORAL;
  ASSIGN_OR_RETURN(Built left, build(join.inputs[0]));
  ASSIGN_OR_RETURN(Built right, build(join.inputs[1]));
  left = prune(std::move(left), required_.of(*join.inputs[0]), join.inputs[0]->schema);
  if (!temporal) right = prune(std::move(right), required_.of(*join.inputs[1]), join.inputs[1]->schema);

  SplitCondition condition = splitCondition(join);
  if (join.null_aware_anti && join.condition) condition = {{}, {join.condition}};
  const bool semi = join.type == JoinType::SEMI || join.type == JoinType::ANTI;
  const int left_width = static_cast<int>(left.draft->schema.size());
  std::vector<int> both = left.columns;
  for (const int column : right.columns) both.push_back(column < 0 ? -1 : column + left_width);

  IntervalJoinSpec interval;
  TimeBounds bounds;
  WindowJoinSpec window;
  bool is_window = false;
  const bool insert_only = left.draft->mode.isInsertOnly() && right.draft->mode.isInsertOnly();
  const bool is_interval = !temporal && !batch() && insert_only && extractTimeBounds(join, condition, bounds);
  if (!temporal && !is_interval && !batch()) {
    const auto left_window = windowColumnsOf(*join.inputs[0]);
    const auto right_window = windowColumnsOf(*join.inputs[1]);
    if (left_window && right_window && sameWindows(left_window->window, right_window->window) && left_window->start >= 0 && left_window->end >= 0 && right_window->start >= 0 && right_window->end >= 0) {
      auto pairs = condition.pairs;
      if (erasePair(pairs, left_window->start, right_window->start) && erasePair(pairs, left_window->end, right_window->end)) {
        condition.pairs = std::move(pairs);
        is_window = true;
        window.local_time = left_window->window.local_time;
        window.left_window_end = left.columns[static_cast<size_t>(left_window->end)];
        window.right_window_end = right.columns[static_cast<size_t>(right_window->end)];
      }
    }
  }

  std::vector<std::pair<int, int>> key_columns;
  for (const EquiPair& pair : condition.pairs) {
    key_columns.emplace_back(left.columns[static_cast<size_t>(pair.left)], right.columns[static_cast<size_t>(pair.right)]);
  }
  alignKeyNullability(left, right, key_columns);

  JoinSpec spec;
  spec.type = join.type;
  spec.null_aware_anti = join.null_aware_anti;
  for (const EquiPair& pair : condition.pairs) {
    spec.left_keys.push_back(left.columns[static_cast<size_t>(pair.left)]);
    spec.right_keys.push_back(right.columns[static_cast<size_t>(pair.right)]);
    spec.null_equal.push_back(pair.null_equal);
  }
  if (!condition.rest.empty()) spec.residual = remapColumns(BoundExpr::conjunction(condition.rest), both);
  spec.left_retracts = !left.draft->mode.isInsertOnly();
  spec.right_retracts = !right.draft->mode.isInsertOnly();
  if (!left.draft->upsert_keys.empty()) spec.left_unique_key = left.draft->upsert_keys[0];
  if (!right.draft->upsert_keys.empty()) spec.right_unique_key = right.draft->upsert_keys[0];
  spec.final_only = batch();
  spec.left_ttl_ms = join.state_ttl_ms[0].value_or(stateTtlMs());
  spec.right_ttl_ms = join.state_ttl_ms[1].value_or(stateTtlMs());

  Built built;
  std::vector<Column> columns = left.draft->schema.columns();
  const bool pads_left = join.type == JoinType::RIGHT || join.type == JoinType::FULL;
  const bool pads_right = join.type == JoinType::LEFT || join.type == JoinType::FULL;
  if (pads_left) for (Column& column : columns) column.type = column.type.asNullable();
  built.columns = left.columns;
  if (!semi) {
    for (const Column& column : right.draft->schema.columns()) {
      columns.push_back(column);
      if (pads_right) columns.back().type = columns.back().type.asNullable();
    }
    built.columns = both;
  }
  const Distribution left_distribution = hashOn(spec.left_keys);
  const Distribution right_distribution = hashOn(spec.right_keys);
  const Schema schema{std::move(columns)};
  std::vector<DraftInput> inputs = {{left.draft, left_distribution}, {right.draft, right_distribution}};

  if (temporal) {
    const auto& side = join.inputs[1]->as<LogicalTemporal>();
    if (isTimeOf(*side.time, join.inputs[0]->schema, TimeAttribute::PROCTIME)) return buildLookup(std::move(spec), left, right, both, schema);
    if (batch()) return Status::plan("FOR SYSTEM_TIME AS OF an event time joins streams; in batch mode it is not supported");
    TimeTerm time;
    if (!matchTimeTerm(*side.time, time) || !isRowtime(join.inputs[0]->schema, time.column)) {
      return Status::notSupported("FOR SYSTEM_TIME AS OF works on an event-time attribute of the left table so far");
    }
    int right_time = -1;
    for (size_t i = 0; i < side.schema.size(); ++i) {
      if (side.schema.column(i).time == TimeAttribute::ROWTIME) right_time = right.columns[i];
    }
    if (right_time < 0) return Status::plan("the right side of FOR SYSTEM_TIME AS OF needs an event-time attribute (a watermark) and a primary key");
    if (spec.left_keys.empty()) return Status::plan("a temporal join needs an equality on the primary key of the right table");
    if (!coversVersionKey(*side.inputs[0], right, spec.right_keys)) {
      return Status::plan("a temporal join needs equalities on the whole primary key of the right table");
    }
    TemporalJoinSpec temporal_spec;
    temporal_spec.left_time = left.columns[static_cast<size_t>(time.column)];
    temporal_spec.right_time = right_time;
    temporal_spec.join = std::move(spec);
    built.draft = makeDraft(std::move(temporal_spec), std::move(inputs), schema, left.draft->mode);
    return built;
  }
  if (is_interval) {
    interval.left_time = left.columns[static_cast<size_t>(bounds.left_time)];
    interval.right_time = right.columns[static_cast<size_t>(bounds.right_time)];
    interval.lower_ms = *bounds.lower;
    interval.upper_ms = *bounds.upper;
    interval.join = std::move(spec);
    built.draft = makeDraft(std::move(interval), std::move(inputs), schema, ChangelogMode::insertOnly());
    return built;
  }
  if (is_window) {
    window.join = std::move(spec);
    built.draft = makeDraft(std::move(window), std::move(inputs), schema, ChangelogMode::insertOnly());
    return built;
  }
  if (!batch() && upperName(settings_.configuration.find("table.optimizer.delta-join.strategy").value_or("")) == "FORCE") {
    return Status::plan("'table.optimizer.delta-join.strategy' is FORCE, but no source of this join has an index to look rows up in; set AUTO or NONE");
  }
  const ChangelogMode mode = joinMode(spec, batch());
  auto upsert_keys = semi ? left.draft->upsert_keys : joinedKeys(spec, *left.draft, *right.draft);
  built.draft = makeDraft(std::move(spec), std::move(inputs), schema, mode);
  if (!mode.isInsertOnly()) built.draft->upsert_keys = std::move(upsert_keys);
  return built;
}

}  // namespace thalweg
