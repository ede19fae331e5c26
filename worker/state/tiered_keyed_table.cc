#include "worker/state/tiered_keyed_table.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "common/base/byte_stream.h"

namespace thalweg::worker {

namespace {

constexpr size_t kChunk = 4096;                        // entries moved at once

/// Touch time, then the payload.
struct ColdValue {
  int64_t touched_ms = 0;
  std::string_view payload;
};

ColdValue readValue(std::string_view value) {
  ByteReader reader(value);
  ColdValue read;
  read.touched_ms = reader.number();
  read.payload = value.substr(value.size() - reader.remaining());
  return read;
}

}  // namespace

std::string TieredKeyedTable::payloadBytes(const char* payload) const {
  const KeyedTableSpec& spec = hot_.spec();
  if (!spec.serialize) return {payload, spec.payload_bytes};
  std::string bytes;
  spec.serialize(payload, bytes);
  return bytes;
}

std::string TieredKeyedTable::valueOf(const char* payload) const {
  std::string value;
  ByteWriter(value).number(hot_.spec().ttl_ms > 0 ? hot_.touchedAt(payload) : 0);
  return value += payloadBytes(payload);
}

void TieredKeyedTable::forget(StateNamespace ns, size_t count) {
  const auto at = cold_entries_.find(ns);
  if (at->second <= count) cold_entries_.erase(at);
  else at->second -= count;
}

Status TieredKeyedTable::putIn(StateNamespace ns, std::string_view key, std::string_view value) {
  const ColdValue stored = readValue(value);
  if (isExpired(stored.touched_ms)) return {};
  char* const payload = hot_.restoreEntry(ns, key, stored.touched_ms);
  if (payload == nullptr) return Status::internal("an entry of state table '" + hot_.spec().name + "' is in memory and on disk");
  if (!hot_.spec().deserialize) {
    std::memcpy(payload, stored.payload.data(), hot_.spec().payload_bytes);
    return {};
  }
  Status status = hot_.spec().deserialize(stored.payload, payload);
  if (!status.isOk()) hot_.abandonEntry(ns, key);
  return status;
}

Result<bool> TieredKeyedTable::load(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows) {
  if (rows.empty()) return false;
  std::vector<std::string> words;
  std::vector<std::string_view> wanted;
  wanted.reserve(rows.size());
  if (keys.fixed) {
    words.reserve(rows.size());
    char word[8];
    for (const RowIndex row : rows) wanted.emplace_back(words.emplace_back(storeKeyWord(keys.words[row], word)));
  } else {
    for (const RowIndex row : rows) wanted.push_back(keys.bytes[row]);
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<std::optional<std::string>> values;
  RETURN_IF_ERROR(cold_->take(ns, wanted, values));
  size_t count = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!values[i]) continue;
    ++count;
    RETURN_IF_ERROR(putIn(ns, wanted[i], *values[i]));
  }
  if (count > 0) forget(ns, count);
  return count > 0;
}

Status TieredKeyedTable::find(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads) {
  RETURN_IF_ERROR(hot_.find(ns, keys, payloads));
  if (!isCold(ns)) return {};
  missing_.clear();
  for (size_t row = 0; row < keys.size; ++row) {
    if (payloads[row] == nullptr) missing_.push_back(static_cast<RowIndex>(row));
  }
  ASSIGN_OR_RETURN(const bool loaded, load(ns, keys, missing_));
  return loaded ? hot_.find(ns, keys, payloads) : Status();
}

Status TieredKeyedTable::findRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads) {
  RETURN_IF_ERROR(hot_.findRows(ns, keys, rows, payloads));
  if (!isCold(ns)) return {};
  missing_.clear();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (payloads[i] == nullptr) missing_.push_back(rows[i]);
  }
  ASSIGN_OR_RETURN(const bool loaded, load(ns, keys, missing_));
  return loaded ? hot_.findRows(ns, keys, rows, payloads) : Status();
}

Status TieredKeyedTable::upsert(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads, std::span<uint8_t> created) {
  if (isCold(ns)) {
    found_.resize(keys.size);
    RETURN_IF_ERROR(find(ns, keys, found_));
  }
  return hot_.upsert(ns, keys, payloads, created);
}

Status TieredKeyedTable::upsertRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads,
                                    std::span<uint8_t> created) {
  if (isCold(ns)) {
    found_.resize(rows.size());
    RETURN_IF_ERROR(findRows(ns, keys, rows, found_));
  }
  return hot_.upsertRows(ns, keys, rows, payloads, created);
}

Status TieredKeyedTable::erase(StateNamespace ns, const KeyBatch& keys, size_t row) {
  if (isCold(ns)) {
    const RowIndex only = static_cast<RowIndex>(row);
    char* payload = nullptr;
    RETURN_IF_ERROR(findRows(ns, keys, {&only, 1}, {&payload, 1}));
  }
  return hot_.erase(ns, keys, row);
}

Status TieredKeyedTable::eraseNamespace(StateNamespace ns) {
  RETURN_IF_ERROR(hot_.eraseNamespace(ns));
  if (!isCold(ns)) return {};
  cold_entries_.erase(ns);
  return cold_->eraseNamespace(ns);
}

