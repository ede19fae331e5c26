#include "worker/task/task_graph.h"

#include <algorithm>
#include <set>

namespace thalweg::worker {

namespace {

Status broken(const TaskSpec& task, const std::string& what) { return Status::internal("task '" + task.name + "': " + what); }

Status checkInput(const TaskGraph& graph, size_t position, const TaskInput& input) {
  const TaskSpec& task = graph.tasks[position];
  if (input.upstream < 0 || static_cast<size_t>(input.upstream) >= position) {
    return broken(task, "an input names upstream task " + std::to_string(input.upstream));
  }
  const TaskSpec& upstream = graph.tasks[static_cast<size_t>(input.upstream)];
  if (input.partition == PartitionKind::FORWARD && upstream.parallelism != task.parallelism) {
    return broken(task, "a forward edge joins parallelism " + std::to_string(upstream.parallelism) + " and " +
                            std::to_string(task.parallelism));
  }
  if (input.partition == PartitionKind::SINGLETON && task.parallelism != 1) {
    return broken(task, "a singleton edge leads to parallelism " + std::to_string(task.parallelism));
  }
  if (input.operator_input < 0) return broken(task, "an input feeds operator input " + std::to_string(input.operator_input));
  if (input.partition == PartitionKind::ROUTED && input.keys.size() != 1) return broken(task, "a routed edge names no column");
  if (input.partition != PartitionKind::HASH && input.partition != PartitionKind::ROUTED) return {};
  for (const int key : input.keys) {
    if (key < 0 || static_cast<size_t>(key) >= input.types.size()) return broken(task, "no column " + std::to_string(key) + " to hash by");
  }
  return {};
}

Status checkTask(const TaskGraph& graph, size_t position, std::set<std::string>& uids) {
  const TaskSpec& task = graph.tasks[position];
  if (task.parallelism < 1 || task.parallelism > graph.max_parallelism) {
    return broken(task, "parallelism " + std::to_string(task.parallelism) + " is not within 1 and the maximum of " +
                            std::to_string(graph.max_parallelism));
  }
  if (task.source.has_value() != task.inputs.empty()) return broken(task, "it needs a source or inputs, and not both");
  if (!task.source && task.operators.empty()) return broken(task, "it has no operator");
  std::set<int> fed;
  for (const TaskInput& input : task.inputs) {
    RETURN_IF_ERROR(checkInput(graph, position, input));
    fed.insert(input.operator_input);
  }
  if (!fed.empty() && *fed.rbegin() + 1 != static_cast<int>(fed.size())) return broken(task, "an input of its first operator is fed by no edge");
  if (task.source && !uids.insert(task.source->uid).second) return broken(task, "uid '" + task.source->uid + "' is not unique");
  for (const OperatorNode& node : task.operators) {
    if (!uids.insert(node.uid).second) return broken(task, "uid '" + node.uid + "' is not unique");
  }
  return {};
}

}  // namespace

int TaskSpec::inputCount() const {
  if (source) return 1;
  int count = 0;
  for (const TaskInput& input : inputs) count = std::max(count, input.operator_input + 1);
  return count;
}

Status TaskGraph::validate() const {
  std::set<std::string> uids;
  for (size_t position = 0; position < tasks.size(); ++position) RETURN_IF_ERROR(checkTask(*this, position, uids));
  return {};
}

}  // namespace thalweg::worker
