#include "worker/state/cold_table.h"

#include <algorithm>

namespace thalweg::worker {

namespace {

constexpr size_t kRunsMax = 128;         // then the owner merges, or waits for who does
constexpr size_t kUnreadRunsMax = 32;    // then they are merged although nobody reads them
constexpr uint64_t kUnreadEntriesMin = 10'000;
constexpr uint64_t kQuicklyRemovedBytes = uint64_t{4} << 20;

/// Those of sorted keys whose hashes are in the range.
std::span<const RunKey> owned(const std::vector<RunKey>& keys, const HashRange& hashes) {
  if (keys.empty() || (hashes.contains(keys.front().hash) && hashes.contains(keys.back().hash))) return keys;
  const auto begin = std::lower_bound(keys.begin(), keys.end(), hashes.first, [](const RunKey& key, uint64_t hash) { return key.hash < hash; });
  const auto end = std::upper_bound(keys.begin(), keys.end(), hashes.last, [](uint64_t hash, const RunKey& key) { return hash < key.hash; });
  return begin < end ? std::span<const RunKey>(begin, end) : std::span<const RunKey>();
}

Result<std::shared_ptr<const StateRun>> writeMerged(std::span<const HeldRun> inputs, bool keeps_erased, ColdTier& tier, bool fixed_keys) {
  uint64_t entries = 0;
  for (const HeldRun& input : inputs) entries += input.entries();
  ASSIGN_OR_RETURN(auto writer, tier.createRun(fixed_keys, entries));
  RETURN_IF_ERROR(mergeRuns(inputs, keeps_erased, *writer));
  return writer->finish();
}

bool isFlatEnough(const std::vector<HeldRun>& runs) { return runs.size() < kRunsMax; }

}  // namespace

bool ColdTable::holds(StateNamespace ns) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const HeldRun& held) { return held.segment(ns) != nullptr; });
}

Status ColdTable::find(StateNamespace ns, std::span<const RunKey> keys, const StateRun::Visitor& visit) {
  std::vector<RunKey> left(keys.begin(), keys.end());
  std::vector<RunKey> rest;
  for (const HeldRun& held : runs_) {
    const RunSegment* segment = held.segment(ns);
    if (segment == nullptr || left.empty()) continue;
    rest.clear();
    size_t passed = 0;                   // of `left`: found, or put into rest
    RETURN_IF_ERROR(held.run->find(*segment, owned(left, held.hashes), [&](const RunKey& key, std::optional<std::string_view> value) {
      const auto at = static_cast<size_t>(&key - left.data());
      rest.insert(rest.end(), left.begin() + static_cast<ptrdiff_t>(passed), left.begin() + static_cast<ptrdiff_t>(at));
      passed = at + 1;
      return visit(key, value);
    }));
    if (passed == 0) continue;
    rest.insert(rest.end(), left.begin() + static_cast<ptrdiff_t>(passed), left.end());
    left.swap(rest);
  }
  return {};
}

std::unique_ptr<RunMerge> ColdTable::read(StateNamespace ns) const { return std::make_unique<RunMerge>(runs_, ns, false); }

HeldRun ColdTable::heldOf(std::shared_ptr<const StateRun> run) const {
  std::vector<RunSegment> segments = run->segments();
  return {std::move(run), std::move(segments), groups_begin_, groups_end_};
}

Status ColdTable::endRun(std::unique_ptr<RunWriter> writer) {
  if (writer->entries() == 0) return add({});
  ASSIGN_OR_RETURN(const std::shared_ptr<const StateRun> run, writer->finish());
  return add({&run, 1});
}

