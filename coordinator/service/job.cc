// The way of an attempt: startAttempt → hello of every process (deploy is sent back) → ready of all (go) → finished of
// all (a last checkpoint, if there are any; commit) → ended of all.
#include "coordinator/service/job.h"

#include <algorithm>

#include "common/base/check.h"
#include "common/base/failpoint.h"
#include "common/log/log.h"
#include "common/process/daemon.h"
#include "common/rpc/job_messages.h"
#include "coordinator/service/job_process.h"
#include "thalweg/v1/control.pb.h"
#include "thalweg/v1/store.pb.h"

namespace thalweg::coordinator {
namespace {

constexpr int kResultWindow = 8;

}  // namespace

Job::Job(std::string id, FrozenScript script, std::optional<ShippedProgram> program, JobOffice& office)
    : id_(std::move(id)), script_(std::move(script)), program_(std::move(program)), office_(office) {
  entered_ms_[state_] = office_.wallMillis();
}

Job::~Job() = default;

void Job::enter(JobState state) {
  change(state);
  tell();
}

void Job::change(JobState state) {
  CHECK_MSG(isLegalTransition(state_, state), std::string(jobStateName(state_)) + " to " + std::string(jobStateName(state)));
  LOG_INFO("coordinator.service", "a job changed its state", {"job", id_}, {"from", jobStateName(state_)}, {"to", jobStateName(state)});
  state_ = state;
  entered_ms_[state] = office_.wallMillis();
  if (state != JobState::CREATED) waiting_for_.clear();
}

void Job::tell() {
  if (follower_.on_state) follower_.on_state(state_, waiting_for_);
}

void Job::end(JobState state) {
  change(state);
  if (const Status status = keep(!outline_.is_query); !status.isOk()) {
    LOG_ERROR("coordinator.service", "the end of a job cannot be kept", {"job", id_}, {"error", status});
  }
  if (checkpoints_) {
    const JobEnd how = state == JobState::FINISHED ? JobEnd::FINISHED : state == JobState::CANCELED ? JobEnd::CANCELLED : JobEnd::FAILED;
    checkpoints_->onJobEnd(how);
  }
  tell();
  office_.onSlotsFree();
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
  for (const auto& process : processes_) {
    v1::StartAttempt start;
    rpc::setAttempt(*start.mutable_attempt(), id_, attempt_, office_.epoch());
    start.set_process(process->number);
    start.set_slots(process->slots);
    start.set_job_name(script_.name);
    if (program_) {
      rpc::setProgram(*start.mutable_program(), *program_);
      start.set_working_directory(script_.working_directory);
      start.set_plan_time_ms(script_.plan_time_ms);
    }
    office_.startProcess(process->worker, start);
  }
}

Job::Process* Job::find(int attempt, int number) {
  const bool known = (attempt == attempt_ || THALWEG_MUTANT("attempt_ignored")) && number >= 0 && static_cast<size_t>(number) < processes_.size();
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
  if (process == nullptr) return;
  if (state_ == JobState::FAILING && message.has_failed()) {      // perhaps nearer to the cause than what was heard first
    return noteFailure(rpc::statusOf(message.failed().failure()), process->worker, message.failed().from_peer() ? 0 : 1);
  }
  if (state_ != JobState::RUNNING) return;
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
      process->report = std::make_unique<v1::TaskReport>(message.report());
      if (follower_.on_progress) follower_.on_progress();
      return;
    case v1::TaskMessage::kResult:
      rows_delivered_ = true;
      if (follower_.on_result) follower_.on_result(attempt_, process->number, message.result().batch());
      return;
    case v1::TaskMessage::kCheckpointPart: return checkpoints_->onPart(process->number, message.checkpoint_part());
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
  deploy.set_fingerprint(outline_.fingerprint);
  deploy.set_graph_text(outline_.text);
  deploy.set_processes(static_cast<int>(processes_.size()));
  deploy.set_start_time_ms(query_start_ms_);
  deploy.set_secret(id_ + std::to_string(script_.random_seed));
  deploy.set_restored_manifest(checkpoints_->restoredManifest());
  deploy.set_restored_folder(checkpoints_->restoredFolder());
  deploy.set_ignore_unclaimed_state(checkpoints_->ignoresUnclaimedState());
  deploy.set_checkpoints(checkpoints_->isEnabled());
  const std::vector<int> process_of_subtask = processOfSubtask();
  for (const JobOutline::Task& task : outline_.tasks) {
    v1::Placement::Task& placed = *deploy.mutable_placement()->add_tasks();
    for (int subtask = 0; subtask < task.parallelism; ++subtask) placed.add_processes(process_of_subtask[static_cast<size_t>(subtask)]);
  }
  stream->send(command.SerializeAsString());
}

/// The same for all tasks, since they share slots.
std::vector<int> Job::processOfSubtask() const {
  std::vector<int> numbers;
  for (const std::string& worker : slot_workers_) {
    for (const auto& each : processes_) {
      if (each->worker == worker) numbers.push_back(each->number);
    }
  }
  return numbers;
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
    if (outline_.is_query) process->stream->send(credit);
  }
  checkpoints_->beginAttempt(processOfSubtask());
}

void Job::sendToAll(v1::TaskCommand& command) {
  rpc::setAttempt(*command.mutable_attempt(), id_, attempt_, office_.epoch());
  const std::string bytes = command.SerializeAsString();
  for (const auto& process : processes_) {
    if (process->stream) process->stream->send(bytes);
  }
}

void Job::onAllFinished() {
  if (!allProcesses([](const Process& each) { return each.finished; })) return;
  if (checkpoints_->isEnabled()) return checkpoints_->onAllFinished();
  // A coordinator that comes after this one must not start the job again once part of its output may be visible.
  committing_ = true;
  if (const Status status = keep(true); !status.isOk()) return noteFailure(status, {}, 1);
  v1::TaskCommand command;
  command.set_commit(true);
  sendToAll(command);
}

void Job::onEndStored() {
  v1::TaskCommand command;
  command.set_commit(true);
  sendToAll(command);
}

void Job::onEnded() {
  if (!allProcesses([](const Process& each) { return each.ended; })) return;
  stopProcesses();
  endAttempt();
  end(JobState::FINISHED);
}

void Job::onResultCredit(int attempt, int number) {
  const Process* process = find(attempt, number);
  if (process == nullptr || !process->stream) return;
  v1::TaskCommand command;
  rpc::setAttempt(*command.mutable_attempt(), id_, attempt_, office_.epoch());
  command.set_result_credit(1);
  process->stream->send(command.SerializeAsString());
}

void Job::cancel() {
  switch (state_) {
    case JobState::INITIALIZING:
    case JobState::CREATED:
    case JobState::RESTARTING:
      result_ = Status::cancelled("the job was cancelled");
      return end(JobState::CANCELED);
    case JobState::RUNNING:
      enter(JobState::CANCELLING);
      checkpoints_->endAttempt();
      stopProcesses();
      return afterStop();
    case JobState::FAILING: return enter(JobState::CANCELLING);
    default: return;
  }
}

void Job::savepoint(const std::string& folder, bool stop, CheckpointCoordinator::SavepointDone done) {
  if (state_ != JobState::RUNNING) {
    return done(Status::invalid("a savepoint can be taken of a job that is RUNNING; this one is " + std::string(jobStateName(state_))));
  }
  if (outline_.batch_mode) return done(Status::notSupported("savepoints in batch mode: batch jobs have no state to go on from"));
  checkpoints_->savepoint(folder, stop, std::move(done));
}

}  // namespace thalweg::coordinator
