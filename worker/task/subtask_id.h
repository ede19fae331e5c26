// SubtaskId: one subtask of a job, by its task's position in the graph. Threads: values.
#pragma once

#include <compare>

namespace thalweg::worker {

struct SubtaskId {
  int task = 0;                     ///< position in the graph
  int index = 0;
  friend auto operator<=>(const SubtaskId&, const SubtaskId&) = default;
};

}  // namespace thalweg::worker
