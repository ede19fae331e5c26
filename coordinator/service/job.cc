// The way of an attempt: startAttempt → hello of every process (deploy is sent back) → ready of all (go) → finished of
// all (commit) → ended of all. A failure on the way stops all processes; when they are gone afterStop() decides whether
// there is another attempt. Several things are heard of one failure — the crash, the broken streams of its peers — in
// any order; the one nearest to the cause is the job's.
#include "coordinator/service/job.h"

#include <algorithm>
#include <set>

#include "common/base/check.h"
#include "common/log/log.h"
#include "common/process/daemon.h"
#include "common/rpc/job_messages.h"
#include "coordinator/compiler/graph_fingerprint.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::coordinator {
namespace {

constexpr int kResultWindow = 8;
constexpr int64_t kTaskSilentMaxMs = 5000;
constexpr int64_t kStopTimeoutMs = 10000;
constexpr size_t kFailuresKept = 16;

}  // namespace

struct Job::Process {
  int number = 0;
  std::string worker;
  int slots = 0;
  std::shared_ptr<RpcStream> stream;
  std::string exchange_address;
  bool ready = false;
  bool finished = false;
  bool ended = false;
  bool exited = false;
  int64_t heard_ms = 0;
  v1::TaskReport report;
};

Job::Job(std::string id, FrozenScript script, JobOffice& office) : id_(std::move(id)), script_(std::move(script)), office_(office) {
  entered_ms_[state_] = office_.wallMillis();
}

Job::~Job() = default;

void Job::enter(JobState state) {
  CHECK_MSG(isLegalTransition(state_, state), std::string(jobStateName(state_)) + " to " + std::string(jobStateName(state)));
  LOG_INFO("coordinator.service", "a job changed its state", {"job", id_}, {"from", jobStateName(state_)}, {"to", jobStateName(state)});
  state_ = state;
  entered_ms_[state] = office_.wallMillis();
  if (state != JobState::CREATED) waiting_for_.clear();
  if (follower_.on_state) follower_.on_state(state_, waiting_for_);
}

Status Job::open(const std::string& fingerprint, const std::string& graph_text, const std::map<std::string, std::string>& defaults) {
  if (const auto interval = script_.configuration.find("execution.checkpointing.interval"); interval != script_.configuration.end()) {
    return Status::notSupported("checkpoints of jobs on a cluster are not built; reset 'execution.checkpointing.interval', or run the job in one process");
  }
  ASSIGN_OR_RETURN(planned_, planScript(script_));
  if (planned_.fingerprint != fingerprint) {
    return Status::plan("the coordinator plans another job from the same script; run the same version everywhere; " + firstDifference(graph_text, planned_.text));
  }
  std::map<std::string, std::string> settings = defaults;
  for (const auto& [key, value] : script_.configuration) settings[key] = value;
  ASSIGN_OR_RETURN(restart_, RestartStrategy::make(settings, script_.random_seed));
  for (const JobTask& task : planned_.graph.tasks) parallelism_ = std::max(parallelism_, task.parallelism);
  query_start_ms_ = script_.plan_time_ms;
  enter(JobState::CREATED);
  return {};
}

void Job::trySchedule() {
  if (state_ != JobState::CREATED) return;
  const auto workers = office_.slots().take(id_, parallelism_, steadyMillis());
  if (!workers.isOk()) {
    if (std::exchange(waiting_for_, workers.status().message()) != waiting_for_ && follower_.on_state) follower_.on_state(state_, waiting_for_);
    return;
  }
  startAttempt(*workers);
}

void Job::startAttempt(const std::vector<std::string>& workers) {
  ++attempt_;
  attempt_failures_ = 0;
  committing_ = false;
  slot_workers_ = workers;
  processes_.clear();
  for (const std::string& worker : workers) {
    const auto found = std::find_if(processes_.begin(), processes_.end(), [&](const auto& each) { return each->worker == worker; });
    if (found != processes_.end()) {
      ++(*found)->slots;
      continue;
    }
    auto process = std::make_unique<Process>();
    process->number = static_cast<int>(processes_.size());
    process->worker = worker;
    process->slots = 1;
    process->heard_ms = steadyMillis();
    processes_.push_back(std::move(process));
  }
  enter(JobState::RUNNING);
  for (const auto& process : processes_) office_.startProcess(process->worker, id_, attempt_, process->number, process->slots);
}

Job::Process* Job::find(int attempt, int number) {
  const bool known = attempt == attempt_ && number >= 0 && static_cast<size_t>(number) < processes_.size();
  return known ? processes_[static_cast<size_t>(number)].get() : nullptr;
}

bool Job::allProcesses(const std::function<bool(const Process&)>& holds) const {
  return std::all_of(processes_.begin(), processes_.end(), [&](const auto& each) { return holds(*each); });
}

