// Fencing: the coordinator's epoch comes with its first answer. A newer one means that the coordinator was restarted
// and knows nothing of older attempts, so children it does not name are ended; commands of an older epoch are dropped.
// While the coordinator is away children go on for kLeaseMs, since it may be the connection only, and are ended then.
#include "worker/host/worker_daemon.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

#include "common/base/failpoint.h"
#include "common/log/log.h"
#include "common/process/daemon.h"
#include "common/rpc/job_messages.h"
#include "common/rpc/rpc_channel.h"
#include "thalweg/v1/control.pb.h"
#include "worker/host/program_cache.h"
#include "worker/host/task_children.h"

namespace thalweg::worker {
namespace {

constexpr const char* kWorkerMethod = "/thalweg.v1.Control/Worker";
constexpr int64_t kFirstPauseMs = 100;
constexpr int64_t kPauseMaxMs = 2000;
constexpr int64_t kLeaseMs = 5000;

AttemptKey keyOf(const v1::AttemptId& id) { return {id.job_id(), id.attempt(), id.epoch()}; }

void setAttempt(v1::AttemptId& id, const AttemptKey& key) { rpc::setAttempt(id, key.job_id, key.attempt, key.epoch); }

class Worker {
 public:
  explicit Worker(WorkerOptions options)
      : options_(std::move(options)),
        children_(options_, loop_, [this](const AttemptKey& key, const ChildEnd& end) {
          reportExit(key, end.isClean(), "the task process on worker '" + options_.id + "' " + end.toString(), end.last_lines);
        }) {}

  Status start() {
    ASSIGN_OR_RETURN(channel_, RpcChannel::connect({.address = options_.coordinator, .security = options_.security}));
    programs_ = std::make_unique<ProgramCache>(options_.folder + "/programs", *channel_);
    RETURN_IF_ERROR(programs_->open());
    loop_.post([this] { connect(); });
    return {};
  }

  /// Ends the children in order; the destructor kills what is left.
  void stop() {
    loop_.run([this] {
      stopping_ = true;
      fetching_.clear();
      for (const AttemptKey& key : children_.running()) children_.stop(key);
      if (stream_) stream_->finish();
    });
  }

 private:
  class Link final : public RpcHandler {
   public:
    Link(Worker& worker, uint64_t number) : worker_(worker), number_(number) {}
    void onMessage(BufferPtr message) override {
      worker_.loop_.post([this, message = std::move(message)] { worker_.onCommand(number_, message); });
    }
    void onClosed(const Status& status) override {
      worker_.loop_.post([&worker = worker_, number = number_, status] { worker.onLost(number, status); });
    }

   private:
    Worker& worker_;
    const uint64_t number_;
  };

  void connect() {
    if (stopping_) return;
    links_.push_back(std::make_shared<Link>(*this, ++connection_));
    if (links_.size() > 4) links_.erase(links_.begin());
    stream_ = channel_->openStream(kWorkerMethod, links_.back());
    v1::WorkerMessage message;
    v1::RegisterWorker& hello = *message.mutable_register_();
    hello.set_worker_id(options_.id);
    hello.set_host(options_.host);
    hello.set_pid(getpid());
    hello.set_slots(options_.slots);
    hello.set_version(THALWEG_VERSION);
    send(message);
  }

  void send(v1::WorkerMessage& message) {
    message.set_epoch(epoch_);
    if (stream_) stream_->send(message.SerializeAsString());
  }

  void onLost(uint64_t number, const Status& status) {
    if (number != connection_ || stopping_) return;
    stream_.reset();
    if (registered_) LOG_WARN("worker.host", "the connection to the coordinator broke", {"coordinator", options_.coordinator}, {"error", status});
    else LOG_INFO("worker.host", "the coordinator is not there yet", {"coordinator", options_.coordinator}, {"error", status});
    if (registered_) {
      lost_since_ms_ = steadyMillis();
      loop_.postAfter(kLeaseMs, [this, lost = lost_since_ms_] {
        if (!registered_ && lost_since_ms_ == lost) stopAllBut({});
      });
      pause_ms_ = kFirstPauseMs;
    }
    registered_ = false;
    loop_.postAfter(pause_ms_, [this] { connect(); });
    pause_ms_ = std::min(pause_ms_ * 2, kPauseMaxMs);
  }

  void onCommand(uint64_t number, const BufferPtr& bytes) {
    v1::WorkerCommand command;
    if (number != connection_ || !command.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes()))) return;
    if (command.epoch() < epoch_ && !THALWEG_MUTANT("epoch_ignored")) return;      // of a coordinator that was replaced
    switch (command.command_case()) {
      case v1::WorkerCommand::kRegistered: return onRegistered(command.epoch(), command.registered());
      case v1::WorkerCommand::kStartAttempt: return onStart(command.start_attempt());
      case v1::WorkerCommand::kStopAttempt: return onStop(command.stop_attempt());
      case v1::WorkerCommand::kReadLog: return onReadLog(command.read_log());
      case v1::WorkerCommand::COMMAND_NOT_SET: return;
    }
  }

