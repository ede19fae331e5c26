#include "coordinator/compiler/job_graph_compiler.h"

#include <algorithm>
#include <unordered_map>

namespace thalweg::coordinator {
namespace {

constexpr int kKeyGroupsMax = 32768;

class Compiler {
 public:
  Compiler(const CompiledPlan& plan, int parallelism) : parallelism_(parallelism) {
    graph_.configuration = plan.configuration;
    graph_.batch_mode = plan.batch_mode;
    for (const auto& sink : plan.sinks) countConsumers(sink);
    for (const auto& sink : plan.sinks) taskOf(sink);
  }

  JobGraph take() { return std::move(graph_); }

 private:
  void countConsumers(const PlanNodePtr& node) {
    if (++consumers_[node.get()] > 1) return;
    for (const PlanInput& input : node->inputs) countConsumers(input.node);
  }

  int parallelismOf(const PlanNode& node) const {
    if (node.parallelism > 0) return node.parallelism;
    for (const PlanInput& input : node.inputs) {
      if (input.distribution.kind == Distribution::Kind::SINGLETON) return 1;
    }
    return parallelism_;
  }

  bool chains(const PlanNode& node, int parallelism, const JobTask& upstream) const {
    return node.inputs.size() == 1 && consumers_.at(node.inputs[0].node.get()) == 1 && upstream.parallelism == parallelism &&
           (node.inputs[0].distribution.kind == Distribution::Kind::ANY ||
            (node.inputs[0].distribution.kind == Distribution::Kind::SINGLETON && parallelism == 1));
  }

  /// The task that `node` is the last operator of, so far.
  int taskOf(const PlanNodePtr& node) {
    if (const auto found = tasks_.find(node.get()); found != tasks_.end()) return found->second;
    std::vector<int> upstream;
    for (const PlanInput& input : node->inputs) upstream.push_back(taskOf(input.node));
    int parallelism = parallelismOf(*node);
    // What only passes rows on runs where its input runs.
    const bool follows = node->inputs.size() == 1 && node->parallelism == 0 && node->inputs[0].distribution.kind == Distribution::Kind::ANY;
    if (follows) parallelism = graph_.tasks[static_cast<size_t>(upstream[0])].parallelism;
    if (!upstream.empty() && chains(*node, parallelism, graph_.tasks[static_cast<size_t>(upstream[0])])) {
      JobTask& task = graph_.tasks[static_cast<size_t>(upstream[0])];
      task.chain.push_back(node);
      task.name += " -> " + std::string(operatorKindName(node->spec));
      tasks_[node.get()] = upstream[0];
      return upstream[0];
    }
    JobTask task;
    task.parallelism = parallelism;
    task.chain = {node};
    task.name = headName(*node);
    for (size_t i = 0; i < upstream.size(); ++i) task.inputs.push_back(edge(upstream[i], node->inputs[i].distribution, parallelism));
    graph_.tasks.push_back(std::move(task));
    const int index = static_cast<int>(graph_.tasks.size()) - 1;
    tasks_[node.get()] = index;
    return index;
  }

  JobEdge edge(int from, const Distribution& distribution, int parallelism) const {
    const int sender = graph_.tasks[static_cast<size_t>(from)].parallelism;
    switch (distribution.kind) {
      case Distribution::Kind::HASH:
        if (parallelism == 1) return {from, sender == 1 ? ExchangeKind::FORWARD : ExchangeKind::SINGLETON};
        return {from, ExchangeKind::HASH, distribution.keys};
      case Distribution::Kind::SINGLETON: return {from, sender == 1 ? ExchangeKind::FORWARD : ExchangeKind::SINGLETON};
      case Distribution::Kind::BROADCAST: return {from, ExchangeKind::BROADCAST};
      case Distribution::Kind::ANY: break;
    }
    if (sender == parallelism) return {from, ExchangeKind::FORWARD};
    return {from, parallelism == 1 ? ExchangeKind::SINGLETON : ExchangeKind::REBALANCE};
  }

  static std::string headName(const PlanNode& node) {
    if (const auto* source = std::get_if<SourceSpec>(&node.spec)) return "Source: " + source->table_name;
    return std::string(operatorKindName(node.spec));
  }

  int parallelism_;
  JobGraph graph_;
  std::unordered_map<const PlanNode*, int> consumers_;
  std::unordered_map<const PlanNode*, int> tasks_;
};

}  // namespace

Result<JobGraph> compileJobGraph(const CompiledPlan& plan, int parallelism) {
  if (parallelism < 1) return Status::plan("parallelism.default must be at least 1, not " + std::to_string(parallelism));
  JobGraph graph = Compiler(plan, parallelism).take();
  int widest = parallelism;
  for (const JobTask& task : graph.tasks) widest = std::max(widest, task.parallelism);
  const int64_t wanted = graph.configuration.getInt("pipeline.max-parallelism");
  if (wanted > 0) {
    graph.max_parallelism = static_cast<int>(wanted);
  } else if (widest > graph.max_parallelism) {
    graph.max_parallelism = std::min(kKeyGroupsMax, (widest + widest / 2 + 127) / 128 * 128);
  }
  if (widest > graph.max_parallelism) {
    return Status::plan("a task has " + std::to_string(widest) + " subtasks, but at most " + std::to_string(graph.max_parallelism) +
                        " are possible (pipeline.max-parallelism)");
  }
  return graph;
}

}  // namespace thalweg::coordinator
