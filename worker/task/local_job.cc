#include "worker/task/local_job.h"

#include <unistd.h>

#include <atomic>
#include <exception>
#include <filesystem>

#include "common/log/log.h"
#include "worker/state/cold_spill_space.h"
#include "worker/task/edge_cycles.h"
#include "worker/task/job_builder.h"

namespace thalweg::worker {

namespace {

Result<TimeZone> sessionZone(const Configuration& configuration, const TimeZone& default_zone) {
  const std::string id = configuration.getString("table.local-time-zone");
  if (id == "default") return default_zone;
  return TimeZone::of(id);
}

bool takesCheckpoints(const TaskGraph& graph) {
  constexpr const char* kInterval = "execution.checkpointing.interval";
  return !graph.batch_mode && graph.configuration.contains(kInterval) && graph.configuration.getDurationMillis(kInterval) > 0;
}

/// What a tier is for: state that may go to disk, snapshots of state in memory, or a batch job's rows, should memory be short.
enum class TierUse : uint8_t { STATE, SNAPSHOTS, WHEN_NEEDED };

Result<std::shared_ptr<ColdTier>> makeColdTier(const Configuration& configuration, TierUse use, Executor& executor) {
  static std::atomic<int> jobs{0};                  // of this process, each with a folder of its own
  std::string parent = configuration.getString("state.backend.rocksdb.localdir");
  if (parent.empty()) {
    std::error_code error;
    parent = std::filesystem::temp_directory_path(error).string();
    if (error) return Status::io("there is no folder for state on disk: " + error.message() + " (TMPDIR); name one with 'state.backend.rocksdb.localdir'");
  }
  return ColdTier::make({.folder = joinPath(coldFoldersOf(parent), coldFolderName(jobs.fetch_add(1))),
                         .memory_bytes = static_cast<uint64_t>(configuration.getMemorySizeBytes("taskmanager.memory.process.size")),
                         .keeps_all = use == TierUse::SNAPSHOTS,
                         .executor = &executor,
                         .when_needed = use == TierUse::WHEN_NEEDED});
}

/// Where state goes when memory is short, and what snapshots write of it; null if it is to stay in memory and there are no
/// checkpoints. In batch mode state is what joins and aggregates build, which always may go.
Result<std::shared_ptr<ColdTier>> coldTierOf(const TaskGraph& graph, Executor& executor) {
  const Configuration& configuration = graph.configuration;
  if (configuration.getEnum("state.backend.type") != "HASHMAP") return makeColdTier(configuration, TierUse::STATE, executor);
  if (graph.batch_mode) {
    if (configuration.getMemorySizeBytes("taskmanager.memory.process.size") == 0) return std::shared_ptr<ColdTier>();
    return makeColdTier(configuration, TierUse::WHEN_NEEDED, executor);
  }
  if (!takesCheckpoints(graph)) return std::shared_ptr<ColdTier>();
  Result<std::shared_ptr<ColdTier>> tier = makeColdTier(configuration, TierUse::SNAPSHOTS, executor);
  if (tier.isOk()) return tier;
  LOG_WARN("worker.task", "state is written at the barrier: there is no folder to capture it into", {"error", tier.status()});
  return std::shared_ptr<ColdTier>();
}

Status buildGuarded(const std::shared_ptr<RunningJob>& job, const BuildOptions& options) {
  try {                                             // the wall for what factories throw
    return buildJob(job, options);
  } catch (const std::exception& error) {
    return Status::internal(std::string("unexpected exception: ") + error.what());
  }
}

}  // namespace

Result<std::unique_ptr<LocalJob>> LocalJob::start(TaskGraph graph, Executor& executor, const Clock& clock, JobOptions options) {
  RETURN_IF_ERROR(graph.validate());
  ASSIGN_OR_RETURN(TimeZone zone, sessionZone(graph.configuration, options.default_zone));
  ASSIGN_OR_RETURN(std::shared_ptr<ColdTier> cold, coldTierOf(graph, executor));
  std::shared_ptr<SpillSpace> spill;
  if (cold && graph.batch_mode) spill = std::make_shared<ColdSpillSpace>(cold);
  boundOffCycles(graph);
  const int64_t batch_rows = graph.configuration.getInt("thalweg.exec.batch-rows");
  JobSurroundings surroundings{.clock = clock,
                               .executor = executor,
                               .configuration = graph.configuration,
                               .session_zone = std::move(zone),
                               .max_parallelism = graph.max_parallelism,
                               .batch_mode = graph.batch_mode,
                               .start_ms = options.start_ms != 0 ? options.start_ms : clock.nowMillis(),
                               .random_seed = options.random_seed,
                               .batch_rows_max = static_cast<size_t>(batch_rows),
                               .cold = std::move(cold),
                               .spill = std::move(spill)};
  auto memory = options.memory ? options.memory : std::make_shared<MemoryPool>("job");
  auto job = std::make_shared<RunningJob>(std::move(graph), std::move(surroundings), std::move(options.on_end));
  const BuildOptions build{.channel_limits = options.channel_limits,
                           .memory = memory,
                           .restored = options.restored,
                           .share = options.share,
                           .allow_unclaimed_state = options.allow_unclaimed_state,
                           .hold_after_rows = options.hold_after_rows};
  if (Status status = buildGuarded(job, build); !status.isOk()) {
    job->release();
    return status;
  }
  if (options.on_all_finished) job->onAllFinished(std::move(options.on_all_finished));
  if (options.share == nullptr) job->start();
  return std::unique_ptr<LocalJob>(new LocalJob(std::move(job), std::move(memory)));
}

LocalJob::~LocalJob() {
  job_->cancel();
  (void)job_->wait();      // whoever wanted to know has asked
  job_->release();
}

Status LocalJob::wait() { return job_->wait(); }
bool LocalJob::hasEnded() const { return job_->hasEnded(); }
void LocalJob::cancel() { job_->cancel(); }

std::vector<OperatorMetricsRow> LocalJob::metrics() const {
  std::vector<OperatorMetricsRow> rows;
  for (const auto& subtask : job_->subtasks()) {
    for (OperatorMetricsRow& row : subtask->metrics()) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<SubtaskTimes> LocalJob::times() const {
  std::vector<SubtaskTimes> all;
  for (const auto& subtask : job_->subtasks()) all.push_back(subtask->times());
  return all;
}

std::vector<StuckSlice> LocalJob::stuckFor(int64_t at_least_ns) const {
  std::vector<StuckSlice> all;
  for (const auto& subtask : job_->subtasks()) {
    if (auto stuck = subtask->stuckFor(at_least_ns)) all.push_back(*std::move(stuck));
  }
  return all;
}

size_t LocalJob::queuedBytes() const {
  size_t total = 0;
  for (const auto& subtask : job_->subtasks()) total += subtask->queuedBytes();
  return total;
}

void LocalJob::triggerCheckpoint(CheckpointId checkpoint, CheckpointCallback done, bool hold) {
  job_->triggerCheckpoint(checkpoint, std::move(done), hold);
}
void LocalJob::abandonCheckpoint(CheckpointId checkpoint, const Status& reason) { job_->abandonCheckpoint(checkpoint, reason); }
void LocalJob::confirmCheckpoint(CheckpointId checkpoint) { job_->confirmCheckpoint(checkpoint); }
void LocalJob::releaseHold() { job_->releaseHold(); }
void LocalJob::stop(CheckpointId checkpoint) { job_->stop(checkpoint); }
void LocalJob::fail(Status status) { job_->fail(std::move(status)); }
bool LocalJob::waitForHold() { return job_->waitForHold(); }

Result<JobSnapshot> LocalJob::takeCheckpoint(CheckpointId checkpoint, bool hold) {
  struct Answer {
    Mutex mutex;
    Condition condition;
    std::optional<Result<JobSnapshot>> result GUARDED_BY(mutex);
  };
  const auto answer = std::make_shared<Answer>();
  triggerCheckpoint(checkpoint, [answer](Result<JobSnapshot> result) {
    const MutexLock lock(answer->mutex);
    answer->result = std::move(result);
    answer->condition.notifyAll();
  }, hold);
  const MutexLock lock(answer->mutex);
  while (!answer->result) answer->condition.wait(answer->mutex);
  return *std::move(answer->result);
}

}  // namespace thalweg::worker
