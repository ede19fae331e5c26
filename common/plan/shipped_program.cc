#include "common/plan/shipped_program.h"

namespace thalweg {
namespace {

constexpr int kParallelismMax = 32768;
constexpr size_t kTasksMax = 100000;

std::string exchangeName(ExchangeKind exchange) {
  switch (exchange) {
    case ExchangeKind::FORWARD: return "FORWARD";
    case ExchangeKind::HASH: return "HASH";
    case ExchangeKind::REBALANCE: return "REBALANCE";
    case ExchangeKind::BROADCAST: return "BROADCAST";
    case ExchangeKind::SINGLETON: return "GLOBAL";
  }
  return "";
}

}  // namespace

Status JobOutline::validate() const {
  if (tasks.empty() || tasks.size() > kTasksMax) return Status::invalid("expected 1 to " + std::to_string(kTasksMax) + " tasks in a job, found " + std::to_string(tasks.size()));
  if (max_parallelism < 1 || max_parallelism > kParallelismMax) return Status::invalid("expected a maximum parallelism within 1 and 32768, found " + std::to_string(max_parallelism));
  for (size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    if (task.parallelism < 1 || task.parallelism > max_parallelism) {
      return Status::invalid("expected a parallelism within 1 and " + std::to_string(max_parallelism) + " for task '" + task.name + "', found " + std::to_string(task.parallelism));
    }
    for (const Input& input : task.inputs) {
      if (input.from < 0 || static_cast<size_t>(input.from) >= i) return Status::invalid("task '" + task.name + "' reads from a task that does not stand before it");
    }
  }
  return {};
}

JobOutline outlineOf(const JobGraph& graph) {
  JobOutline outline;
  outline.max_parallelism = graph.max_parallelism;
  outline.batch_mode = graph.batch_mode;
  for (const JobTask& task : graph.tasks) {
    JobOutline::Task& made = outline.tasks.emplace_back();
    made.name = task.name;
    made.parallelism = task.parallelism;
    for (const JobEdge& edge : task.inputs) made.inputs.push_back({edge.from_task, exchangeName(edge.exchange)});
    for (const PlanNodePtr& node : task.chain) made.operators.push_back({node->uid, node->description});
  }
  return outline;
}

}  // namespace thalweg
