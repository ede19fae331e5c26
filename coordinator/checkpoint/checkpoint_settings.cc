#include "coordinator/checkpoint/checkpoint_settings.h"

namespace thalweg::coordinator {

namespace {

CheckpointRetention retentionOf(const std::string& name) {
  if (name == "RETAIN_ON_CANCELLATION") return CheckpointRetention::RETAIN_ON_CANCELLATION;
  if (name == "DELETE_ON_CANCELLATION") return CheckpointRetention::DELETE_ON_CANCELLATION;
  return CheckpointRetention::NO_EXTERNALIZED_CHECKPOINTS;
}

}  // namespace

bool CheckpointSettings::keepsAfter(JobEnd end) const {
  switch (end) {
    case JobEnd::FINISHED:
    case JobEnd::STOPPED: return false;
    case JobEnd::CANCELLED: return retention == CheckpointRetention::RETAIN_ON_CANCELLATION;
    case JobEnd::FAILED: return retention != CheckpointRetention::NO_EXTERNALIZED_CHECKPOINTS;
  }
  return true;
}

CheckpointSettings checkpointSettings(const Configuration& configuration) {
  CheckpointSettings settings;
  if (configuration.contains("execution.checkpointing.interval")) {
    settings.interval_ms = configuration.getDurationMillis("execution.checkpointing.interval");
  }
  settings.timeout_ms = configuration.getDurationMillis("execution.checkpointing.timeout");
  settings.min_pause_ms = configuration.getDurationMillis("execution.checkpointing.min-pause");
  settings.tolerable_failures = configuration.getInt("execution.checkpointing.tolerable-failed-checkpoints");
  settings.retained_max = configuration.getInt("execution.checkpointing.num-retained");
  settings.retention = retentionOf(configuration.getEnum("execution.checkpointing.externalized-checkpoint-retention"));
  settings.folder = configuration.getString("execution.checkpointing.dir");
  settings.savepoint_folder = configuration.getString("execution.checkpointing.savepoint-dir");
  settings.restore_path = configuration.getString("execution.state-recovery.path");
  settings.ignore_unclaimed_state = configuration.getBool("execution.state-recovery.ignore-unclaimed-state");
  return settings;
}

}  // namespace thalweg::coordinator
