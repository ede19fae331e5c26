#include <string_view>
#include <typeinfo>

#include "client/api/job_translator.h"
#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/stream_graph.h"
#include "client/program/program_jobs.h"

namespace thalweg::api {

struct JobClient::Impl {
  std::string name;
  std::shared_ptr<client::ProgramJob> job;
};

void JobClient::getJobExecutionResult() {
  const Status end = impl_->job->wait();
  throwIfJobFailed(end.isOk() ? end : end.withContext("job '" + impl_->name + "'"));
}

bool JobClient::isDone() const { return impl_->job->hasEnded(); }
void JobClient::cancel() { impl_->job->cancel(); }
std::string JobClient::triggerSavepoint(const std::string& folder) { return valueOrThrow(impl_->job->savepoint(folder)); }
std::string JobClient::stopWithSavepoint(const std::string& folder) { return valueOrThrow(impl_->job->stopWithSavepoint(folder)); }
std::string JobClient::getJobName() const { return impl_->name; }
void JobClient::whenEnded(std::function<void()> then) { impl_->job->whenEnded(std::move(then)); }

namespace {

/// Records that are collected come to the program as objects, which only works inside of it.
void refuseCollecting(const StreamGraph& graph) {
  for (const int id : graph.pending()) {
    const StreamNode& node = graph.node(id);
    if (!node.make_stage || (node.name != "Collect" && node.name != "Collect table sink")) continue;
    const std::unique_ptr<Stage> stage = node.make_stage();
    if (std::string_view(typeid(*stage).name()).find("CollectStage") == std::string_view::npos) continue;
    throw UnsupportedOperationException("not supported on a cluster: executeAndCollect(), and results of a query over a stream; write to a sink, print(), or ask "
                                        "a query over tables only, whose rows come to the client");
  }
}

}  // namespace

JobClient startJob(StreamGraph& graph, const std::string& name) {
  if (!graph.hasPending()) {
    throw ValidationException("execute() found nothing to run: no stream was defined since the environment was made, or since the last execute()");
  }
  if (!client::jobsRunHere()) refuseCollecting(graph);
  client::StreamJob job = valueOrThrow(translate(graph));
  job.ordinal = graph.jobs_started++;
  if (!job.configuration.contains("pipeline.name")) throwIfFailed(job.configuration.set("pipeline.name", name));
  graph.clearPending();
  auto impl = std::make_shared<JobClient::Impl>();
  impl->name = name;
  impl->job = valueOrThrow(client::startProgramJob(std::move(job), name));
  return JobClient(std::move(impl));
}

}  // namespace thalweg::api
