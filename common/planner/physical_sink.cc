// Sinks: the columns in the table's order, the changes the table can take, the constraints to enforce.

#include <algorithm>

#include "common/plan/catalog/connector_descriptor.h"
#include "common/planner/physical_builder.h"

namespace thalweg {
namespace {

std::string producerOfUpdates(const DraftPtr& draft) {
  const DraftPtr* at = &draft;
  while (std::holds_alternative<CalcSpec>((*at)->spec) || std::holds_alternative<UnionSpec>((*at)->spec)) {
    const DraftInput* updating = nullptr;
    for (const DraftInput& input : (*at)->inputs) {
      if (!input.draft->mode.isInsertOnly()) updating = &input;
    }
    if (updating == nullptr) break;
    at = &updating->draft;
  }
  return std::string(operatorKindName((*at)->spec));
}

Schema sinkSchema(const ResolvedTable& table) {
  std::vector<Column> columns;
  for (size_t i = 0; i < table.definition.columns.size(); ++i) {
    const TableColumn& column = table.definition.columns[i];
    const bool written = column.kind == TableColumn::Kind::PHYSICAL || (column.kind == TableColumn::Kind::METADATA && !column.is_virtual);
    if (written) columns.push_back({column.name, column.type});
  }
  return Schema(std::move(columns));
}

/// Whether every source below has watermarks.
bool hasWatermarks(const Draft& draft) {
  if (std::holds_alternative<WatermarkAssignerSpec>(draft.spec)) return true;
  if (draft.inputs.empty()) return false;
  return std::all_of(draft.inputs.begin(), draft.inputs.end(), [](const DraftInput& input) { return hasWatermarks(*input.draft); });
}

}  // namespace

/// A sink that is updated by its key and gets rows with another key must be told what to do when two of them meet.
Status PhysicalBuilder::checkConflicts(const LogicalSink& sink, const SinkSpec& spec, const Draft& input, ChangelogMode accepted) const {
  const bool by_key = accepted.update_after && !accepted.update_before && !spec.primary_key.empty();
  if (!sink.on_conflict.empty() && !by_key) {
    return Status::plan("ON CONFLICT is for tables that are updated by their primary key, but " + spec.table_name +
                        (spec.primary_key.empty() ? " has none" : " takes whole changes"));
  }
  if (!sink.on_conflict.empty() && input.mode.isInsertOnly() && !batch()) {
    return Status::plan("ON CONFLICT is for queries that update rows, but this one only adds rows to " + spec.table_name);
  }
  if (batch() || !by_key) return {};
  std::vector<int> wanted = spec.primary_key;
  std::sort(wanted.begin(), wanted.end());
  const bool same_key = std::any_of(input.upsert_keys.begin(), input.upsert_keys.end(), [&](std::vector<int> key) {
    std::sort(key.begin(), key.end());
    return key == wanted;
  });
  if (input.mode.isInsertOnly() || same_key) return {};
  if (sink.on_conflict.empty()) {
    if (!settings_.configuration.getBool("table.exec.sink.require-on-conflict")) return {};
    return Status::plan("the query's rows have another key than the primary key of " + spec.table_name +
                        "; say what happens when two rows have one key: ON CONFLICT DO DEDUPLICATE, DO NOTHING or DO ERROR");
  }
  if (sink.on_conflict == "DEDUPLICATE") return {};
  if (!hasWatermarks(input)) {
    return Status::plan("ON CONFLICT DO " + sink.on_conflict + " needs a WATERMARK on every source, to know when a key is settled");
  }
  // What is thrown away needs no choice between rows.
  if (sink.on_conflict == "NOTHING" && spec.connector == "blackhole") return {};
  return Status::notSupported("ON CONFLICT DO " + sink.on_conflict + " is not supported yet; DO DEDUPLICATE is");
}

Result<DraftPtr> PhysicalBuilder::buildSink(const LogicalSink& sink) {
  ASSIGN_OR_RETURN(Built input, build(sink.inputs[0]));
  const Schema& wanted = sink.inputs[0]->schema;
  bool ordered = input.draft->schema.size() == wanted.size();
  for (size_t i = 0; ordered && i < wanted.size(); ++i) ordered = input.columns[i] == static_cast<int>(i);
  DraftPtr draft = input.draft;
  if (!ordered) {
    std::vector<BoundExprPtr> projections;
    for (size_t i = 0; i < wanted.size(); ++i) projections.push_back(BoundExpr::column(input.columns[i], draft->schema.type(static_cast<size_t>(input.columns[i]))));
    draft = makeCalc(draft, nullptr, std::move(projections), wanted);
  }
  if (!sink.table) {
    const ChangelogMode mode = draft->mode;
    auto collect = makeDraft(CollectSpec{}, {{draft, sink.gathers ? singleton() : Distribution{}}}, wanted, mode);
    if (sink.gathers) collect->parallelism = 1;
    return collect;
  }

  const ResolvedTable& table = *sink.table;
  SinkSpec spec;
  spec.table_name = table.path.toString();
  spec.options = table.definition.options;
  for (const auto& [key, value] : sink.hint_options) spec.options[key] = value;
  spec.schema = sinkSchema(table);
  spec.partition_keys = table.definition.partition_keys;
  spec.static_partition = sink.static_partition;
  spec.overwrite = sink.overwrite;
  for (const std::string& key : table.definition.primary_key) spec.primary_key.push_back(spec.schema.indexOf(key));
  ASSIGN_OR_RETURN(const TableConnector connector, resolveConnector(spec.table_name, spec.options, spec.schema, TableUse::SINK));
  spec.connector = std::string(connector.connector->name);
  const ChangelogMode accepted = connector.writeMode();
  if (!draft->mode.isInsertOnly() && !accepted.hasUpdates()) {
    return Status::plan("table sink " + spec.table_name + " does not support consuming update and delete changes, which " +
                        producerOfUpdates(draft) + " produces; write to a table that takes changes, or make the query append-only");
  }
  RETURN_IF_ERROR(checkConflicts(sink, spec, *draft, accepted));
  spec.materialize = sink.on_conflict == "DEDUPLICATE";
  spec.input_mode = draft->mode;
  if (settings_.configuration.getEnum("table.exec.sink.not-null-enforcer") == "DROP") spec.not_null_enforcer = SinkSpec::NotNullEnforcer::DROP;
  const std::string length = settings_.configuration.getEnum("table.exec.sink.type-length-enforcer");
  if (length == "TRIM_PAD") spec.length_enforcer = SinkSpec::LengthEnforcer::TRIM_PAD;
  else if (length == "ERROR") spec.length_enforcer = SinkSpec::LengthEnforcer::ERROR;
  for (size_t i = 0; i < spec.schema.size(); ++i) spec.not_null_columns.push_back(!spec.schema.type(i).nullable());
  const ChangelogMode mode = draft->mode;
  ASSIGN_OR_RETURN(const int parallelism, parallelismOption(spec.table_name, spec.options, "sink.parallelism"));
  Distribution distribution;
  if (parallelism > 0 && !mode.isInsertOnly()) {
    if (spec.primary_key.empty()) {
      return Status::plan("'sink.parallelism' of table " + spec.table_name +
                          " would tear apart the changes of a row, as the table has no PRIMARY KEY to keep them together by");
    }
    distribution = hashOn(spec.primary_key);
  }
  auto written = makeDraft(std::move(spec), {{draft, std::move(distribution)}}, wanted, mode);
  written->parallelism = parallelism;
  return written;
}

}  // namespace thalweg
