// A job of this program that runs on a cluster. Rows that a collector is to have are brought to it by a thread, since it
// may block; all else the program's own thread asks for.
#include <unistd.h>

#include <climits>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "client/program/program_parts.h"
#include "client/remote/cluster_client.h"
#include "client/remote/remote_job.h"
#include "common/base/hash.h"
#include "common/rpc/job_messages.h"
#include "common/time/clock.h"
#include "thalweg/v1/client.pb.h"

namespace thalweg::client {
namespace {

constexpr int64_t kWaitMs = 100;
constexpr size_t kSubmitBytesMax = size_t{60} << 20;       // below what a message may have

std::string currentDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof(path)) != nullptr ? path : "/";
}

class SubmittedJob final : public ProgramJob {
 public:
  SubmittedJob(const ProgramStart& start, std::shared_ptr<JobHandle> job, std::shared_ptr<RecordCollector> collector)
      : start_(start), job_(std::move(job)), collector_(std::move(collector)) {
    if (collector_) feeder_ = std::thread([this] { feed(); });
  }
  ~SubmittedJob() override {
    if (!feeder_.joinable()) return;
    job_->cancel();
    feeder_.join();
  }

  bool next(Batch& batch, int64_t timeout_ms) override { return !collector_ && job_->next(batch, timeout_ms); }
  bool isDone() const override { return start_.detached || (collector_ ? hasEnded() : job_->isDone()); }
  Status wait() override {
    if (start_.detached) return {};
    if (!collector_) return job_->wait();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return end_.has_value(); });
    return *end_;
  }
  void cancel() override { job_->cancel(); }
  JobProgress progress() const override { return job_->progress(); }
  std::string id() const override { return job_->id(); }
  bool hasEnded() const override {
    if (!collector_) return job_->isDone();
    const std::scoped_lock lock(mutex_);
    return end_.has_value();
  }
  void whenEnded(std::function<void()> then) override {
    {
      const std::scoped_lock lock(mutex_);
      if (!end_) {
        listeners_.push_back(std::move(then));
        return;
      }
    }
    then();
  }
  Result<std::string> savepoint(const std::string& folder) override { return savepointTo(folder, false); }
  Result<std::string> stopWithSavepoint(const std::string& folder) override { return savepointTo(folder, true); }

 private:
  void feed() {
    while (!job_->isDone()) {
      Batch batch;
      if (job_->next(batch, kWaitMs)) collector_->receive(batch);
    }
    const Status status = job_->wait();
    std::vector<std::function<void()>> due;
    {
      const std::scoped_lock lock(mutex_);
      end_ = status;
      due.swap(listeners_);
      changed_.notify_all();
    }
    for (const auto& then : due) then();
  }

  Result<std::string> savepointTo(const std::string& folder, bool stop) const {
    ASSIGN_OR_RETURN(const auto client, ClusterClient::connect(start_.coordinator, start_.security));
    std::error_code error;
    const bool relative = !folder.empty() && folder[0] != '/' && folder.find("://") == std::string::npos;
    ASSIGN_OR_RETURN(std::string path, client->savepoint(job_->id(), relative ? currentDirectory() + "/" + folder : folder, stop));
    while (!path.empty() && path.back() == '\n') path.pop_back();
    return path;
  }

  const ProgramStart start_;
  const std::shared_ptr<JobHandle> job_;
  const std::shared_ptr<RecordCollector> collector_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Status> end_;
  std::vector<std::function<void()>> listeners_;
  std::thread feeder_;
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
  return std::shared_ptr<ProgramJob>(std::make_shared<SubmittedJob>(start, std::move(job), parts.collector));
}

}  // namespace thalweg::client
