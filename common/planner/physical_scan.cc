// Scans: source, computed columns, watermark — in this order, with nothing in the source that nobody reads.

#include <algorithm>

#include "common/config/config_value.h"
#include "common/plan/catalog/connector_descriptor.h"
#include "common/plan/catalog/session_zone_option.h"
#include "common/plan/catalog/table_resolver.h"
#include "common/planner/physical_builder.h"

namespace thalweg {
namespace {

/// Field paths as the source wants them; empty when the whole column is read.
std::vector<std::vector<int>> usedPaths(const ColumnUse& use) {
  if (use.whole) return {};
  return {use.paths.begin(), use.paths.end()};
}

/// Rows that are equal in the columns read stand together, where the first of them stood.
std::vector<std::vector<Value>> equalRowsTogether(const std::vector<std::vector<Value>>& rows, const NodeUse& use) {
  const auto same = [&](const std::vector<Value>& a, const std::vector<Value>& b) {
    for (size_t i = 0; i < use.size(); ++i) {
      if (use[i].used() && !(a[i] == b[i])) return false;
    }
    return true;
  };
  std::vector<std::vector<Value>> ordered;
  std::vector<bool> taken(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t j = i; j < rows.size(); ++j) {
      if (taken[j] || !same(rows[i], rows[j]) || taken[i] != (j > i)) continue;
      taken[j] = true;
      ordered.push_back(rows[j]);
    }
  }
  return ordered;
}

}  // namespace

Result<int> parallelismOption(const std::string& table, const OptionMap& options, const std::string& key) {
  const auto found = options.find(key);
  if (found == options.end()) return 0;
  const Result<int64_t> value = parseConfigInt(found->second);
  if (!value.isOk() || *value <= 0 || *value > INT32_MAX) {
    return Status::plan("'" + key + "' of table " + table + " must be a number above 0, not '" + found->second + "'");
  }
  return static_cast<int>(*value);
}

/// A stream of the program's: all its columns come, a Calc behind picks and casts; upsert streams are completed.
Result<Built> PhysicalBuilder::buildStreamScan(const LogicalScan& scan) {
  const ResolvedTable& table = *scan.table;
  if (batch() && !table.stream->bounded) {
    return Status::plan("stream " + table.path.toString() + " is unbounded and cannot be read in batch mode; use 'streaming'");
  }
  if (batch() && !table.stream->mode.isInsertOnly()) {
    return Status::plan("stream " + table.path.toString() + " is a changelog and cannot be read in batch mode; use 'streaming'");
  }
  SourceSpec source;
  source.table_name = table.path.toString();
  source.connector = std::string(kStreamScanConnector);
  source.options[std::string(kStreamScanInput)] = std::to_string(table.stream->id);
  source.physical = table.produced;
  source.bounded = table.stream->bounded;
  for (size_t i = 0; i < table.produced.size(); ++i) source.outputs.push_back({static_cast<int>(i), "", table.produced.type(i), {}});
  const ChangelogMode mode = table.stream->mode;
  auto draft = makeDraft(std::move(source), {}, table.produced, mode);
  draft->parallelism = table.stream->parallelism;

  NodeUse use = required_.of(scan);
  const bool upsert = mode.hasUpdates() && !mode.update_before;
  for (const int key : table.primary_key) use[static_cast<size_t>(key)].whole = use[static_cast<size_t>(key)].whole || upsert;
  Built built;
  built.columns.assign(scan.schema.size(), -1);
  std::vector<BoundExprPtr> projections;
  std::vector<Column> columns;
  const bool watermarked = table.watermark && !batch();
  if (watermarked) {
    use[static_cast<size_t>(table.watermark->rowtime_column)].whole = true;
    collectUse(*table.watermark->expression, use);
  }
  for (size_t i = 0; i < use.size(); ++i) {
    if (!use[i].used()) continue;
    built.columns[i] = static_cast<int>(projections.size());
    projections.push_back(table.expressions[i]);
    columns.push_back(scan.schema.column(i));
  }
  draft = makeCalc(draft, nullptr, std::move(projections), Schema(std::move(columns)));
  if (watermarked) {
    const Schema schema = draft->schema;
    draft = makeDraft(WatermarkAssignerSpec{watermarkOf(table, built.columns)}, {{draft, {}}}, schema, mode);
  }
  if (upsert) {
    ChangelogNormalizeSpec normalize;
    normalize.keys = remapColumnList(table.primary_key, built.columns);
    normalize.state_ttl_ms = stateTtlMs();
    const auto keys = normalize.keys;
    const Schema schema = draft->schema;
    draft = makeDraft(std::move(normalize), {{draft, hashOn(keys)}}, schema, ChangelogMode::all());
    draft->upsert_keys = {keys};
  }
  built.draft = std::move(draft);
  return built;
}

/// The table's watermark over the columns that were kept.
WatermarkSpec PhysicalBuilder::watermarkOf(const ResolvedTable& table, const std::vector<int>& columns) const {
  WatermarkSpec watermark;
  watermark.rowtime_column = columns[static_cast<size_t>(table.watermark->rowtime_column)];
  watermark.expression = remapColumns(table.watermark->expression, columns);
  watermark.idle_timeout_ms = table.watermark->idle_timeout_ms;
  if (watermark.idle_timeout_ms == 0) watermark.idle_timeout_ms = settings_.configuration.getDurationMillis("table.exec.source.idle-timeout");
  return watermark;
}

