// EmbeddedJob: a running job inside this process.
//
// With 'execution.checkpointing.interval' a job that writes to tables takes checkpoints; one that finds checkpoints of
// its own in 'execution.checkpointing.dir' goes on from the newest. 'execution.state-recovery.path' starts any job from a
// savepoint. A job that fails starts again from its last checkpoint, as 'restart-strategy.type' says (with checkpoints by
// default with growing pauses, for ever); one that gives rows to its caller does not.
// Threads: next() and wait() from one thread, the rest from any; savepoint(), stopWithSavepoint() and waitForHold() block.
// Lifetime: destroying a job that still runs cancels it and waits for its end.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/embedded/checkpoint_figures.h"
#include "client/embedded/job_handle.h"
#include "common/fs/file_system.h"

namespace thalweg::client {

struct EmbeddedJobOptions {
  int ordinal = 0;                        ///< tells apart equal jobs of one session
  uint64_t hold_after_rows = 0;           ///< for tests: each source stands still after so many rows; 0: never
  FileSystem* files = nullptr;            ///< of checkpoints; null: this machine's
};

struct BuiltTaskGraph;

class EmbeddedJob final : public ProgramJob {
 public:
  /// Starts the job on this process's threads. NOT_SUPPORTED if an operator of the plan is not built; errors of the
  /// checkpoint it is to start from.
  static Result<std::shared_ptr<EmbeddedJob>> start(const JobGraph& graph, const EmbeddedJobOptions& options = {});
  /// The same for a graph that was built already.
  static Result<std::shared_ptr<EmbeddedJob>> start(BuiltTaskGraph built, const EmbeddedJobOptions& options = {});
  ~EmbeddedJob() override;

  /// The same for the same plan in every process: names the job's checkpoints.
  static std::string idOf(const JobGraph& graph, int ordinal);
  bool next(Batch& batch, int64_t timeout_ms) override;
  bool isDone() const override;
  Status wait() override;
  void cancel() override;
  JobProgress progress() const override;
  bool hasEnded() const override;
  /// Names the job's checkpoints; the same for the same plan in every process.
  const std::string& jobId() const;
  /// The checkpoint or savepoint that the job went on from; empty: it began anew.
  std::string startPath() const;
  /// What its periodic checkpoints came to so far.
  CheckpointFigures checkpointFigures() const;
  void whenEnded(std::function<void()> then) override;
  Result<std::string> savepoint(const std::string& folder) override;
  Result<std::string> stopWithSavepoint(const std::string& folder) override;
  /// For tests: until every source stands still or has finished; false if the job comes to its end by itself.
  bool waitForHold();

 private:
  struct Impl;
  explicit EmbeddedJob(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::client
