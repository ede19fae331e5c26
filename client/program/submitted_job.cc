// A job of this program that runs on a cluster, as the program's own thread asks for it.
#include <unistd.h>

#include <climits>
#include <iostream>

#include "client/program/program_parts.h"
#include "client/remote/cluster_client.h"
#include "client/remote/remote_job.h"
#include "common/base/hash.h"
#include "common/rpc/job_messages.h"
#include "common/time/clock.h"
#include "thalweg/v1/client.pb.h"

namespace thalweg::client {
namespace {

constexpr size_t kSubmitBytesMax = size_t{60} << 20;       // below what a message may have

std::string currentDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof(path)) != nullptr ? path : "/";
}

class SubmittedJob final : public ProgramJob {
 public:
  SubmittedJob(const ProgramStart& start, std::shared_ptr<JobHandle> job) : start_(start), job_(std::move(job)) {}

  bool next(Batch& batch, int64_t timeout_ms) override { return job_->next(batch, timeout_ms); }
  bool isDone() const override { return start_.detached || job_->isDone(); }
  Status wait() override { return start_.detached ? Status() : job_->wait(); }
  void cancel() override { job_->cancel(); }
  JobProgress progress() const override { return job_->progress(); }
  std::string id() const override { return job_->id(); }
  bool hasEnded() const override { return job_->isDone(); }
  /// Of a job that goes on nobody is told: who takes its rows sees their end.
  void whenEnded(std::function<void()> then) override {
    if (hasEnded()) then();
  }
  Result<std::string> savepoint(const std::string& folder) override { return savepointTo(folder, false); }
  Result<std::string> stopWithSavepoint(const std::string& folder) override { return savepointTo(folder, true); }

 private:
  Result<std::string> savepointTo(const std::string& folder, bool stop) const {
    ASSIGN_OR_RETURN(const auto client, ClusterClient::connect(start_.coordinator, start_.security));
    ASSIGN_OR_RETURN(std::string path, client->savepoint(job_->id(), pathFromHere(folder), stop));
    while (!path.empty() && path.back() == '\n') path.pop_back();
    return path;
  }

  const ProgramStart start_;
  const std::shared_ptr<JobHandle> job_;
};

}  // namespace

Result<std::shared_ptr<ProgramJob>> submitJob(const ProgramStart& start, int execution, const ProgramParts& parts) {
  if (start.detached && parts.outline.is_query) {
    return Status::notSupported("results of a job that was submitted with --detached: nobody would take them; run the program without it");
  }
  v1::RunRequest request;
  v1::Submit& submit = *request.mutable_submit();
  FrozenScript script;
  for (const auto& [key, value] : parts.configuration.entries()) script.configuration[key] = value;
  script.name = parts.name;
  script.plan_time_ms = start.plan_time_ms;
  script.random_seed = hashBytes(parts.outline.text + std::to_string(SystemClock().nanoTime()) + std::to_string(getpid()));
  script.working_directory = currentDirectory();
  rpc::setScript(*submit.mutable_script(), script);
  submit.set_fingerprint(parts.outline.fingerprint);
  submit.set_graph_text(parts.outline.text);
  submit.set_detached(start.detached);
  ShippedProgram program = start.program;
  program.execution = execution;
  rpc::setProgram(*submit.mutable_program(), program);
  rpc::setOutline(*submit.mutable_outline(), parts.outline);
  const std::string bytes = request.SerializeAsString();
  if (bytes.size() > kSubmitBytesMax) {
    return Status::exhausted("the job's graph has " + std::to_string(bytes.size()) + " bytes as text; the limit is " + std::to_string(kSubmitBytesMax));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<RpcChannel> channel, RpcChannel::connect({.address = start.coordinator, .security = start.security}));
  ASSIGN_OR_RETURN(std::shared_ptr<JobHandle> job, RemoteJob::submit(std::move(channel), bytes, parts.row_types));
  std::cout.flush();
  std::cerr << "Job has been submitted with JobID " << job->id() << '\n';
  return std::shared_ptr<ProgramJob>(std::make_shared<SubmittedJob>(start, std::move(job)));
}

}  // namespace thalweg::client
