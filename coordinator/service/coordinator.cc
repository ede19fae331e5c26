// Each kind of stream has a handler that posts what it hears to the loop. A handler knows whose stream it is (a worker,
// a process of an attempt, a client and its job) once the first message said so.
#include "coordinator/service/coordinator.h"

#include <algorithm>
#include <deque>
#include <filesystem>

#include "common/log/log.h"
#include "common/process/daemon.h"
#include "common/rpc/job_messages.h"
#include "common/rpc/rpc_server.h"
#include "common/time/clock.h"
#include "coordinator/service/job.h"
#include "thalweg/v1/client.pb.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::coordinator {
namespace {

constexpr int64_t kLogWaitMs = 2000;

struct WorkerSession {
  std::shared_ptr<RpcStream> stream;
  std::string host;
  int slots = 0;
  int pid = 0;
  uint64_t resident_bytes = 0;
};

/// A number that no earlier coordinator of this folder had.
Result<uint64_t> nextEpoch(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string path = folder + "/epoch";
  const auto before = readWhole(path);
  const uint64_t epoch = (before.isOk() ? std::strtoull(before->c_str(), nullptr, 10) : 0) + 1;
  RETURN_IF_ERROR(writeWhole(path, std::to_string(epoch)));
  return epoch;
}

}  // namespace

struct Coordinator::Impl : JobOffice, std::enable_shared_from_this<Coordinator::Impl> {
  class WorkerHandler;
  class TaskHandler;
  class RunHandler;
  class CallHandler;

  explicit Impl(CoordinatorOptions given)
      : options(std::move(given)), pool({options.suspect_after_ms, options.dead_after_ms}) {}

  EventLoop& loop() override { return events; }
  SlotPool& slots() override { return pool; }
  uint64_t epoch() const override { return current_epoch; }
  int64_t wallMillis() const override { return clock.nowMillis(); }
  void startProcess(const std::string& worker, const std::string& job, int attempt, int process, int slot_count) override;
  bool stopProcess(const std::string& worker, const std::string& job, int attempt) override;
  void onSlotsFree() override;

  std::shared_ptr<RpcHandler> accept(const std::string& method, const std::shared_ptr<RpcStream>& stream);
  void send(const std::string& worker, v1::WorkerCommand& command);
  void tick();
  void loseWorker(const std::string& id, const std::string& why);
  void onWorkerMessage(WorkerHandler& handler, const BufferPtr& bytes);
  Result<std::shared_ptr<Job>> submit(const v1::Submit& submit, JobFollower follower);
  std::shared_ptr<Job> find(const std::string& id) const;
  Result<std::shared_ptr<Job>> findByPrefix(const std::string& prefix) const;
  void forgetOldJobs();
  void answer(const std::string& method, const BufferPtr& request, const std::shared_ptr<RpcStream>& stream);
  void readLogs(const v1::ReadLogsRequest& request, const std::shared_ptr<RpcStream>& stream);
  void listJobs(v1::ListJobsReply& reply) const;
  void overview(v1::OverviewReply& reply) const;

  const CoordinatorOptions options;
  const SystemClock clock;
  uint64_t current_epoch = 0;
  uint64_t next_job = 1;
  SlotPool pool;
  std::map<std::string, WorkerSession> workers;
  std::map<std::string, std::shared_ptr<Job>> jobs;
  std::deque<std::string> order;                         // of submission
  struct LogRequest {
    std::shared_ptr<RpcStream> stream;
    v1::ReadLogsReply reply;
    size_t missing = 0;
  };
  std::map<uint64_t, LogRequest> log_requests;
  uint64_t next_request = 1;
  std::unique_ptr<RpcServer> server;
  EventLoop events;                                      // last: its work uses all of the above
};

// ---- Workers