Status ColdTable::add(std::span<const std::shared_ptr<const StateRun>> runs, const std::set<StateNamespace>& without) {
  std::vector<HeldRun> added;
  for (const auto& run : runs) {
    HeldRun& held_run = added.emplace_back(heldOf(run));
    std::erase_if(held_run.segments, [&](const RunSegment& segment) { return without.contains(segment.ns); });
    if (held_run.segments.empty()) added.pop_back();
  }
  runs_.insert(runs_.begin(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  RETURN_IF_ERROR(takeMerged());
  return startMerge();
}

void ColdTable::eraseNamespace(StateNamespace ns) {
  if (merge_) erased_.insert(ns);
  for (HeldRun& held : runs_) std::erase_if(held.segments, [&](const RunSegment& segment) { return segment.ns == ns; });
  if (!merge_) std::erase_if(runs_, [](const HeldRun& held) { return held.segments.empty(); });
}

Status ColdTable::adopt(std::span<const HeldRun> runs) {
  for (const HeldRun& held : runs) {
    HeldRun& mine = runs_.emplace_back(held);
    ASSIGN_OR_RETURN(mine.run, tier_->adopt(*held.run));
  }
  return {};
}

uint64_t ColdTable::entriesAtMost(StateNamespace ns) const {
  uint64_t total = 0;
  for (const HeldRun& held : runs_) {
    if (const RunSegment* segment = held.segment(ns)) total += segment->entries;
  }
  return total;
}

Status ColdTable::takeMerged() {
  if (!merge_ || (isFlatEnough(runs_) && !merge_->output->isDone())) return {};
  Result<std::shared_ptr<const StateRun>> output = merge_->output->wait();
  if (!output.isOk()) {                // the disk may be full for a while: the runs stay as they are
    endMerge();
    return isFlatEnough(runs_) ? Status() : output.status();
  }
  HeldRun merged = heldOf(*std::move(output));
  std::erase_if(merged.segments, [&](const RunSegment& segment) { return erased_.contains(segment.ns); });
  const auto end = runs_.end() - static_cast<ptrdiff_t>(merge_->older);
  const auto begin = end - static_cast<ptrdiff_t>(merge_->inputs);
  // The system takes its time to remove large files, which go with the last who knows the run.
  const bool is_large = merged.run->sizeBytes() > kQuicklyRemovedBytes;
  auto replaced = std::make_shared<std::vector<HeldRun>>(std::make_move_iterator(begin), std::make_move_iterator(end));
  *begin = std::move(merged);
  runs_.erase(begin + 1, end);
  endMerge();
  if (is_large) tier_->runBlocking([replaced = std::move(replaced)]() mutable { replaced.reset(); });
  return {};
}

void ColdTable::endMerge() {
  std::erase_if(runs_, [](const HeldRun& each) { return each.segments.empty(); });
  merge_.reset();
  erased_.clear();
}

bool ColdTable::holdsMuchInVain() const {
  uint64_t held = 0;
  for (const HeldRun& run : runs_) held += run.entries();
  return held > 2 * entries_ + kUnreadEntriesMin;
}

/// From the newest run on, those whose next holds no more than all before it. Of runs that nobody reads none, until it is time.
Status ColdTable::startMerge() {
  if (merge_ || runs_.size() < 2) return {};
  const bool all = all_in_memory_ && holdsMuchInVain();
  if (all_in_memory_ && !all && runs_.size() <= kUnreadRunsMax) return {};
  uint64_t entries = runs_[0].entries();
  size_t count = 1;
  while (count < runs_.size() && (all || runs_[count].entries() <= entries)) entries += runs_[count++].entries();
  if (count < 2) return {};
  std::vector<HeldRun> inputs(runs_.begin(), runs_.begin() + static_cast<ptrdiff_t>(count));
  const size_t older = runs_.size() - count;
  auto output = std::make_shared<PendingRun>([inputs = std::move(inputs), keeps_erased = older > 0, tier = tier_, fixed_keys = fixed_keys_] {
    return writeMerged(inputs, keeps_erased, *tier, fixed_keys);
  });
  merge_ = Merge{output, count, older};
  tier_->runBlocking([output] { output->work(); });
  return takeMerged();
}

}  // namespace thalweg::worker
