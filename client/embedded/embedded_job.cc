#include "client/embedded/embedded_job.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>

#include "client/embedded/job_attempts.h"
#include "client/embedded/job_checkpoints.h"
#include "client/embedded/task_graph_builder.h"
#include "common/base/hash.h"
#include "common/log/log.h"
#include "common/time/clock.h"
#include "worker/task/asio_executor.h"

namespace thalweg::client {
namespace {

const SystemClock& processClock() {
  static const SystemClock clock;
  return clock;
}

/// One pool for all embedded jobs of the process, started with the first; never torn down, since jobs may outlive main.
worker::AsioExecutor& processExecutor() {
  static auto* executor = new worker::AsioExecutor(processClock());
  return *executor;
}

/// 32 hexadecimal digits that are the same for the same operators.
std::string idOf(const std::string& uids) {
  char text[33];
  std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(hashBytes(uids)),
                static_cast<unsigned long long>(hashBytes(uids + "|")));
  return text;
}

worker::SnapshotLabel labelOf(const worker::TaskGraph& graph, const EmbeddedJobOptions& options, const coordinator::CheckpointSettings& settings) {
  worker::SnapshotLabel label;
  label.job_name = graph.configuration.getString("pipeline.name");
  label.started_from = settings.restore_path;
  std::string uids = std::to_string(options.ordinal);
  const auto add = [&](const std::string& uid, const std::string& name) {
    label.operator_names[uid] = name;
    uids += ';' + uid;
  };
  for (const worker::TaskSpec& task : graph.tasks) {
    if (task.source) add(task.source->uid, task.source->name);
    for (const worker::OperatorNode& node : task.operators) add(node.uid, node.name);
  }
  label.job_id = idOf(uids);
  return label;
}

/// Folders as absolute paths; what a job that gives rows to its caller, or runs in batch mode, does not do is left out.
Result<coordinator::CheckpointSettings> settingsOf(const worker::TaskGraph& graph, bool has_results) {
  coordinator::CheckpointSettings settings = coordinator::checkpointSettings(graph.configuration);
  if (graph.batch_mode && !settings.restore_path.empty()) {
    return Status::notSupported("'execution.state-recovery.path' in batch mode: batch jobs have no state to start from");
  }
  if (graph.batch_mode || has_results) {
    settings.interval_ms = 0;
    settings.folder.clear();
  }
  if (settings.interval_ms == 0) settings.folder.clear();
  for (std::string* path : {&settings.folder, &settings.savepoint_folder, &settings.restore_path}) {
    if (path->empty()) continue;
    ASSIGN_OR_RETURN(const std::string plain, pathOfUrl(*path));
    *path = std::filesystem::absolute(plain).lexically_normal().string();
  }
  return settings;
}

/// A job that gives rows to its caller cannot take them back: it is never restarted.
Result<std::unique_ptr<coordinator::RestartStrategy>> restartsOf(const worker::TaskGraph& graph, const std::string& job_id, bool has_results) {
  std::map<std::string, std::string> settings;
  if (!has_results) {
    for (const auto& [key, value] : graph.configuration.entries()) settings[key] = value;
    if (graph.batch_mode) settings.erase("execution.checkpointing.interval");
  }
  return coordinator::RestartStrategy::make(settings, hashBytes(job_id));
}

coordinator::JobEnd endOf(const Status& status, bool stopped) {
  if (status.isOk()) return stopped ? coordinator::JobEnd::STOPPED : coordinator::JobEnd::FINISHED;
  return status.code() == StatusCode::CANCELLED ? coordinator::JobEnd::CANCELLED : coordinator::JobEnd::FAILED;
}

}  // namespace

/// Whoever waits for the end without a thread of his own.
struct EndListeners {
  std::mutex mutex;
  bool ended = false;
  std::vector<std::function<void()>> waiting;

  void end() {
    std::vector<std::function<void()>> due;
    {
      const std::scoped_lock lock(mutex);
      ended = true;
      due.swap(waiting);
    }
    for (const auto& then : due) then();
  }
};

struct EmbeddedJob::Impl {
  std::string id;
  std::shared_ptr<EndListeners> listeners = std::make_shared<EndListeners>();
  std::vector<std::shared_ptr<worker::ResultQueue>> results;
  std::shared_ptr<JobCheckpoints> checkpoints;
  std::shared_ptr<JobAttempts> attempts;
  std::atomic<bool> stopped{false};
  std::optional<Status> end;                 // once waited for

  Status wait() {
    if (end) return *end;
    Status status = attempts->wait();
    checkpoints->detach();
    const Status removed = checkpoints->onEnd(endOf(status, stopped));
    if (!removed.isOk()) LOG_WARN("client.embedded", "the checkpoints of a job that ended cannot be removed", {"job", id}, {"error", removed});
    end = status;
    return status;
  }
};