class Coordinator::Impl::WorkerHandler final : public RpcHandler, public std::enable_shared_from_this<WorkerHandler> {
 public:
  WorkerHandler(std::shared_ptr<Impl> office, std::shared_ptr<RpcStream> stream) : office_(std::move(office)), stream_(std::move(stream)) {}
  void onMessage(BufferPtr message) override {
    office_->events.post([self = shared_from_this(), message = std::move(message)] { self->office_->onWorkerMessage(*self, message); });
  }
  void onClosed(const Status& status) override {
    office_->events.post([self = shared_from_this(), status] {
      const auto found = self->office_->workers.find(self->id);
      if (found != self->office_->workers.end() && found->second.stream == self->stream_) {
        self->office_->loseWorker(self->id, status.isOk() ? "it left" : status.message());
      }
      self->stream_.reset();
    });
  }
  const std::shared_ptr<RpcStream>& stream() const { return stream_; }
  std::string id;

 private:
  const std::shared_ptr<Impl> office_;
  std::shared_ptr<RpcStream> stream_;
};

void Coordinator::Impl::onWorkerMessage(WorkerHandler& handler, const BufferPtr& bytes) {
  v1::WorkerMessage message;
  if (!handler.stream()) return;
  if (!message.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes()))) {
    return handler.stream()->finish(Status::invalid("a message of a worker could not be read"));
  }
  const int64_t now_ms = steadyMillis();
  if (message.has_register_()) {
    const v1::RegisterWorker& hello = message.register_();
    if (hello.slots() < 1 || hello.slots() > 4096 || hello.worker_id().empty() || hello.worker_id().size() > 200) {
      return handler.stream()->finish(Status::invalid("a worker registers with an id and 1 to 4096 slots"));
    }
    if (workers.contains(hello.worker_id())) loseWorker(hello.worker_id(), "it registered anew");
    handler.id = hello.worker_id();
    workers[handler.id] = {handler.stream(), hello.host(), hello.slots(), hello.pid(), 0};
    pool.addWorker(handler.id, hello.slots(), now_ms);
    LOG_INFO("coordinator.service", "a worker registered", {"worker", handler.id}, {"slots", hello.slots()}, {"version", hello.version()});
    v1::WorkerCommand command;
    command.mutable_registered()->set_heartbeat_interval_ms(options.heartbeat_interval_ms);
    send(handler.id, command);
    return onSlotsFree();
  }
  const auto found = workers.find(handler.id);
  if (found == workers.end() || found->second.stream != handler.stream()) {
    return handler.stream()->finish(Status::cancelled("this worker was given up; register anew"));
  }
  pool.onHeartbeat(handler.id, now_ms);
  if (message.epoch() != current_epoch) return;
  if (message.has_heartbeat()) found->second.resident_bytes = message.heartbeat().resident_bytes();
  if (message.has_attempt_exited()) {
    const v1::AttemptExited& exited = message.attempt_exited();
    if (exited.attempt().epoch() != current_epoch) return;
    if (const auto job = find(exited.attempt().job_id())) {
      job->onProcessExit(exited.attempt().attempt(), handler.id, exited.clean(), exited.description(), exited.last_lines());
    }
  }
  if (message.has_log_text()) {
    const auto request = log_requests.find(message.log_text().request());
    if (request == log_requests.end()) return;
    v1::ReadLogsReply::Log& log = *request->second.reply.add_logs();
    log.set_worker(handler.id);
    log.set_text(message.log_text().text());
    if (--request->second.missing > 0) return;
    request->second.stream->send(request->second.reply.SerializeAsString());
    request->second.stream->finish();
    log_requests.erase(request);
  }
}

void Coordinator::Impl::loseWorker(const std::string& id, const std::string& why) {
  LOG_WARN("coordinator.service", "a worker was lost", {"worker", id}, {"reason", why});
  const std::shared_ptr<RpcStream> stream = workers[id].stream;
  workers.erase(id);
  pool.removeWorker(id);
  if (stream) stream->abort();
  const auto all = jobs;
  for (const auto& [job_id, job] : all) {
    if (!job->isOver()) job->onWorkerLost(id);
  }
}

