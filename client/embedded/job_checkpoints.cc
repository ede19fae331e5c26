// look() is called whenever something has happened or a time has come: it gives up what takes too long, begins what is
// due, and sets the next timer. A checkpoint then goes trigger → onSnapshot → store → onStored, or to onFailed from
// anywhere; each of these ends with another look().
#include "client/embedded/job_checkpoints.h"

#include <algorithm>

#include "common/base/failpoint.h"
#include "common/base/random.h"
#include "common/checkpoint/checkpoint_folder.h"
#include "common/log/log.h"
#include "worker/state/state_run.h"

namespace thalweg::client {

namespace {

constexpr const char* kLog = "client.embedded";

std::string hexText(uint64_t number, int digits) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(number));
  return std::string(text + 16 - digits);
}

}  // namespace

JobCheckpoints::JobCheckpoints(coordinator::CheckpointSettings settings, worker::SnapshotLabel label, FileSystem& files, Executor& executor,
                               const Clock& clock)
    : settings_(std::move(settings)), label_(std::move(label)), files_(files), executor_(executor), clock_(clock),
      schedule_(settings_, 1, {}, clock.nowMillis()) {}

std::string JobCheckpoints::jobFolder() const { return joinPath(settings_.folder, label_.job_id); }

Result<std::shared_ptr<const worker::JobSnapshot>> JobCheckpoints::findStart() {
  std::vector<int64_t> retained;
  int64_t newest_id = 0;
  if (!settings_.folder.empty()) RETURN_IF_ERROR(readOwn(retained, newest_id));
  const MutexLock lock(mutex_);
  if (!last_ && !settings_.restore_path.empty()) {
    ASSIGN_OR_RETURN(worker::LoadedSnapshot loaded, worker::loadSnapshot(files_, settings_.restore_path));
    newest_id = std::max(newest_id, loaded.snapshot.id);
    last_ = std::make_shared<const worker::JobSnapshot>(std::move(loaded.snapshot));
    start_path_ = settings_.restore_path;
    LOG_INFO(kLog, "the job starts from a savepoint", {"job", label_.job_id}, {"path", settings_.restore_path});
  }
  schedule_ = coordinator::CheckpointSchedule(settings_, newest_id + 1, std::move(retained), clock_.nowMillis());
  return last_;
}

/// Finds the checkpoints of an earlier run, the newest that can be read first. One that belongs to another starting point
/// is only to be removed in time.
Status JobCheckpoints::readOwn(std::vector<int64_t>& retained, int64_t& newest_id) {
  if (const Status status = removeIncomplete(files_, jobFolder()); !status.isOk()) {
    LOG_WARN(kLog, "what an earlier run left of a checkpoint cannot be removed", {"job", label_.job_id}, {"error", status});
  }
  ASSIGN_OR_RETURN(std::vector<StoredCheckpoint> found, listCheckpoints(files_, jobFolder()));
  if (THALWEG_MUTANT("oldest_checkpoint")) std::reverse(found.begin(), found.end());
  for (const StoredCheckpoint& stored : found) {
    newest_id = std::max(newest_id, stored.id);
    retained.insert(retained.begin(), stored.id);
    const MutexLock lock(mutex_);
    if (last_) continue;
    Result<worker::LoadedSnapshot> loaded = worker::loadSnapshot(files_, stored.folder);
    if (!loaded.isOk()) {
      if (found.size() == 1 || &stored == &found.back()) return loaded.status();
      LOG_WARN(kLog, "a checkpoint cannot be read; the one before it is used", {"checkpoint", stored.id}, {"error", loaded.status()});
      continue;
    }
    if (loaded->started_from != settings_.restore_path) continue;
    last_ = std::make_shared<const worker::JobSnapshot>(std::move(loaded->snapshot));
    start_path_ = stored.folder;
    LOG_INFO(kLog, "the job goes on from a checkpoint", {"job", label_.job_id}, {"checkpoint", stored.id});
  }
  return {};
}

std::string JobCheckpoints::startPath() const {
  const MutexLock lock(mutex_);
  return start_path_;
}

CheckpointFigures JobCheckpoints::figures() const {
  const MutexLock lock(mutex_);
  return figures_;
}

void JobCheckpoints::noteFigures(const worker::JobSnapshot& snapshot) {
  const int64_t duration_ms = clock_.nowMillis() - begun_ms_;
  ++figures_.completed;
  figures_.duration_ms_max = std::max(figures_.duration_ms_max, duration_ms);
  figures_.duration_ms_total += duration_ms;
  figures_.duration_ms_last = duration_ms;
  figures_.pause_ns_max = std::max(figures_.pause_ns_max, snapshot.pause_ns_max);
  figures_.pause_ns_last = snapshot.pause_ns_max;
  figures_.bytes_last = 0;
  for (const auto& [uid, parts] : snapshot.operators) {
    for (const worker::OperatorSnapshot& part : parts) {
      figures_.bytes_last += part.keyed.bytes.size() + part.own.size();
      for (const auto& run : part.keyed.runs) figures_.bytes_last += run->sizeBytes();
    }
  }
}

