// OperatorUids: the names under which operators find their state again.
//
// A uid is the operator's kind and a digest of what it does, of the types of its input, and of the operators with state
// and the sources above it. So it stays when a statement is added beside the operator, or a filter or projection above it
// changes; and state never meets an operator that lays it out differently. Operators that are alike are numbered in the
// order of the plan. Threads: one owner.
#pragma once

#include <string>
#include <unordered_map>

#include "common/planner/physical_builder.h"

namespace thalweg {

class OperatorUids {
 public:
  /// Inputs before those that read them; each draft once.
  std::string uidOf(const Draft& draft, const std::string& description);

 private:
  std::unordered_map<const Draft*, std::string> anchors_;   // what a draft tells those below it: its uid, or its inputs'
  std::unordered_map<std::string, int> alike_;
};

}  // namespace thalweg
