// How entries leave memory, and how a table is read without bringing them back: cursors.
//
// Which entries: each counts its lookups (EntryMark::uses). Those with the fewest leave, as many as asked for; the counts
// of the others are halved, so that what was used long ago leaves sooner or later. Entries whose value is on disk leave
// without a write; the others, and the marks of erased keys, make up one run, sorted.
#include <algorithm>
#include <array>
#include <cstring>

#include "common/base/check.h"
#include "common/base/hash.h"
#include "worker/state/cold_value.h"
#include "worker/state/tiered_keyed_table.h"

namespace thalweg::worker {

namespace {

constexpr size_t kUseRanks = 16;

}  // namespace

void TieredKeyedTable::chooseLeaving(StateNamespace ns, double part, std::vector<Leaving>& leaving) {
  const auto rankOf = [&](char* payload) { return std::min<size_t>(hot_.markOf(payload).uses, kUseRanks - 1); };
  size_t limit = kUseRanks;                             // ranks below it leave
  size_t of_limit = 0;                                  // and so many of this rank
  if (part < 1) {
    std::array<size_t, kUseRanks> ranks{};
    hot_.forEachPlace(ns, [&](EntryIndex, char* payload) { ++ranks[rankOf(payload)]; });
    auto left = static_cast<size_t>(static_cast<double>(hot_.sizeOf(ns)) * part) + 1;
    for (limit = 0; limit + 1 < kUseRanks && ranks[limit] <= left; ++limit) left -= ranks[limit];
    of_limit = left;
  }
  char fixed[8];
  hot_.forEachPlace(ns, [&](EntryIndex place, char* payload) {
    const size_t rank = rankOf(payload);
    const bool leaves = rank < limit || (rank == limit && of_limit > 0);
    if (!leaves) {
      hot_.markOf(payload).uses /= 2;
      return;
    }
    if (rank == limit) --of_limit;
    leaving.push_back({.hash = hashBytes(hot_.keyAtPlace(ns, place, fixed)), .place = place});
  });
}

Status TieredKeyedTable::evict(double part) {
  CHECK(!capture_);
  std::vector<LeavingOf> all;
  std::vector<StateNamespace> namespaces = hot_.namespaces();
  for (const auto& [ns, keys] : erased_) namespaces.push_back(ns);
  std::sort(namespaces.begin(), namespaces.end());
  namespaces.erase(std::unique(namespaces.begin(), namespaces.end()), namespaces.end());
  for (const StateNamespace ns : namespaces) {
    if (cursors_.contains(ns)) continue;
    LeavingOf& of = all.emplace_back(LeavingOf{ns});
    chooseLeaving(ns, part, of.entries);
    if (const auto gone = erased_.find(ns); gone != erased_.end()) {
      for (const std::string& key : gone->second) {
        of.entries.push_back({.hash = hashBytes(key), .erased = static_cast<uint32_t>(of.erased.size())});
        of.erased.push_back(key);
      }
    }
  }
  cold_.noteUse(false, 0);                              // what leaves may be asked for
  RETURN_IF_ERROR(writeLeaving(all));
  for (const LeavingOf& of : all) {
    if (cold_.tier().evictsAlways()) RETURN_IF_ERROR(checkClean(of));
    dropLeaving(of, part >= 1);
  }
  return {};
}

Status TieredKeyedTable::adopt(std::span<const HeldRun> runs) {
  constexpr uint64_t kCountedMax = 10'000;             // few enough to be counted; else size() says too much
  RETURN_IF_ERROR(cold_.adopt(runs));
  std::vector<StateNamespace> namespaces;
  for (const HeldRun& held : runs) {
    for (const RunSegment& segment : held.segments) namespaces.push_back(segment.ns);
  }
  for (const StateNamespace ns : namespaces) {
    if (cold_only_.contains(ns)) continue;
    uint64_t count = cold_.entriesAtMost(ns);
    if (count <= kCountedMax) {
      count = 0;
      const auto merge = cold_.read(ns);
      for (;;) {
        ASSIGN_OR_RETURN(const RunEntry* entry, merge->next());
        if (entry == nullptr) break;
        ++count;
      }
    }
    if (count > 0) cold_only_[ns] = count;
  }
  return cold_.tier().keepsAll() ? bringBack() : Status();
}

/// Reading all in order costs a tenth of reading it as it is asked for; a job that is to go on soon cannot wait for much.
Status TieredKeyedTable::bringBack() {
  constexpr uint64_t kEntriesMax = 2'000'000;
  uint64_t entries = 0;
  std::vector<StateNamespace> namespaces;
  for (const auto& [ns, count] : cold_only_) {
    entries += count;
    namespaces.push_back(ns);
  }
  if (entries > kEntriesMax) return {};
  for (const StateNamespace ns : namespaces) RETURN_IF_ERROR(loadAll(ns));
  return {};
}

/// Writes what is not on disk yet. Entries that expired are written as erased ones.
Status TieredKeyedTable::writeLeaving(std::vector<LeavingOf>& all) {
  size_t entries = 0;
  for (const LeavingOf& of : all) entries += of.entries.size();
  if (entries == 0) return {};
  std::unique_ptr<RunWriter> writer;
  std::string value;
  char fixed[8];
  for (LeavingOf& of : all) {
    const auto keyOf = [&](const Leaving& one) { return one.place == kNoEntry ? of.erased[one.erased] : hot_.keyAtPlace(of.ns, one.place, fixed); };
    std::sort(of.entries.begin(), of.entries.end(), [&](const Leaving& a, const Leaving& b) {
      if (a.hash != b.hash) return a.hash < b.hash;
      char other[8];
      const std::string_view b_key = b.place == kNoEntry ? of.erased[b.erased] : hot_.keyAtPlace(of.ns, b.place, other);
      return keyOf(a) < b_key;
    });
    for (const Leaving& one : of.entries) {
      char* const payload = one.place == kNoEntry ? nullptr : hot_.payloadAtPlace(of.ns, one.place);
      const bool gone = payload == nullptr || hot_.hasExpired(payload);
      if (gone ? payload != nullptr && !hot_.markOf(payload).written : !hot_.markOf(payload).dirty) continue;
      if (!writer) {
        ASSIGN_OR_RETURN(writer, cold_.beginRun(entries));
      }
      value.clear();
      if (!gone) hot_.appendColdValue(payload, value);
      RETURN_IF_ERROR(writer->add(of.ns, one.hash, keyOf(one), gone ? std::nullopt : std::optional<std::string_view>(value)));
    }
  }
  return writer ? cold_.endRun(std::move(writer)) : Status();
}

/// In tests: an entry that was changed must have been marked so.
Status TieredKeyedTable::checkClean([[maybe_unused]] const LeavingOf& of) {
#ifndef NDEBUG
  std::vector<RunKey> keys;
  std::vector<std::string> words;
  words.reserve(of.entries.size());
  for (const Leaving& one : of.entries) {
    if (one.place == kNoEntry || hot_.markOf(hot_.payloadAtPlace(of.ns, one.place)).dirty) continue;
    char fixed[8];
    keys.push_back({one.hash, words.emplace_back(hot_.keyAtPlace(of.ns, one.place, fixed)), 0});
  }
  return cold_.find(of.ns, keys, [&](const RunKey& key, std::optional<std::string_view> value) -> Status {
    char* const payload = hot_.payloadOf(of.ns, key.hash, key.key);
    std::string now;
    hot_.appendPayload(payload, now);
    if (value && ColdValue::read(*value, hot_.spec().ttl_ms > 0).payload == now) return {};
    return hot_.hasExpired(payload) ? Status() : Status::internal("an entry of state table '" + hot_.spec().name + "' was changed and not marked");
  });
#else
  return {};
#endif
}

void TieredKeyedTable::dropLeaving(const LeavingOf& of, bool all) {
  size_t count = 0;
  for (const Leaving& one : of.entries) {
    if (one.place == kNoEntry) continue;
    if (!hot_.hasExpired(hot_.payloadAtPlace(of.ns, one.place))) ++count;
    if (!all) hot_.eraseAtPlace(of.ns, one.place, one.hash);
  }
  if (all) (void)hot_.eraseNamespace(of.ns);
  erased_.erase(of.ns);
  if (count > 0) countOut(of.ns, count);
}

/// Those in memory, then those on disk, which live here until the next call. What comes into memory meanwhile is
/// visited as it stands on disk.
class TieredKeyedTable::TieredCursor final : public KeyedTable::Cursor {
 public:
  TieredCursor(TieredKeyedTable& table, StateNamespace ns) : table_(table), ns_(ns), era_(table.hot_.era() + 1) {
    table_.hot_.setEra(era_);
    hot_ = table_.hot_.scanBefore(ns, era_);
    if (table_.cold_only_.contains(ns)) cold_ = table_.cold_.read(ns);
    ++table_.cursors_[ns];
  }
  ~TieredCursor() override {
    release();
    if (--table_.cursors_[ns_] == 0) table_.cursors_.erase(ns_);
  }

