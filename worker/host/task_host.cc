// The host's loop owns everything; the coordinator's stream, the job and the exchange post to it. Nothing is torn down
// in order: when the last word has reached the coordinator the process ends, and the kernel takes the rest.
#include "worker/host/task_host.h"

#include <unistd.h>

#include <atomic>
#include <future>
#include <new>
#include <optional>

#include "common/base/failpoint.h"
#include "common/log/log.h"
#include "common/process/crash_report.h"
#include "common/process/daemon.h"
#include "common/process/event_loop.h"
#include "common/rpc/job_messages.h"
#include "common/rpc/rpc_channel.h"
#include "common/rpc/rpc_server.h"
#include "common/time/clock.h"
#include "thalweg/v1/control.pb.h"
#include "worker/exchange/exchange.h"
#include "worker/host/result_sender.h"
#include "worker/host/task_checkpoints.h"
#include "worker/host/task_reporter.h"
#include "worker/task/asio_executor.h"
#include "worker/task/local_job.h"

namespace thalweg::worker {
namespace {

constexpr const char* kTaskMethod = "/thalweg.v1.Control/Task";
constexpr int64_t kReportIntervalMs = 500;
/// A deployment that takes longer than this is taken for one that never ends.
constexpr int64_t kDeploymentMaxMs = 600'000;

enum ExitCode { WELL = 0, FAILED = 1, COORDINATOR_LOST = 3 };

/// Wherever it is: user code, an operator, a thread of gRPC.
void onNoMemory() {
  constexpr std::string_view kText = "thalweg: no more memory: the process is at its limit ('taskmanager.memory.process.size')\n";
  (void)!write(STDERR_FILENO, kText.data(), kText.size());
  throw std::bad_alloc();
}

class TaskHost {
 public:
  TaskHost(const TaskHostOptions& options, TaskProgram program) : options_(options), program_(std::move(program)), reporter_(options.job_id) {}

  int run() {
    if (const Status status = start(); !status.isOk()) {
      LOG_ERROR("worker.host", "the task process could not start", {"job", options_.job_id}, {"error", status});
      return FAILED;
    }
    return exit_code_.get_future().get();
  }

 private:
  class CoordinatorLink;

  Status start();
  void onCommand(const BufferPtr& message);
  void onDeploy(const v1::Deploy& deploy);
  Status deploy(const v1::Deploy& deploy);
  Result<std::optional<JobSnapshot>> restored(const v1::Deploy& deploy, const TaskGraph& graph, const std::vector<std::vector<int>>& placement) const;
  void onStored(CheckpointId checkpoint, const Result<CheckpointManifest>& part);
  void onGo(const v1::Go& go);
  void beat();
  void onJobEnd(const Status& status);
  void onPeerFailure(const Status& status, int peer);
  void reportEnd();
  void report();
  void sendReport();
  void fail(const Status& status, bool from_peer);
  void send(v1::TaskMessage& message);
  void finish(int code);

  const TaskHostOptions options_;
  const TaskProgram program_;
  const SystemClock clock_;
  EventLoop loop_;
  EventLoop beats_;                                     // says that the process is there while the loop deploys
  const int64_t started_ms_ = steadyMillis();
  std::atomic<bool> running_{false};
  std::promise<int> exit_code_;
  bool finished_ = false;
  bool failed_ = false;
  bool committed_ = false;
  bool job_ended_ = false;

  std::unique_ptr<RpcServer> server_;
  std::unique_ptr<RpcChannel> channel_;
  std::shared_ptr<RpcStream> coordinator_;
  Mutex exchange_mutex_;
  std::shared_ptr<Exchange> exchange_ GUARDED_BY(exchange_mutex_);
  std::unique_ptr<AsioExecutor> executor_;
  std::unique_ptr<TaskCheckpoints> checkpoints_;
  std::unique_ptr<LocalJob> job_;
  std::vector<std::unique_ptr<ResultSender>> senders_;
  size_t results_open_ = 0;
  TaskReporter reporter_;
};

class TaskHost::CoordinatorLink final : public RpcHandler {
 public:
  explicit CoordinatorLink(TaskHost& host) : host_(host) {}
  void onMessage(BufferPtr message) override {
    host_.loop_.post([this, message = std::move(message)] { host_.onCommand(message); });
  }
  void onClosed(const Status& status) override {
    host_.loop_.post([this, status] {
      if (!host_.finished_) LOG_WARN("worker.host", "the coordinator has gone", {"error", status});
      host_.finish(COORDINATOR_LOST);
    });
  }

