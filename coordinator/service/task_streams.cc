// Streams of task processes: a process says whose it is, and its job hears the rest.
#include "coordinator/service/coordinator_office.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::coordinator {
namespace {

class TaskHandler final : public RpcHandler, public std::enable_shared_from_this<TaskHandler> {
 public:
  TaskHandler(std::shared_ptr<Office> office, std::shared_ptr<RpcStream> stream) : office_(std::move(office)), stream_(std::move(stream)) {}
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

  const std::shared_ptr<Office> office_;
  std::shared_ptr<RpcStream> stream_;
  std::weak_ptr<Job> job_;
  int attempt_ = 0;
  int process_ = -1;
};

}  // namespace

std::shared_ptr<RpcHandler> Office::makeTaskHandler(const std::shared_ptr<RpcStream>& stream) {
  return std::make_shared<TaskHandler>(shared_from_this(), stream);
}

}  // namespace thalweg::coordinator
