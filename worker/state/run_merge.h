// RunMerge: reads several runs as one; of equal keys the newest counts.
//
//   RunMerge merge(runs, ns, keeps_erased);        // newest first
//   ASSIGN_OR_RETURN(const RunEntry* entry, merge.next());
//
// Memory: a buffer a run. Threads: one owner.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "worker/state/run_writer.h"
#include "worker/state/state_run.h"

namespace thalweg::worker {

/// Hashes from `first` to `last`, both included.
struct HashRange {
  uint64_t first = 0;
  uint64_t last = UINT64_MAX;
  bool contains(uint64_t hash) const { return hash >= first && hash <= last; }
};
/// Of the keys in key groups [begin, end), of which there is one at least.
HashRange hashesOfKeyGroups(uint32_t begin, uint32_t end, uint32_t max_parallelism);

/// A run as one table sees it: without the namespaces that it erased and the keys that others own.
struct HeldRun {
  std::shared_ptr<const StateRun> run;
  std::vector<RunSegment> segments;           ///< by namespace
  uint32_t groups_begin = 0;                  ///< key groups [begin, end) are the table's
  uint32_t groups_end = UINT32_MAX;
  HashRange hashes = {};                      ///< of these

  const RunSegment* segment(StateNamespace ns) const;
  uint64_t entries() const;
};

class RunMerge {
 public:
  RunMerge(std::span<const HeldRun> runs, StateNamespace ns, bool keeps_erased);

  /// Null at the end. The entry lives until the next call.
  Result<const RunEntry*> next();

 private:
  Status begin();

  struct Source {
    RunReader reader;
    HashRange hashes;
    const RunEntry* entry = nullptr;
  };
  static Status advance(Source& source);
  std::vector<Source> sources_;               // newest first
  const bool keeps_erased_;
  bool begun_ = false;
  size_t given_ = SIZE_MAX;                   // whose entry was handed out
};

/// The namespaces that any of the runs has, ascending.
std::vector<StateNamespace> namespacesOf(std::span<const HeldRun> runs);

/// Calls `visit(ns, entry)`, which gives a Status, for what RunMerge gives of each namespace.
template <typename Visit>
Status forEachEntry(std::span<const HeldRun> runs, bool keeps_erased, Visit&& visit) {
  for (const StateNamespace ns : namespacesOf(runs)) {
    RunMerge merge(runs, ns, keeps_erased);
    for (;;) {
      ASSIGN_OR_RETURN(const RunEntry* entry, merge.next());
      if (entry == nullptr) break;
      RETURN_IF_ERROR(visit(ns, *entry));
    }
  }
  return {};
}

/// Writes all of `runs`, newest first, as one. Without `keeps_erased`, keys that are gone leave nothing: only if nothing
/// older exists.
Status mergeRuns(std::span<const HeldRun> runs, bool keeps_erased, RunWriter& writer);

}  // namespace thalweg::worker
