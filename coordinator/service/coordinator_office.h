// CoordinatorOffice: what the coordinator's streams have in common — the workers, the jobs, the store, the loop.
//
// The insides of Coordinator. Each kind of stream has a handler that posts what it hears to the loop. A handler knows whose
// stream it is (a worker, a process of an attempt, a client and its job) once the first message said so.
// Threads: the loop, but for accept() and the handlers' own methods. Lifetime: shared with the handlers.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "common/process/program_folder.h"
#include "common/rpc/rpc_server.h"
#include "common/time/clock.h"
#include "coordinator/service/coordinator.h"
#include "coordinator/service/job.h"
#include "coordinator/store/job_store.h"

namespace thalweg::v1 {
class ReadLogsReply;
class ReadLogsRequest;
class SavepointRequest;
class Submit;
class WorkerCommand;
}  // namespace thalweg::v1

namespace thalweg::coordinator {

struct WorkerSession {
  std::shared_ptr<RpcStream> stream;
  std::string host;
  int slots = 0;
  int pid = 0;
  uint64_t resident_bytes = 0;
  int64_t registered_ms = 0;
};

struct CoordinatorOffice : JobOffice, std::enable_shared_from_this<CoordinatorOffice> {
  explicit CoordinatorOffice(CoordinatorOptions given)
      : options(std::move(given)), pool({options.suspect_after_ms, options.dead_after_ms}) {}
  ~CoordinatorOffice() override;

  // JobOffice
  EventLoop& loop() override { return events; }
  EventLoop& disk() override { return disk_events; }
  FileSystem& files() override { return localFileSystem(); }
  const std::string& folder() const override { return options.folder; }
  const std::map<std::string, std::string>& defaults() const override { return options.defaults; }
  SlotPool& slots() override { return pool; }
  uint64_t epoch() const override { return current_epoch; }
  int64_t wallMillis() const override { return clock.nowMillis(); }
  void startProcess(const std::string& worker, const v1::StartAttempt& start) override;
  bool stopProcess(const std::string& worker, const std::string& job, int attempt) override;
  void onSlotsFree() override;
  Status keep(const v1::StoredJob& job, bool synced) override;

  /// Any thread.
  std::shared_ptr<RpcHandler> accept(const std::string& method, const std::shared_ptr<RpcStream>& stream);
  std::shared_ptr<RpcHandler> makeWorkerHandler(const std::shared_ptr<RpcStream>& stream);
  std::shared_ptr<RpcHandler> makeTaskHandler(const std::shared_ptr<RpcStream>& stream);
  std::shared_ptr<RpcHandler> makeRunHandler(const std::shared_ptr<RpcStream>& stream);
  std::shared_ptr<RpcHandler> makeCallHandler(const std::string& method, const std::shared_ptr<RpcStream>& stream);

  /// Takes over what an earlier coordinator of the folder had.
  Status loadJobs();
  void tick();
  void send(const std::string& worker, v1::WorkerCommand& command);
  void loseWorker(const std::string& id, const std::string& why);
  Result<std::shared_ptr<Job>> submit(const v1::Submit& submit, JobOutline outline, JobFollower follower);
  std::shared_ptr<Job> find(const std::string& id) const;
  /// Of a job, or of one that ended under an earlier coordinator.
  Result<std::string> idOf(const std::string& prefix) const;
  Result<std::shared_ptr<Job>> findByPrefix(const std::string& prefix) const;
  void forgetOldJobs();
  void answer(const std::string& method, const BufferPtr& request, const std::shared_ptr<RpcStream>& stream);
  /// Pieces of executables, and what is asked of them: answered by the disk's loop.
  void answerOfPrograms(const std::string& method, const BufferPtr& request, const std::shared_ptr<RpcStream>& stream);
  /// Those of jobs that are over go, but for a few.
  void removeOldPrograms();
  void readLogs(const v1::ReadLogsRequest& request, const std::shared_ptr<RpcStream>& stream);
  void onLogText(uint64_t request, const std::string& worker, const std::string& text);
  void savepoint(const v1::SavepointRequest& request, const std::shared_ptr<RpcStream>& stream);
  void listJobs(v1::ListJobsReply& reply) const;
  Status describeJob(const std::string& prefix, v1::JobInfo& info) const;
  void overview(v1::OverviewReply& reply) const;

  const CoordinatorOptions options;
  const SystemClock clock;
  uint64_t current_epoch = 0;
  uint64_t next_job = 1;
  SlotPool pool;
  std::map<std::string, WorkerSession> workers;
  std::map<std::string, std::shared_ptr<Job>> jobs;      // ids ascend with the time of submission
  std::map<std::string, std::shared_ptr<const v1::JobInfo>> history;   // ended under an earlier coordinator
  struct LogRequest {
    std::shared_ptr<RpcStream> stream;
    std::shared_ptr<v1::ReadLogsReply> reply;
    size_t missing = 0;
  };
  std::map<uint64_t, LogRequest> log_requests;
  uint64_t next_request = 1;
  std::unique_ptr<JobStore> store;
  ProgramFolder programs{options.folder + "/programs"};  // the disk's loop
  std::unique_ptr<RpcServer> server;
  EventLoop events;                                      // its work uses all of the above
  EventLoop disk_events;                                 // these two post to the other
  EventLoop planning;                                    // plans may take a while; nobody else is to wait for them
};

/// A stream's handler has this name.
using Office = CoordinatorOffice;

}  // namespace thalweg::coordinator
