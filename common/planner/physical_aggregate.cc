// Aggregates: grouped, per window (window table functions and legacy group windows), grouping sets.
//
// An aggregate is a window aggregate when its keys hold the start and end of a window its rows belong to
// (semantics: windows 9); otherwise it is an updating group aggregate, window columns or not. When only projections
// and filters stand between window function and aggregate, the function is folded into the aggregate, which then
// assigns windows itself and keeps one row per key and window instead of one per input row.

#include <algorithm>

#include "common/planner/physical_builder.h"

namespace thalweg {
namespace {

bool contains(const std::vector<int>& values, int value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// The projections and filters between an aggregate and its window function, composed: expressions over the
/// function's output columns.
struct ComposedInput {
  const LogicalWindowTvf* tvf = nullptr;
  std::vector<BoundExprPtr> columns;
  std::vector<BoundExprPtr> conditions;
};

std::optional<ComposedInput> composeDownToTvf(const LogicalNode& node) {
  switch (node.kind) {
    case LogicalKind::WINDOW_TVF: {
      ComposedInput composed;
      composed.tvf = &node.as<LogicalWindowTvf>();
      for (size_t i = 0; i < node.schema.size(); ++i) composed.columns.push_back(BoundExpr::column(static_cast<int>(i), node.schema.type(i)));
      return composed;
    }
    case LogicalKind::PROJECT: {
      auto composed = composeDownToTvf(*node.inputs[0]);
      if (!composed) return std::nullopt;
      std::vector<BoundExprPtr> columns;
      for (const auto& e : node.as<LogicalProject>().expressions) {
        if (!isDeterministic(*e)) return std::nullopt;
        columns.push_back(substituteColumns(e, composed->columns));
      }
      composed->columns = std::move(columns);
      return composed;
    }
    case LogicalKind::FILTER: {
      auto composed = composeDownToTvf(*node.inputs[0]);
      if (!composed) return std::nullopt;
      composed->conditions.push_back(substituteColumns(node.as<LogicalFilter>().condition, composed->columns));
      return composed;
    }
    default: return std::nullopt;
  }
}

bool readsFrom(const BoundExpr& expr, int first_window_column) {
  std::vector<bool> used;
  collectColumns(expr, used);
  for (size_t i = static_cast<size_t>(first_window_column); i < used.size(); ++i) {
    if (used[i]) return true;
  }
  return false;
}

}  // namespace

Result<Built> PhysicalBuilder::expandGroupingSets(const LogicalAggregate& aggregate, std::vector<int>& keys) {
  ASSIGN_OR_RETURN(Built input, build(aggregate.inputs[0]));
  input = prune(std::move(input), required_.of(*aggregate.inputs[0]), aggregate.inputs[0]->schema);
  // Keys that are also aggregate arguments must keep their values for the argument: keys get copies.
  const size_t width = input.draft->schema.size();
  std::vector<BoundExprPtr> projections;
  std::vector<Column> columns = input.draft->schema.columns();
  for (size_t i = 0; i < width; ++i) projections.push_back(BoundExpr::column(static_cast<int>(i), columns[i].type));
  ExpandSpec expand;
  for (size_t k = 0; k < aggregate.keys.size(); ++k) {
    const int source = input.columns[static_cast<size_t>(aggregate.keys[k])];
    const DataType type = aggregate.schema.type(k);
    expand.key_columns.push_back(static_cast<int>(projections.size()));
    projections.push_back(BoundExpr::cast(BoundExpr::column(source, columns[static_cast<size_t>(source)].type), type));
    columns.push_back({aggregate.schema.column(k).name, type});
  }
  expand.set_ids = groupingSetIds(aggregate.grouping_sets, aggregate.keys.size());
  for (const auto& set : aggregate.grouping_sets) {
    std::vector<int> kept;
    for (size_t k = 0; k < aggregate.keys.size(); ++k) {
      if (contains(set, static_cast<int>(k))) kept.push_back(expand.key_columns[k]);
    }
    expand.kept_columns.push_back(std::move(kept));
  }
  keys = expand.key_columns;
  auto calc = makeCalc(input.draft, nullptr, std::move(projections), Schema(columns));
  columns.push_back({"$e", DataType::bigint(false)});
  keys.push_back(static_cast<int>(columns.size()) - 1);
  Built built;
  built.columns = input.columns;
  const ChangelogMode mode = calc->mode;
  built.draft = makeDraft(std::move(expand), {{std::move(calc), {}}}, Schema(std::move(columns)), mode);
  return built;
}

Result<Built> PhysicalBuilder::buildAggregate(const LogicalAggregate& aggregate) {
  if (aggregate.group_window) return buildLegacyWindow(aggregate);
  const auto window = windowColumnsOf(*aggregate.inputs[0]);
  if (window && window->start >= 0 && window->end >= 0 && contains(aggregate.keys, window->start) &&
      contains(aggregate.keys, window->end)) {
    const auto position = [&](int column) {
      return static_cast<int>(std::find(aggregate.keys.begin(), aggregate.keys.end(), column) - aggregate.keys.begin());
    };
    bool in_every_set = true;
    for (const auto& set : aggregate.grouping_sets) {
      in_every_set = in_every_set && contains(set, position(window->start)) && contains(set, position(window->end));
    }
    bool session_keys_match = true;
    if (window->window.kind == WindowKind::SESSION) {
      size_t plain_keys = 0;
      for (const int key : aggregate.keys) plain_keys += key != window->start && key != window->end && key != window->time;
      session_keys_match = plain_keys == window->window.partition_keys.size() && aggregate.grouping_sets.empty();
    }
    if (in_every_set && session_keys_match) return buildWindowAggregate(aggregate, *window);
  }
  std::vector<int> keys;
  Built input;
  if (aggregate.grouping_sets.empty()) {
    ASSIGN_OR_RETURN(input, build(aggregate.inputs[0]));
    input = prune(std::move(input), required_.of(*aggregate.inputs[0]), aggregate.inputs[0]->schema);
    keys = remapColumnList(aggregate.keys, input.columns);
  } else {
    ASSIGN_OR_RETURN(input, expandGroupingSets(aggregate, keys));
  }
  return buildGroupAggregate(aggregate, std::move(input), std::move(keys), keptCalls(aggregate));
}

/// An aggregate nobody reads is left out, since a change of it alone would be a message. One whose row count is the
/// point (SINGLE_VALUE) stays, and so does a global aggregate of which nothing is read.
std::vector<bool> PhysicalBuilder::keptCalls(const LogicalAggregate& aggregate) const {
  const NodeUse& use = asked_.of(aggregate);
  const size_t first = aggregate.schema.size() - aggregate.calls.size();
  std::vector<bool> kept(aggregate.calls.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    kept[i] = use[first + i].used() || aggregate.calls[i].function->name == "SINGLE_VALUE";
  }
  const bool none = std::find(kept.begin(), kept.end(), true) == kept.end();
  if (none && aggregate.keys.empty()) kept.assign(kept.size(), true);
  return kept;
}

Result<Built> PhysicalBuilder::buildGroupAggregate(const LogicalAggregate& aggregate, Built input, std::vector<int> keys,
                                                   const std::vector<bool>& kept_calls) {
  GroupAggregateSpec spec;
  spec.keys = std::move(keys);
  const size_t first_call = aggregate.schema.size() - aggregate.calls.size();
  Built built;
  built.columns = identityColumns(first_call);
  std::vector<Column> columns(aggregate.schema.columns().begin(), aggregate.schema.columns().begin() + static_cast<long>(first_call));
  for (size_t i = 0; i < aggregate.calls.size(); ++i) {
    built.columns.push_back(kept_calls[i] ? static_cast<int>(columns.size()) : -1);
    if (!kept_calls[i]) continue;
    if (!batch() && aggregate.calls[i].function->name == "APPROX_COUNT_DISTINCT") {
      return Status::plan("APPROX_COUNT_DISTINCT is for batch mode; take COUNT(DISTINCT ..) in streaming mode");
    }
    columns.push_back(aggregate.schema.column(first_call + i));
    spec.calls.push_back(remapCall(aggregate.calls[i], input.columns));
  }
  spec.input_retracts = !input.draft->mode.isInsertOnly();
  spec.final_only = batch();
  spec.state_ttl_ms = aggregate.state_ttl_ms.value_or(stateTtlMs());
  if (settings_.configuration.getBool("table.exec.mini-batch.enabled")) {
    spec.mini_batch_rows = settings_.configuration.getInt("table.exec.mini-batch.size");
  }
  ChangelogMode mode;
  if (!batch()) {
    // As Flink has it, also for a DISTINCT over insert-only rows, which never changes what it said.
    mode = {true, true, spec.input_retracts};
  }
  const Distribution distribution = hashOn(spec.keys);
  const size_t key_count = spec.keys.size();
  built.draft = makeDraft(std::move(spec), {{input.draft, distribution}}, Schema(std::move(columns)), mode);
  built.draft->upsert_keys = {identityColumns(key_count)};
  return built;
}

Result<Built> PhysicalBuilder::buildWindowAggregate(const LogicalAggregate& aggregate, const WindowColumns& window) {
  using Property = WindowAggregateSpec::Property;
  if (window.window.kind == WindowKind::HOP && window.window.size_ms % window.window.slide_ms != 0) {
    return Status::plan("an aggregate over HOP needs a SIZE that is a multiple of its SLIDE, but has " + std::to_string(window.window.size_ms) +
                        " ms and " + std::to_string(window.window.slide_ms) + " ms");
  }
  for (const char* key : {"table.exec.emit.early-fire.enabled", "table.exec.emit.late-fire.enabled"}) {
    if (!batch() && settings_.configuration.getBool(key)) {
      return Status::plan("'" + std::string(key) + "' is for GROUP BY TUMBLE(..) and HOP(..), not for window table functions");
    }
  }
  WindowAggregateSpec spec;
  spec.window = window.window;
  spec.final_only = batch();
  const bool sets = !aggregate.grouping_sets.empty();

  std::vector<int> expanded_keys;
  std::optional<ComposedInput> composed;
  if (!sets && window.window.kind != WindowKind::SESSION) composed = composeDownToTvf(*aggregate.inputs[0]);
  if (!sets && window.window.kind == WindowKind::SESSION) composed = composeDownToTvf(*aggregate.inputs[0]);
  const int first_window_column = composed ? static_cast<int>(composed->tvf->inputs[0]->schema.size()) : 0;
  if (composed) {
    bool reads_window = false;
    for (const auto& condition : composed->conditions) reads_window = reads_window || readsFrom(*condition, first_window_column);
    const auto reads = [&](int column) { return readsFrom(*composed->columns[static_cast<size_t>(column)], first_window_column); };
    for (const int key : aggregate.keys) {
      if (key != window.start && key != window.end && key != window.time) reads_window = reads_window || reads(key);
    }
    for (const auto& call : aggregate.calls) {
      for (const int argument : call.arguments) reads_window = reads_window || reads(argument);
      if (call.filter >= 0) reads_window = reads_window || reads(call.filter);
    }
    if (reads_window) composed.reset();
  }

  Built input;
  std::vector<int> key_columns;   // per aggregate key: column in input (window keys: -1)
  if (composed) {
    ASSIGN_OR_RETURN(Built below, build(composed->tvf->inputs[0]));
    std::vector<BoundExprPtr> projections;
    std::vector<Column> columns;
    std::vector<int> to_calc(aggregate.inputs[0]->schema.size(), -1);
    const auto take = [&](int column) {
      auto& at = to_calc[static_cast<size_t>(column)];
      if (at >= 0) return;
      at = static_cast<int>(projections.size());
      projections.push_back(remapColumns(composed->columns[static_cast<size_t>(column)], below.columns));
      columns.push_back(aggregate.inputs[0]->schema.column(static_cast<size_t>(column)));
    };
    for (const int key : aggregate.keys) {
      if (key != window.start && key != window.end && key != window.time) take(key);
    }
    for (const auto& call : aggregate.calls) {
      for (const int argument : call.arguments) take(argument);
      if (call.filter >= 0) take(call.filter);
    }
    const int time = composed->tvf->window.time_column;
    const int time_physical = below.columns[static_cast<size_t>(time)];
    spec.window = composed->tvf->window;
    spec.window.time_column = static_cast<int>(projections.size());
    projections.push_back(BoundExpr::column(time_physical, below.draft->schema.type(static_cast<size_t>(time_physical))));
    columns.push_back(composed->tvf->inputs[0]->schema.column(static_cast<size_t>(time)));
    BoundExprPtr condition;
    if (!composed->conditions.empty()) condition = remapColumns(BoundExpr::conjunction(composed->conditions), below.columns);
    input.draft = makeCalc(below.draft, std::move(condition), std::move(projections), Schema(std::move(columns)));
    input.columns = std::move(to_calc);
  } else if (sets) {
    ASSIGN_OR_RETURN(input, expandGroupingSets(aggregate, expanded_keys));
  } else {
    ASSIGN_OR_RETURN(input, build(aggregate.inputs[0]));
    input = prune(std::move(input), required_.of(*aggregate.inputs[0]), aggregate.inputs[0]->schema);
  }
  if (!composed) {
    spec.attached = true;
    spec.start_column = input.columns[static_cast<size_t>(window.start)];
    spec.end_column = input.columns[static_cast<size_t>(window.end)];
  }

  // Where each logical output column is found behind the operator: keys, calls, properties.
  Built built;
  built.columns.assign(aggregate.schema.size(), -1);
  std::vector<Column> columns;
  std::vector<std::pair<size_t, Property>> properties;
  for (size_t k = 0; k < aggregate.keys.size(); ++k) {
    const int key = aggregate.keys[k];
    if (key == window.start) properties.emplace_back(k, Property::WINDOW_START);
    else if (key == window.end) properties.emplace_back(k, Property::WINDOW_END);
    else if (key == window.time) properties.emplace_back(k, Property::WINDOW_TIME);
    else {
      built.columns[k] = static_cast<int>(spec.keys.size());
      spec.keys.push_back(sets ? expanded_keys[k] : input.columns[static_cast<size_t>(key)]);
      columns.push_back(aggregate.schema.column(k));
    }
  }
  if (sets) {
    const size_t id = aggregate.keys.size();
    built.columns[id] = static_cast<int>(spec.keys.size());
    spec.keys.push_back(expanded_keys.back());
    columns.push_back(aggregate.schema.column(id));
  }
  const size_t first_call = aggregate.keys.size() + (sets ? 1 : 0);
  for (size_t c = 0; c < aggregate.calls.size(); ++c) {
    built.columns[first_call + c] = static_cast<int>(columns.size());
    columns.push_back(aggregate.schema.column(first_call + c));
    spec.calls.push_back(remapCall(aggregate.calls[c], input.columns));
  }
  for (const auto& [logical, property] : properties) {
    built.columns[logical] = static_cast<int>(columns.size());
    columns.push_back(aggregate.schema.column(logical));
    spec.properties.push_back(property);
    spec.property_types.push_back(aggregate.schema.type(logical));
  }
  if (composed && spec.window.kind == WindowKind::SESSION) {
    spec.window.partition_keys = identityColumns(0);
    for (const int key : spec.keys) spec.window.partition_keys.push_back(key);
  }
  spec.input_retracts = !input.draft->mode.isInsertOnly();
  // State is kept by what rows are sent by, so that it can move with its key groups: attached windows add their start.
  Distribution distribution = hashOn(spec.keys);
  if (spec.attached && !spec.keys.empty()) distribution.keys.push_back(spec.start_column);
  built.draft = makeDraft(std::move(spec), {{input.draft, distribution}}, Schema(std::move(columns)), ChangelogMode::insertOnly());
  return built;
}

namespace {

/// Whether group windows send updates, by table.exec.emit.*; only delays of zero are built, which fire on every row.
Result<bool> emitsUpdates(const Configuration& settings) {
  const bool early = settings.getBool("table.exec.emit.early-fire.enabled");
  const bool late = settings.getBool("table.exec.emit.late-fire.enabled");
  for (const char* kind : {"early", "late"}) {
    if (!(kind[0] == 'e' ? early : late)) continue;
    const std::string key = std::string("table.exec.emit.") + kind + "-fire.delay";
    if (!settings.contains(key)) return Status::plan("'table.exec.emit." + std::string(kind) + "-fire.enabled' needs '" + key + "'");
    if (settings.getDurationMillis(key) != 0) {
      return Status::notSupported("'" + key + "' is only supported as '0 ms', which fires on every row");
    }
  }
  const char* kLateness = "table.exec.emit.allow-lateness";
  const bool waits = settings.contains(kLateness) && settings.getDurationMillis(kLateness) > 0;
  if (late && !waits) return Status::plan("'table.exec.emit.late-fire.enabled' needs a time in '" + std::string(kLateness) + "'");
  return early || late || waits;
}

}  // namespace

Result<Built> PhysicalBuilder::buildLegacyWindow(const LogicalAggregate& aggregate) {
  if (!aggregate.grouping_sets.empty()) return Status::notSupported("grouping sets over legacy group windows are not supported");
  ASSIGN_OR_RETURN(Built input, build(aggregate.inputs[0]));
  WindowAggregateSpec spec;
  spec.window = *aggregate.group_window;
  spec.window.time_column = input.columns[static_cast<size_t>(spec.window.time_column)];
  spec.final_only = batch();
  spec.keys = remapColumnList(aggregate.keys, input.columns);
  if (spec.window.kind == WindowKind::SESSION) spec.window.partition_keys = spec.keys;
  Built built;
  std::vector<Column> columns;
  const NodeUse& use = asked_.of(aggregate);
  const size_t first_property = aggregate.keys.size() + aggregate.calls.size();
  for (size_t i = 0; i < aggregate.schema.size(); ++i) {
    const bool is_call = i >= aggregate.keys.size() && i < first_property;
    // As in keptCalls(): a change of what nobody reads is no message.
    const bool is_kept = !is_call || use[i].used();
    built.columns.push_back(is_kept ? static_cast<int>(columns.size()) : -1);
    if (!is_kept) continue;
    columns.push_back(aggregate.schema.column(i));
    if (is_call) spec.calls.push_back(remapCall(aggregate.calls[i - aggregate.keys.size()], input.columns));
  }
  spec.properties = aggregate.window_properties;
  for (size_t i = 0; i < spec.properties.size(); ++i) spec.property_types.push_back(aggregate.schema.type(first_property + i));
  spec.input_retracts = !input.draft->mode.isInsertOnly();
  const Distribution distribution = hashOn(spec.keys);
  bool updates = false;
  if (!batch()) {
    ASSIGN_OR_RETURN(updates, emitsUpdates(settings_.configuration));
  }
  if (updates && spec.window.kind == WindowKind::SESSION) {
    return Status::plan("'table.exec.emit.*' cannot be used with SESSION windows: they merge after they were sent");
  }
  if (updates && spec.input_retracts) return Status::notSupported("'table.exec.emit.*' over an updating input is not supported");
  if (updates && spec.window.processing_time) return Status::notSupported("'table.exec.emit.*' with processing time is not supported");
  const ChangelogMode mode{updates, updates, false};
  built.draft = makeDraft(std::move(spec), {{input.draft, distribution}}, Schema(std::move(columns)), mode);
  return built;
}

}  // namespace thalweg
