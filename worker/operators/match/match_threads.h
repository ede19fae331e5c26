// MatchThreads: the row pattern as an automaton that keeps all ways to match, the most wanted first.
//
// A way is a variable that may take the next row and the rows taken so far; since variables stand in sequence and take
// neighbouring rows, the counts say all. A way that reaches the pattern's end is a match; ways less wanted than it are
// given up, ways more wanted go on and may replace it. Greedy variables want to take, reluctant ones to go on.
// Threads: immutable but for scratch; as the operator.
#pragma once

#include <functional>
#include <vector>

#include "common/plan/operator_spec.h"
#include "worker/operators/match/match_partition.h"

namespace thalweg::worker {

class MatchThreads {
 public:
  explicit MatchThreads(const MatchSpec& spec);

  /// The ways of a match that has no row yet.
  std::vector<MatchThread> begin() const;
  /// Whether the last row taken lets a way live: accepts[i] answers for start.threads[i], its count not yet raised.
  void step(MatchStart& start, const std::vector<uint8_t>& accepts) const;

 private:
  /// Appends the ways from `variable` on; gives true, and the match in `found`, when the end is among them: what follows
  /// is wanted less.
  bool expand(size_t variable, MatchCounts& counts, std::vector<MatchThread>& out, std::optional<MatchCounts>& found) const;
  void addTake(size_t variable, const MatchCounts& counts, std::vector<MatchThread>& out) const;

  const std::vector<MatchVariable>& pattern_;
  bool memoryless_ = true;   ///< conditions see the row only, so that of equal ways the most wanted is enough
};

/// Whether the condition reads nothing but the row under test.
bool readsRowOnly(const MatchSpec& spec, size_t variable);

}  // namespace thalweg::worker
