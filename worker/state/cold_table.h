// ColdTable: the cold entries of one keyed table of one subtask, in runs; the newer a run, the more it counts.
//
//   RETURN_IF_ERROR(table.find(ns, keys, visit));       // keys distinct and sorted
//   ASSIGN_OR_RETURN(auto writer, table.beginRun(n)); … RETURN_IF_ERROR(table.endRun(std::move(writer)));
//
// Runs of about one size are merged, in the background where the tier has an executor, so that there are few: a run
// joins those before it once they hold as much as it. A key is thus rewritten about as often as the table doubles.
// While all entries are in memory nobody reads the runs: then they are merged only when there are many, or half of what they
// hold counts no more.
// Errors: IO_ERROR. Threads: one owner; merges elsewhere work on files that do not change.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "worker/state/cold_tier.h"
#include "worker/state/pending_run.h"
#include "worker/state/run_merge.h"

namespace thalweg::worker {

class ColdTable {
 public:
  /// Of the keys in key groups [groups_begin, groups_end).
  ColdTable(std::shared_ptr<ColdTier> tier, bool fixed_keys, uint32_t groups_begin, uint32_t groups_end)
      : tier_(std::move(tier)), fixed_keys_(fixed_keys), groups_begin_(groups_begin), groups_end_(groups_end) {}
  ColdTable(const ColdTable&) = delete;
  ColdTable& operator=(const ColdTable&) = delete;

  /// Whether the namespace may have entries here.
  bool holds(StateNamespace ns) const;
  /// Calls `visit` for those of `keys` that were written, with no value if they were erased since.
  Status find(StateNamespace ns, std::span<const RunKey> keys, const StateRun::Visitor& visit);
  /// Reads the namespace as it is now, whatever is written meanwhile; erased keys are left out.
  std::unique_ptr<RunMerge> read(StateNamespace ns) const;

  Result<std::unique_ptr<RunWriter>> beginRun(size_t entries_max) { return tier_->createRun(fixed_keys_, entries_max); }
  /// What was written is newer than all else. A writer without entries leaves nothing.
  Status endRun(std::unique_ptr<RunWriter> writer);
  /// Takes runs over that are newer than all else, the newest first, but for some namespaces.
  Status add(std::span<const std::shared_ptr<const StateRun>> runs, const std::set<StateNamespace>& without = {});
  /// A run as one of this table.
  HeldRun heldOf(std::shared_ptr<const StateRun> run) const;
  void eraseNamespace(StateNamespace ns);
  /// `all_in_memory`: of the table's `entries`.
  void noteUse(bool all_in_memory, uint64_t entries) {
    all_in_memory_ = all_in_memory;
    entries_ = entries;
  }
  /// Takes runs of checkpoints over, older than all else, the newest first; they stay where they are.
  Status adopt(std::span<const HeldRun> runs);
  /// Of a namespace, erased and superseded ones counted too.
  uint64_t entriesAtMost(StateNamespace ns) const;

  const std::vector<HeldRun>& runs() const { return runs_; }      ///< newest first
  ColdTier& tier() { return *tier_; }
  const std::shared_ptr<ColdTier>& sharedTier() const { return tier_; }

 private:
  /// A merge of the runs [first, first + inputs), counted from the oldest so that new runs do not matter.
  struct Merge {
    std::shared_ptr<PendingRun> output;
    size_t inputs = 0;
    size_t older = 0;                    // runs that are older than all inputs
  };
  Status takeMerged();
  void endMerge();
  Status startMerge();
  bool holdsMuchInVain() const;

  std::shared_ptr<ColdTier> tier_;
  const bool fixed_keys_;
  const uint32_t groups_begin_;
  const uint32_t groups_end_;
  std::vector<HeldRun> runs_;
  std::optional<Merge> merge_;                  // under way; it owns what it works on
  std::set<StateNamespace> erased_;             // since it began
  bool all_in_memory_ = false;                  // as of noteUse()
  uint64_t entries_ = 0;
};

}  // namespace thalweg::worker
