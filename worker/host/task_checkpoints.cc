#include "worker/host/task_checkpoints.h"

#include <map>

#include "worker/checkpoint/snapshot_files.h"

namespace thalweg::worker {

void TaskCheckpoints::trigger(LocalJob& job, CheckpointId checkpoint, const std::string& folder, bool hold) {
  const auto captured = [this, checkpoint, folder](Result<JobSnapshot> snapshot) {
    if (!snapshot.isOk()) return stored_(checkpoint, snapshot.status());
    auto shared = std::make_shared<const JobSnapshot>(*std::move(snapshot));
    executor_.postBlocking([this, checkpoint, folder, shared] { stored_(checkpoint, storePart(files_, folder, data_name_, *shared)); });
  };
  job.triggerCheckpoint(checkpoint, captured, hold);
}

Result<JobSnapshot> loadShare(FileSystem& files, const std::string& folder, CheckpointManifest manifest, const TaskGraph& graph,
                              const std::vector<std::vector<int>>& placement, int process) {
  std::map<std::string, size_t> task_of;
  for (size_t task = 0; task < graph.tasks.size(); ++task) {
    for (const OperatorNode& node : graph.tasks[task].operators) task_of[node.uid] = task;
  }
  const auto wanted = [&](const std::string& uid, size_t part, size_t parts) {
    const auto found = task_of.find(uid);
    if (found == task_of.end() || parts != placement[found->second].size()) return true;      // unclaimed, or dealt out anew
    return placement[found->second][part] == process;
  };
  return loadSnapshot(files, folder, std::move(manifest), wanted);
}

}  // namespace thalweg::worker
