// Lookups and visits. How entries leave memory stands in tiered_eviction.cc.
#include "worker/state/tiered_keyed_table.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "worker/state/cold_value.h"

namespace thalweg::worker {

/// Into an entry whose payload owns nothing.
Status TieredKeyedTable::setPayload(char* payload, std::string_view bytes) {
  const KeyedTableSpec& spec = hot_.spec();
  if (spec.deserialize) return spec.deserialize(bytes, payload);
  if (bytes.size() != spec.payload_bytes) return Status::io("state on disk: an entry of state table '" + spec.name + "' is damaged");
  std::memcpy(payload, bytes.data(), bytes.size());
  return {};
}

void TieredKeyedTable::countIn(StateNamespace ns, size_t count) {
  const auto at = cold_only_.find(ns);
  if (at == cold_only_.end()) return;
  if (at->second <= count) cold_only_.erase(at);
  else at->second -= count;
}

bool TieredKeyedTable::isErased(StateNamespace ns, std::string_view key) const {
  if (capture_ && capture_->wasErased(ns, key)) return true;
  if (erased_.empty()) return false;
  const auto keys = erased_.find(ns);
  return keys != erased_.end() && keys->second.contains(std::string(key));
}

void TieredKeyedTable::wantedOf(const KeyBatch& keys, std::span<const RowIndex> rows) {
  wanted_.clear();
  if (keys.fixed) key_words_.resize(rows.size() * sizeof(uint64_t));
  for (size_t i = 0; i < rows.size(); ++i) {
    const RowIndex row = rows[i];
    std::string_view key;
    if (keys.fixed) {
      char* const at = key_words_.data() + i * sizeof(uint64_t);
      storeFixedKey(keys.words[row], at);
      key = {at, sizeof(uint64_t)};
    } else {
      key = keys.bytes[row];
    }
    wanted_.push_back({keys.hashes[row], key, static_cast<uint32_t>(i)});
  }
  std::sort(wanted_.begin(), wanted_.end(), standsBefore);
  const auto same = [](const RunKey& a, const RunKey& b) { return a.hash == b.hash && a.key == b.key; };
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end(), same), wanted_.end());
}

/// Brings those of the rows' keys into memory that are on disk only.
Status TieredKeyedTable::load(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows) {
  const bool expires = hot_.spec().ttl_ms > 0;
  size_t count = 0;
  wantedOf(keys, rows);
  if (!erased_.empty() || capture_) std::erase_if(wanted_, [&](const RunKey& key) { return isErased(ns, key.key); });
  RETURN_IF_ERROR(cold_.find(ns, wanted_, [&](const RunKey& key, std::optional<std::string_view> value) -> Status {
    if (!value) return {};
    const ColdValue stored = ColdValue::read(*value, expires);
    // In memory, but expired: what is on disk is older.
    if (expires && hot_.payloadOf(ns, key.hash, key.key) != nullptr) return {};
    if (isExpired(stored.touched_ms)) {                 // perhaps it expired in memory, and was not counted when it left
      erased_[ns].emplace(key.key);
      return {};
    }
    ++count;
    char* const payload = hot_.restoreEntry(ns, key.key, stored.touched_ms);
    if (payload == nullptr) return Status::internal("an entry of state table '" + hot_.spec().name + "' was loaded twice");
    const Status status = setPayload(payload, stored.payload);
    if (!status.isOk()) hot_.abandonEntry(ns, key.key);
    else hot_.markOf(payload) = EntryMark{.written = true, .uses = 1, .born = hot_.era()};
    return status;
  }));
  if (count > 0) countIn(ns, count);
  return {};
}

Status TieredKeyedTable::find(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads) {
  RETURN_IF_ERROR(hot_.find(ns, keys, payloads));
  if (!cold_only_.contains(ns)) return {};
  missing_.clear();
  for (size_t row = 0; row < keys.size; ++row) {
    if (payloads[row] == nullptr) missing_.push_back(static_cast<RowIndex>(row));
  }
  if (missing_.empty()) return {};
  RETURN_IF_ERROR(load(ns, keys, missing_));
  return hot_.find(ns, keys, payloads);
}

Status TieredKeyedTable::findRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads) {
  RETURN_IF_ERROR(hot_.findRows(ns, keys, rows, payloads));
  if (!cold_only_.contains(ns)) return {};
  missing_.clear();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (payloads[i] == nullptr) missing_.push_back(rows[i]);
  }
  if (missing_.empty()) return {};
  RETURN_IF_ERROR(load(ns, keys, missing_));
  return hot_.findRows(ns, keys, rows, payloads);
}

