#include "worker/task/checkpoint_collector.h"

#include <algorithm>

#include "common/base/failpoint.h"

namespace thalweg::worker {

const std::string& headUid(const TaskSpec& task) { return task.source ? task.source->uid : task.operators.front().uid; }

CheckpointCollector::CheckpointCollector(const TaskGraph& graph, CheckpointId checkpoint, const std::vector<SubtaskId>& here, CheckpointCallback done)
    : graph_(graph), missing_(here.size()), done_(std::move(done)) {
  snapshot_.id = checkpoint;
  snapshot_.max_parallelism = graph.max_parallelism;
  for (const TaskSpec& spec : graph.tasks) {
    const auto parallelism = static_cast<size_t>(spec.parallelism);
    JobSnapshot::Task& stored = snapshot_.tasks[headUid(spec)];
    stored.finished.resize(parallelism);
    stored.splits.resize(parallelism);
    stored.sent_watermarks.resize(parallelism, kMinWatermark);
    for (const OperatorNode& node : spec.operators) {
      snapshot_.operators[node.uid].resize(parallelism);
      if (node.computed_inputs) snapshot_.computed_inputs[node.uid] = *node.computed_inputs;
    }
    answered_.emplace_back(parallelism, false);
  }
}

JobSnapshot::Task& CheckpointCollector::task(int number) { return snapshot_.tasks[headUid(graph_.tasks[static_cast<size_t>(number)])]; }

void CheckpointCollector::setEnumerator(int number, std::string bytes) {
  if (!THALWEG_MUTANT("enumerator_forgotten")) task(number).enumerator = std::move(bytes);
}

void CheckpointCollector::add(SubtaskId subtask, SubtaskSnapshot part) {
  const auto index = static_cast<size_t>(subtask.index);
  std::vector<bool>& answered = answered_[static_cast<size_t>(subtask.task)];
  if (answered[index]) return;
  answered[index] = true;
  --missing_;
  snapshot_.pause_ns_max = std::max(snapshot_.pause_ns_max, part.pause_ns);
  JobSnapshot::Task& stored = task(subtask.task);
  stored.finished[index] = part.finished;
  stored.splits[index] = std::move(part.splits);
  stored.sent_watermarks[index] = part.sent_watermark;
  for (auto& [uid, state] : part.operators) snapshot_.operators[uid][index] = std::move(state);
}

void CheckpointCollector::addFinished(SubtaskId subtask, SubtaskSnapshot last) {
  if (answered_[static_cast<size_t>(subtask.task)][static_cast<size_t>(subtask.index)]) return;
  last.finished = true;
  if (THALWEG_MUTANT("owed_commit_dropped")) last.operators.clear();
  last.sent_watermark = kMaxWatermark;
  for (const OperatorNode& node : graph_.tasks[static_cast<size_t>(subtask.task)].operators) last.operators[node.uid].watermark = kMaxWatermark;
  add(subtask, std::move(last));
  finished_.push_back(subtask);
}

}  // namespace thalweg::worker
