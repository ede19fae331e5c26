#include "worker/state/run_merge.h"

#include <algorithm>

namespace thalweg::worker {

HashRange hashesOfKeyGroups(uint32_t begin, uint32_t end, uint32_t max_parallelism) {
  // The first high half of a hash whose group is at least `group` (keyGroupOf multiplies and shifts).
  const auto firstOf = [&](uint64_t group) { return ((group << 32) + max_parallelism - 1) / max_parallelism; };
  return {.first = firstOf(begin) << 32, .last = end >= max_parallelism ? UINT64_MAX : (firstOf(end) << 32) - 1};
}

const RunSegment* HeldRun::segment(StateNamespace ns) const {
  const auto at = std::lower_bound(segments.begin(), segments.end(), ns, [](const RunSegment& a, StateNamespace b) { return a.ns < b; });
  return at != segments.end() && at->ns == ns ? &*at : nullptr;
}

uint64_t HeldRun::entries() const {
  uint64_t total = 0;
  for (const RunSegment& segment : segments) total += segment.entries;
  return total;
}

RunMerge::RunMerge(std::span<const HeldRun> runs, StateNamespace ns, bool keeps_erased) : keeps_erased_(keeps_erased) {
  for (const HeldRun& held : runs) {
    if (const RunSegment* segment = held.segment(ns)) sources_.push_back({RunReader(held.run, *segment, held.hashes.first), held.hashes});
  }
}

Status RunMerge::advance(Source& source) {
  do {
    ASSIGN_OR_RETURN(source.entry, source.reader.next());
  } while (source.entry != nullptr && source.entry->hash < source.hashes.first);
  if (source.entry != nullptr && source.entry->hash > source.hashes.last) source.entry = nullptr;
  return {};
}

Status RunMerge::begin() {
  begun_ = true;
  for (Source& source : sources_) RETURN_IF_ERROR(advance(source));
  return {};
}

Result<const RunEntry*> RunMerge::next() {
  if (!begun_) RETURN_IF_ERROR(begin());
  for (;;) {
    if (given_ != SIZE_MAX) {
      RETURN_IF_ERROR(advance(sources_[given_]));
      given_ = SIZE_MAX;
    }
    Source* least = nullptr;
    for (Source& source : sources_) {
      if (source.entry == nullptr) continue;
      if (least == nullptr) {
        least = &source;
        continue;
      }
      const RunEntry& a = *source.entry;
      const RunEntry& b = *least->entry;
      if (a.hash != b.hash ? a.hash < b.hash : a.key < b.key) {
        least = &source;
      } else if (a.hash == b.hash && a.key == b.key) {      // superseded
        RETURN_IF_ERROR(advance(source));
      }
    }
    if (least == nullptr) return nullptr;
    given_ = static_cast<size_t>(least - sources_.data());
    if (least->entry->value || keeps_erased_) return least->entry;
  }
}

std::vector<StateNamespace> namespacesOf(std::span<const HeldRun> runs) {
  std::vector<StateNamespace> namespaces;
  for (const HeldRun& held : runs) {
    for (const RunSegment& segment : held.segments) namespaces.push_back(segment.ns);
  }
  std::sort(namespaces.begin(), namespaces.end());
  namespaces.erase(std::unique(namespaces.begin(), namespaces.end()), namespaces.end());
  return namespaces;
}

Status mergeRuns(std::span<const HeldRun> runs, bool keeps_erased, RunWriter& writer) {
  return forEachEntry(runs, keeps_erased, [&](StateNamespace ns, const RunEntry& entry) { return writer.add(ns, entry.hash, entry.key, entry.value); });
}

}  // namespace thalweg::worker