std::shared_ptr<const worker::JobSnapshot> JobCheckpoints::last() const {
  const MutexLock lock(mutex_);
  return last_;
}

void JobCheckpoints::attach(worker::LocalJob* job) {
  {
    const MutexLock lock(mutex_);
    job_ = job;
  }
  look();
}

void JobCheckpoints::onFinished() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  look();
}

void JobCheckpoints::detach() {
  const MutexLock lock(mutex_);
  job_ = nullptr;
  while (calls_ > 0) changed_.wait(mutex_);
  schedule_.abandon(clock_.nowMillis());
  ending_ = false;
  purpose_ = Purpose::PERIODIC;
  if (savepoint_) answerSavepoint(Status::cancelled("the job has ended"));
}

void JobCheckpoints::withJob(const std::function<void(worker::LocalJob&)>& call) {
  worker::LocalJob* job = nullptr;
  {
    const MutexLock lock(mutex_);
    if (job_ == nullptr) return;
    job = job_;
    ++calls_;
  }
  call(*job);
  const MutexLock lock(mutex_);
  --calls_;
  changed_.notifyAll();
}

std::optional<int64_t> JobCheckpoints::beginDue(int64_t now_ms) {
  if (schedule_.isRunning() || job_ == nullptr) return std::nullopt;
  std::optional<int64_t> id;
  if (savepoint_ && savepoint_->id == 0) {
    id = schedule_.beginNow(now_ms, true);
    purpose_ = Purpose::SAVEPOINT;
    savepoint_->id = *id;
  } else if (ending_) {
    if (purpose_ == Purpose::END && schedule_.wakeupTime() > now_ms && settings_.isEnabled()) return std::nullopt;   // failed: again in time
    id = schedule_.beginNow(now_ms);
    purpose_ = Purpose::END;
  } else {
    id = schedule_.begin(now_ms);
    purpose_ = Purpose::PERIODIC;
  }
  return id;
}

void JobCheckpoints::look() {
  std::optional<int64_t> expired;
  std::optional<int64_t> due;
  bool hold = false;
  int64_t wakeup_ms = INT64_MAX;
  {
    const MutexLock lock(mutex_);
    if (job_ == nullptr) return;
    const int64_t now_ms = clock_.nowMillis();
    if (!storing_) expired = schedule_.expired(now_ms);
    if (!expired) due = beginDue(now_ms);
    if (due) begun_ms_ = now_ms;
    hold = due && savepoint_ && savepoint_->id == *due && savepoint_->stop;
    if (!storing_) wakeup_ms = schedule_.wakeupTime();
  }
  if (expired) {
    const Status reason = Status::runtime("it took longer than " + std::to_string(settings_.timeout_ms) + " ms ('execution.checkpointing.timeout')");
    return withJob([&](worker::LocalJob& job) { job.abandonCheckpoint(*expired, reason); });
  }
  if (due) trigger(*due, hold);
  if (wakeup_ms == INT64_MAX) return;
  executor_.postAt(wakeup_ms, [self = weak_from_this()] {
    if (const auto checkpoints = self.lock()) checkpoints->look();
  });
}

void JobCheckpoints::trigger(int64_t id, bool hold) {
  withJob([&](worker::LocalJob& job) {
    job.triggerCheckpoint(id, [self = shared_from_this(), id](Result<worker::JobSnapshot> snapshot) { self->onSnapshot(id, std::move(snapshot)); }, hold);
  });
}

void JobCheckpoints::onSnapshot(int64_t id, Result<worker::JobSnapshot> snapshot) {
  if (!snapshot.isOk()) {
    // Not here: this may be a call of the job itself, from within look().
    executor_.post([self = shared_from_this(), id, reason = snapshot.status()] { self->onFailed(id, reason); });
    return;
  }
  auto shared = std::make_shared<const worker::JobSnapshot>(*std::move(snapshot));
  if (THALWEG_MUTANT("commit_before_durable")) withJob([&](worker::LocalJob& job) { job.confirmCheckpoint(id); });
  {
    const MutexLock lock(mutex_);
    storing_ = true;
    ++calls_;
  }
  executor_.postBlocking([self = shared_from_this(), id, shared] {
    self->store(id, shared);
    const MutexLock lock(self->mutex_);
    --self->calls_;
    self->changed_.notifyAll();
  });
}

void JobCheckpoints::store(int64_t id, const std::shared_ptr<const worker::JobSnapshot>& snapshot) {
  worker::SnapshotLabel label = label_;
  std::string folder;
  {
    const MutexLock lock(mutex_);
    label.time_ms = clock_.nowMillis();
    label.is_savepoint = purpose_ == Purpose::SAVEPOINT;
    if (label.is_savepoint) folder = savepoint_->folder;
    else if (!settings_.folder.empty()) folder = joinPath(jobFolder(), checkpointFolderName(id));
  }
  if (THALWEG_MUTANT("collect_too_early")) removeOld(id - 1);
  Status status = folder.empty() ? Status() : worker::storeSnapshot(files_, folder, *snapshot, label);
  if (status.isOk()) status = THALWEG_FAILPOINT("checkpoint.complete");
  if (!status.isOk()) return onFailed(id, status);
  onStored(id, snapshot);
}