void Coordinator::Impl::send(const std::string& worker, v1::WorkerCommand& command) {
  command.set_epoch(current_epoch);
  const auto found = workers.find(worker);
  if (found != workers.end()) found->second.stream->send(command.SerializeAsString());
}

void Coordinator::Impl::startProcess(const std::string& worker, const std::string& job, int attempt, int process, int slot_count) {
  v1::WorkerCommand command;
  v1::StartAttempt& start = *command.mutable_start_attempt();
  rpc::setAttempt(*start.mutable_attempt(), job, attempt, current_epoch);
  start.set_process(process);
  start.set_slots(slot_count);
  send(worker, command);
}

bool Coordinator::Impl::stopProcess(const std::string& worker, const std::string& job, int attempt) {
  if (!workers.contains(worker)) return false;
  v1::WorkerCommand command;
  rpc::setAttempt(*command.mutable_stop_attempt()->mutable_attempt(), job, attempt, current_epoch);
  send(worker, command);
  return true;
}

void Coordinator::Impl::onSlotsFree() {
  events.post([this] {
    for (const std::string& id : std::deque<std::string>(order)) {
      if (const auto job = find(id)) job->trySchedule();
    }
    forgetOldJobs();
  });
}

void Coordinator::Impl::tick() {
  const int64_t now_ms = steadyMillis();
  for (const std::string& id : pool.deadWorkers(now_ms)) loseWorker(id, "it was silent for " + std::to_string(pool.silentMillis(id, now_ms)) + " ms");
  for (const std::string& id : std::deque<std::string>(order)) {
    if (const auto job = find(id)) job->tick(now_ms);
  }
  events.postAfter(options.heartbeat_interval_ms, [this] { tick(); });
}

// ---- Task processes

class Coordinator::Impl::TaskHandler final : public RpcHandler, public std::enable_shared_from_this<TaskHandler> {
 public:
  TaskHandler(std::shared_ptr<Impl> office, std::shared_ptr<RpcStream> stream) : office_(std::move(office)), stream_(std::move(stream)) {}
  void onMessage(BufferPtr message) override {
    office_->events.post([self = shared_from_this(), message = std::move(message)] { self->handle(message); });
  }
  void onClosed(const Status& status) override {
    office_->events.post([self = shared_from_this(), status] {
      if (const auto job = self->job_.lock()) job->onTaskLost(self->attempt_, self->process_, status.isOk() ? Status::io("it ended its connection") : status);
      self->stream_.reset();
    });
  }

 private:
  void handle(const BufferPtr& bytes) {
    v1::TaskMessage message;
    if (!stream_) return;
    if (!message.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes()))) {
      return stream_->finish(Status::invalid("a message of a task process could not be read"));
    }
    const auto job = message.attempt().epoch() == office_->current_epoch ? office_->find(message.attempt().job_id()) : nullptr;
    if (message.has_hello()) {
      if (job == nullptr || job->isOver()) return stream_->finish(Status::cancelled("the attempt is over"));
      job_ = job;
      attempt_ = message.attempt().attempt();
      process_ = message.hello().process();
    }
    if (job != nullptr && job == job_.lock()) job->onTaskMessage(message, stream_);
  }

  const std::shared_ptr<Impl> office_;
  std::shared_ptr<RpcStream> stream_;
  std::weak_ptr<Job> job_;
  int attempt_ = 0;
  int process_ = -1;
};

// ---- Clients

class Coordinator::Impl::RunHandler final : public RpcHandler, public std::enable_shared_from_this<RunHandler> {
 public:
  RunHandler(std::shared_ptr<Impl> office, std::shared_ptr<RpcStream> stream) : office_(std::move(office)), stream_(std::move(stream)) {}
  void onMessage(BufferPtr message) override {
    office_->events.post([self = shared_from_this(), message = std::move(message)] { self->handle(message); });
  }
  void onClosed(const Status&) override {
    office_->events.post([self = shared_from_this()] {
      if (self->job_) {
        self->job_->follow({});
        if (self->job_->isQuery() && !self->job_->isOver()) self->job_->cancel();
      }
      self->stream_.reset();
    });
  }

