// Subtask: one parallel copy of a task — the actor that runs a chain between its channels.
//
// A slice goes round this loop until it has done about 64 Ki rows or 5 ms: let the chain work off what is pending;
// a checkpoint's snapshot; due wake-ups; then one batch from the gate or one poll of the source. It parks when the
// output is full, or when there is nothing to do; channels, credit and timers wake it.
//
// A snapshot begins at its barrier, which goes on at once; large state is captured afterwards, in slices of about a
// millisecond: a few of every hundred of work, and all of the time that would be spent waiting. The job is told when that
// is done. The next barrier and the end wait for it.
//
// Life: created → first slice opens (restoring before) → … → finished: all output is sent → closed. A chain that
// still owes a commit stays open between finished and closed until commit(). cancel() closes at the next look, stop()
// after what the checkpoint covers is committed.
// After onClosed() the subtask touches nothing outside itself any more.
// Threads: schedule, cancel, stop, triggerCheckpoint, completeCheckpoint, commit, metrics any; the rest its own slices.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/current_work.h"
#include "common/base/memory_pool.h"
#include "common/base/mutex.h"
#include "worker/task/input_gate.h"
#include "worker/task/job_snapshot.h"
#include "worker/task/operator_chain.h"
#include "worker/task/pending_snapshot.h"
#include "worker/task/source_head.h"
#include "worker/task/subtask_id.h"
#include "worker/task/task_output.h"

namespace thalweg::worker {

/// What a subtask tells its job. Called from its slices; onClosed() is the last call.
class SubtaskListener {
 public:
  virtual ~SubtaskListener() = default;
  virtual void onSnapshot(SubtaskId subtask, CheckpointId checkpoint, SubtaskSnapshot snapshot) = 0;
  /// Instead: there is none, but the job can go on.
  virtual void onSnapshotFailed(SubtaskId subtask, CheckpointId checkpoint, const Status& status) = 0;
  virtual void onFailed(SubtaskId subtask, const Status& status) = 0;
  /// `last`: what belongs into every checkpoint from now on, until commit().
  virtual void onFinished(SubtaskId subtask, SubtaskSnapshot last) = 0;
  /// Its source stands still (hold_after_rows).
  virtual void onHeld(SubtaskId subtask) = 0;
  virtual void onClosed(SubtaskId subtask) = 0;
};

struct OperatorMetricsRow {
  std::string task;
  std::string uid;
  std::string name;
  int subtask = 0;
  OperatorMetrics metrics = {};
  int task_number = 0;                            ///< position in the graph
};

/// Where a subtask's time went since its first slice, and what waits for it.
struct SubtaskTimes {
  int task_number = 0;
  int subtask = 0;
  int64_t busy_ns = 0;
  int64_t back_pressured_ns = 0;                  ///< parked because an output was full
  int64_t idle_ns = 0;
  size_t queued_bytes = 0;
  size_t queued_batches = 0;
};

/// A slice that has not come back for long.
struct StuckSlice {
  int task_number = 0;
  int subtask = 0;
  std::string task;
  std::string op;                                 ///< the operator at work, if it is known
  int64_t begun_ns = 0;
  int64_t duration_ns = 0;
  int thread = 0;                                 ///< the system's number
};

class Subtask final : public Actor {
 public:
  struct Parts {
    std::shared_ptr<ChannelSet> channels;           ///< null for sources
    int inputs = 1;
    std::vector<std::unique_ptr<EdgeWriter>> writers;
    std::vector<std::shared_ptr<Outlet>> outlets;
    std::shared_ptr<MemoryPool> memory;
    std::vector<std::string> restored_splits = {};
    bool restored_finished = false;                 ///< it had finished before the snapshot: commit what it owed, say so again
    EventTime sent_watermark = kMinWatermark;       ///< of the restored attempt
    uint64_t hold_after_rows = 0;                   ///< sources stand still after so many rows; 0: never
  };

  Subtask(SubtaskId id, std::string task_name, const JobSurroundings& job, std::shared_ptr<SubtaskListener> listener);

  /// Before the first schedule(): the channels, then the operators (first to last), then the source.
  void connect(Parts parts);
  void setOperators(std::vector<std::pair<std::unique_ptr<Operator>, std::unique_ptr<TaskContext>>> operators);
  void setSource(std::unique_ptr<SourceReader> reader, std::unique_ptr<TaskContext> context,
                 std::shared_ptr<SplitSupply> dispenser, int64_t idle_timeout_ms);