std::vector<StateNamespace> TieredKeyedTable::namespaces() const {
  std::vector<StateNamespace> all = hot_.namespaces();
  for (const auto& [ns, count] : cold_entries_) all.push_back(ns);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Status TieredKeyedTable::loadAll(StateNamespace ns) {
  if (!isCold(ns)) return {};
  std::vector<ColdEntry> entries;
  const std::string* after = nullptr;
  std::string last;
  do {
    RETURN_IF_ERROR(cold_->read(ns, after, kChunk, entries));
    for (const ColdEntry& entry : entries) RETURN_IF_ERROR(putIn(ns, entry.key, entry.value));
    if (!entries.empty()) last = entries.back().key;
    after = &last;
  } while (entries.size() == kChunk);
  cold_entries_.erase(ns);
  return cold_->eraseNamespace(ns);
}

Status TieredKeyedTable::forEach(StateNamespace ns, const Visitor& visit) {
  RETURN_IF_ERROR(loadAll(ns));
  return hot_.forEach(ns, visit);
}

Status TieredKeyedTable::forEachOrdered(StateNamespace ns, const Visitor& visit) {
  RETURN_IF_ERROR(loadAll(ns));
  return hot_.forEachOrdered(ns, visit);
}

/// The hot entries, then the cold ones, which live here until the next call.
class TieredKeyedTable::TieredCursor final : public KeyedTable::Cursor {
 public:
  TieredCursor(TieredKeyedTable& table, StateNamespace ns) : table_(table), ns_(ns), hot_(table.hot_.scan(ns)) { ++table_.cursors_; }
  ~TieredCursor() override {
    release();
    --table_.cursors_;
  }

  Status next(size_t limit, std::vector<std::pair<std::string_view, char*>>& entries) override {
    release();
    if (hot_) {
      RETURN_IF_ERROR(hot_->next(limit, entries));
      if (!entries.empty()) return {};
      hot_.reset();
    }
    entries.clear();
    while (entries.empty() && table_.isCold(ns_)) {
      RETURN_IF_ERROR(table_.cold_->read(ns_, begun_ ? &last_ : nullptr, limit, cold_));
      if (cold_.empty()) return {};
      begun_ = true;
      last_ = cold_.back().key;
      RETURN_IF_ERROR(rebuild(entries));
    }
    return {};
  }

 private:
  Status rebuild(std::vector<std::pair<std::string_view, char*>>& entries) {
    const KeyedTableSpec& spec = table_.hot_.spec();
    for (const ColdEntry& entry : cold_) {
      const ColdValue stored = readValue(entry.value);
      if (table_.isExpired(stored.touched_ms)) continue;
      auto payload = std::make_unique<uint64_t[]>((spec.payload_bytes + 7) / 8);
      auto* const at = reinterpret_cast<char*>(payload.get());
      if (spec.deserialize) RETURN_IF_ERROR(spec.deserialize(stored.payload, at));
      else std::memcpy(at, stored.payload.data(), spec.payload_bytes);
      payloads_.push_back(std::move(payload));
      entries.emplace_back(entry.key, at);
    }
    return {};
  }

  void release() {
    for (const auto& payload : payloads_) {
      if (table_.hot_.spec().destroy) table_.hot_.spec().destroy(reinterpret_cast<char*>(payload.get()));
    }
    payloads_.clear();
  }

  TieredKeyedTable& table_;
  const StateNamespace ns_;
  std::unique_ptr<Cursor> hot_;
  std::vector<ColdEntry> cold_;
  std::vector<std::unique_ptr<uint64_t[]>> payloads_;
  std::string last_;
  bool begun_ = false;
};

std::unique_ptr<KeyedTable::Cursor> TieredKeyedTable::scan(StateNamespace ns) { return std::make_unique<TieredCursor>(*this, ns); }

size_t TieredKeyedTable::size() const {
  return std::accumulate(cold_entries_.begin(), cold_entries_.end(), hot_.size(), [](size_t sum, const auto& each) { return sum + each.second; });
}

Status TieredKeyedTable::evict() {
  if (cursors_ > 0) return {};
  for (const StateNamespace ns : hot_.namespaces()) RETURN_IF_ERROR(evictNamespace(ns));
  return {};
}

Status TieredKeyedTable::evictNamespace(StateNamespace ns) {
  std::vector<ColdEntry> entries;
  size_t count = 0;
  Status status;
  RETURN_IF_ERROR(hot_.forEach(ns, [&](std::string_view key, char* payload) {
    entries.push_back({ns, std::string(key), valueOf(payload)});
    ++count;
    if (entries.size() < kChunk) return true;
    status = cold_->write(entries);
    entries.clear();
    return status.isOk();
  }));
  RETURN_IF_ERROR(status);
  if (!entries.empty()) RETURN_IF_ERROR(cold_->write(entries));
  if (count > 0) cold_entries_[ns] += count;
  return hot_.eraseNamespace(ns);
}

Status TieredKeyedTable::write(uint32_t max_parallelism, std::string& out) {
  TableRunWriter writer(hot_.spec(), max_parallelism);
  for (const StateNamespace ns : namespaces()) {
    RETURN_IF_ERROR(hot_.forEach(ns, [&](std::string_view key, char* payload) {
      writer.add(ns, key, hot_.spec().ttl_ms > 0 ? hot_.touchedAt(payload) : 0, payloadBytes(payload));
      return true;
    }));
    if (isCold(ns)) RETURN_IF_ERROR(writeCold(ns, writer));
  }
  writer.finish(out);
  return {};
}

Status TieredKeyedTable::writeCold(StateNamespace ns, TableRunWriter& writer) {
  std::vector<ColdEntry> entries;
  std::string last;
  for (const std::string* after = nullptr;; after = &last) {
    RETURN_IF_ERROR(cold_->read(ns, after, kChunk, entries));
    if (entries.empty()) return {};
    for (const ColdEntry& entry : entries) {
      const ColdValue stored = readValue(entry.value);
      if (!isExpired(stored.touched_ms)) writer.add(ns, entry.key, stored.touched_ms, stored.payload);
    }
    last = entries.back().key;
  }
}

}  // namespace thalweg::worker