void Job::onTaskMessage(const v1::TaskMessage& message, const std::shared_ptr<RpcStream>& stream) {
  Process* process = nullptr;
  if (message.has_hello()) {
    process = find(message.attempt().attempt(), message.hello().process());
  } else if (message.attempt().attempt() == attempt_) {
    for (const auto& each : processes_) {
      if (each->stream == stream) process = each.get();
    }
  }
  if (process == nullptr || state_ != JobState::RUNNING) return;
  process->heard_ms = steadyMillis();
  switch (message.message_case()) {
    case v1::TaskMessage::kHello: return onHello(*process, message, stream);
    case v1::TaskMessage::kReady:
      process->ready = true;
      return onReady();
    case v1::TaskMessage::kFailed: {
      const v1::TaskFailed& failed = message.failed();
      return noteFailure(rpc::statusOf(failed.failure()), process->worker, failed.from_peer() ? 0 : 1);
    }
    case v1::TaskMessage::kAllFinished:
      process->finished = true;
      return onAllFinished();
    case v1::TaskMessage::kEnded:
      process->ended = true;
      return onEnded();
    case v1::TaskMessage::kReport:
      process->report = message.report();
      if (follower_.on_progress) follower_.on_progress();
      return;
    case v1::TaskMessage::kResult:
      rows_delivered_ = true;
      if (follower_.on_result) follower_.on_result(attempt_, process->number, message.result().batch());
      return;
    case v1::TaskMessage::MESSAGE_NOT_SET: return;
  }
}

void Job::onHello(Process& process, const v1::TaskMessage& message, const std::shared_ptr<RpcStream>& stream) {
  if (process.stream) return;
  process.stream = stream;
  process.exchange_address = message.hello().exchange_address();
  v1::TaskCommand command;
  *command.mutable_attempt() = message.attempt();
  v1::Deploy& deploy = *command.mutable_deploy();
  rpc::setScript(*deploy.mutable_script(), script_);
  deploy.set_fingerprint(planned_.fingerprint);
  deploy.set_graph_text(planned_.text);
  deploy.set_processes(static_cast<int>(processes_.size()));
  deploy.set_start_time_ms(query_start_ms_);
  deploy.set_secret(id_ + std::to_string(script_.random_seed));
  for (const JobTask& task : planned_.graph.tasks) {
    v1::Placement::Task& placed = *deploy.mutable_placement()->add_tasks();
    for (int subtask = 0; subtask < task.parallelism; ++subtask) {
      const std::string& worker = slot_workers_[static_cast<size_t>(subtask)];
      for (const auto& each : processes_) {
        if (each->worker == worker) placed.add_processes(each->number);
      }
    }
  }
  stream->send(command.SerializeAsString());
}

void Job::onReady() {
  if (!allProcesses([](const Process& each) { return each.ready; })) return;
  v1::TaskCommand command;
  rpc::setAttempt(*command.mutable_attempt(), id_, attempt_, office_.epoch());
  for (const auto& process : processes_) command.mutable_go()->add_exchange_addresses(process->exchange_address);
  const std::string go = command.SerializeAsString();
  command.set_result_credit(kResultWindow);
  const std::string credit = command.SerializeAsString();
  for (const auto& process : processes_) {
    process->stream->send(go);
    if (planned_.is_query) process->stream->send(credit);
  }
}

void Job::onAllFinished() {
  if (!allProcesses([](const Process& each) { return each.finished; })) return;
  committing_ = true;
  v1::TaskCommand command;
  rpc::setAttempt(*command.mutable_attempt(), id_, attempt_, office_.epoch());
  command.set_commit(true);
  for (const auto& process : processes_) process->stream->send(command.SerializeAsString());
}

void Job::onEnded() {
  if (!allProcesses([](const Process& each) { return each.ended; })) return;
  stopProcesses();
  endAttempt();
  enter(JobState::FINISHED);
  office_.onSlotsFree();
}

void Job::onResultCredit(int attempt, int number) {
  const Process* process = find(attempt, number);
  if (process == nullptr || !process->stream) return;
  v1::TaskCommand command;
  rpc::setAttempt(*command.mutable_attempt(), id_, attempt_, office_.epoch());
  command.set_result_credit(1);
  process->stream->send(command.SerializeAsString());
}

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
    if (process->exited || process->ended || now_ms - process->heard_ms < kTaskSilentMaxMs) continue;
    const std::string what = process->stream ? "sent nothing for " : "did not begin within ";
    return noteFailure(Status::runtime("the task process on worker '" + process->worker + "' " + what + std::to_string(now_ms - process->heard_ms) + " ms"),
                       process->worker, 1);
  }
}