  SubtaskId id() const { return id_; }
  const std::string& taskName() const { return task_name_; }
  void cancel();
  /// Sources: take the snapshot and send the barrier. Ids ascend; every one gets its barrier.
  void triggerCheckpoint(CheckpointId checkpoint) EXCLUDES(triggers_mutex_);
  /// Stand still behind this checkpoint's barrier, until stop() or, with 0, go on.
  void holdAt(CheckpointId checkpoint);
  /// The checkpoint is durable and the job's last: commit what belongs to it, and close.
  void stop(CheckpointId checkpoint);
  /// The checkpoint is durable.
  void completeCheckpoint(CheckpointId checkpoint);
  /// All subtasks have finished: commit what is owed, and close.
  void commit();
  std::vector<OperatorMetricsRow> metrics() const EXCLUDES(metrics_mutex_);
  SubtaskTimes times() const;
  /// The slice that runs now, if it has run for at least so long.
  std::optional<StuckSlice> stuckFor(int64_t at_least_ns) const;
  size_t queuedBytes() const { return parts_.channels ? parts_.channels->queuedBytes() : 0; }

 private:
  class SliceMark;
  enum class Phase : uint8_t { CREATED, RUNNING, ENDING, FINISHED, CLOSED };

  SliceEnd runSlice() override;
  Result<SliceEnd> runPhases();
  void noteSlice(int64_t begun_ns);
  void noteWait(int64_t now_ns);
  Result<SliceEnd> runLoop();
  /// One round of the loop; nothing: go on.
  Result<std::optional<SliceEnd>> runRound();
  Status start();
  Result<SliceEnd> restoreFinished();
  Result<SliceEnd> stopNow();
  Result<std::optional<SliceEnd>> takeInput();
  Result<std::optional<SliceEnd>> takeFromGate();
  Result<std::optional<SliceEnd>> takeFromSource();
  Status beginSnapshot(CheckpointId checkpoint);
  CheckpointId takeTrigger() EXCLUDES(triggers_mutex_);
  Status passBarrier();
  /// Of the snapshot that is being captured, if one is due.
  void captureInPassing();
  /// When there is nothing else to do; whether there is more.
  bool captureSome();
  Status confirmCheckpoints();
  /// Nothing: go on.
  std::optional<SliceEnd> park();
  Result<SliceEnd> finish();
  SliceEnd close();
  SliceEnd fail(const Status& status);
  void publishMetrics() EXCLUDES(metrics_mutex_);

  const SubtaskId id_;
  const std::string task_name_;
  const JobSurroundings& job_;
  const std::shared_ptr<SubtaskListener> listener_;
  Parts parts_;
  std::unique_ptr<TaskOutput> output_;
  std::unique_ptr<OperatorChain> chain_;
  std::unique_ptr<InputGate> gate_;                 // null for sources
  std::unique_ptr<SourceHead> source_;              // null behind gates

  Phase phase_ = Phase::CREATED;
  size_t slice_rows_ = 0;
  CheckpointId snapshotting_ = 0;                   // a snapshot was begun, its flush is on its way through the chain
  int64_t snapshot_begun_ns_ = 0;
  std::unique_ptr<PendingSnapshot> pending_;        // its barrier has passed, its state is being captured
  int64_t captured_ns_ = 0;                         // the last time that some of it was
  uint32_t rounds_since_capture_ = 0;
  CheckpointId passed_ = 0;                         // the last barrier sent
  std::deque<std::pair<CheckpointId, uint64_t>> unconfirmed_;   // checkpoint, snapshots taken until then
  uint64_t snapshots_taken_ = 0;

  int64_t slice_ended_ns_ = 0;                      // 0: no slice yet
  bool parked_full_ = false;                        // the last slice ended because an output was full
  std::atomic<int64_t> slice_begun_ns_{0};          // 0: none runs
  std::atomic<const CurrentWork*> slice_work_{nullptr};    // of the thread that runs it
  std::atomic<int64_t> busy_ns_{0};
  std::atomic<int64_t> back_pressured_ns_{0};
  std::atomic<int64_t> idle_ns_{0};
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> committed_{false};
  std::atomic<bool> stopped_{false};
  std::atomic<CheckpointId> hold_at_{0};            // stands still behind this checkpoint's barrier; 0: nowhere
  bool held_ = false;                               // and has said so
  std::atomic<size_t> triggers_waiting_{0};
  std::atomic<CheckpointId> completed_{0};
  Mutex triggers_mutex_;
  std::deque<CheckpointId> triggers_ GUARDED_BY(triggers_mutex_);
  mutable Mutex metrics_mutex_;
  std::vector<OperatorMetricsRow> metrics_ GUARDED_BY(metrics_mutex_);
};

}  // namespace thalweg::worker
