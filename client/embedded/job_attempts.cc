// An attempt's end is told from one of its own threads; what follows blocks (it waits for that thread), so it goes to the
// executor's blocking side. From there: end(), or a pause and tryAgain().
#include "client/embedded/job_attempts.h"

#include "client/embedded/random_seed.h"
#include "common/log/log.h"

namespace thalweg::client {

namespace {

constexpr const char* kLog = "client.embedded";

}  // namespace

JobAttempts::JobAttempts(AttemptParts parts, std::shared_ptr<JobCheckpoints> checkpoints, Executor& executor, const Clock& clock)
    : parts_(std::move(parts)), random_seed_(randomSeedOf(parts_.graph.configuration)), checkpoints_(std::move(checkpoints)), executor_(executor), clock_(clock) {}

Status JobAttempts::start() { return startAttempt(); }

Status JobAttempts::startAttempt() {
  worker::TaskGraph graph = parts_.graph;       // its factories make each attempt's operators afresh
  const std::shared_ptr<const worker::JobSnapshot> restored = checkpoints_->last();
  if (restored && !parts_.max_parallelism_given) graph.max_parallelism = restored->max_parallelism;
  worker::JobOptions options;
  options.random_seed = random_seed_;
  options.restored = restored.get();
  options.allow_unclaimed_state = parts_.allow_unclaimed_state;
  options.hold_after_rows = parts_.hold_after_rows;
  options.on_end = [weak = weak_from_this()](const Status& status) {
    const auto self = weak.lock();
    if (self) self->executor_.postBlocking([self, status] { self->onAttemptEnded(status); });
  };
  if (parts_.commits_with_checkpoints) options.on_all_finished = [checkpoints = checkpoints_] { checkpoints->onFinished(); };
  const MutexLock lock(mutex_);          // its end is not looked at before job_ is set
  if (cancelled_) return Status::cancelled("the job was cancelled");
  ASSIGN_OR_RETURN(std::unique_ptr<worker::LocalJob> job, worker::LocalJob::start(std::move(graph), executor_, clock_, std::move(options)));
  job_ = std::move(job);
  ++attempt_;
  checkpoints_->attach(job_.get());
  return {};
}

void JobAttempts::onAttemptEnded(const Status& status) {
  letGo();
  std::optional<int64_t> pause_ms;
  int attempt = 0;
  {
    const MutexLock lock(mutex_);
    attempt = attempt_;
    if (!status.isOk() && status.code() != StatusCode::CANCELLED && !cancelled_) pause_ms = parts_.restarts->pauseAfterFailure(clock_.nowMillis());
    pausing_ = pause_ms.has_value();
  }
  if (!pause_ms) return end(status);
  const auto from = checkpoints_->last();
  LOG_WARN(kLog, "the job failed and is restarted", {"job", parts_.job_id}, {"attempt", attempt}, {"from_checkpoint", from ? from->id : 0},
           {"pause_ms", *pause_ms}, {"error", status});
  executor_.postAt(clock_.nowMillis() + *pause_ms, [self = shared_from_this()] {
    self->executor_.postBlocking([self] { self->tryAgain(); });
  });
}

void JobAttempts::letGo() {
  checkpoints_->detach();
  const std::shared_ptr<worker::LocalJob> job = current();
  if (job) (void)job->wait();
}

void JobAttempts::tryAgain() {
  {
    const MutexLock lock(mutex_);
    if (ending_) return;                 // cancelled in the pause
    pausing_ = false;
    job_.reset();
  }
  if (const Status status = startAttempt(); !status.isOk()) end(status);
}

void JobAttempts::end(const Status& status) {
  {
    const MutexLock lock(mutex_);
    if (ending_) return;
    ending_ = true;
  }
  parts_.on_end();
  const MutexLock lock(mutex_);
  end_ = status;
  changed_.notifyAll();
}

Status JobAttempts::wait() {
  const MutexLock lock(mutex_);
  while (!end_) changed_.wait(mutex_);
  return *end_;
}

bool JobAttempts::hasEnded() const {
  const MutexLock lock(mutex_);
  return end_.has_value();
}

void JobAttempts::cancel() {
  std::shared_ptr<worker::LocalJob> job;
  {
    const MutexLock lock(mutex_);
    cancelled_ = true;
    if (!pausing_) job = job_;
  }
  if (job) job->cancel();                // its end ends the attempts
  else end(Status::cancelled("the job was cancelled"));
}

std::shared_ptr<worker::LocalJob> JobAttempts::current() const {
  const MutexLock lock(mutex_);
  return job_;
}

}  // namespace thalweg::client