 private:
  TaskHost& host_;
};

Status TaskHost::start() {
  installCrashReport();
  placeWitness();
  std::set_new_handler(onNoMemory);
  const HostPort address{options_.exchange_host, options_.exchange_port};
  const auto accept = [this](const std::string& method, const std::shared_ptr<RpcStream>& stream) -> std::shared_ptr<RpcHandler> {
    if (method != Exchange::kMethod) return nullptr;
    const MutexLock lock(exchange_mutex_);
    return exchange_ ? exchange_->accept(stream) : nullptr;
  };
  ASSIGN_OR_RETURN(server_, RpcServer::start({.address = address.toString(), .security = options_.security}, accept));
  ASSIGN_OR_RETURN(channel_, RpcChannel::connect({.address = options_.coordinator, .security = options_.security}));
  loop_.run([this] {
    coordinator_ = channel_->openStream(kTaskMethod, std::make_shared<CoordinatorLink>(*this));
    v1::TaskMessage message;
    v1::TaskHello& hello = *message.mutable_hello();
    hello.set_process(options_.process);
    hello.set_worker_id(options_.worker_id);
    hello.set_exchange_address(HostPort{options_.exchange_host, server_->port()}.toString());
    hello.set_pid(getpid());
    send(message);
  });
  beats_.postAfter(kReportIntervalMs, [this] { beat(); });
  return {};
}

/// Until reports do: to plan, to restore state, and to wait for the others may take a while.
void TaskHost::beat() {
  if (running_.load() || steadyMillis() - started_ms_ > kDeploymentMaxMs) return;
  v1::TaskMessage message;
  send(message);
  beats_.postAfter(kReportIntervalMs, [this] { beat(); });
}

void TaskHost::send(v1::TaskMessage& message) {
  rpc::setAttempt(*message.mutable_attempt(), options_.job_id, options_.attempt, options_.epoch);
  coordinator_->send(message.SerializeAsString());
}

void TaskHost::onCommand(const BufferPtr& bytes) {
  v1::TaskCommand command;
  if (!command.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes()))) {
    return fail(Status::io("a command of the coordinator could not be read"), false);
  }
  const v1::AttemptId& attempt = command.attempt();
  if (attempt.job_id() != options_.job_id || attempt.attempt() != options_.attempt || attempt.epoch() != options_.epoch) return;
  switch (command.command_case()) {
    case v1::TaskCommand::kDeploy: return onDeploy(command.deploy());
    case v1::TaskCommand::kGo: return onGo(command.go());
    case v1::TaskCommand::kCommit:
      committed_ = true;
      if (job_) job_->commit();
      return;
    case v1::TaskCommand::kTriggerCheckpoint: {
      const v1::TriggerCheckpoint& trigger = command.trigger_checkpoint();
      if (job_) checkpoints_->trigger(*job_, trigger.checkpoint(), trigger.folder(), trigger.hold());
      return;
    }
    case v1::TaskCommand::kConfirmCheckpoint:
      if (job_) job_->confirmCheckpoint(command.confirm_checkpoint());
      return;
    case v1::TaskCommand::kAbandonCheckpoint:
      if (job_) job_->abandonCheckpoint(command.abandon_checkpoint(), Status::cancelled("the coordinator gave it up"));
      return;
    case v1::TaskCommand::kStopWithCheckpoint:
      committed_ = true;
      if (job_) job_->stop(command.stop_with_checkpoint());
      return;
    case v1::TaskCommand::kStop: return finish(WELL);
    case v1::TaskCommand::kResultCredit:
      for (const auto& sender : senders_) sender->grant(command.result_credit());
      return;
    case v1::TaskCommand::COMMAND_NOT_SET: return;
  }
}

