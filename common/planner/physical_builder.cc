#include "common/planner/physical_builder.h"

#include <algorithm>

namespace thalweg {

Distribution hashOn(std::vector<int> keys) {
  if (keys.empty()) return singleton();
  return {Distribution::Kind::HASH, std::move(keys)};
}

Distribution singleton() { return {Distribution::Kind::SINGLETON, {}}; }

std::vector<int> remapColumnList(const std::vector<int>& columns, const std::vector<int>& mapping) {
  std::vector<int> result;
  for (const int column : columns) result.push_back(mapping[static_cast<size_t>(column)]);
  return result;
}

std::vector<SortKey> remapSortKeys(const std::vector<SortKey>& keys, const std::vector<int>& mapping) {
  std::vector<SortKey> result = keys;
  for (SortKey& key : result) key.column = mapping[static_cast<size_t>(key.column)];
  return result;
}

std::vector<std::vector<int>> remapUpsertKeys(const std::vector<std::vector<int>>& keys, const std::vector<int>& mapping) {
  std::vector<std::vector<int>> result;
  for (const auto& key : keys) {
    auto mapped = remapColumnList(key, mapping);
    if (std::find(mapped.begin(), mapped.end(), -1) == mapped.end()) result.push_back(std::move(mapped));
  }
  return result;
}

std::vector<int> identityColumns(size_t count) {
  std::vector<int> columns(count);
  for (size_t i = 0; i < count; ++i) columns[i] = static_cast<int>(i);
  return columns;
}

DraftPtr PhysicalBuilder::makeDraft(OperatorSpec spec, std::vector<DraftInput> inputs, Schema schema, ChangelogMode mode) {
  for (const DraftInput& input : inputs) ++input.draft->consumers;
  auto draft = std::make_shared<Draft>();
  draft->spec = std::move(spec);
  draft->inputs = std::move(inputs);
  draft->schema = std::move(schema);
  draft->mode = mode;
  return draft;
}

DraftPtr PhysicalBuilder::makeCalc(const DraftPtr& input, BoundExprPtr condition, std::vector<BoundExprPtr> projections,
                                   Schema schema) {
  std::vector<int> kept(input->schema.size(), -1);
  for (size_t i = 0; i < projections.size(); ++i) {
    if (projections[i]->isColumn() && kept[static_cast<size_t>(projections[i]->index)] < 0) {
      kept[static_cast<size_t>(projections[i]->index)] = static_cast<int>(i);
    }
  }
  auto keys = remapUpsertKeys(input->upsert_keys, kept);
  auto draft = makeDraft(CalcSpec{std::move(condition), std::move(projections)}, {{input, {}}}, std::move(schema), input->mode);
  draft->upsert_keys = std::move(keys);
  return draft;
}

AggregateCallSpec PhysicalBuilder::remapCall(const AggregateCallSpec& call, const std::vector<int>& columns) const {
  AggregateCallSpec copy = call;
  copy.arguments = remapColumnList(call.arguments, columns);
  if (call.filter >= 0) copy.filter = columns[static_cast<size_t>(call.filter)];
  copy.order_by = remapSortKeys(call.order_by, columns);
  return copy;
}

int64_t PhysicalBuilder::stateTtlMs() const { return settings_.configuration.getDurationMillis("table.exec.state.ttl"); }

Result<Built> PhysicalBuilder::build(const LogicalNodePtr& node) {
  if (const auto found = built_.find(node.get()); found != built_.end()) return found->second;
  Result<Built> built = buildNew(node);
  if (!built.isOk()) return built.status().at(node->position);
  built_.emplace(node.get(), *built);
  return built;
}

Result<Built> PhysicalBuilder::buildNew(const LogicalNodePtr& node) {
  switch (node->kind) {
    case LogicalKind::SCAN: return buildScan(node->as<LogicalScan>());
    case LogicalKind::VALUES: return buildValues(node->as<LogicalValues>());
    case LogicalKind::PROJECT: return buildProject(*node, node->as<LogicalProject>());
    case LogicalKind::FILTER: return buildFilter(*node, node->as<LogicalFilter>());
    case LogicalKind::AGGREGATE: return buildAggregate(node->as<LogicalAggregate>());
    case LogicalKind::WINDOW_TVF: return buildWindowTvf(node->as<LogicalWindowTvf>());
    case LogicalKind::JOIN: return buildJoin(node->as<LogicalJoin>());
    case LogicalKind::TEMPORAL: return build(node->inputs[0]);
    case LogicalKind::UNNEST: return buildUnnest(node->as<LogicalUnnest>());
    case LogicalKind::SORT: return buildSort(node->as<LogicalSort>());
    case LogicalKind::SET_OP: return buildUnion(node->as<LogicalSetOp>());
    case LogicalKind::OVER: return buildOver(node->as<LogicalOver>());
    case LogicalKind::MATCH: return buildMatch(node->as<LogicalMatch>());
    case LogicalKind::CHANGELOG: return buildChangelog(node->as<LogicalChangelog>());
    case LogicalKind::SINK: return Status::internal("a sink inside a query");
  }
  return Status::internal("unknown logical node");
}

Built PhysicalBuilder::prune(Built input, const NodeUse& use, const Schema& schema) {
  std::vector<int> wanted;
  for (size_t i = 0; i < use.size(); ++i) {
    if (use[i].used() && input.columns[i] >= 0) wanted.push_back(static_cast<int>(i));
  }
  if (wanted.size() == input.draft->schema.size()) return input;
  std::vector<BoundExprPtr> projections;
  std::vector<Column> columns;
  Built pruned;
  pruned.columns.assign(use.size(), -1);
  for (const int logical : wanted) {
    const int physical = input.columns[static_cast<size_t>(logical)];
    pruned.columns[static_cast<size_t>(logical)] = static_cast<int>(projections.size());
    projections.push_back(BoundExpr::column(physical, input.draft->schema.type(static_cast<size_t>(physical))));
    columns.push_back(schema.column(static_cast<size_t>(logical)));
  }
  pruned.draft = makeCalc(input.draft, nullptr, std::move(projections), Schema(std::move(columns)));
  return pruned;
}

Result<Built> PhysicalBuilder::buildProject(const LogicalNode& node, const LogicalProject& project) {
  ASSIGN_OR_RETURN(Built input, build(node.inputs[0]));
  const NodeUse& use = required_.of(node);
  Built built;
  built.columns.assign(node.schema.size(), -1);
  std::vector<BoundExprPtr> projections;
  std::vector<Column> columns;
  for (size_t i = 0; i < use.size(); ++i) {
    if (!use[i].used()) continue;
    built.columns[i] = static_cast<int>(projections.size());
    projections.push_back(remapColumns(project.expressions[i], input.columns));
    columns.push_back(node.schema.column(i));
  }
  built.draft = makeCalc(input.draft, nullptr, std::move(projections), Schema(std::move(columns)));
  return built;
}

Result<Built> PhysicalBuilder::buildFilter(const LogicalNode& node, const LogicalFilter& filter) {
  ASSIGN_OR_RETURN(auto rank, buildRank(filter));
  if (rank) return *rank;
  ASSIGN_OR_RETURN(Built input, build(node.inputs[0]));
  const NodeUse& use = required_.of(node);
  Built built;
  built.columns.assign(node.schema.size(), -1);
  std::vector<BoundExprPtr> projections;
  std::vector<Column> columns;
  for (size_t i = 0; i < use.size(); ++i) {
    if (!use[i].used()) continue;
    const int physical = input.columns[i];
    built.columns[i] = static_cast<int>(projections.size());
    projections.push_back(BoundExpr::column(physical, input.draft->schema.type(static_cast<size_t>(physical))));
    columns.push_back(node.schema.column(i));
  }
  auto condition = remapColumns(filter.condition, input.columns);
  built.draft = makeCalc(input.draft, std::move(condition), std::move(projections), Schema(std::move(columns)));
  return built;
}

Result<Built> PhysicalBuilder::buildUnion(const LogicalSetOp& set) {
  std::vector<DraftInput> inputs;
  ChangelogMode mode;
  const NodeUse& use = required_.of(set);
  std::vector<int> wanted;
  for (size_t i = 0; i < use.size(); ++i) {
    if (use[i].used()) wanted.push_back(static_cast<int>(i));
  }
  std::vector<Column> columns;
  Built built;
  built.columns.assign(use.size(), -1);
  for (const int logical : wanted) {
    built.columns[static_cast<size_t>(logical)] = static_cast<int>(columns.size());
    columns.push_back(set.schema.column(static_cast<size_t>(logical)));
  }
  for (const auto& node : set.inputs) {
    ASSIGN_OR_RETURN(Built input, build(node));
    std::vector<BoundExprPtr> projections;
    bool identity = wanted.size() == input.draft->schema.size();
    for (size_t i = 0; i < wanted.size(); ++i) {
      const int physical = input.columns[static_cast<size_t>(wanted[i])];
      const DataType& type = input.draft->schema.type(static_cast<size_t>(physical));
      const DataType& target = columns[i].type;
      auto column = BoundExpr::column(physical, type);
      const bool same = type.sameIgnoringNullability(target);
      identity = identity && physical == static_cast<int>(i) && same;
      projections.push_back(same ? column : BoundExpr::cast(column, target));
    }
    DraftPtr draft = identity ? input.draft : makeCalc(input.draft, nullptr, std::move(projections), Schema(columns));
    mode.update_before = mode.update_before || draft->mode.update_before;
    mode.update_after = mode.update_after || draft->mode.update_after;
    mode.deletes = mode.deletes || draft->mode.deletes;
    inputs.push_back({std::move(draft), {}});
  }
  built.draft = makeDraft(UnionSpec{}, std::move(inputs), Schema(std::move(columns)), mode);
  return built;
}

Result<Built> PhysicalBuilder::buildUnnest(const LogicalUnnest& unnest) {
  ASSIGN_OR_RETURN(Built input, build(unnest.inputs[0]));
  const size_t logical_width = unnest.inputs[0]->schema.size();
  const size_t physical_width = input.draft->schema.size();
  UnnestSpec spec = unnest.unnest;
  spec.collection = remapColumns(spec.collection, input.columns);
  Built built;
  built.columns = input.columns;
  std::vector<Column> columns = input.draft->schema.columns();
  for (size_t i = logical_width; i < unnest.schema.size(); ++i) {
    built.columns.push_back(static_cast<int>(physical_width + i - logical_width));
    columns.push_back(unnest.schema.column(i));
  }
  if (spec.condition) spec.condition = remapColumns(spec.condition, built.columns);
  built.draft = makeDraft(std::move(spec), {{input.draft, {}}}, Schema(std::move(columns)), input.draft->mode);
  return built;
}

Result<Built> PhysicalBuilder::buildChangelog(const LogicalChangelog& node) {
  ASSIGN_OR_RETURN(Built input, build(node.inputs[0]));
  ChangelogTextSpec spec = node.text;
  ChangelogMode mode;
  if (!spec.to_text) {
    for (const auto& [text, kind] : spec.kinds) {
      mode.update_before = mode.update_before || kind == RowKind::UPDATE_BEFORE;
      mode.update_after = mode.update_after || kind == RowKind::UPDATE_AFTER;
      mode.deletes = mode.deletes || kind == RowKind::DELETE;
    }
  }
  // All columns in their order: the operator adds or takes one.
  std::vector<BoundExprPtr> projections;
  for (size_t i = 0; i < input.columns.size(); ++i) projections.push_back(BoundExpr::column(input.columns[i], node.inputs[0]->schema.type(i)));
  auto ordered = makeCalc(input.draft, nullptr, std::move(projections), node.inputs[0]->schema);
  Built built;
  built.columns = identityColumns(node.schema.size());
  built.draft = makeDraft(std::move(spec), {{std::move(ordered), {}}}, node.schema, mode);
  return built;
}

Result<Built> PhysicalBuilder::buildWindowTvf(const LogicalWindowTvf& tvf) {
  ASSIGN_OR_RETURN(Built input, build(tvf.inputs[0]));
  WindowTableFunctionSpec spec;
  spec.window = tvf.window;
  spec.window.time_column = input.columns[static_cast<size_t>(tvf.window.time_column)];
  spec.window.partition_keys = remapColumnList(tvf.window.partition_keys, input.columns);
  Built built;
  built.columns = input.columns;
  std::vector<Column> columns = input.draft->schema.columns();
  for (size_t i = tvf.inputs[0]->schema.size(); i < tvf.schema.size(); ++i) {
    built.columns.push_back(static_cast<int>(columns.size()));
    columns.push_back(tvf.schema.column(i));
  }
  const bool session = tvf.window.kind == WindowKind::SESSION;
  const Distribution distribution = session ? hashOn(spec.window.partition_keys) : Distribution{};
  built.draft = makeDraft(std::move(spec), {{input.draft, distribution}}, Schema(std::move(columns)), input.draft->mode);
  return built;
}

std::optional<WindowColumns> windowColumnsOf(const LogicalNode& node) {
  const auto through = [&](const std::vector<int>& output_of_input) -> std::optional<WindowColumns> {
    auto below = windowColumnsOf(*node.inputs[0]);
    if (!below) return std::nullopt;
    const auto move = [&](int& column) { column = column < 0 ? -1 : output_of_input[static_cast<size_t>(column)]; };
    move(below->start);
    move(below->end);
    move(below->time);
    return below;
  };
  switch (node.kind) {
    case LogicalKind::WINDOW_TVF: {
      const int width = static_cast<int>(node.inputs[0]->schema.size());
      return WindowColumns{width, width + 1, width + 2, node.as<LogicalWindowTvf>().window};
    }
    case LogicalKind::PROJECT: {
      std::vector<int> mapping(node.inputs[0]->schema.size(), -1);
      const auto& expressions = node.as<LogicalProject>().expressions;
      for (size_t i = 0; i < expressions.size(); ++i) {
        if (expressions[i]->isColumn() && mapping[static_cast<size_t>(expressions[i]->index)] < 0) {
          mapping[static_cast<size_t>(expressions[i]->index)] = static_cast<int>(i);
        }
      }
      return through(mapping);
    }
    case LogicalKind::FILTER:
    case LogicalKind::SORT:
    case LogicalKind::OVER:
    case LogicalKind::UNNEST: return through(identityColumns(node.inputs[0]->schema.size()));
    case LogicalKind::JOIN: {
      auto left = windowColumnsOf(*node.inputs[0]);
      if (left) return left;
      return std::nullopt;
    }
    case LogicalKind::AGGREGATE: {
      const auto& aggregate = node.as<LogicalAggregate>();
      std::vector<int> mapping(node.inputs[0]->schema.size(), -1);
      for (size_t i = 0; i < aggregate.keys.size(); ++i) mapping[static_cast<size_t>(aggregate.keys[i])] = static_cast<int>(i);
      return through(mapping);
    }
    default: return std::nullopt;
  }
}

}  // namespace thalweg
