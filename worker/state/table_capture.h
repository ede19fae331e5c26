// TableCapture: what a snapshot of a tiered table writes, taken out of the table while that is in use.
//
//   TableCapture capture(hot, tier, {.runs_before = cold.runs(), .erased = std::move(erased), .wake = wake});   // touches no entry
//   while (capture.advance(work) != CaptureProgress::READY) …                // between calls of the operator
//
// Captured entries wait in a buffer; a full one is sorted and written as a run on the executor's blocking side, while the
// next one fills. So memory is bounded: when writing does not keep up advance() says WRITING, and an operator that changes
// more than two buffers' worth meanwhile waits for it. The snapshot is these runs before those that the table had.
// What was captured counts as being on disk, so nothing may be evicted until the runs are the table's.
// A small table of which nothing is on disk goes into bytes of the checkpoint instead, which costs no file: it has one buffer,
// and its entries stay as they were, changed.
// Threads: the table's owner; `wake` is called elsewhere, after each run. Lifetime: borrows the hot table.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "worker/state/capture_buffer.h"
#include "worker/state/cold_tier.h"
#include "worker/state/hot_keyed_table.h"
#include "worker/state/pending_run.h"
#include "worker/state/run_merge.h"

namespace thalweg::worker {

enum class CaptureProgress : uint8_t {
  MORE,      ///< call again
  WRITING,   ///< nothing to do until files are written: `wake` is called then
  READY,
};

/// The progress of several captures, one after the other: `advance(part)` gives a part's.
template <typename Parts, typename Advance>
CaptureProgress captureEach(const Parts& parts, Advance&& advance) {
  CaptureProgress all = CaptureProgress::READY;
  for (const auto& part : parts) {
    const CaptureProgress progress = advance(*part);
    if (progress == CaptureProgress::MORE) return progress;
    if (progress == CaptureProgress::WRITING) all = progress;
  }
  return all;
}

/// Keys that are gone from memory, but not from disk.
using ErasedKeys = std::map<StateNamespace, std::unordered_set<std::string>>;

/// Where a snapshot puts a table.
enum class CaptureInto : uint8_t {
  RUNS,      ///< files
  BYTES,     ///< the format of table_snapshot.cc
};

struct CaptureOptions {
  CaptureInto into = CaptureInto::RUNS;        ///< BYTES: nothing of the table is on disk
  std::vector<HeldRun> runs_before = {};
  ErasedKeys erased = {};
  std::function<void()> wake = {};
};

class TableCapture final : public HotKeyedTable::Captor {
 public:
  TableCapture(HotKeyedTable& hot, std::shared_ptr<ColdTier> tier, CaptureOptions options);
  ~TableCapture() override;
  TableCapture(const TableCapture&) = delete;
  TableCapture& operator=(const TableCapture&) = delete;

  size_t capture(StateNamespace ns, EntryIndex place, char* payload) override;
  /// `work`: as of HotKeyedTable::captureSome.
  CaptureProgress advance(size_t work);
  /// All that is left, at once.
  void finish();

  /// Whether the key was gone at the snapshot.
  bool wasErased(StateNamespace ns, std::string_view key) const;
  const ErasedKeys& erased() const { return *erased_; }
  const std::shared_ptr<const ErasedKeys>& sharedErased() const { return erased_; }
  void noteErasedNamespace(StateNamespace ns) { erased_namespaces_.insert(ns); }
  /// Since the snapshot.
  const std::set<StateNamespace>& erasedNamespaces() const { return erased_namespaces_; }
  const std::vector<HeldRun>& runsBefore() const { return runs_before_; }

  struct Written {
    std::vector<std::shared_ptr<const StateRun>> runs;       ///< with disjoint keys; the largest first
    std::string bytes;                                       ///< instead, if so asked
    Status status;                                           ///< why some are missing, whose entries count as changed again
  };
  /// When READY, once.
  Written take();

 private:
  struct Writing {
    std::shared_ptr<PendingRun> run;
    std::shared_ptr<CaptureBuffer> buffer;
  };
  void handOver(bool with_erased);
  void handOverBytes();
  /// Takes what has been written.
  void settle();
  void waitForAll();
  void putBack(const CaptureBuffer& lost);

  HotKeyedTable& hot_;
  const std::shared_ptr<ColdTier> tier_;
  const CaptureInto into_;
  const size_t buffer_bytes_;
  const std::vector<HeldRun> runs_before_;
  const std::shared_ptr<const ErasedKeys> erased_;
  const std::function<void()> wake_;
  std::set<StateNamespace> erased_namespaces_;
  bool walked_ = false;
  std::shared_ptr<CaptureBuffer> buffer_;
  std::shared_ptr<std::string> bytes_;         // being written elsewhere
  std::vector<Writing> writing_;     // oldest first
  Written written_;
  std::string value_;                // scratch
};

}  // namespace thalweg::worker