void JobCheckpoints::onStored(int64_t id, const std::shared_ptr<const worker::JobSnapshot>& snapshot) {
  std::vector<int64_t> superfluous;
  Purpose purpose = Purpose::PERIODIC;
  bool stop = false;
  {
    const MutexLock lock(mutex_);
    purpose = purpose_;
    storing_ = false;
    if (purpose == Purpose::PERIODIC) noteFigures(*snapshot);
    superfluous = schedule_.onCompleted(id, clock_.nowMillis());
    if (purpose == Purpose::SAVEPOINT) stop = savepoint_->stop;
    else if (!THALWEG_MUTANT("stale_local_state")) last_ = snapshot;
  }
  // A savepoint that the job outlives commits nothing: what restores from it may be another job.
  if (stop) withJob([&](worker::LocalJob& job) { job.stop(id); });
  else if (purpose != Purpose::SAVEPOINT) withJob([&](worker::LocalJob& job) { job.confirmCheckpoint(id); });
  if (purpose == Purpose::END) withJob([](worker::LocalJob& job) { job.commit(); });
  for (const int64_t old : superfluous) removeOld(old);
  {
    const MutexLock lock(mutex_);
    if (purpose == Purpose::SAVEPOINT) answerSavepoint(savepoint_->folder);
    if (purpose == Purpose::END) return;
  }
  look();
}

void JobCheckpoints::removeOld(int64_t id) {
  if (settings_.folder.empty()) return;
  const Status status = removeCheckpoint(files_, joinPath(jobFolder(), checkpointFolderName(id)));
  if (!status.isOk()) LOG_WARN(kLog, "an old checkpoint cannot be removed", {"checkpoint", id}, {"error", status});
}

void JobCheckpoints::onFailed(int64_t id, const Status& reason) {
  Status fatal;
  bool held = false;
  {
    const MutexLock lock(mutex_);
    storing_ = false;
    if (schedule_.running() != id) return;             // of an attempt that is over
    fatal = schedule_.onFailed(id, reason, clock_.nowMillis());
    if (purpose_ == Purpose::SAVEPOINT) {
      held = savepoint_->stop;
      answerSavepoint(reason);
    }
    if (job_ == nullptr || reason.code() == StatusCode::CANCELLED) return;
  }
  LOG_WARN(kLog, "a checkpoint failed", {"job", label_.job_id}, {"checkpoint", id}, {"error", reason});
  if (held) withJob([](worker::LocalJob& job) { job.releaseHold(); });
  if (!fatal.isOk()) return withJob([&](worker::LocalJob& job) { job.fail(fatal); });
  look();
}

void JobCheckpoints::answerSavepoint(Result<std::string> result) {
  savepoint_->result = std::move(result);
  savepoint_.reset();
  changed_.notifyAll();
}

Result<std::string> JobCheckpoints::newSavepointFolder(const std::string& folder) const {
  const std::string& target = folder.empty() ? settings_.savepoint_folder : folder;
  if (target.empty()) return Status::invalid("expected a folder for the savepoint: name one, or set 'execution.checkpointing.savepoint-dir'");
  ASSIGN_OR_RETURN(const std::string path, pathOfUrl(target));
  uint64_t state = static_cast<uint64_t>(clock_.nanoTime()) ^ static_cast<uint64_t>(clock_.nowMillis()) << 20;
  return joinPath(path, "savepoint-" + label_.job_id.substr(0, 6) + "-" + hexText(splitMix64(state), 12));
}

Result<std::string> JobCheckpoints::savepoint(const std::string& folder, bool stop) {
  auto mine = std::make_shared<Savepoint>();
  ASSIGN_OR_RETURN(mine->folder, newSavepointFolder(folder));
  mine->stop = stop;
  {
    const MutexLock lock(mutex_);
    if (job_ == nullptr) return Status::cancelled("the job has ended");
    if (savepoint_) return Status::invalid("another savepoint of this job is still running");
    savepoint_ = mine;
  }
  look();
  const MutexLock lock(mutex_);
  while (!mine->result) changed_.wait(mutex_);
  return *mine->result;
}

/// Oldest first: if this is cut short, what is left must not lead a later run back to before what was committed.
Status JobCheckpoints::onEnd(coordinator::JobEnd end) {
  if (settings_.folder.empty() || settings_.keepsAfter(end)) return {};
  ASSIGN_OR_RETURN(std::vector<StoredCheckpoint> stored, listCheckpoints(files_, jobFolder()));
  std::reverse(stored.begin(), stored.end());
  for (const StoredCheckpoint& each : stored) RETURN_IF_ERROR(removeCheckpoint(files_, each.folder));
  RETURN_IF_ERROR(removeIncomplete(files_, jobFolder()));
  const Status status = files_.remove(jobFolder());
  return status.code() == StatusCode::NOT_FOUND ? Status() : status;
}

}  // namespace thalweg::client
