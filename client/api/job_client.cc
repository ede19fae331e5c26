#include "client/api/job_translator.h"
#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/stream_graph.h"
#include "client/program/program_jobs.h"

namespace thalweg::api {

namespace {

constexpr int64_t kWaitMs = 100;

/// The end of a collected stream: columns come from the job's processes and become records in the program's own stage.
class Receiver {
 public:
  explicit Receiver(const StreamNode& node) : name_(node.name), stage_(node.make_stage()), entry_(node.inputs.at(0).at(0).link->makeEntry()) {
    entry_->open(stage_->input(0), name_, nullptr);
  }
  void take(const Batch& batch) { entry_->feed(batch); }

 private:
  const std::string name_;
  const std::unique_ptr<Stage> stage_;
  const std::unique_ptr<Entry> entry_;
};

std::unique_ptr<Receiver> receiverOf(const StreamGraph& graph) {
  for (const int id : graph.pending()) {
    if (graph.node(id).collects) return std::make_unique<Receiver>(graph.node(id));
  }
  return nullptr;
}

}  // namespace

struct JobClient::Impl {
  std::string name;
  std::unique_ptr<Receiver> receiver;        ///< of a job that collects and runs in other processes
  std::shared_ptr<client::ProgramJob> job;
};

void JobClient::getJobExecutionResult() {
  const Status end = impl_->job->wait();
  throwIfJobFailed(end.isOk() ? end : end.withContext("job '" + impl_->name + "'"));
}

bool JobClient::isDone() const { return impl_->job->hasEnded(); }
bool JobClient::runsHere() const { return impl_->receiver == nullptr; }
bool JobClient::isElsewhere() const { return impl_->job->isElsewhere(); }

bool JobClient::receiveRecords() {
  if (!impl_->receiver) return false;
  Batch batch;
  while (!impl_->job->isDone()) {
    if (!impl_->job->next(batch, kWaitMs)) continue;
    impl_->receiver->take(batch);
    return true;
  }
  return false;
}

void JobClient::cancel() { impl_->job->cancel(); }
std::string JobClient::triggerSavepoint(const std::string& folder) { return valueOrThrow(impl_->job->savepoint(folder)); }
std::string JobClient::stopWithSavepoint(const std::string& folder) { return valueOrThrow(impl_->job->stopWithSavepoint(folder)); }
std::string JobClient::getJobName() const { return impl_->name; }
void JobClient::whenEnded(std::function<void()> then) { impl_->job->whenEnded(std::move(then)); }

JobClient startJob(StreamGraph& graph, const std::string& name) {
  if (!graph.hasPending()) {
    throw ValidationException("execute() found nothing to run: no stream was defined since the environment was made, or since the last execute()");
  }
  const bool here = client::jobsRunHere();
  client::StreamJob job = valueOrThrow(translate(graph, here));
  auto impl = std::make_shared<JobClient::Impl>();
  impl->name = name;
  if (!here) impl->receiver = receiverOf(graph);
  job.ordinal = graph.jobs_started++;
  if (!job.configuration.contains("pipeline.name")) throwIfFailed(job.configuration.set("pipeline.name", name));
  graph.clearPending();
  impl->job = valueOrThrow(client::startProgramJob(std::move(job), name));
  return JobClient(std::move(impl));
}

}  // namespace thalweg::api
