// Streams of workers: they register, beat, and tell of processes that ended.
#include "common/log/log.h"
#include "common/rpc/job_messages.h"
#include "coordinator/service/coordinator_office.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::coordinator {
namespace {

class WorkerHandler final : public RpcHandler, public std::enable_shared_from_this<WorkerHandler> {
 public:
  WorkerHandler(std::shared_ptr<Office> office, std::shared_ptr<RpcStream> stream) : office_(std::move(office)), stream_(std::move(stream)) {}
  void onMessage(BufferPtr message) override {
    office_->events.post([self = shared_from_this(), message = std::move(message)] { self->onBytes(message); });
  }
  void onClosed(const Status& status) override {
    office_->events.post([self = shared_from_this(), status] {
      const auto found = self->office_->workers.find(self->id_);
      if (found != self->office_->workers.end() && found->second.stream == self->stream_) {
        self->office_->loseWorker(self->id_, status.isOk() ? "it left" : status.message());
      }
      self->stream_.reset();
    });
  }

 private:
  void onBytes(const BufferPtr& bytes);
  const std::shared_ptr<Office> office_;
  std::shared_ptr<RpcStream> stream_;
  std::string id_;
};

void WorkerHandler::onBytes(const BufferPtr& bytes) {
  v1::WorkerMessage message;
  if (!stream_) return;
  if (!message.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes()))) {
    return stream_->finish(Status::invalid("a message of a worker could not be read"));
  }
  const int64_t now_ms = steadyMillis();
  if (message.has_register_()) {
    const v1::RegisterWorker& hello = message.register_();
    if (hello.slots() < 1 || hello.slots() > 4096 || hello.worker_id().empty() || hello.worker_id().size() > 200) {
      return stream_->finish(Status::invalid("a worker registers with an id and 1 to 4096 slots"));
    }
    if (office_->workers.contains(hello.worker_id())) office_->loseWorker(hello.worker_id(), "it registered anew");
    id_ = hello.worker_id();
    office_->workers[id_] = {stream_, hello.host(), hello.slots(), hello.pid(), 0};
    office_->pool.addWorker(id_, hello.slots(), now_ms);
    LOG_INFO("coordinator.service", "a worker registered", {"worker", id_}, {"slots", hello.slots()}, {"version", hello.version()});
    v1::WorkerCommand command;
    command.mutable_registered()->set_heartbeat_interval_ms(office_->options.heartbeat_interval_ms);
    office_->send(id_, command);
    return office_->onSlotsFree();
  }
  const auto found = office_->workers.find(id_);
  if (found == office_->workers.end() || found->second.stream != stream_) {
    return stream_->finish(Status::cancelled("this worker was given up; register anew"));
  }
  office_->pool.onHeartbeat(id_, now_ms);
  if (message.epoch() != office_->current_epoch) return;
  if (message.has_heartbeat()) found->second.resident_bytes = message.heartbeat().resident_bytes();
  if (message.has_attempt_exited()) {
    const v1::AttemptExited& exited = message.attempt_exited();
    if (exited.attempt().epoch() != office_->current_epoch) return;
    if (const auto job = office_->find(exited.attempt().job_id())) {
      job->onProcessExit(exited.attempt().attempt(), id_, exited.clean(), exited.description(), exited.last_lines());
    }
  }
  if (message.has_log_text()) office_->onLogText(message.log_text().request(), id_, message.log_text().text());
}

}  // namespace

std::shared_ptr<RpcHandler> Office::makeWorkerHandler(const std::shared_ptr<RpcStream>& stream) {
  return std::make_shared<WorkerHandler>(shared_from_this(), stream);
}

void Office::loseWorker(const std::string& id, const std::string& why) {
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

void Office::send(const std::string& worker, v1::WorkerCommand& command) {
  command.set_epoch(current_epoch);
  const auto found = workers.find(worker);
  if (found != workers.end()) found->second.stream->send(command.SerializeAsString());
}

void Office::startProcess(const std::string& worker, const v1::StartAttempt& start) {
  v1::WorkerCommand command;
  *command.mutable_start_attempt() = start;
  send(worker, command);
}

bool Office::stopProcess(const std::string& worker, const std::string& job, int attempt) {
  if (!workers.contains(worker)) return false;
  v1::WorkerCommand command;
  rpc::setAttempt(*command.mutable_stop_attempt()->mutable_attempt(), job, attempt, current_epoch);
  send(worker, command);
  return true;
}

}  // namespace thalweg::coordinator
