// MatchThreads: the row pattern as an automaton that keeps all ways to match, as Flink's does.
//
// A way is a variable that may take the next row and the rows taken so far; since variables stand in sequence and take
// neighbouring rows, the counts say all. The way that reaches the pattern's end first is the match; of two that do so
// with one row, the one that left its variables earlier. The others are given up.
// A greedy variable bars those behind it: a row that it would take, they cannot, even where it has taken all it may.
// An optional variable (`?`) is not greedy; a last one never takes a row.
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
  /// Calls `with(variable)` for the greedy variables that the way has left without taking a row since.
  template <typename With>
  void forEachBar(const MatchThread& thread, With with) const {
    for (size_t v = lastTaken(thread.counts); v < thread.variable; ++v) {
      if (isGreedy(pattern_[v])) with(v);
    }
  }

 private:
  static bool isOptional(const MatchVariable& variable) { return variable.min == 0 && variable.max == 1; }
  static bool isGreedy(const MatchVariable& variable) {
    return !variable.reluctant && variable.min != variable.max && !isOptional(variable);
  }
  /// The variable of the newest row; the first one before there is a row.
  static size_t lastTaken(const MatchCounts& counts);

  /// Appends the ways from `variable` on; gives true when the pattern's end is among them.
  bool expand(size_t variable, const MatchCounts& counts, std::vector<MatchThread>& out) const;
  void addTake(size_t variable, const MatchCounts& counts, std::vector<MatchThread>& out) const;

  const std::vector<MatchVariable>& pattern_;
  bool memoryless_ = true;   ///< conditions see the row only, so that of equal ways the most wanted is enough
};

/// Whether the condition reads nothing but the row under test.
bool readsRowOnly(const MatchSpec& spec, size_t variable);

}  // namespace thalweg::worker