  Status next(size_t limit, std::vector<std::pair<std::string_view, char*>>& entries) override {
    release();
    if (hot_) {
      RETURN_IF_ERROR(hot_->next(limit, entries));
      if (!entries.empty()) return {};
      hot_.reset();
    }
    entries.clear();
    keys_.reserve(limit);                               // so that views into them stay
    while (cold_ && entries.size() < limit) {
      ASSIGN_OR_RETURN(const RunEntry* entry, cold_->next());
      if (entry == nullptr) {
        cold_.reset();
        break;
      }
      RETURN_IF_ERROR(rebuild(*entry, entries));
    }
    return {};
  }

 private:
  Status rebuild(const RunEntry& entry, std::vector<std::pair<std::string_view, char*>>& entries) {
    const KeyedTableSpec& spec = table_.hot_.spec();
    const ColdValue stored = ColdValue::read(*entry.value, spec.ttl_ms > 0);
    if (table_.isExpired(stored.touched_ms) || table_.isErased(ns_, entry.key)) return {};
    if (char* hot = table_.hot_.payloadOf(ns_, entry.hash, entry.key); hot != nullptr && table_.hot_.markOf(hot).born < era_) return {};
    auto payload = std::make_unique<uint64_t[]>((spec.payload_bytes + 7) / 8);
    auto* const at = reinterpret_cast<char*>(payload.get());
    RETURN_IF_ERROR(table_.setPayload(at, stored.payload));
    payloads_.push_back(std::move(payload));
    entries.emplace_back(keys_.emplace_back(entry.key), at);
    return {};
  }

  void release() {
    for (const auto& payload : payloads_) {
      if (table_.hot_.spec().destroy) table_.hot_.spec().destroy(reinterpret_cast<char*>(payload.get()));
    }
    payloads_.clear();
    keys_.clear();
  }

  TieredKeyedTable& table_;
  const StateNamespace ns_;
  const uint32_t era_;
  std::unique_ptr<Cursor> hot_;
  std::unique_ptr<RunMerge> cold_;
  std::vector<std::unique_ptr<uint64_t[]>> payloads_;
  std::vector<std::string> keys_;
};

std::unique_ptr<KeyedTable::Cursor> TieredKeyedTable::scan(StateNamespace ns) { return std::make_unique<TieredCursor>(*this, ns); }

}  // namespace thalweg::worker
