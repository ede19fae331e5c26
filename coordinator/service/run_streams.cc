// Streams of clients that submit a job and follow it.
#include "common/rpc/job_messages.h"
#include "coordinator/compiler/script_planner.h"
#include "coordinator/service/coordinator_office.h"
#include "thalweg/v1/client.pb.h"

namespace thalweg::coordinator {
namespace {

class RunHandler final : public RpcHandler, public std::enable_shared_from_this<RunHandler> {
 public:
  RunHandler(std::shared_ptr<Office> office, std::shared_ptr<RpcStream> stream) : office_(std::move(office)), stream_(std::move(stream)) {}
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
    if (request.has_submit() && !submitted_) return plan(request.submit());
    if (submitted_ && !job_) return;                   // it is being planned
    if (!job_) return stream_->finish(Status::invalid("expected a job to be submitted first"));
    if (request.has_result_credit()) job_->onResultCredit(request.result_credit().attempt(), request.result_credit().process());
    if (request.cancel()) job_->cancel();
  }

  void plan(const v1::Submit& submit) {
    submitted_ = true;
    const auto request = std::make_shared<const v1::Submit>(submit);
    // Where programs are is the disk's; scripts are planned, which may take a while.
    EventLoop& where = request->has_program() ? office_->disk_events : office_->planning;
    where.post([self = shared_from_this(), request] {
      const auto outline = std::make_shared<Result<JobOutline>>(request->has_program() ? self->outlineOfProgram(*request) : outlineOfScript(rpc::scriptOf(request->script())));
      self->office_->events.post([self, request, outline] { self->onPlanned(*request, *outline); });
    });
  }

  Result<JobOutline> outlineOfProgram(const v1::Submit& submit) {
    if (!office_->programs.has(submit.program().digest())) {
      return Status::notFound("the program " + submit.program().digest() + " is not in the coordinator's store; submit it again");
    }
    office_->programs.touch(submit.program().digest());
    JobOutline outline = rpc::outlineOf(submit.outline());
    outline.text = submit.graph_text();
    outline.fingerprint = submit.fingerprint();
    RETURN_IF_ERROR(outline.validate());
    return outline;
  }

  void onPlanned(const v1::Submit& submit, Result<JobOutline>& outline) {
    if (!stream_) return;                              // its client has gone
    if (!outline.isOk()) return stream_->finish(outline.status());
    auto job = office_->submit(submit, *std::move(outline), followerOf());
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

  const std::shared_ptr<Office> office_;
  std::shared_ptr<RpcStream> stream_;
  bool submitted_ = false;
  std::shared_ptr<Job> job_;
};

}  // namespace

std::shared_ptr<RpcHandler> Office::makeRunHandler(const std::shared_ptr<RpcStream>& stream) {
  return std::make_shared<RunHandler>(shared_from_this(), stream);
}

}  // namespace thalweg::coordinator
