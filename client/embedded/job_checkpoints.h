// JobCheckpoints: takes, stores, keeps and finds again the checkpoints of one embedded job.
//
//   JobCheckpoints checkpoints(settings, label, files, executor, clock);
//   ASSIGN_OR_RETURN(auto start, checkpoints.findStart());       // from where the job goes on; blocks
//   checkpoints.attach(job);                                     // from now on they are taken
//   … onFinished() when all subtasks have finished; detach() before the job goes; onEnd() after it, or attach() of the next
//   attempt
//
// Snapshots are stored on the executor's blocking side; sinks commit when that is done. The job's end is a checkpoint
// too: what its sinks staged last is committed only once a restart would find it.
// Threads: all methods any; findStart, savepoint, detach and onEnd block and are not for the compute pool.
// Lifetime: shared, since timers and writes that are under way outlive the caller; borrows files, executor and clock.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/embedded/checkpoint_figures.h"
#include "common/base/mutex.h"
#include "common/runtime_api/executor.h"
#include "common/time/clock.h"
#include "coordinator/checkpoint/checkpoint_schedule.h"
#include "worker/checkpoint/snapshot_files.h"
#include "worker/task/local_job.h"

namespace thalweg::client {

class JobCheckpoints : public std::enable_shared_from_this<JobCheckpoints> {
 public:
  JobCheckpoints(coordinator::CheckpointSettings settings, worker::SnapshotLabel label, FileSystem& files, Executor& executor, const Clock& clock);

  /// The newest of this job's checkpoints that can be read, else the path it was told to start from; null: nothing.
  Result<std::shared_ptr<const worker::JobSnapshot>> findStart();
  /// The folder that findStart() found, empty if none.
  std::string startPath() const EXCLUDES(mutex_);
  CheckpointFigures figures() const EXCLUDES(mutex_);
  /// The last complete checkpoint of this process, or what findStart() found.
  std::shared_ptr<const worker::JobSnapshot> last() const EXCLUDES(mutex_);

  void attach(worker::LocalJob* job) EXCLUDES(mutex_);
  void onFinished() EXCLUDES(mutex_);
  /// Nothing touches the job any more when this returns.
  void detach() EXCLUDES(mutex_);
  /// The job has ended for good: removes what is not to be kept.
  Status onEnd(coordinator::JobEnd end) EXCLUDES(mutex_);

  /// Writes a savepoint into a new folder of `folder` (empty: the configured one) and gives its path. `stop`: the job stops
  /// with it, its output committed.
  Result<std::string> savepoint(const std::string& folder, bool stop) EXCLUDES(mutex_);

 private:
  /// A savepoint somebody waits for.
  struct Savepoint {
    std::string folder;
    bool stop = false;
    int64_t id = 0;                              // 0: waits for its turn
    std::optional<Result<std::string>> result = std::nullopt;
  };
  /// What the running checkpoint is for.
  enum class Purpose : uint8_t { PERIODIC, SAVEPOINT, END };

  std::string jobFolder() const;
  Result<std::string> newSavepointFolder(const std::string& folder) const;
  Status readOwn(std::vector<int64_t>& retained, int64_t& newest_id);
  void look() EXCLUDES(mutex_);
  std::optional<int64_t> beginDue(int64_t now_ms) REQUIRES(mutex_);
  void trigger(int64_t id, bool hold);
  void onSnapshot(int64_t id, Result<worker::JobSnapshot> snapshot) EXCLUDES(mutex_);
  void store(int64_t id, const std::shared_ptr<const worker::JobSnapshot>& snapshot) EXCLUDES(mutex_);
  void noteFigures(const worker::JobSnapshot& snapshot) REQUIRES(mutex_);
  void onStored(int64_t id, const std::shared_ptr<const worker::JobSnapshot>& snapshot) EXCLUDES(mutex_);
  void removeOld(int64_t id);
  void onFailed(int64_t id, const Status& reason) EXCLUDES(mutex_);
  void answerSavepoint(Result<std::string> result) REQUIRES(mutex_);
  /// Calls the job, unless it is gone.
  void withJob(const std::function<void(worker::LocalJob&)>& call) EXCLUDES(mutex_);

  const coordinator::CheckpointSettings settings_;
  const worker::SnapshotLabel label_;
  FileSystem& files_;
  Executor& executor_;
  const Clock& clock_;

  mutable Mutex mutex_;
  Condition changed_;
  coordinator::CheckpointSchedule schedule_ GUARDED_BY(mutex_);
  worker::LocalJob* job_ GUARDED_BY(mutex_) = nullptr;
  int calls_ GUARDED_BY(mutex_) = 0;             // of the job, or writes, under way
  Purpose purpose_ GUARDED_BY(mutex_) = Purpose::PERIODIC;
  bool storing_ GUARDED_BY(mutex_) = false;
  int64_t begun_ms_ GUARDED_BY(mutex_) = 0;      // the running checkpoint
  CheckpointFigures figures_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;       // all subtasks have finished
  std::shared_ptr<Savepoint> savepoint_ GUARDED_BY(mutex_);
  std::shared_ptr<const worker::JobSnapshot> last_ GUARDED_BY(mutex_);
  std::string start_path_ GUARDED_BY(mutex_);
};

}  // namespace thalweg::client