EmbeddedJob::EmbeddedJob(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

EmbeddedJob::~EmbeddedJob() {
  if (!impl_->attempts->hasEnded()) impl_->attempts->cancel();
  (void)impl_->wait();                       // whoever wanted to know has asked
}

Result<std::shared_ptr<EmbeddedJob>> EmbeddedJob::start(const JobGraph& graph, const EmbeddedJobOptions& options) {
  ASSIGN_OR_RETURN(BuiltTaskGraph built, buildTaskGraph(graph));
  return start(std::move(built), options);
}

Result<std::shared_ptr<EmbeddedJob>> EmbeddedJob::start(BuiltTaskGraph built, const EmbeddedJobOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->results = built.results;
  const worker::TaskGraph& graph = built.graph;
  ASSIGN_OR_RETURN(const coordinator::CheckpointSettings settings, settingsOf(graph, !built.results.empty()));
  const worker::SnapshotLabel label = labelOf(graph, options, settings);
  impl->id = label.job_id;
  impl->checkpoints = std::make_shared<JobCheckpoints>(settings, label, options.files ? *options.files : localFileSystem(), processExecutor(), processClock());
  RETURN_IF_ERROR(impl->checkpoints->findStart().status());
  AttemptParts parts;
  parts.job_id = impl->id;
  parts.max_parallelism_given = graph.configuration.contains("pipeline.max-parallelism");
  parts.allow_unclaimed_state = settings.ignore_unclaimed_state;
  parts.commits_with_checkpoints = settings.isEnabled();
  parts.hold_after_rows = options.hold_after_rows;
  ASSIGN_OR_RETURN(parts.restarts, restartsOf(graph, impl->id, !built.results.empty()));
  parts.on_end = [results = built.results, listeners = impl->listeners] {
    for (const auto& queue : results) queue->close();
    listeners->end();
  };
  parts.graph = std::move(built.graph);
  impl->attempts = std::make_shared<JobAttempts>(std::move(parts), impl->checkpoints, processExecutor(), processClock());
  RETURN_IF_ERROR(impl->attempts->start());
  return std::shared_ptr<EmbeddedJob>(new EmbeddedJob(std::move(impl)));
}

std::string EmbeddedJob::idOf(const JobGraph& graph, int ordinal) {
  std::string uids = std::to_string(ordinal);
  for (const JobTask& task : graph.tasks) {
    for (const PlanNodePtr& node : task.chain) uids += ';' + node->uid;
  }
  return client::idOf(uids);
}

bool EmbeddedJob::next(Batch& batch, int64_t timeout_ms) {
  return !impl_->results.empty() && impl_->results[0]->pop(batch, timeout_ms);
}

bool EmbeddedJob::isDone() const { return impl_->results.empty() ? impl_->attempts->hasEnded() : impl_->results[0]->isDone(); }

Status EmbeddedJob::wait() { return impl_->wait(); }

Result<std::string> EmbeddedJob::savepoint(const std::string& folder) { return impl_->checkpoints->savepoint(folder, false); }

Result<std::string> EmbeddedJob::stopWithSavepoint(const std::string& folder) {
  impl_->stopped = true;
  Result<std::string> path = impl_->checkpoints->savepoint(folder, true);
  if (!path.isOk()) impl_->stopped = false;
  return path;
}

bool EmbeddedJob::waitForHold() {
  const auto job = impl_->attempts->current();
  return job && job->waitForHold();
}

bool EmbeddedJob::hasEnded() const { return impl_->attempts->hasEnded(); }

const std::string& EmbeddedJob::jobId() const { return impl_->id; }

std::string EmbeddedJob::startPath() const { return impl_->checkpoints->startPath(); }

CheckpointFigures EmbeddedJob::checkpointFigures() const { return impl_->checkpoints->figures(); }

void EmbeddedJob::whenEnded(std::function<void()> then) {
  {
    const std::scoped_lock lock(impl_->listeners->mutex);
    if (!impl_->listeners->ended) {
      impl_->listeners->waiting.push_back(std::move(then));
      return;
    }
  }
  then();
}

void EmbeddedJob::cancel() { impl_->attempts->cancel(); }

JobProgress EmbeddedJob::progress() const {
  JobProgress progress;
  EventTime lowest = kMaxWatermark;
  bool any = false;
  const auto job = impl_->attempts->current();
  if (!job) return progress;
  for (const auto& row : job->metrics()) {
    progress.late_rows_dropped += row.metrics.late_rows_dropped;
    progress.bad_records_skipped += row.metrics.bad_records_skipped;
    if (row.name.rfind("TableSourceScan", 0) == 0) progress.rows_read += row.metrics.rows_out;
    if (row.name.rfind("Sink", 0) == 0) progress.rows_written += row.metrics.rows_in;
    if (row.metrics.watermark != kMinWatermark) {
      lowest = std::min(lowest, row.metrics.watermark);
      any = true;
    }
  }
  if (any) progress.watermark = lowest;
  return progress;
}

}  // namespace thalweg::client