 private:
  void handle(const BufferPtr& bytes) {
    v1::RunRequest request;
    if (!stream_) return;
    if (!request.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes()))) return stream_->finish(Status::invalid("a request could not be read"));
    if (request.has_submit() && !job_) return submit(request.submit());
    if (!job_) return stream_->finish(Status::invalid("expected a job to be submitted first"));
    if (request.has_result_credit()) job_->onResultCredit(request.result_credit().attempt(), request.result_credit().process());
    if (request.cancel()) job_->cancel();
  }

  void submit(const v1::Submit& submit) {
    auto job = office_->submit(submit, followerOf());
    if (!job.isOk()) return stream_->finish(job.status());
    job_ = *job;
    v1::RunUpdate accepted;
    accepted.set_job_id(job_->id());
    stream_->send(accepted.SerializeAsString());
    job_->trySchedule();
    if (job_->state() == JobState::CREATED) tellState(job_->state(), job_->waitingFor());
  }

  JobFollower followerOf() {
    JobFollower follower;
    const std::weak_ptr<RunHandler> weak = shared_from_this();
    follower.on_state = [weak](JobState state, const std::string& waiting_for) {
      if (const auto self = weak.lock()) self->tellState(state, waiting_for);
    };
    follower.on_result = [weak](int attempt, int process, const std::string& batch) {
      const auto self = weak.lock();
      if (!self || !self->stream_) return;
      v1::RunUpdate update;
      update.mutable_result()->set_attempt(attempt);
      update.mutable_result()->set_process(process);
      update.mutable_result()->set_batch(batch);
      self->stream_->send(update.SerializeAsString());
    };
    follower.on_progress = [weak] {
      const auto self = weak.lock();
      if (!self || !self->stream_ || !self->job_) return;
      v1::RunUpdate update;
      self->job_->progress(*update.mutable_progress());
      self->stream_->send(update.SerializeAsString());
    };
    return follower;
  }

  void tellState(JobState state, const std::string& waiting_for) {
    if (!stream_ || !job_) return;
    v1::RunUpdate update;
    update.set_state(std::string(jobStateName(state)));
    stream_->send(update.SerializeAsString());
    if (!waiting_for.empty()) {
      update.set_waiting_for(waiting_for);
      stream_->send(update.SerializeAsString());
    }
    if (!isTerminal(state)) return;
    rpc::setFailure(*update.mutable_ended(), job_->result());
    stream_->send(update.SerializeAsString());
    stream_->finish();
  }

  const std::shared_ptr<Impl> office_;
  std::shared_ptr<RpcStream> stream_;
  std::shared_ptr<Job> job_;
};

/// One request, one answer.
class Coordinator::Impl::CallHandler final : public RpcHandler, public std::enable_shared_from_this<CallHandler> {
 public:
  CallHandler(std::shared_ptr<Impl> office, std::string method, std::shared_ptr<RpcStream> stream)
      : office_(std::move(office)), method_(std::move(method)), stream_(std::move(stream)) {}
  void onMessage(BufferPtr message) override {
    office_->events.post([self = shared_from_this(), message = std::move(message)] {
      if (const auto stream = std::exchange(self->stream_, nullptr)) self->office_->answer(self->method_, message, stream);
    });
  }
  void onClosed(const Status&) override {
    office_->events.post([self = shared_from_this()] {
      if (const auto stream = std::exchange(self->stream_, nullptr)) stream->finish(Status::invalid("there was no request"));
    });
  }
  bool answersAfterEnd() const override { return true; }

 private:
  const std::shared_ptr<Impl> office_;
  const std::string method_;
  std::shared_ptr<RpcStream> stream_;
};

