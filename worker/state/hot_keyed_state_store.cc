#include "worker/state/hot_keyed_state_store.h"

#include "common/base/check.h"

namespace thalweg::worker {

Result<KeyedTable*> HotKeyedStateStore::openTable(KeyedTableSpec spec) {
  if (tables_.contains(spec.name)) return Status::internal("state table '" + spec.name + "' was opened twice");
  const std::string name = spec.name;
  auto table = std::make_unique<HotKeyedTable>(std::move(spec), options_.now_ms);
  table->setKeyGroups(options_.key_groups.begin, options_.key_groups.end, options_.max_parallelism);
  if (const auto found = restored_.find(name); found != restored_.end()) {
    RETURN_IF_ERROR(readEntries(found->second, options_.key_groups, *table));
    restored_.erase(found);
    if (restored_.empty()) restored_bytes_ = {};
  }
  OpenTable& opened = tables_[name];
  opened.hot = std::move(table);
  if (!options_.cold) return static_cast<KeyedTable*>(opened.hot.get());
  opened.tiered = std::make_unique<TieredKeyedTable>(*opened.hot, options_.cold->openTable(), options_.now_ms);
  return static_cast<KeyedTable*>(opened.tiered.get());
}

Status HotKeyedStateStore::snapshot(std::string& out) const {
  size_t count = tables_.size();
  for (const auto& [name, parts] : restored_) count += parts.size();
  if (count == 0) return {};
  writeSnapshotHead(count, out);
  for (const auto& [name, table] : tables_) {
    if (table.tiered && table.tiered->hasCold()) RETURN_IF_ERROR(table.tiered->write(options_.max_parallelism, out));
    else writeTable(*table.hot, options_.max_parallelism, out);
  }
  for (const auto& [name, parts] : restored_) {
    for (const TableSnapshot& part : parts) out.append(part.all);
  }
  return {};
}

Status HotKeyedStateStore::restore(std::span<const std::string_view> snapshots) {
  CHECK(tables_.empty() && restored_.empty());
  restored_bytes_.reserve(snapshots.size());   // views into the strings must survive
  for (const std::string_view bytes : snapshots) {
    if (bytes.empty()) continue;
    const std::string& kept = restored_bytes_.emplace_back(bytes);
    ASSIGN_OR_RETURN(std::vector<TableSnapshot> tables, readSnapshot(kept));
    for (TableSnapshot& table : tables) restored_[std::string(table.name)].push_back(std::move(table));
  }
  return {};
}

Status HotKeyedStateStore::relieve() {
  if (!options_.cold || tables_.empty() || !options_.cold->isShort()) return {};
  for (const auto& [name, table] : tables_) RETURN_IF_ERROR(table.tiered->evict());
  options_.cold->giveBack();
  return {};
}

void HotKeyedStateStore::clear() {
  tables_.clear();
  restored_.clear();
  restored_bytes_.clear();
}

size_t HotKeyedStateStore::memoryBytes() const {
  size_t total = 0;
  for (const auto& [name, table] : tables_) total += table.hot->memoryBytes();
  return total;
}

size_t HotKeyedStateStore::entries() const {
  size_t total = 0;
  for (const auto& [name, table] : tables_) total += table.tiered ? table.tiered->size() : table.hot->size();
  return total;
}

}  // namespace thalweg::worker