/// Those that memory did not have and now has anew may be on disk: then they get the value from there. `missing_` are
/// positions in `payloads`, whose keys are those of `rows`.
Status TieredKeyedTable::fillCreated(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads,
                                     std::span<uint8_t> created) {
  const KeyedTableSpec& spec = hot_.spec();
  wantedOf(keys, rows);
  if (!erased_.empty() || capture_) {
    const auto gone = erased_.find(ns);
    std::erase_if(wanted_, [&](const RunKey& key) {
      const bool forgotten = gone != erased_.end() && gone->second.erase(std::string(key.key)) > 0;
      if (!forgotten && !(capture_ && capture_->wasErased(ns, key.key))) return false;
      EntryMark& mark = hot_.markOf(payloads[missing_[key.row]]);
      mark.written = true;
      mark.born = 0;                                    // a cursor that was opened before passes over what is on disk
      return true;
    });
    if (gone != erased_.end() && gone->second.empty()) erased_.erase(gone);
  }
  size_t count = 0;
  RETURN_IF_ERROR(cold_.find(ns, wanted_, [&](const RunKey& key, std::optional<std::string_view> value) -> Status {
    const size_t at = missing_[key.row];
    EntryMark& mark = hot_.markOf(payloads[at]);
    if (mark.written) return {};                        // it was in memory, and had expired
    mark.written = true;
    if (!value) return {};
    const ColdValue stored = ColdValue::read(*value, spec.ttl_ms > 0);
    if (isExpired(stored.touched_ms)) return {};
    ++count;
    if (spec.destroy) spec.destroy(payloads[at]);
    std::memset(payloads[at], 0, spec.payload_bytes);
    created[at] = 0;
    const Status status = setPayload(payloads[at], stored.payload);
    if (!status.isOk() && spec.init) spec.init(payloads[at]);
    return status;
  }));
  if (count > 0) countIn(ns, count);
  return {};
}

Status TieredKeyedTable::upsert(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads, std::span<uint8_t> created) {
  if (!mayBeMissing(ns)) return hot_.upsert(ns, keys, payloads, created);
  if (created.empty()) {
    created_.resize(keys.size);
    created = created_;
  }
  RETURN_IF_ERROR(hot_.upsert(ns, keys, payloads, created));
  missing_.clear();
  for (size_t row = 0; row < keys.size; ++row) {
    if (created[row] != 0) missing_.push_back(static_cast<RowIndex>(row));
  }
  return missing_.empty() ? Status() : fillCreated(ns, keys, missing_, payloads, created);
}

Status TieredKeyedTable::upsertRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads,
                                    std::span<uint8_t> created) {
  if (!mayBeMissing(ns)) return hot_.upsertRows(ns, keys, rows, payloads, created);
  if (created.empty()) {
    created_.resize(rows.size());
    created = created_;
  }
  RETURN_IF_ERROR(hot_.upsertRows(ns, keys, rows, payloads, created));
  missing_.clear();
  std::vector<RowIndex> fresh;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (created[i] == 0) continue;
    missing_.push_back(static_cast<RowIndex>(i));
    fresh.push_back(rows[i]);
  }
  return missing_.empty() ? Status() : fillCreated(ns, keys, fresh, payloads, created);
}

Status TieredKeyedTable::erase(StateNamespace ns, const KeyBatch& keys, size_t row) {
  if (mayBeOnDisk(ns)) {
    const auto only = static_cast<RowIndex>(row);
    char* payload = nullptr;
    RETURN_IF_ERROR(findRows(ns, keys, {&only, 1}, {&payload, 1}));
    if (payload == nullptr) return {};
    if (hot_.markOf(payload).written) {
      char word[8];
      erased_[ns].emplace(keys.fixed ? storeKeyWord(keys.words[row], word) : keys.bytes[row]);
    }
  }
  return hot_.erase(ns, keys, row);
}

Status TieredKeyedTable::eraseNamespace(StateNamespace ns) {
  RETURN_IF_ERROR(hot_.eraseNamespace(ns));
  if (capture_) capture_->noteErasedNamespace(ns);
  cold_only_.erase(ns);
  erased_.erase(ns);
  cold_.eraseNamespace(ns);
  return {};
}

std::vector<StateNamespace> TieredKeyedTable::namespaces() const {
  std::vector<StateNamespace> all = hot_.namespaces();
  for (const auto& [ns, count] : cold_only_) all.push_back(ns);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Status TieredKeyedTable::loadAll(StateNamespace ns) {
  if (!cold_only_.contains(ns)) return {};
  const auto merge = cold_.read(ns);
  for (;;) {
    ASSIGN_OR_RETURN(const RunEntry* entry, merge->next());
    if (entry == nullptr) break;
    const ColdValue stored = ColdValue::read(*entry->value, hot_.spec().ttl_ms > 0);
    if (isExpired(stored.touched_ms) || isErased(ns, entry->key)) continue;
    char* const payload = hot_.restoreEntry(ns, entry->key, stored.touched_ms);
    if (payload == nullptr) continue;                   // it is in memory
    const Status status = setPayload(payload, stored.payload);
    if (!status.isOk()) {
      hot_.abandonEntry(ns, entry->key);
      return status;
    }
    hot_.markOf(payload) = EntryMark{.written = true, .born = hot_.era()};
  }
  cold_only_.erase(ns);
  return {};
}

Status TieredKeyedTable::forEach(StateNamespace ns, const Visitor& visit) {
  RETURN_IF_ERROR(loadAll(ns));
  return hot_.forEach(ns, visit);
}

Status TieredKeyedTable::forEachOrdered(StateNamespace ns, const Visitor& visit) {
  RETURN_IF_ERROR(loadAll(ns));
  return hot_.forEachOrdered(ns, visit);
}

size_t TieredKeyedTable::size() const {
  return std::accumulate(cold_only_.begin(), cold_only_.end(), hot_.size(), [](size_t sum, const auto& each) { return sum + each.second; });
}

}  // namespace thalweg::worker
