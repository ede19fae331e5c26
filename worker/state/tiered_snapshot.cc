// Snapshots of a tiered table: what a capture leaves behind.
#include "common/base/check.h"
#include "common/base/failpoint.h"
#include "common/base/hash.h"
#include "worker/state/tiered_keyed_table.h"

namespace thalweg::worker {

void TieredKeyedTable::beginSnapshot(CaptureInto into, std::function<void()> wake) {
  CHECK(!capture_ && !captured_);
  CHECK(into == CaptureInto::RUNS || (cold_.runs().empty() && erased_.empty()));
  CaptureOptions options{.into = into, .runs_before = cold_.runs(), .erased = std::move(erased_), .wake = std::move(wake)};
  erased_.clear();
  capture_ = std::make_unique<TableCapture>(hot_, cold_.sharedTier(), std::move(options));
}

CaptureProgress TieredKeyedTable::captureSome(size_t work) {
  if (captured_) return CaptureProgress::READY;
  const CaptureProgress progress = capture_->advance(work);
  if (progress == CaptureProgress::READY) endCapture();
  return progress;
}

void TieredKeyedTable::finishCapture() {
  if (!capture_) return;
  capture_->finish();
  endCapture();
}

/// What was written is the table's, whatever becomes of the snapshot. What was not is as if it had changed again.
void TieredKeyedTable::endCapture() {
  TableCapture::Written written = capture_->take();
  cold_.noteUse(cold_only_.empty(), hot_.size());
  const Status added = THALWEG_MUTANT("captured_runs_forgotten") ? Status() : cold_.add(written.runs, capture_->erasedNamespaces());
  keepErased(written.status.isOk());
  std::vector<HeldRun> runs;
  for (const auto& run : written.runs) runs.push_back(cold_.heldOf(run));
  runs.insert(runs.end(), capture_->runsBefore().begin(), capture_->runsBefore().end());
  std::shared_ptr<const ErasedKeys> erased = capture_->sharedErased();
  capture_.reset();
  forget(std::move(erased));
  if (!written.status.isOk()) captured_ = written.status;
  else if (!added.isOk()) captured_ = added;
  else captured_ = CapturedTable{std::move(runs), std::move(written.bytes)};
}

/// Many keys take their time to be freed.
void TieredKeyedTable::forget(std::shared_ptr<const ErasedKeys> erased) {
  constexpr size_t kQuicklyFreed = 1000;
  size_t keys = 0;
  for (const auto& [ns, of_namespace] : *erased) keys += of_namespace.size();
  if (keys > kQuicklyFreed) cold_.tier().runBlocking([erased = std::move(erased)]() mutable { erased.reset(); });
}

Result<CapturedTable> TieredKeyedTable::takeSnapshot() {
  CHECK(captured_);
  Result<CapturedTable> taken = *std::move(captured_);
  captured_.reset();
  return taken;
}

/// Keys whose marks were not written; and those of which open cursors have older runs.
void TieredKeyedTable::keepErased(bool written) {
  for (const auto& [ns, keys] : capture_->erased()) {
    if ((written && !cursors_.contains(ns)) || capture_->erasedNamespaces().contains(ns)) continue;
    for (const std::string& key : keys) {
      if (hot_.payloadOf(ns, hashBytes(key), key) == nullptr) erased_[ns].insert(key);
    }
  }
}

}  // namespace thalweg::worker
