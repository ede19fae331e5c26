// OperatorUids: the names under which operators find their state again.
//
// A uid is the operator's kind and a digest of what it does, of the types of its input, and of the operators with state
// and the sources above it. So it stays when a statement is added beside the operator, or a filter or projection above it
// changes; and state never meets an operator that lays it out differently. Operators that are alike are numbered in the
// order of the plan.
// State that was kept by `MOD(x, 10)` must not go on by `MOD(x, 7)`, though: computedInputsOf() says what is computed on the way
// to an operator (common/runtime_api/computed_inputs.h compares). Threads: one owner.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "common/planner/physical_builder.h"

namespace thalweg {

class OperatorUids {
 public:
  /// `text`: what the operator does (operator_identity.h). Inputs before those that read them; each draft once.
  std::string uidOf(const Draft& draft, const std::string& text);
  /// The expressions in its input, a line each, sorted; nothing for sources, sinks and what keeps no state. After uidOf().
  std::optional<std::string> computedInputsOf(const Draft& draft) const;

 private:
  /// Of what passes through operators without state.
  struct Computed {
    std::set<std::string> expressions;
    bool shared = false;             ///< others read the same, so some may be theirs
  };
  Computed computedBefore(const Draft& draft) const;
  static Computed computedBy(const Draft& draft, Computed before);

  std::unordered_map<const Draft*, std::string> anchors_;   // what a draft tells those below it: its uid, or its inputs'
  std::unordered_map<std::string, int> alike_;
  std::unordered_map<const Draft*, Computed> computed_;
};

}  // namespace thalweg
