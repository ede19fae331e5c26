// How a job begins: planned, compared with what the client planned, and told from which checkpoint it goes on; and how it
// begins again under another coordinator.
#include <algorithm>

#include "common/log/log.h"
#include "common/rpc/job_messages.h"
#include "coordinator/compiler/graph_fingerprint.h"
#include "coordinator/compiler/script_planner.h"
#include "coordinator/service/job_process.h"
#include "thalweg/v1/control.pb.h"
#include "thalweg/v1/store.pb.h"

namespace thalweg::coordinator {
namespace {

/// What the job was told, above what the cluster says.
std::map<std::string, std::string> settingsOf(const FrozenScript& script, const std::map<std::string, std::string>& defaults) {
  std::map<std::string, std::string> settings = defaults;
  for (const auto& [key, value] : script.configuration) settings[key] = value;
  return settings;
}

/// Relative paths start in the client's working directory.
Result<std::string> absolutePath(const std::string& path, const std::string& directory) {
  if (path.empty()) return path;
  const Result<std::string> plain = pathOfUrl(path);
  if (!plain.isOk() || plain->starts_with('/') || directory.empty()) return plain;
  return joinPath(directory, *plain);
}

}  // namespace

Result<CheckpointPlace> Job::checkpointPlace(const std::map<std::string, std::string>& settings) const {
  Configuration configuration;
  for (const auto& [key, value] : settings) RETURN_IF_ERROR(configuration.set(key, value));
  CheckpointPlace place;
  place.settings = checkpointSettings(configuration);
  CheckpointSettings& chosen = place.settings;
  const bool batch = outline_.batch_mode;
  if (batch && !chosen.restore_path.empty()) {
    return Status::notSupported("'execution.state-recovery.path' in batch mode: batch jobs have no state to start from");
  }
  if (batch || outline_.is_query) chosen.interval_ms = 0;      // a query ends with its client, and is not started again
  for (std::string* path : {&chosen.folder, &chosen.savepoint_folder, &chosen.restore_path}) {
    ASSIGN_OR_RETURN(*path, absolutePath(*path, script_.working_directory));
  }
  place.with_coordinator = chosen.folder.empty();
  if (!chosen.isEnabled()) chosen.folder.clear();
  else if (place.with_coordinator) chosen.folder = joinPath(office_.folder(), "checkpoints");
  place.job_id = id_;
  place.job_name = script_.name;
  for (const JobOutline::Task& task : outline_.tasks) {
    for (const JobOutline::Operator& op : task.operators) place.operator_names[op.uid] = op.name;
  }
  return place;
}

Status Job::prepare(JobOutline outline, const std::string& fingerprint, const std::string& graph_text) {
  outline_ = std::move(outline);
  if (outline_.fingerprint != fingerprint) {
    return Status::plan("the coordinator plans another job from the same script; run the same version everywhere; " + firstDifference(graph_text, outline_.text));
  }
  std::map<std::string, std::string> settings = settingsOf(script_, office_.defaults());
  ASSIGN_OR_RETURN(CheckpointPlace place, checkpointPlace(settings));
  if (!place.settings.isEnabled()) settings.erase("execution.checkpointing.interval");      // which stands for a strategy
  ASSIGN_OR_RETURN(restart_, RestartStrategy::make(settings, script_.random_seed));
  checkpoints_ = std::make_shared<CheckpointCoordinator>(std::move(place), office_.loop(), office_.disk(), office_.files(), static_cast<CheckpointHost&>(*this));
  for (const JobOutline::Task& task : outline_.tasks) parallelism_ = std::max(parallelism_, task.parallelism);
  query_start_ms_ = script_.plan_time_ms;
  return {};
}

Status Job::open(JobOutline outline, const std::string& fingerprint, const std::string& graph_text) {
  RETURN_IF_ERROR(prepare(std::move(outline), fingerprint, graph_text));
  RETURN_IF_ERROR(checkpoints_->restore(nullptr));
  enter(JobState::CREATED);
  return keep(true);
}

void Job::reopen(const v1::StoredJob& stored) {
  entered_ms_[JobState::INITIALIZING] = stored.submitted_ms();
  attempt_ = stored.attempt();
  for (const auto& each : stored.exceptions()) {
    failures_.push_back({each.time_ms(), rpc::statusOf(each.failure()), each.worker(), each.attempt(), 0});
  }
  Result<JobOutline> outline = JobOutline();
  if (program_) {
    outline = rpc::outlineOf(stored.outline());
    outline->text = stored.graph_text();
    outline->fingerprint = stored.fingerprint();
  } else {
    outline = outlineOfScript(script_);
  }
  Status status = outline.isOk() ? prepare(*std::move(outline), stored.fingerprint(), stored.graph_text()) : outline.status();
  if (status.isOk()) status = checkpoints_->restore(&stored);
  if (status.isOk() && stored.committing()) {
    status = Status::runtime("the coordinator was lost while the job's output was being committed, so that part of it may be visible");
  }
  if (!status.isOk()) {
    result_ = status;
    failures_.push_back({office_.wallMillis(), status, {}, attempt_, 1});
    return end(JobState::FAILED);
  }
  LOG_INFO("coordinator.service", "a job goes on under another coordinator", {"job", id_}, {"from", checkpoints_->restoredFolder()});
  enter(JobState::CREATED);
}

}  // namespace thalweg::coordinator