Result<std::shared_ptr<Job>> Coordinator::Impl::submit(const v1::Submit& submit, JobFollower follower) {
  char id[40];
  std::snprintf(id, sizeof(id), "%08llx%08llx%s", static_cast<unsigned long long>(current_epoch), static_cast<unsigned long long>(next_job++), randomHex(8).c_str());
  auto job = std::make_shared<Job>(id, rpc::scriptOf(submit.script()), *this);
  RETURN_IF_ERROR(job->open(submit.fingerprint(), submit.graph_text(), options.defaults));
  job->follow(std::move(follower));
  jobs[job->id()] = job;
  order.push_back(job->id());
  return job;
}

std::shared_ptr<Job> Coordinator::Impl::find(const std::string& id) const {
  const auto found = jobs.find(id);
  return found == jobs.end() ? nullptr : found->second;
}

Result<std::shared_ptr<Job>> Coordinator::Impl::findByPrefix(const std::string& prefix) const {
  std::shared_ptr<Job> only;
  for (auto each = jobs.lower_bound(prefix); each != jobs.end() && each->first.starts_with(prefix); ++each) {
    if (only) return Status::invalid("several jobs begin with '" + prefix + "'");
    only = each->second;
  }
  if (only == nullptr || prefix.empty()) return Status::notFound("there is no job '" + prefix + "'");
  return only;
}

void Coordinator::Impl::forgetOldJobs() {
  size_t over = 0;
  for (const auto& [id, job] : jobs) over += job->isOver() ? 1 : 0;
  for (auto each = order.begin(); over > options.jobs_retained && each != order.end();) {
    if (!jobs.at(*each)->isOver()) {
      ++each;
      continue;
    }
    jobs.erase(*each);
    each = order.erase(each);
    --over;
  }
}

void Coordinator::Impl::listJobs(v1::ListJobsReply& reply) const {
  for (auto id = order.rbegin(); id != order.rend(); ++id) jobs.at(*id)->describe(*reply.add_jobs(), false);
}

void Coordinator::Impl::overview(v1::OverviewReply& reply) const {
  const int64_t now_ms = steadyMillis();
  for (const auto& [id, session] : workers) {
    v1::WorkerInfo& info = *reply.add_workers();
    info.set_id(id);
    info.set_host(session.host);
    info.set_slots(session.slots);
    info.set_free_slots(pool.freeSlotsOf(id));
    info.set_silent_ms(pool.silentMillis(id, now_ms));
    info.set_state(pool.isSuspect(id, now_ms) ? "SUSPECT" : "ALIVE");
    info.set_resident_bytes(session.resident_bytes);
    info.set_pid(session.pid);
  }
  reply.set_slots(pool.slots());
  reply.set_free_slots(pool.freeSlots());
  reply.set_version(THALWEG_VERSION);
  reply.set_epoch(current_epoch);
}

void Coordinator::Impl::answer(const std::string& method, const BufferPtr& bytes, const std::shared_ptr<RpcStream>& stream) {
  const auto parse = [&](auto& request) { return request.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes())); };
  const auto reply = [&](const auto& message) {
    stream->send(message.SerializeAsString());
    stream->finish();
  };
  if (method.ends_with("/ListJobs")) {
    v1::ListJobsReply list;
    listJobs(list);
    return reply(list);
  }
  if (method.ends_with("/Overview")) {
    v1::OverviewReply all;
    overview(all);
    return reply(all);
  }
  if (method.ends_with("/ReadLogs")) {
    v1::ReadLogsRequest request;
    if (!parse(request)) return stream->finish(Status::invalid("a request could not be read"));
    return readLogs(request, stream);
  }
  v1::JobRequest request;
  if (!parse(request)) return stream->finish(Status::invalid("a request could not be read"));
  const auto job = findByPrefix(request.job_id());
  if (!job.isOk()) return stream->finish(job.status());
  if (method.ends_with("/DescribeJob")) {
    v1::JobInfo info;
    (*job)->describe(info, true);
    return reply(info);
  }
  (*job)->cancel();
  v1::CancelReply cancelled;
  cancelled.set_state(std::string(jobStateName((*job)->state())));
  reply(cancelled);
}