  void onRegistered(uint64_t epoch, const v1::Registered& registered) {
    epoch_ = epoch;
    registered_ = true;
    pause_ms_ = kFirstPauseMs;
    heartbeat_interval_ms_ = std::clamp(registered.heartbeat_interval_ms(), 10, 60000);
    std::vector<AttemptKey> kept;
    for (const auto& attempt : registered.keep()) kept.push_back(keyOf(attempt));
    stopAllBut(kept);
    LOG_INFO("worker.host", "registered", {"worker", options_.id}, {"coordinator", options_.coordinator}, {"epoch", epoch}, {"slots", options_.slots});
    if (!std::exchange(beating_, true)) beat();
  }

  void stopAllBut(const std::vector<AttemptKey>& kept) {
    std::erase_if(fetching_, [&](const AttemptKey& key) { return std::find(kept.begin(), kept.end(), key) == kept.end(); });
    for (const AttemptKey& key : children_.running()) {
      if (std::find(kept.begin(), kept.end(), key) == kept.end()) children_.stop(key);
    }
  }

  void beat() {
    if (stopping_) return;
    children_.watch();
    if (registered_) {
      v1::WorkerMessage message;
      v1::WorkerHeartbeat& heartbeat = *message.mutable_heartbeat();
      heartbeat.set_resident_bytes(residentBytes());
      for (const AttemptKey& key : children_.running()) setAttempt(*heartbeat.add_attempts(), key);
      for (const AttemptKey& key : fetching_) setAttempt(*heartbeat.add_attempts(), key);
      send(message);
    }
    loop_.postAfter(heartbeat_interval_ms_, [this] { beat(); });
  }

  void onStart(const v1::StartAttempt& start) {
    const AttemptKey key = keyOf(start.attempt());
    if (!start.has_program()) return onStarted(key, children_.start(key, start.process(), start.slots()));
    ChildProgram program{{}, rpc::programOf(start.program()), start.working_directory(), start.plan_time_ms()};
    fetching_.insert(key);
    programs_->fetch(program.program, [this, key, program, process = start.process(), slots = start.slots()](const Result<std::string>& path) mutable {
      loop_.post([this, key, program, process, slots, path]() mutable {
        if (fetching_.erase(key) == 0) return;           // stopped meanwhile
        if (!path.isOk()) return onStarted(key, path.status().withContext("fetching program '" + program.program.name + "'"));
        program.path = *path;
        onStarted(key, children_.start(key, process, slots, &program));
      });
    });
  }

  void onStarted(const AttemptKey& key, const Status& status) {
    if (!status.isOk()) reportExit(key, false, "worker '" + options_.id + "' could not start a task process: " + status.message(), {});
  }

  void onStop(const v1::StopAttempt& stop) {
    const AttemptKey key = keyOf(stop.attempt());
    fetching_.erase(key);
    if (!children_.stop(key)) reportExit(key, true, "no process", {});
  }

  void reportExit(const AttemptKey& key, bool clean, const std::string& description, const std::string& last_lines) {
    v1::WorkerMessage message;
    v1::AttemptExited& exited = *message.mutable_attempt_exited();
    setAttempt(*exited.mutable_attempt(), key);
    exited.set_clean(clean);
    exited.set_description(description);
    exited.set_last_lines(last_lines);
    send(message);
  }

  void onReadLog(const v1::ReadLog& read) {
    v1::WorkerMessage message;
    message.mutable_log_text()->set_request(read.request());
    message.mutable_log_text()->set_text(children_.log(read.job_id(), static_cast<size_t>(std::clamp(read.lines(), 1, 10000))));
    send(message);
  }

  const WorkerOptions options_;
  std::unique_ptr<RpcChannel> channel_;
  std::vector<std::shared_ptr<Link>> links_;     // kept while what they posted may run
  std::shared_ptr<RpcStream> stream_;
  uint64_t connection_ = 0;
  uint64_t epoch_ = 0;
  bool registered_ = false;
  bool beating_ = false;
  bool stopping_ = false;
  int64_t pause_ms_ = kFirstPauseMs;
  int64_t lost_since_ms_ = 0;
  int64_t heartbeat_interval_ms_ = 250;
  std::set<AttemptKey> fetching_;                // whose program is on its way
  EventLoop loop_;                               // after what it uses, before those that post to it
  std::unique_ptr<ProgramCache> programs_;
  TaskChildren children_;
};

}  // namespace

int runWorker(const WorkerOptions& given) {
  WorkerOptions options = given;
  if (options.slots <= 0) options.slots = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (options.id.empty()) {
    char name[65] = "worker";
    gethostname(name, sizeof(name) - 1);
    options.id = std::string(name) + "-" + std::to_string(getpid()) + "-" + randomHex(3);
  }
  std::error_code error;
  options.folder = std::filesystem::absolute(options.folder, error).lexically_normal().string();     // programs run elsewhere
  std::filesystem::create_directories(options.folder + "/logs", error);
  if (error) {
    LOG_ERROR("worker.host", "the worker's folder cannot be made", {"folder", options.folder}, {"error", error.message()});
    return 2;
  }
  Worker worker(options);
  if (const Status status = worker.start(); !status.isOk()) {
    LOG_ERROR("worker.host", "the worker could not start", {"error", status});
    return 2;
  }
  const int signal = waitForTermination();
  LOG_INFO("worker.host", "stopping", {"signal", signal});
  worker.stop();
  return 0;
}

}  // namespace thalweg::worker
