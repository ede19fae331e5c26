#include "common/plan/catalog/table_like.h"

#include <algorithm>
#include <map>
#include <set>

namespace thalweg {
namespace {

using sql::LikeFeature;
using sql::MergingStrategy;

/// How each feature is merged: INCLUDING (both is an error), but options overwrite, unless said otherwise.
class Strategies {
 public:
  explicit Strategies(const sql::LikeClause& like) {
    for (const sql::LikeOption& option : like.options) {
      if (option.feature == LikeFeature::ALL) all_ = option.strategy;
      else given_[option.feature] = option.strategy;
    }
  }
  MergingStrategy of(LikeFeature feature) const {
    auto found = given_.find(feature);
    if (found != given_.end()) return found->second;
    if (all_) return *all_;
    return feature == LikeFeature::OPTIONS ? MergingStrategy::OVERWRITING : MergingStrategy::INCLUDING;
  }
  bool excludes(LikeFeature feature) const { return of(feature) == MergingStrategy::EXCLUDING; }
  bool overwrites(LikeFeature feature) const { return of(feature) == MergingStrategy::OVERWRITING; }

 private:
  std::optional<MergingStrategy> all_;
  std::map<LikeFeature, MergingStrategy> given_;
};

LikeFeature featureOf(TableColumn::Kind kind) {
  return kind == TableColumn::Kind::COMPUTED ? LikeFeature::GENERATED : LikeFeature::METADATA;
}

/// What is kept whole can be included or excluded only.
Status checkStrategies(const sql::LikeClause& like) {
  std::set<LikeFeature> named;
  for (const sql::LikeOption& option : like.options) {
    if (!named.insert(option.feature).second) return Status::plan("LIKE says twice what to do with one feature", like.position);
    const bool whole = option.feature == LikeFeature::ALL || option.feature == LikeFeature::PARTITIONS ||
                       option.feature == LikeFeature::CONSTRAINTS || option.feature == LikeFeature::DISTRIBUTION;
    if (whole && option.strategy == MergingStrategy::OVERWRITING) {
      return Status::plan("OVERWRITING is for GENERATED, METADATA, OPTIONS and WATERMARKS", like.position);
    }
  }
  return Status::ok();
}

Status mergeColumns(const Strategies& strategies, const TableDefinition& source, SourcePosition position,
                    TableDefinition& definition, size_t& inherited) {
  std::vector<TableColumn> merged;
  for (const TableColumn& column : source.columns) {
    if (column.kind != TableColumn::Kind::PHYSICAL && strategies.excludes(featureOf(column.kind))) continue;
    merged.push_back(column);
  }
  inherited = merged.size();
  for (TableColumn& column : definition.columns) {
    auto same = std::find_if(merged.begin(), merged.end(), [&](const TableColumn& c) { return c.name == column.name; });
    if (same == merged.end()) {
      merged.push_back(std::move(column));
      continue;
    }
    bool may_replace = column.kind != TableColumn::Kind::PHYSICAL && same->kind == column.kind &&
                       strategies.overwrites(featureOf(column.kind));
    if (!may_replace) {
      return Status::plan("column '" + column.name + "' is also a column of the table behind LIKE; "
                          "computed and metadata columns can be OVERWRITING", position);
    }
    *same = std::move(column);
  }
  definition.columns = std::move(merged);
  return Status::ok();
}

Status mergeOptions(const Strategies& strategies, const TableDefinition& source, SourcePosition position,
                    TableDefinition& definition) {
  if (strategies.excludes(LikeFeature::OPTIONS)) return Status::ok();
  for (const auto& [key, value] : source.options) {
    bool is_new = definition.options.emplace(key, value).second;
    if (!is_new && !strategies.overwrites(LikeFeature::OPTIONS)) {
      return Status::plan("option '" + key + "' is also set by the table behind LIKE; write OVERWRITING OPTIONS", position);
    }
  }
  return Status::ok();
}

}  // namespace

Result<size_t> mergeLike(const BindEnvironment& environment, const sql::LikeClause& like, OwnParts own,
                         TableDefinition& definition) {
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(like.source));
  ASSIGN_OR_RETURN(const CatalogObject* object, environment.catalog->get(path, like.source));
  if (object->isView()) return Status::plan("LIKE needs a table, but '" + like.source.toString() + "' is a view", like.position);
  const TableDefinition& source = *object->table;
  RETURN_IF_ERROR(checkStrategies(like));
  Strategies strategies(like);
  size_t inherited = 0;
  RETURN_IF_ERROR(mergeColumns(strategies, source, like.position, definition, inherited));
  RETURN_IF_ERROR(mergeOptions(strategies, source, like.position, definition));
  if (source.watermark && !strategies.excludes(LikeFeature::WATERMARKS)) {
    if (!definition.watermark) definition.watermark = source.watermark;
    else if (!strategies.overwrites(LikeFeature::WATERMARKS)) {
      return Status::plan("the table behind LIKE has a WATERMARK too; write OVERWRITING WATERMARKS", like.position);
    }
  }
  if (!source.primary_key.empty() && !strategies.excludes(LikeFeature::CONSTRAINTS)) {
    if (own.key) return Status::plan("the table behind LIKE has a PRIMARY KEY too; write EXCLUDING CONSTRAINTS", like.position);
    definition.primary_key = source.primary_key;
    definition.primary_key_name = source.primary_key_name;
  }
  // EXCLUDING partitions or a distribution only lets the new table have its own, as in Flink.
  if (definition.partition_keys.empty()) {
    definition.partition_keys = source.partition_keys;
  } else if (!source.partition_keys.empty() && !strategies.excludes(LikeFeature::PARTITIONS)) {
    return Status::plan("the table behind LIKE is PARTITIONED BY too; write EXCLUDING PARTITIONS", like.position);
  }
  if (!own.distribution) {
    definition.distribution = source.distribution;
  } else if (!source.distribution.empty() && !strategies.excludes(LikeFeature::DISTRIBUTION)) {
    return Status::plan("the table behind LIKE has a DISTRIBUTION too; write EXCLUDING DISTRIBUTION", like.position);
  }
  return inherited;
}

}  // namespace thalweg