void TaskHost::onDeploy(const v1::Deploy& message) {
  if (const Status status = deploy(message); !status.isOk()) return fail(status, false);
  v1::TaskMessage ready;
  ready.set_ready(true);
  send(ready);
}

Status TaskHost::deploy(const v1::Deploy& message) {
  RETURN_IF_ERROR(THALWEG_FAILPOINT("task.deploy"));
  const FrozenScript script = rpc::scriptOf(message.script());
  if (!script.working_directory.empty()) (void)!chdir(script.working_directory.c_str());   // the program judges relative paths
  ASSIGN_OR_RETURN(PlannedTasks planned, program_.plan(script));
  if (planned.fingerprint != message.fingerprint()) {
    return Status::plan("worker '" + options_.worker_id + "' plans another job than was submitted; " + program_.remedy + "; " +
                        program_.difference(message.graph_text(), planned.text));
  }
  ExchangeOptions exchange;
  exchange.attempt = options_.job_id + "/" + std::to_string(options_.attempt) + "/" + std::to_string(options_.epoch) + "/" + message.secret();
  exchange.process = options_.process;
  exchange.processes = message.processes();
  std::vector<std::vector<int>> placement;
  for (const auto& task : message.placement().tasks()) placement.emplace_back(task.processes().begin(), task.processes().end());
  exchange.placement = placement;
  if (exchange.placement.size() != planned.graph.tasks.size()) return Status::internal("the placement is of another graph");
  exchange.security = options_.security;
  exchange.memory = std::make_shared<MemoryPool>("job");
  exchange.on_failure = [this](const Status& status, int peer) { loop_.post([this, status, peer] { onPeerFailure(status, peer); }); };
  auto memory = exchange.memory;
  auto made = std::make_shared<Exchange>(std::move(exchange));
  {
    const MutexLock lock(exchange_mutex_);
    exchange_ = made;
  }
  ASSIGN_OR_RETURN(const std::optional<JobSnapshot> snapshot, restored(message, planned.graph, placement));
  // Key groups are for ever; a job that does not insist on a number takes that of its state.
  if (snapshot && !planned.graph.configuration.contains("pipeline.max-parallelism")) planned.graph.max_parallelism = snapshot->max_parallelism;
  reporter_.setStuckTimeout(planned.graph.configuration.getDurationMillis("thalweg.task.stuck-timeout"));
  executor_ = std::make_unique<AsioExecutor>(clock_, AsioExecutorOptions{.compute_threads = options_.slots});
  const std::string data_name = "state-" + std::to_string(options_.epoch) + "-" + std::to_string(options_.attempt) + "-" + std::to_string(options_.process);
  checkpoints_ = std::make_unique<TaskCheckpoints>(data_name, localFileSystem(), *executor_,
                                                   [this](CheckpointId checkpoint, const Result<CheckpointManifest>& part) { onStored(checkpoint, part); });
  JobOptions options;
  options.restored = snapshot ? &*snapshot : nullptr;
  options.allow_unclaimed_state = message.ignore_unclaimed_state();
  options.random_seed = script.random_seed;
  options.start_ms = message.start_time_ms();
  options.memory = memory;
  options.share = made.get();
  options.on_end = [this, results = planned.results](const Status& status) {
    for (const auto& queue : results) queue->close();
    loop_.post([this, status] { onJobEnd(status); });
  };
  options.on_all_finished = [this] {
    loop_.post([this] {
      v1::TaskMessage finished;
      finished.set_all_finished(true);
      send(finished);
    });
  };
  ASSIGN_OR_RETURN(job_, LocalJob::start(std::move(planned.graph), *executor_, clock_, std::move(options)));
  for (const auto& queue : planned.results) {
    ++results_open_;
    const auto send_rows = [this](std::string_view batch) {
      v1::TaskMessage result;
      result.mutable_result()->set_batch(batch.data(), batch.size());
      send(result);
    };
    senders_.push_back(std::make_unique<ResultSender>(queue, send_rows, [this] {
      loop_.post([this] {
        --results_open_;
        reportEnd();
      });
    }));
  }
  return {};
}

