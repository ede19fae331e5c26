#include "worker/task/edge_cycles.h"

#include <vector>

namespace thalweg::worker {

namespace {

/// Sets of tasks that hang together.
class TaskSets {
 public:
  explicit TaskSets(size_t tasks) : parents_(tasks) {
    for (size_t task = 0; task < tasks; ++task) parents_[task] = task;
  }
  size_t find(size_t task) {
    while (parents_[task] != task) task = parents_[task] = parents_[parents_[task]];
    return task;
  }
  void join(size_t a, size_t b) { parents_[find(a)] = find(b); }

 private:
  std::vector<size_t> parents_;
};

/// Whether both ends of the edge hang together without it.
bool isOnCycle(const TaskGraph& graph, const TaskInput& edge, size_t receiver) {
  TaskSets sets(graph.tasks.size());
  for (size_t task = 0; task < graph.tasks.size(); ++task) {
    for (const TaskInput& input : graph.tasks[task].inputs) {
      if (&input != &edge) sets.join(task, static_cast<size_t>(input.upstream));
    }
  }
  return sets.find(receiver) == sets.find(static_cast<size_t>(edge.upstream));
}

}  // namespace

void boundOffCycles(TaskGraph& graph) {
  for (size_t task = 0; task < graph.tasks.size(); ++task) {
    for (TaskInput& input : graph.tasks[task].inputs) {
      if (input.unbounded_buffer && !isOnCycle(graph, input, task)) input.unbounded_buffer = false;
    }
  }
}

}  // namespace thalweg::worker