void Coordinator::Impl::readLogs(const v1::ReadLogsRequest& request, const std::shared_ptr<RpcStream>& stream) {
  const auto job = findByPrefix(request.job_id());
  if (!job.isOk()) return stream->finish(job.status());
  const uint64_t number = next_request++;
  LogRequest& open = log_requests[number];
  open.stream = stream;
  for (const std::string& worker : (*job)->workers()) {
    if (!workers.contains(worker)) continue;
    ++open.missing;
    v1::WorkerCommand command;
    command.mutable_read_log()->set_request(number);
    command.mutable_read_log()->set_job_id((*job)->id());
    command.mutable_read_log()->set_lines(request.lines());
    send(worker, command);
  }
  const auto give_up = [this, number] {
    const auto found = log_requests.find(number);
    if (found == log_requests.end()) return;
    found->second.stream->send(found->second.reply.SerializeAsString());
    found->second.stream->finish();
    log_requests.erase(found);
  };
  if (open.missing == 0) return give_up();
  events.postAfter(kLogWaitMs, give_up);
}

std::shared_ptr<RpcHandler> Coordinator::Impl::accept(const std::string& method, const std::shared_ptr<RpcStream>& stream) {
  if (method == "/thalweg.v1.Control/Worker") return std::make_shared<WorkerHandler>(shared_from_this(), stream);
  if (method == "/thalweg.v1.Control/Task") return std::make_shared<TaskHandler>(shared_from_this(), stream);
  if (method == "/thalweg.v1.Client/Run") return std::make_shared<RunHandler>(shared_from_this(), stream);
  for (const char* name : {"ListJobs", "DescribeJob", "CancelJob", "ReadLogs", "Overview"}) {
    if (method == std::string("/thalweg.v1.Client/") + name) return std::make_shared<CallHandler>(shared_from_this(), method, stream);
  }
  return nullptr;
}

// ---- The front

Coordinator::Coordinator(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Coordinator::~Coordinator() {
  impl_->server->stop();
  impl_->events.run([this] {
    impl_->jobs.clear();
    impl_->order.clear();
    impl_->workers.clear();
  });
}

Result<std::unique_ptr<Coordinator>> Coordinator::start(const CoordinatorOptions& options) {
  auto impl = std::make_shared<Impl>(options);
  ASSIGN_OR_RETURN(impl->current_epoch, nextEpoch(options.folder));
  const auto accept = [weak = std::weak_ptr<Impl>(impl)](const std::string& method, const std::shared_ptr<RpcStream>& stream) -> std::shared_ptr<RpcHandler> {
    const auto self = weak.lock();
    return self ? self->accept(method, stream) : nullptr;
  };
  ASSIGN_OR_RETURN(impl->server, RpcServer::start({.address = options.address, .security = options.security}, accept));
  impl->events.post([self = impl.get()] { self->tick(); });
  LOG_INFO("coordinator.service", "listening", {"port", impl->server->port()}, {"epoch", impl->current_epoch});
  return std::unique_ptr<Coordinator>(new Coordinator(std::move(impl)));
}

int Coordinator::port() const { return impl_->server->port(); }

void Coordinator::listJobs(v1::ListJobsReply& reply) {
  impl_->events.run([&] { impl_->listJobs(reply); });
}

Status Coordinator::describeJob(const std::string& id, v1::JobInfo& info) {
  Status status;
  impl_->events.run([&] {
    const auto job = impl_->findByPrefix(id);
    if (job.isOk()) (*job)->describe(info, true);
    status = job.status();
  });
  return status;
}

void Coordinator::overview(v1::OverviewReply& reply) {
  impl_->events.run([&] { impl_->overview(reply); });
}

}  // namespace thalweg::coordinator