void Job::noteFailure(const Status& status, const std::string& worker, int weight) {
  failures_.push_back({office_.wallMillis(), status, worker, attempt_, weight});
  ++attempt_failures_;
  if (failures_.size() > kFailuresKept) failures_.erase(failures_.begin());
  LOG_WARN("coordinator.service", "an attempt failed", {"job", id_}, {"attempt", attempt_}, {"worker", worker}, {"error", status});
  if (state_ != JobState::RUNNING) return;
  enter(JobState::FAILING);
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
    enter(JobState::CANCELED);
    return office_.onSlotsFree();
  }
  size_t cause = failures_.size() - std::min(attempt_failures_, failures_.size());
  for (size_t i = cause; i < failures_.size(); ++i) {
    if (failures_[i].weight > failures_[cause].weight) cause = i;
  }
  result_ = failures_[cause].status;
  std::optional<int64_t> pause_ms;
  if (committing_) result_ = result_.withContext("while its output was being committed, so that part of it may be visible");
  else if (!rows_delivered_) pause_ms = restart_->pauseAfterFailure(steadyMillis());
  if (!pause_ms) {
    enter(JobState::FAILED);
    return office_.onSlotsFree();
  }
  enter(JobState::RESTARTING);
  office_.onSlotsFree();
  office_.loop().postAfter(*pause_ms, [weak = weak_from_this()] {
    const auto job = weak.lock();
    if (!job || job->state_ != JobState::RESTARTING) return;
    job->result_ = Status();
    job->enter(JobState::CREATED);
    job->trySchedule();
  });
}

void Job::cancel() {
  switch (state_) {
    case JobState::INITIALIZING:
    case JobState::CREATED:
    case JobState::RESTARTING:
      result_ = Status::cancelled("the job was cancelled");
      return enter(JobState::CANCELED);
    case JobState::RUNNING:
      enter(JobState::CANCELLING);
      stopProcesses();
      return afterStop();
    case JobState::FAILING: return enter(JobState::CANCELLING);
    default: return;
  }
}

void Job::progress(v1::Progress& progress) const {
  for (const auto& process : processes_) {
    for (const v1::OperatorReport& each : process->report.operators()) {
      progress.set_late_rows_dropped(progress.late_rows_dropped() + each.late_rows_dropped());
      progress.set_bad_records_skipped(progress.bad_records_skipped() + each.bad_records_skipped());
      if (each.name().starts_with("TableSourceScan")) progress.set_rows_read(progress.rows_read() + each.rows_out());
      if (each.name().starts_with("Sink")) progress.set_rows_written(progress.rows_written() + each.rows_in());
      if (each.watermark() == INT64_MIN) continue;
      if (!progress.has_watermark() || each.watermark() < progress.watermark()) progress.set_watermark(each.watermark());
      progress.set_has_watermark(true);
    }
  }
}

void Job::describe(v1::JobInfo& info, bool with_vertices) const {
  info.set_id(id_);
  info.set_name(script_.name);
  info.set_state(std::string(jobStateName(state_)));
  info.set_start_time_ms(entered_ms_.at(JobState::INITIALIZING));
  if (isOver()) info.set_end_time_ms(entered_ms_.at(state_));
  info.set_attempt(attempt_);
  info.set_parallelism(parallelism_);
  info.set_waiting_for(waiting_for_);
  for (const auto& [state, time_ms] : entered_ms_) (*info.mutable_state_times_ms())[std::string(jobStateName(state))] = time_ms;
  for (auto each = failures_.rbegin(); each != failures_.rend(); ++each) {
    v1::JobException& exception = *info.add_exceptions();
    exception.set_time_ms(each->time_ms);
    rpc::setFailure(*exception.mutable_failure(), each->status);
    exception.set_worker(each->worker);
    exception.set_attempt(each->attempt);
  }
  if (!with_vertices) return;
  for (size_t i = 0; i < planned_.graph.tasks.size(); ++i) {
    const JobTask& task = planned_.graph.tasks[i];
    v1::VertexInfo& vertex = *info.add_vertices();
    vertex.set_name(task.name);
    vertex.set_parallelism(task.parallelism);
    for (size_t subtask = 0; subtask < static_cast<size_t>(task.parallelism) && subtask < slot_workers_.size(); ++subtask) vertex.add_workers(slot_workers_[subtask]);
    for (const auto& process : processes_) {
      for (const v1::OperatorReport& each : process->report.operators()) {
        if (each.task() == static_cast<int>(i)) *vertex.add_operators() = each;
      }
    }
  }
}

std::vector<std::string> Job::workers() const {
  std::set<std::string> names(slot_workers_.begin(), slot_workers_.end());
  return {names.begin(), names.end()};
}

}  // namespace thalweg::coordinator
