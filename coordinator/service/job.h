// Job: one submitted job, from its plan to its end — its attempts, their processes, its failures.
//
// Threads: the coordinator's loop. Lifetime: shared; kept for a while after its end, so that it can be asked for.
// What it needs of its surroundings it gets through JobOffice.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/fs/file_system.h"
#include "common/plan/shipped_program.h"
#include "common/plan/statements/frozen_script.h"
#include "common/process/event_loop.h"
#include "common/rpc/rpc_stream.h"
#include "coordinator/scheduler/job_state.h"
#include "coordinator/scheduler/restart_strategy.h"
#include "coordinator/scheduler/slot_pool.h"
#include "coordinator/service/checkpoint_coordinator.h"

namespace thalweg::v1 {
class JobInfo;
class StartAttempt;
class StoredJob;
class TaskCommand;
class Progress;
class TaskMessage;
class TaskReport;
}  // namespace thalweg::v1

namespace thalweg::coordinator {

/// What jobs may ask of the coordinator.
class JobOffice {
 public:
  virtual ~JobOffice() = default;
  virtual EventLoop& loop() = 0;
  virtual SlotPool& slots() = 0;
  virtual uint64_t epoch() const = 0;
  virtual int64_t wallMillis() const = 0;
  /// `start` has the rest of what the worker is to know: attempt, process, slots, program.
  virtual void startProcess(const std::string& worker, const v1::StartAttempt& start) = 0;
  /// False: the worker is gone, and its processes with it.
  virtual bool stopProcess(const std::string& worker, const std::string& job, int attempt) = 0;
  /// Slots came back: others may be waiting for them.
  virtual void onSlotsFree() = 0;
  /// Where files are written; its work comes back to loop().
  virtual EventLoop& disk() = 0;
  virtual FileSystem& files() = 0;
  /// The coordinator's own folder.
  virtual const std::string& folder() const = 0;
  /// `settings` of jobs that do not set them.
  virtual const std::map<std::string, std::string>& defaults() const = 0;
  /// Puts a job into the store.
  virtual Status keep(const v1::StoredJob& job, bool synced) = 0;
};

/// Who follows a job. Called on the loop.
struct JobFollower {
  std::function<void(JobState state, const std::string& waiting_for)> on_state;
  std::function<void(int attempt, int process, const std::string& batch)> on_result;
  std::function<void()> on_progress;
};

class Job : public std::enable_shared_from_this<Job>, private CheckpointHost {
 public:
  /// A C++ job has a `program`; its script has settings, name and working directory only.
  Job(std::string id, FrozenScript script, std::optional<ShippedProgram> program, JobOffice& office);
  ~Job() override;

  /// Takes the first step. `outline` is of the plan made here (a C++ job's: what its program said), the fingerprint the
  /// client's; PLAN_ERROR names a difference.
  Status open(JobOutline outline, const std::string& fingerprint, const std::string& graph_text);
  /// The same for a job that an earlier coordinator had. One that cannot go on FAILs and says why.
  void reopen(const v1::StoredJob& stored);
  /// Takes slots if it waits for them and they are there.
  void trySchedule();
  void cancel();
  /// `done` hears of the savepoint's path; with `stop` when the job has ended with it.
  void savepoint(const std::string& folder, bool stop, CheckpointCoordinator::SavepointDone done);
  void follow(JobFollower follower) { follower_ = std::move(follower); }
  void onResultCredit(int attempt, int process);

  // What is heard of its processes.
  void onTaskMessage(const v1::TaskMessage& message, const std::shared_ptr<RpcStream>& stream);
  void onTaskLost(int attempt, int process, const Status& status);
  void onProcessExit(int attempt, const std::string& worker, bool clean, const std::string& description, const std::string& last_lines);
  void onWorkerLost(const std::string& worker);
  /// Looks for processes that have been silent for too long.
  void tick(int64_t now_ms);

  const std::string& id() const { return id_; }
  JobState state() const { return state_; }
  bool isOver() const { return isTerminal(state_); }
  bool isQuery() const { return outline_.is_query; }
  /// What a C++ job runs; null for SQL.
  const ShippedProgram* program() const { return program_ ? &*program_ : nullptr; }
  /// How it ended.
  const Status& result() const { return result_; }
  const std::string& waitingFor() const { return waiting_for_; }
  void describe(v1::JobInfo& info, bool with_vertices) const;
  void progress(v1::Progress& progress) const;
  /// Workers that run or ran it.
  std::vector<std::string> workers() const;

 private:
  struct Process;                     // job_process.h
  struct Failure {
    int64_t time_ms;
    Status status;
    std::string worker;
    int attempt;
    int weight;                       // how near to the cause: 2 a crash, 1 an error, 0 somebody else's end
  };

  // CheckpointHost
  void sendToAll(v1::TaskCommand& command) override;
  void failAttempt(const Status& status) override;
  Status keepPointers() override { return keep(true); }
  void onEndStored() override;

  Status prepare(JobOutline outline, const std::string& fingerprint, const std::string& graph_text);
  Result<CheckpointPlace> checkpointPlace(const std::map<std::string, std::string>& settings) const;
  /// Into the store; a query is kept once it is over only.
  Status keep(bool synced);
  void enter(JobState state);
  void change(JobState state);
  void tell();
  /// Nobody is told before it is kept.
  void end(JobState state);
  void store(v1::StoredJob& stored) const;
  std::vector<int> processOfSubtask() const;
  void startAttempt(const std::vector<std::string>& workers);
  void onHello(Process& process, const v1::TaskMessage& message, const std::shared_ptr<RpcStream>& stream);
  void onReady();
  void onAllFinished();
  void onEnded();
  void noteFailure(const Status& status, const std::string& worker, int weight);
  void stopProcesses();
  void afterStop();
  void endAttempt();
  bool allProcesses(const std::function<bool(const Process&)>& holds) const;
  Process* find(int attempt, int number);

  const std::string id_;
  const FrozenScript script_;
  const std::optional<ShippedProgram> program_;
  JobOffice& office_;
  JobOutline outline_;
  std::unique_ptr<RestartStrategy> restart_;
  std::shared_ptr<CheckpointCoordinator> checkpoints_;     // null until it is planned
  JobFollower follower_;
  JobState state_ = JobState::INITIALIZING;
  std::map<JobState, int64_t> entered_ms_;
  std::string waiting_for_;
  Status result_;
  int attempt_ = 0;
  int parallelism_ = 1;
  int64_t query_start_ms_ = 0;
  bool committing_ = false;
  bool rows_delivered_ = false;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<std::string> slot_workers_;                 // by slot
  std::vector<Failure> failures_;                         // oldest first
  size_t attempt_failures_ = 0;                           // of them, in this attempt
};

}  // namespace thalweg::coordinator
