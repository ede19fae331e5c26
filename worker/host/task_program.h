// TaskProgram: how a task process turns a shipped job into what it can run. Given by the executable, which alone knows
// planner and operators. Threads: called once, on the host's loop.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/plan/statements/frozen_script.h"
#include "worker/operators/collect_operator.h"
#include "worker/task/task_graph.h"

namespace thalweg::worker {

struct PlannedTasks {
  TaskGraph graph;
  std::vector<std::shared_ptr<ResultQueue>> results;   ///< rows of a query
  std::string fingerprint;
  std::string text;                                    ///< what the fingerprint is of
};

struct TaskProgram {
  std::function<Result<PlannedTasks>(const FrozenScript& script)> plan;
  /// Names the first difference of two texts.
  std::function<std::string(const std::string& expected, const std::string& found)> difference;
  /// How to avoid one.
  std::string remedy = "run the same version everywhere";
};

}  // namespace thalweg::worker
