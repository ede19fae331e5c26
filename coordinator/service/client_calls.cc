// Calls of clients: one request, one answer.
#include "common/process/daemon.h"
#include "coordinator/service/coordinator_office.h"
#include "thalweg/v1/client.pb.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::coordinator {
namespace {

constexpr int64_t kLogWaitMs = 2000;

/// One request, one answer.
class CallHandler final : public RpcHandler, public std::enable_shared_from_this<CallHandler> {
 public:
  CallHandler(std::shared_ptr<Office> office, std::string method, std::shared_ptr<RpcStream> stream)
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
  const std::shared_ptr<Office> office_;
  const std::string method_;
  std::shared_ptr<RpcStream> stream_;
};

}  // namespace

std::shared_ptr<RpcHandler> Office::makeCallHandler(const std::string& method, const std::shared_ptr<RpcStream>& stream) {
  return std::make_shared<CallHandler>(shared_from_this(), method, stream);
}

void Office::listJobs(v1::ListJobsReply& reply) const {
  for (auto each = jobs.rbegin(); each != jobs.rend(); ++each) each->second->describe(*reply.add_jobs(), false);
  for (auto each = history.rbegin(); each != history.rend(); ++each) {
    v1::JobInfo& info = *reply.add_jobs();
    info = *each->second;
    info.clear_vertices();
  }
}

Status Office::describeJob(const std::string& prefix, v1::JobInfo& info) const {
  ASSIGN_OR_RETURN(const std::string id, idOf(prefix));
  const auto ended = history.find(id);
  if (ended != history.end()) info = *ended->second;
  else jobs.at(id)->describe(info, true);
  return {};
}

void Office::overview(v1::OverviewReply& reply) const {
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

void Office::answer(const std::string& method, const BufferPtr& bytes, const std::shared_ptr<RpcStream>& stream) {
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
  if (method.ends_with("/Savepoint")) {
    v1::SavepointRequest request;
    if (!parse(request)) return stream->finish(Status::invalid("a request could not be read"));
    return savepoint(request, stream);
  }
  if (method.ends_with("Program")) return answerOfPrograms(method, bytes, stream);
  v1::JobRequest request;
  if (!parse(request)) return stream->finish(Status::invalid("a request could not be read"));
  if (method.ends_with("/DescribeJob")) {
    v1::JobInfo info;
    const Status status = describeJob(request.job_id(), info);
    return status.isOk() ? reply(info) : stream->finish(status);
  }
  const auto job = findByPrefix(request.job_id());
  if (!job.isOk()) return stream->finish(job.status());
  (*job)->cancel();
  v1::CancelReply cancelled;
  cancelled.set_state(std::string(jobStateName((*job)->state())));
  reply(cancelled);
}

void Office::readLogs(const v1::ReadLogsRequest& request, const std::shared_ptr<RpcStream>& stream) {
  const auto job = findByPrefix(request.job_id());
  if (!job.isOk()) return stream->finish(job.status());
  const uint64_t number = next_request++;
  LogRequest& open = log_requests[number];
  open.stream = stream;
  open.reply = std::make_shared<v1::ReadLogsReply>();
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
    found->second.stream->send(found->second.reply->SerializeAsString());
    found->second.stream->finish();
    log_requests.erase(found);
  };
  if (open.missing == 0) return give_up();
  events.postAfter(kLogWaitMs, give_up);
}

void Office::onLogText(uint64_t number, const std::string& worker, const std::string& text) {
  const auto request = log_requests.find(number);
  if (request == log_requests.end()) return;
  v1::ReadLogsReply::Log& log = *request->second.reply->add_logs();
  log.set_worker(worker);
  log.set_text(text);
  if (--request->second.missing > 0) return;
  request->second.stream->send(request->second.reply->SerializeAsString());
  request->second.stream->finish();
  log_requests.erase(request);
}

void Office::savepoint(const v1::SavepointRequest& request, const std::shared_ptr<RpcStream>& stream) {
  const auto job = findByPrefix(request.job_id());
  if (!job.isOk()) return stream->finish(job.status());
  (*job)->savepoint(request.folder(), request.stop(), [stream](const Result<std::string>& path) {
    if (!path.isOk()) return stream->finish(path.status());
    v1::SavepointReply reply;
    reply.set_path(*path);
    stream->send(reply.SerializeAsString());
    stream->finish();
  });
}

}  // namespace thalweg::coordinator
