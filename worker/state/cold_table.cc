#include "worker/state/cold_table.h"

#include <algorithm>

#include "common/base/mutex.h"

namespace thalweg::worker {

namespace {

constexpr size_t kRunsMax = 16;          // then the owner merges, or waits for who does

/// Those of sorted keys whose hashes are in the range.
std::span<const RunKey> owned(const std::vector<RunKey>& keys, const HashRange& hashes) {
  if (keys.empty() || (hashes.contains(keys.front().hash) && hashes.contains(keys.back().hash))) return keys;
  const auto begin = std::lower_bound(keys.begin(), keys.end(), hashes.first, [](const RunKey& key, uint64_t hash) { return key.hash < hash; });
  const auto end = std::upper_bound(keys.begin(), keys.end(), hashes.last, [](uint64_t hash, const RunKey& key) { return hash < key.hash; });
  return begin < end ? std::span<const RunKey>(begin, end) : std::span<const RunKey>();
}

bool isFlatEnough(const std::vector<HeldRun>& runs) { return runs.size() < kRunsMax; }

}  // namespace

/// A merge of the runs [first, first + inputs.size()), counted from the oldest so that new runs do not matter.
struct ColdTable::Merge {
  std::vector<HeldRun> inputs;           // newest first
  size_t older = 0;                      // runs that are older than all inputs
  Mutex mutex;
  Condition ended;
  bool begun GUARDED_BY(mutex) = false;
  bool done GUARDED_BY(mutex) = false;
  Status status GUARDED_BY(mutex);
  std::shared_ptr<const StateRun> output GUARDED_BY(mutex);

  /// Unless somebody else does.
  void run(ColdTier& tier, bool fixed_keys) {
    {
      const MutexLock lock(mutex);
      if (begun) return;
      begun = true;
    }
    Result<std::shared_ptr<const StateRun>> result = write(tier, fixed_keys);
    MutexLock lock(mutex);
    status = result.status();
    if (result.isOk()) output = *std::move(result);
    done = true;
    ended.notifyAll();
  }

  Result<std::shared_ptr<const StateRun>> write(ColdTier& tier, bool fixed_keys) {
    uint64_t entries = 0;
    for (const HeldRun& input : inputs) entries += input.entries();
    ASSIGN_OR_RETURN(auto writer, tier.createRun(fixed_keys, entries));
    RETURN_IF_ERROR(mergeRuns(inputs, older > 0, *writer));
    return writer->finish();
  }
};

ColdTable::~ColdTable() = default;       // a merge under way owns what it works on

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

Status ColdTable::endRun(std::unique_ptr<RunWriter> writer) {
  if (writer->entries() > 0) {
    ASSIGN_OR_RETURN(std::shared_ptr<const StateRun> run, writer->finish());
    std::vector<RunSegment> segments = run->segments();
    runs_.insert(runs_.begin(), HeldRun{std::move(run), std::move(segments), groups_begin_, groups_end_});
  }
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
  if (!merge_) return {};
  // The executor's threads may all be busy, even waiting for this one.
  if (!isFlatEnough(runs_)) merge_->run(*tier_, fixed_keys_);
  std::shared_ptr<const StateRun> output;
  {
    MutexLock lock(merge_->mutex);
    while (!merge_->done && !isFlatEnough(runs_)) merge_->ended.wait(merge_->mutex);
    if (!merge_->done) return {};
    RETURN_IF_ERROR(merge_->status);
    output = merge_->output;
  }
  std::vector<RunSegment> segments = output->segments();
  std::erase_if(segments, [&](const RunSegment& segment) { return erased_.contains(segment.ns); });
  const auto end = runs_.end() - static_cast<ptrdiff_t>(merge_->older);
  const auto begin = end - static_cast<ptrdiff_t>(merge_->inputs.size());
  *begin = HeldRun{std::move(output), std::move(segments), groups_begin_, groups_end_};
  runs_.erase(begin + 1, end);
  std::erase_if(runs_, [](const HeldRun& held) { return held.segments.empty(); });
  merge_.reset();
  erased_.clear();
  return {};
}

/// From the newest run on, those whose next holds no more than all before it.
Status ColdTable::startMerge() {
  if (merge_ || runs_.size() < 2) return {};
  uint64_t entries = runs_[0].entries();
  size_t count = 1;
  while (count < runs_.size() && runs_[count].entries() <= entries) entries += runs_[count++].entries();
  if (count < 2) return {};
  merge_ = std::make_shared<Merge>();
  merge_->inputs.assign(runs_.begin(), runs_.begin() + static_cast<ptrdiff_t>(count));
  merge_->older = runs_.size() - count;
  tier_->runBlocking([merge = merge_, tier = tier_, fixed_keys = fixed_keys_] { merge->run(*tier, fixed_keys); });
  return takeMerged();
}

}  // namespace thalweg::worker
