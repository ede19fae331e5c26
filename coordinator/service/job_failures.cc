// What Job does when something fails: several things are heard of one failure — the crash, the broken streams of its peers
// — in any order; the one nearest to the cause is the job's. When all processes of the attempt are gone afterStop() decides
// whether there is another.
#include <algorithm>

#include "common/log/log.h"
#include "common/rpc/job_messages.h"
#include "coordinator/service/job_process.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::coordinator {
namespace {

constexpr int64_t kTaskSilentMaxMs = 5000;
/// Until its first word: its worker tells of a process that ends; a machine that is short of time starts it late.
constexpr int64_t kTaskBeginMaxMs = 30000;
/// A program is fetched first, and may do much before its execute().
constexpr int64_t kProgramSilentMaxMs = 120000;
constexpr int64_t kStopTimeoutMs = 10000;
constexpr size_t kFailuresKept = 16;

}  // namespace

void Job::onTaskLost(int attempt, int number, const Status& status) {
  Process* process = find(attempt, number);
  if (process == nullptr || process->ended) return;
  if (state_ != JobState::RUNNING) return;
  noteFailure(Status::runtime("the task process on worker '" + process->worker + "' was lost: " + status.message()), process->worker, 0);
}

void Job::onProcessExit(int attempt, const std::string& worker, bool clean, const std::string& description, const std::string& last_lines) {
  if (attempt != attempt_) return;
  for (const auto& process : processes_) {
    if (process->worker != worker || process->exited) continue;
    process->exited = true;
    const bool expected = process->ended || (clean && state_ != JobState::RUNNING);
    if (!expected && (state_ == JobState::RUNNING || state_ == JobState::FAILING)) {
      std::string message = description;
      if (clean && program_ && !process->stream) message += " before its main reached execute() number " + std::to_string(program_->execution + 1) + ", which is this job";
      if (!last_lines.empty()) message += "; its last lines:\n" + last_lines;
      noteFailure(Status::runtime(message), worker, clean ? 0 : 2);
    }
  }
  afterStop();
}

void Job::onWorkerLost(const std::string& worker) {
  for (const auto& process : processes_) {
    if (process->worker != worker || process->exited) continue;
    process->exited = true;
    if (process->stream) process->stream->abort();
    if (state_ == JobState::RUNNING) noteFailure(Status::runtime("worker '" + worker + "' was lost"), worker, 2);
  }
  afterStop();
}

void Job::tick(int64_t now_ms) {
  if (state_ != JobState::RUNNING) return;
  for (const auto& process : processes_) {
    const int64_t begin_max_ms = program_ ? kProgramSilentMaxMs : kTaskBeginMaxMs;
    const int64_t silent_max_ms = process->stream ? kTaskSilentMaxMs : begin_max_ms;
    if (process->exited || process->ended || now_ms - process->heard_ms < silent_max_ms) continue;
    const std::string what = process->stream ? "sent nothing for " : "did not begin within ";
    return noteFailure(Status::runtime("the task process on worker '" + process->worker + "' " + what + std::to_string(now_ms - process->heard_ms) + " ms"),
                       process->worker, 1);
  }
}

void Job::failAttempt(const Status& status) { noteFailure(status, {}, 1); }

void Job::noteFailure(const Status& status, const std::string& worker, int weight) {
  failures_.push_back({office_.wallMillis(), status, worker, attempt_, weight});
  ++attempt_failures_;
  if (failures_.size() > kFailuresKept) failures_.erase(failures_.begin());
  LOG_WARN("coordinator.service", "an attempt failed", {"job", id_}, {"attempt", attempt_}, {"worker", worker}, {"error", status});
  if (state_ != JobState::RUNNING) return;
  enter(JobState::FAILING);
  checkpoints_->endAttempt();
  stopProcesses();
  afterStop();
}

/// Those that ended well leave by the same command; the grace time of their workers is for the others.
void Job::stopProcesses() {
  v1::TaskCommand command;
  rpc::setAttempt(*command.mutable_attempt(), id_, attempt_, office_.epoch());
  command.set_stop(true);
  for (const auto& process : processes_) {
    if (process->exited) continue;
    if (process->stream && process->ended) process->stream->send(command.SerializeAsString());
    if (!process->ended && !office_.stopProcess(process->worker, id_, attempt_)) process->exited = true;
  }
  office_.loop().postAfter(kStopTimeoutMs, [weak = weak_from_this(), attempt = attempt_] {
    const auto job = weak.lock();
    if (!job || job->attempt_ != attempt || job->isOver()) return;
    for (const auto& process : job->processes_) process->exited = true;
    job->afterStop();
  });
}

void Job::endAttempt() {
  office_.slots().giveBack(id_);
  for (const auto& process : processes_) {
    if (process->stream) process->stream->finish();
  }
}

void Job::afterStop() {
  if ((state_ != JobState::FAILING && state_ != JobState::CANCELLING) || !allProcesses([](const Process& each) { return each.exited; })) return;
  endAttempt();
  if (state_ == JobState::CANCELLING) {
    result_ = Status::cancelled("the job was cancelled");
    return end(JobState::CANCELED);
  }
  size_t cause = failures_.size() - std::min(attempt_failures_, failures_.size());
  for (size_t i = cause; i < failures_.size(); ++i) {
    if (failures_[i].weight > failures_[cause].weight) cause = i;
  }
  result_ = failures_[cause].status;
  std::optional<int64_t> pause_ms;
  if (committing_) result_ = result_.withContext("while its output was being committed, so that part of it may be visible");
  else if (!rows_delivered_) pause_ms = restart_->pauseAfterFailure(steadyMillis());
  if (!pause_ms) return end(JobState::FAILED);
  enter(JobState::RESTARTING);
  if (const Status status = keep(false); !status.isOk()) LOG_ERROR("coordinator.service", "a failure cannot be kept", {"job", id_}, {"error", status});
  office_.onSlotsFree();
  office_.loop().postAfter(*pause_ms, [weak = weak_from_this()] {
    const auto job = weak.lock();
    if (!job || job->state_ != JobState::RESTARTING) return;
    job->result_ = Status();
    job->enter(JobState::CREATED);
    job->trySchedule();
  });
}

}  // namespace thalweg::coordinator
