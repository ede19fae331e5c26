// CheckpointCoordinator: takes the checkpoints of one job on a cluster, and knows what its next attempt starts from.
//
//   coordinator->beginAttempt({0, 0, 1, 1});    // which process has the subtasks 0, 1, …
//   coordinator->onPart(process, part);         // a process has stored its part
//   coordinator->endAttempt();                  // whatever ran is given up
//
// trigger → parts of all processes → manifest (on the disk's loop) → pointer in the store → confirmed to all processes. A
// checkpoint counts from the pointer on: what is there without one is removed.
// Threads: the coordinator's loop; files are touched on the disk's loop, but for restore(). Lifetime: shared; borrows its
// job, which owns it.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/fs/file_system.h"
#include "common/process/event_loop.h"
#include "coordinator/checkpoint/checkpoint_schedule.h"
#include "coordinator/checkpoint/pending_checkpoint.h"

namespace thalweg::v1 {
class CheckpointPart;
class CheckpointStatistics;
class StoredJob;
class TaskCommand;
}  // namespace thalweg::v1

namespace thalweg::coordinator {

/// What it asks of its job.
class CheckpointHost {
 public:
  virtual ~CheckpointHost() = default;
  virtual void sendToAll(v1::TaskCommand& command) = 0;
  virtual void failAttempt(const Status& status) = 0;
  /// Puts the pointers to what is retained into the store, for good.
  virtual Status keepPointers() = 0;
  /// The checkpoint that the job's end waits for is complete.
  virtual void onEndStored() = 0;
};

/// What stays the same for the job.
struct CheckpointPlace {
  CheckpointSettings settings;
  bool with_coordinator = false;             ///< no shared folder is set: state travels in manifests, kept in settings.folder
  std::string job_id;
  std::string job_name;
  std::map<std::string, std::string> operator_names;   ///< by uid
};

class CheckpointCoordinator : public std::enable_shared_from_this<CheckpointCoordinator> {
 public:
  CheckpointCoordinator(CheckpointPlace place, EventLoop& loop, EventLoop& disk, FileSystem& files, CheckpointHost& host);

  /// Before the first attempt: reads what the job starts from. `stored`: of a job that an earlier coordinator had; null: a
  /// new one. Blocks.
  Status restore(const v1::StoredJob* stored);
  void store(v1::StoredJob& stored) const;
  bool isEnabled() const { return place_.settings.isEnabled(); }

  /// What the next attempt starts from; empty: the beginning.
  const std::string& restoredManifest() const { return restored_manifest_; }
  const std::string& restoredFolder() const { return restored_folder_; }
  bool ignoresUnclaimedState() const { return place_.settings.ignore_unclaimed_state; }

  void beginAttempt(std::vector<int> process_of_subtask);
  void endAttempt();
  void onPart(int process, const v1::CheckpointPart& part);
  /// All subtasks have finished; onEndStored() follows.
  void onAllFinished();
  using SavepointDone = std::function<void(Result<std::string> path)>;
  /// `folder` empty: the configured one. `stop`: the job ends with it.
  void savepoint(const std::string& folder, bool stop, SavepointDone done);
  /// The job is over for good: removes what is not to be kept.
  void onJobEnd(JobEnd end);
  void describe(v1::CheckpointStatistics& statistics) const;

 private:
  enum class Purpose : uint8_t { PERIODIC, SAVEPOINT, END };
  struct Savepoint {
    std::string folder;
    bool stop = false;
    bool begun = false;
    std::string stopping_with = {};           ///< complete; the job is about to end with it
    SavepointDone done = nullptr;
  };
  struct Record {
    int64_t id = 0;
    Purpose purpose = Purpose::PERIODIC;
    int64_t trigger_ms = 0;
    int64_t duration_ms = 0;
    uint64_t size_bytes = 0;
    std::string status;
    std::string path;
    std::string failure;
  };

  Status readStored(const v1::StoredJob& stored);
  Status startFrom(const std::string& path);
  Status cleanJobFolder();
  std::string jobFolder() const;
  Result<std::string> newSavepointFolder(const std::string& folder) const;
  void look();
  void wakeAt(int64_t time_ms);
  std::optional<int64_t> beginDue(int64_t now_ms);
  void trigger(int64_t id);
  void writeManifest();
  void onStored(int64_t id, const std::string& manifest_bytes);
  void onFailed(int64_t id, const Status& reason);
  void answerSavepoint(const Result<std::string>& result);
  void remove(const std::string& folder);
  void close(Record& record, const std::string& status, const std::string& failure);

  const CheckpointPlace place_;
  EventLoop& loop_;
  EventLoop& disk_;
  FileSystem& files_;
  CheckpointHost& host_;

  CheckpointSchedule schedule_;
  int64_t next_id_ = 1;
  std::string restored_manifest_;
  std::string restored_folder_;
  std::map<int64_t, std::string> folders_;      // of the retained ones
  bool running_ = false;                        // an attempt whose processes all work
  uint64_t serial_ = 0;                         // of attempts, and of wake-ups that are still wanted
  std::vector<int> process_of_subtask_;
  std::optional<PendingCheckpoint> pending_;
  std::string pending_folder_;
  Purpose purpose_ = Purpose::PERIODIC;
  bool storing_ = false;
  bool ending_ = false;
  std::optional<Savepoint> savepoint_;
  std::deque<Record> records_;                  // newest first
  int64_t triggered_ = 0;
  int64_t completed_ = 0;
  int64_t failed_ = 0;
  int64_t restored_ = 0;
};

}  // namespace thalweg::coordinator
