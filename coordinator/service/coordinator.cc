#include "coordinator/service/coordinator.h"

#include <algorithm>
#include <filesystem>

#include "common/log/log.h"
#include "common/process/daemon.h"
#include "common/rpc/job_messages.h"
#include "coordinator/service/coordinator_office.h"
#include "thalweg/v1/client.pb.h"
#include "thalweg/v1/store.pb.h"

namespace thalweg::coordinator {
namespace {

const std::string kJobPrefix = "job/";

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

CoordinatorOffice::~CoordinatorOffice() = default;

void Office::onSlotsFree() {
  events.post([this] {
    const auto all = jobs;
    for (const auto& [id, job] : all) job->trySchedule();
    forgetOldJobs();
    removeOldPrograms();
  });
}

void Office::tick() {
  const int64_t now_ms = steadyMillis();
  for (const std::string& id : pool.deadWorkers(now_ms)) loseWorker(id, "it was silent for " + std::to_string(pool.silentMillis(id, now_ms)) + " ms");
  const auto all = jobs;
  for (const auto& [id, job] : all) {
    job->tick(now_ms);
    job->trySchedule();                    // a worker may have been suspect only
  }
  events.postAfter(options.heartbeat_interval_ms, [this] { tick(); });
}

Result<std::shared_ptr<Job>> Office::submit(const v1::Submit& submit, JobOutline outline, JobFollower follower) {
  char id[40];
  std::snprintf(id, sizeof(id), "%08llx%08llx%s", static_cast<unsigned long long>(current_epoch), static_cast<unsigned long long>(next_job++), randomHex(8).c_str());
  std::optional<ShippedProgram> program;
  if (submit.has_program()) program = rpc::programOf(submit.program());
  auto job = std::make_shared<Job>(id, rpc::scriptOf(submit.script()), std::move(program), *this);
  RETURN_IF_ERROR(job->open(std::move(outline), submit.fingerprint(), submit.graph_text()));
  job->follow(std::move(follower));
  jobs[job->id()] = job;
  return job;
}

std::shared_ptr<Job> Office::find(const std::string& id) const {
  const auto found = jobs.find(id);
  return found == jobs.end() ? nullptr : found->second;
}

Result<std::string> Office::idOf(const std::string& prefix) const {
  std::string only;
  const auto look = [&](const auto& all) {
    for (auto each = all.lower_bound(prefix); each != all.end() && each->first.starts_with(prefix); ++each) {
      if (!only.empty()) return false;
      only = each->first;
    }
    return true;
  };
  if (!look(jobs) || !look(history)) return Status::invalid("several jobs begin with '" + prefix + "'");
  if (only.empty() || prefix.empty()) return Status::notFound("there is no job '" + prefix + "'");
  return only;
}

Result<std::shared_ptr<Job>> Office::findByPrefix(const std::string& prefix) const {
  ASSIGN_OR_RETURN(const std::string id, idOf(prefix));
  std::shared_ptr<Job> job = find(id);
  if (job == nullptr) return Status::invalid("job '" + id + "' ended under an earlier coordinator");
  return job;
}

void Office::forgetOldJobs() {
  size_t over = history.size();
  for (const auto& [id, job] : jobs) over += job->isOver() ? 1 : 0;
  const auto forget = [&](const std::string& id) {
    if (const Status status = store->remove(kJobPrefix + id); !status.isOk()) LOG_WARN("coordinator.service", "a job cannot be forgotten", {"job", id}, {"error", status});
    --over;
  };
  while (over > options.jobs_retained && !history.empty()) {
    forget(history.begin()->first);
    history.erase(history.begin());
  }
  for (auto each = jobs.begin(); over > options.jobs_retained && each != jobs.end();) {
    if (!each->second->isOver()) {
      ++each;
      continue;
    }
    forget(each->first);
    each = jobs.erase(each);
  }
}

Status Office::keep(const v1::StoredJob& job, bool synced) {
  return store->put(kJobPrefix + job.id(), job.SerializeAsString(), synced ? JobStore::Durability::SYNCED : JobStore::Durability::WRITTEN);
}

Status Office::loadJobs() {
  ASSIGN_OR_RETURN(const auto stored, store->list(kJobPrefix));
  for (const auto& [name, bytes] : stored) {
    v1::StoredJob job;
    if (!job.ParseFromString(bytes)) return Status::internal("the job store's entry '" + name + "' cannot be read");
    if (job.has_ended()) {
      history[job.id()] = std::make_shared<const v1::JobInfo>(job.ended());
      continue;
    }
    std::optional<ShippedProgram> program;
    if (job.has_program()) program = rpc::programOf(job.program());
    auto reopened = std::make_shared<Job>(job.id(), rpc::scriptOf(job.script()), std::move(program), *this);
    jobs[job.id()] = reopened;
    reopened->reopen(job);
  }
  return {};
}

std::shared_ptr<RpcHandler> Office::accept(const std::string& method, const std::shared_ptr<RpcStream>& stream) {
  if (method == "/thalweg.v1.Control/Worker") return makeWorkerHandler(stream);
  if (method == "/thalweg.v1.Control/Task") return makeTaskHandler(stream);
  if (method == "/thalweg.v1.Client/Run") return makeRunHandler(stream);
  if (method == "/thalweg.v1.Control/FetchProgram") return makeCallHandler(method, stream);
  for (const char* name : {"ListJobs", "DescribeJob", "CancelJob", "ReadLogs", "Savepoint", "PutProgram", "Overview"}) {
    if (method == std::string("/thalweg.v1.Client/") + name) return makeCallHandler(method, stream);
  }
  return nullptr;
}

Coordinator::Coordinator(std::shared_ptr<CoordinatorOffice> office) : office_(std::move(office)) {}

Coordinator::~Coordinator() {
  office_->server->stop();
  office_->events.run([this] {
    office_->jobs.clear();
    office_->workers.clear();
  });
}

Result<std::unique_ptr<Coordinator>> Coordinator::start(const CoordinatorOptions& options) {
  auto office = std::make_shared<Office>(options);
  // The store's lock is the lease: who has it leads.
  ASSIGN_OR_RETURN(office->store, openRocksdbJobStore(options.folder + "/store"));
  ASSIGN_OR_RETURN(office->current_epoch, nextEpoch(options.folder));
  RETURN_IF_ERROR(office->programs.open());
  Status loaded;
  office->events.run([&] { loaded = office->loadJobs(); });
  RETURN_IF_ERROR(loaded);
  const auto accept = [weak = std::weak_ptr<Office>(office)](const std::string& method, const std::shared_ptr<RpcStream>& stream) -> std::shared_ptr<RpcHandler> {
    const auto self = weak.lock();
    return self ? self->accept(method, stream) : nullptr;
  };
  ASSIGN_OR_RETURN(office->server, RpcServer::start({.address = options.address, .security = options.security}, accept));
  office->events.post([self = office.get()] { self->tick(); });
  LOG_INFO("coordinator.service", "listening", {"port", office->server->port()}, {"epoch", office->current_epoch});
  return std::unique_ptr<Coordinator>(new Coordinator(std::move(office)));
}

int Coordinator::port() const { return office_->server->port(); }

void Coordinator::listJobs(v1::ListJobsReply& reply) {
  office_->events.run([&] { office_->listJobs(reply); });
}

Status Coordinator::describeJob(const std::string& id, v1::JobInfo& info) {
  Status status;
  office_->events.run([&] {
    status = office_->describeJob(id, info);
  });
  return status;
}

void Coordinator::overview(v1::OverviewReply& reply) {
  office_->events.run([&] { office_->overview(reply); });
}

}  // namespace thalweg::coordinator