Result<std::optional<JobSnapshot>> TaskHost::restored(const v1::Deploy& message, const TaskGraph& graph,
                                                      const std::vector<std::vector<int>>& placement) const {
  if (message.restored_manifest().empty()) return std::optional<JobSnapshot>();
  ASSIGN_OR_RETURN(CheckpointManifest manifest, decodeManifest(message.restored_manifest()));
  LOG_INFO("worker.host", "starting from a checkpoint", {"job", options_.job_id}, {"checkpoint", manifest.checkpoint_id}, {"folder", message.restored_folder()});
  ASSIGN_OR_RETURN(JobSnapshot snapshot, loadShare(localFileSystem(), message.restored_folder(), std::move(manifest), graph, placement, options_.process));
  return std::optional<JobSnapshot>(std::move(snapshot));
}

void TaskHost::onStored(CheckpointId checkpoint, const Result<CheckpointManifest>& part) {
  v1::TaskMessage message;
  v1::CheckpointPart& told = *message.mutable_checkpoint_part();
  told.set_checkpoint(checkpoint);
  if (part.isOk()) told.set_manifest(encodeManifest(*part));
  else rpc::setFailure(*told.mutable_failure(), part.status());
  loop_.post([this, message]() mutable { send(message); });
}

void TaskHost::onGo(const v1::Go& go) {
  if (!job_) return;
  std::shared_ptr<Exchange> exchange;
  {
    const MutexLock lock(exchange_mutex_);
    exchange = exchange_;
  }
  if (const Status status = exchange->connect({go.exchange_addresses().begin(), go.exchange_addresses().end()}); !status.isOk()) return fail(status, true);
  job_->begin();
  running_.store(true);
  loop_.postAfter(kReportIntervalMs, [this] { report(); });
}

void TaskHost::onPeerFailure(const Status& status, int peer) {
  if (committed_) return;
  fail(status, peer >= 0);
}

void TaskHost::onJobEnd(const Status& status) {
  if (!status.isOk()) return fail(status, false);
  job_ended_ = true;
  reportEnd();
}

void TaskHost::reportEnd() {
  if (!job_ended_ || results_open_ > 0 || failed_) return;
  sendReport();
  v1::TaskMessage ended;
  ended.set_ended(true);
  send(ended);
}

void TaskHost::report() {
  if (!witnessIsThere()) _exit(kDescriptorsClosedCode);
  if (job_ended_ || failed_) return;
  sendReport();
  loop_.postAfter(kReportIntervalMs, [this] { report(); });
}

void TaskHost::sendReport() {
  v1::TaskMessage message;
  const Status overdue = reporter_.fill(*message.mutable_report(), *job_);
  send(message);
  if (!overdue.isOk()) fail(overdue, false);
}

void TaskHost::fail(const Status& status, bool from_peer) {
  if (failed_ || finished_) return;
  failed_ = true;
  LOG_WARN("worker.host", "the attempt failed", {"job", options_.job_id}, {"attempt", options_.attempt}, {"error", status});
  v1::TaskMessage message;
  rpc::setFailure(*message.mutable_failed()->mutable_failure(), status);
  message.mutable_failed()->set_from_peer(from_peer);
  send(message);
}

void TaskHost::finish(int code) {
  if (finished_) return;
  finished_ = true;
  exit_code_.set_value(failed_ ? FAILED : code);
}

}  // namespace

int runTaskHost(const TaskHostOptions& options, TaskProgram program) {
  auto* const host = new TaskHost(options, std::move(program));   // never torn down: see above
  const int code = host->run();
  return witnessIsThere() ? code : kDescriptorsClosedCode;
}

}  // namespace thalweg::worker