Result<Built> PhysicalBuilder::buildScan(const LogicalScan& scan) {
  const ResolvedTable& table = *scan.table;
  if (table.stream) return buildStreamScan(scan);
  SourceSpec source;
  source.table_name = table.path.toString();
  source.options = table.definition.options;
  for (const auto& [key, value] : scan.hint_options) source.options[key] = value;
  source.physical = physicalSchema(table.definition);
  source.partition_keys = table.definition.partition_keys;
  ASSIGN_OR_RETURN(const TableConnector connector,
                   resolveConnector(source.table_name, source.options, source.physical, TableUse::SOURCE));
  source.connector = std::string(connector.connector->name);
  source.bounded = connector.isBounded(source.options);
  source.limit = scan.limit;
  ASSIGN_OR_RETURN(const int parallelism, parallelismOption(source.table_name, source.options, "scan.parallelism"));
  if (batch() && !source.bounded) {
    return Status::plan("table " + source.table_name + " is unbounded and cannot be read with 'execution.runtime-mode' = 'batch'; use 'streaming'");
  }
  const ChangelogMode mode = connector.readMode();
  if (batch() && !mode.isInsertOnly()) {
    return Status::plan("table " + source.table_name + " is a changelog and cannot be read in batch mode; use 'streaming'");
  }

  NodeUse use = required_.of(scan);
  const bool watermarked = table.watermark && !batch();
  if (watermarked) {
    use[static_cast<size_t>(table.watermark->rowtime_column)].whole = true;
    collectUse(*table.watermark->expression, use);
  }
  NodeUse produced(table.produced.size());
  for (size_t i = 0; i < use.size(); ++i) {
    if (use[i].used()) collectUse(*table.expressions[i], use[i], produced);
  }
  for (const BoundExprPtr& condition : scan.path_conditions) collectUse(*condition, produced);
  std::vector<int> source_of(table.produced.size(), -1);
  std::vector<Column> source_columns;
  for (size_t p = 0; p < produced.size(); ++p) {
    if (!produced[p].used()) continue;
    source_of[p] = static_cast<int>(source_columns.size());
    SourceSpec::Output output;
    output.metadata_key = table.produced_metadata_keys[p];
    if (output.metadata_key.empty()) output.physical_column = source.physical.indexOf(table.produced.column(p).name);
    output.type = table.produced.type(p);
    output.used_paths = usedPaths(produced[p]);
    source.outputs.push_back(std::move(output));
    source_columns.push_back(table.produced.column(p));
  }
  if (!scan.path_conditions.empty()) {
    source.filter = remapColumns(BoundExpr::conjunction(scan.path_conditions), source_of);
    const std::string zone = settings_.configuration.getString("table.local-time-zone");
    if (zone != "default") source.options[std::string(kSessionZoneOption)] = zone;      // else UTC, as in the job
  }
  auto draft = makeDraft(std::move(source), {}, Schema(source_columns), mode);
  draft->parallelism = parallelism;

  Built built;
  built.columns.assign(scan.schema.size(), -1);
  std::vector<BoundExprPtr> projections;
  std::vector<Column> columns;
  bool computes = false;
  for (size_t i = 0; i < use.size(); ++i) {
    if (!use[i].used()) continue;
    built.columns[i] = static_cast<int>(projections.size());
    projections.push_back(remapColumns(table.expressions[i], source_of));
    columns.push_back(scan.schema.column(i));
    computes = computes || !projections.back()->isColumn() || projections.back()->index != built.columns[i];
  }
  computes = computes || projections.size() != source_columns.size();
  if (computes) {
    draft = makeCalc(draft, nullptr, std::move(projections), Schema(std::move(columns)));
  } else {
    draft->schema = Schema(std::move(columns));
  }
  if (mode.hasUpdates() && !table.primary_key.empty()) {
    auto key = remapColumnList(table.primary_key, built.columns);
    if (std::find(key.begin(), key.end(), -1) == key.end()) draft->upsert_keys = {std::move(key)};
  }
  if (watermarked) {
    WatermarkAssignerSpec assigner{watermarkOf(table, built.columns)};
    auto keys = draft->upsert_keys;
    const Schema schema = draft->schema;
    draft = makeDraft(std::move(assigner), {{draft, {}}}, schema, mode);
    draft->upsert_keys = std::move(keys);
  }
  built.draft = std::move(draft);
  return built;
}

Result<Built> PhysicalBuilder::buildValues(const LogicalValues& values) {
  Built built;
  built.columns = identityColumns(values.schema.size());
  ValuesSpec spec{values.from_expressions ? equalRowsTogether(values.rows, required_.of(values)) : values.rows};
  built.draft = makeDraft(std::move(spec), {}, values.schema, ChangelogMode::insertOnly());
  built.draft->parallelism = 1;
  return built;
}

}  // namespace thalweg
