#include "worker/operators/match/match_threads.h"

#include <algorithm>

namespace thalweg::worker {

bool readsRowOnly(const MatchSpec& spec, size_t variable) {
  const auto& values = spec.pattern[variable].values;
  return std::all_of(values.begin(), values.end(), [&](const MatchValue& value) {
    const bool own = value.variable < 0 || value.variable == static_cast<int>(variable);
    return value.kind == MatchValue::Kind::LAST && value.offset == 0 && own;
  });
}

MatchThreads::MatchThreads(const MatchSpec& spec) : pattern_(spec.pattern) {
  for (size_t i = 0; i < pattern_.size(); ++i) memoryless_ = memoryless_ && readsRowOnly(spec, i);
}

std::vector<MatchThread> MatchThreads::begin() const {
  std::vector<MatchThread> threads;
  expand(0, MatchCounts(pattern_.size(), 0), threads);
  return threads;
}

void MatchThreads::step(MatchStart& start, const std::vector<uint8_t>& accepts) const {
  std::vector<MatchThread> next;
  for (size_t i = 0; i < start.threads.size(); ++i) {
    if (!accepts[i]) continue;
    MatchThread& thread = start.threads[i];
    ++thread.counts[thread.variable];
    if (!expand(thread.variable, thread.counts, next)) continue;
    start.found = std::move(thread.counts);
    next.clear();
    break;
  }
  start.threads = std::move(next);
}

size_t MatchThreads::lastTaken(const MatchCounts& counts) {
  for (size_t v = counts.size(); v-- > 0;) {
    if (counts[v] > 0) return v;
  }
  return 0;
}

bool MatchThreads::expand(size_t variable, const MatchCounts& counts, std::vector<MatchThread>& out) const {
  if (variable == pattern_.size()) return true;
  const MatchVariable& at = pattern_[variable];
  if (counts[variable] >= at.min && expand(variable + 1, counts, out)) return true;
  if (!at.max || counts[variable] < *at.max) addTake(variable, counts, out);
  return false;
}

void MatchThreads::addTake(size_t variable, const MatchCounts& counts, std::vector<MatchThread>& out) const {
  if (memoryless_) {
    const MatchVariable& at = pattern_[variable];
    // Without an upper bound all counts from the lower one on are alike.
    const auto place = [&](uint32_t count) { return at.max ? int64_t{count} : std::min<int64_t>(count, at.min); };
    const bool known = std::any_of(out.begin(), out.end(), [&](const MatchThread& thread) {
      return thread.variable == variable && place(thread.counts[variable]) == place(counts[variable]) &&
             lastTaken(thread.counts) == lastTaken(counts);
    });
    if (known) return;
  }
  out.push_back({static_cast<uint32_t>(variable), counts});
}

}  // namespace thalweg::worker
