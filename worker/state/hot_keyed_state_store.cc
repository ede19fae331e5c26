#include "worker/state/hot_keyed_state_store.h"

#include <algorithm>
#include <utility>

#include "common/base/check.h"
#include "common/base/failpoint.h"
#include "worker/state/run_snapshot.h"

namespace thalweg::worker {

Result<KeyedTable*> HotKeyedStateStore::openTable(KeyedTableSpec spec) {
  if (tables_.contains(spec.name)) return Status::internal("state table '" + spec.name + "' was opened twice");
  const std::string name = spec.name;
  OpenTable opened;
  opened.hot = std::make_unique<HotKeyedTable>(std::move(spec), options_.now_ms, options_.cold != nullptr);
  opened.hot->setKeyGroups(options_.key_groups.begin, options_.key_groups.end, options_.max_parallelism);
  if (options_.cold) opened.tiered = std::make_unique<TieredKeyedTable>(*opened.hot, options_.cold, options_.now_ms);
  if (const auto found = restored_.find(name); found != restored_.end()) {
    RETURN_IF_ERROR(fill(found->second, opened));
    restored_.erase(found);
    if (restored_.empty()) restored_snapshots_ = {};
  }
  OpenTable& kept = tables_[name] = std::move(opened);
  if (kept.tiered) return static_cast<KeyedTable*>(kept.tiered.get());
  return static_cast<KeyedTable*>(kept.hot.get());
}

/// Runs are taken over as they are where the table has a cold tier; all else is read into memory.
Status HotKeyedStateStore::fill(const std::vector<TableSnapshot>& parts, OpenTable& table) {
  std::vector<TableSnapshot> others;
  std::vector<HeldRun> runs;
  for (const TableSnapshot& part : parts) {
    const KeyedTableSpec& spec = table.hot->spec();
    if (!table.tiered || part.runs.empty() || part.has_touch_times != (spec.ttl_ms > 0)) {
      others.push_back(part);
      continue;
    }
    RETURN_IF_ERROR(checkLayout(part, spec));
    const std::vector<HeldRun> mine = restrictRuns(part.runs, options_.key_groups, options_.max_parallelism);
    runs.insert(runs.end(), mine.begin(), mine.end());
  }
  if (!runs.empty()) RETURN_IF_ERROR(table.tiered->adopt(runs));
  return readEntries(others, options_.key_groups, *table.hot);
}

Status HotKeyedStateStore::beginSnapshot(std::function<void()> wake) {
  CHECK(!begun_);
  Begun& begun = begun_.emplace();
  for (auto& [name, table] : tables_) {
    if (const auto into = placeOf(table)) {
      table.tiered->beginSnapshot(*into, wake);
      begun.captured.push_back(&table);
      continue;
    }
    writeTable(*table.hot, options_.max_parallelism, begun.rest);
    ++begun.rest_tables;
  }
  for (const auto& [name, parts] : restored_) {
    for (const TableSnapshot& part : parts) {
      if (!part.runs.empty()) {
        begun.in_runs.push_back(part);
        continue;
      }
      begun.rest.append(part.all);
      ++begun.rest_tables;
    }
  }
  return {};
}

/// Where a snapshot puts the table; nothing: it is written at once, which is quick.
std::optional<CaptureInto> HotKeyedStateStore::placeOf(const OpenTable& table) const {
  constexpr size_t kFewEntries = 256;
  constexpr size_t kSmallBytes = size_t{1} << 20;
  if (!table.tiered) return std::nullopt;
  if (table.tiered->hasCold()) return CaptureInto::RUNS;
  if (options_.cold->evictsAlways()) return std::nullopt;
  const bool captures_all = !THALWEG_FAILPOINT("state.capture_all").isOk();      // in tests, which have few entries
  if (table.hot->size() <= kFewEntries && !captures_all) return std::nullopt;
  if (table.tiered->hasErased()) return CaptureInto::RUNS;
  return table.hot->memoryBytes() > kSmallBytes || captures_all ? CaptureInto::RUNS : CaptureInto::BYTES;
}

CaptureProgress HotKeyedStateStore::captureSome(size_t work) {
  CHECK(begun_);
  return captureEach(begun_->captured, [&](OpenTable& table) { return table.tiered->captureSome(work); });
}

Result<KeyedSnapshot> HotKeyedStateStore::takeSnapshot() {
  CHECK(begun_);
  Begun begun = *std::exchange(begun_, std::nullopt);
  std::vector<TableSnapshot> in_runs;
  Status status;
  for (OpenTable* table : begun.captured) {
    Result<CapturedTable> captured = table->tiered->takeSnapshot();
    if (!captured.isOk()) {
      status = captured.status();
      continue;
    }
    if (!captured->bytes.empty()) {
      begun.rest += captured->bytes;
      ++begun.rest_tables;
      continue;
    }
    TableSnapshot& stored = in_runs.emplace_back(headOf(table->hot->spec()));
    stored.runs = std::move(captured->runs);
    if (THALWEG_MUTANT("run_left_out") && !stored.runs.empty()) stored.runs.erase(stored.runs.begin());
  }
  RETURN_IF_ERROR(status);
  in_runs.insert(in_runs.end(), begun.in_runs.begin(), begun.in_runs.end());
  std::string rest;
  if (begun.rest_tables > 0) writeSnapshotHead(begun.rest_tables, rest);
  rest += begun.rest;
  return joinSnapshots(in_runs, rest);
}

Result<KeyedSnapshot> HotKeyedStateStore::snapshot() {
  RETURN_IF_ERROR(beginSnapshot({}));
  finishCapture();
  return takeSnapshot();
}

void HotKeyedStateStore::finishCapture() {
  CHECK(begun_);
  for (OpenTable* table : begun_->captured) table->tiered->finishCapture();
}

Status HotKeyedStateStore::restore(std::span<const KeyedSnapshot> snapshots) {
  CHECK(tables_.empty() && restored_.empty());
  restored_snapshots_.reserve(snapshots.size());       // views into the strings must survive
  for (const KeyedSnapshot& snapshot : snapshots) {
    if (snapshot.empty()) continue;
    const KeyedSnapshot& kept = restored_snapshots_.emplace_back(snapshot);
    ASSIGN_OR_RETURN(std::vector<TableSnapshot> tables, readSnapshot(kept, options_.max_parallelism));
    for (TableSnapshot& table : tables) restored_[std::string(table.name)].push_back(std::move(table));
  }
  return {};
}

void HotKeyedStateStore::account(size_t held_bytes, size_t free_bytes) {
  options_.cold->account(static_cast<int64_t>(held_bytes) - static_cast<int64_t>(accounted_held_),
                         static_cast<int64_t>(free_bytes) - static_cast<int64_t>(accounted_free_));
  accounted_held_ = held_bytes;
  accounted_free_ = free_bytes;
}

Status HotKeyedStateStore::relieve() {
  constexpr uint32_t kAskEvery = 4;        // batches between looks at the process
  constexpr int64_t kSmallPart = 16;       // of what all stores hold: one that holds less gains nothing by leaving
  constexpr double kSomeOfThem = 0.25;
  constexpr double kManyOfThem = 0.5;
  if (!options_.cold || options_.cold->keepsAll() || tables_.empty()) return {};
  if (!options_.cold->evictsAlways() && relieved_++ % kAskEvery != 0) return {};
  const auto measure = [this] {
    size_t free_bytes = 0;
    for (const auto& [name, table] : tables_) free_bytes += table.hot->freeBytes();
    account(memoryBytes(), free_bytes);
  };
  measure();
  const Pressure pressure = options_.cold->pressure();
  if (pressure == Pressure::NONE) return {};
  if (pressure != Pressure::ALWAYS && static_cast<int64_t>(accounted_held_) < options_.cold->heldBytes() / kSmallPart) return {};
  // What is being captured must stay. That takes a moment only; if there is none left, the rest is captured now.
  const auto is_capturing = [](const auto& each) { return each.second.tiered->isCapturing(); };
  if (pressure != Pressure::SEVERE && std::any_of(tables_.begin(), tables_.end(), is_capturing)) return {};
  for (const auto& [name, table] : tables_) table.tiered->finishCapture();
  double part = kSomeOfThem;
  if (pressure == Pressure::SEVERE) part = accounted_free_ > accounted_held_ / 4 ? 1 : kManyOfThem;
  if (pressure == Pressure::ALWAYS) part = 1;
  for (const auto& [name, table] : tables_) RETURN_IF_ERROR(table.tiered->evict(part));
  measure();
  options_.cold->giveBack();
  return {};
}

void HotKeyedStateStore::clear() {
  if (options_.cold) account(0, 0);
  begun_.reset();
  tables_.clear();
  restored_.clear();
  restored_snapshots_.clear();
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
