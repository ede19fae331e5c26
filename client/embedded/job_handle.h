// JobHandle and JobLauncher: a running job as its user sees it, wherever it runs, and who starts it.
//
// Threads: next() and wait() from one thread, cancel() and progress() from any.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/columnar/batch.h"
#include "common/plan/job_graph.h"
#include "common/plan/statements/frozen_script.h"

namespace thalweg::client {

/// What a job's progress line shows.
struct JobProgress {
  uint64_t rows_read = 0;                 ///< by sources
  uint64_t rows_written = 0;              ///< to sinks
  uint64_t late_rows_dropped = 0;
  uint64_t bad_records_skipped = 0;
  EventTime watermark = kMinWatermark;    ///< the lowest of the last operators that see one
};

class JobHandle {
 public:
  virtual ~JobHandle() = default;
  /// The next rows of a query. False: none within `timeout_ms`; ask isDone() whether more may come.
  virtual bool next(Batch& batch, int64_t timeout_ms) = 0;
  /// All rows were handed out and the job has ended.
  virtual bool isDone() const = 0;
  /// Waits for the end; ok, CANCELLED or what went wrong.
  virtual Status wait() = 0;
  virtual void cancel() = 0;
  virtual JobProgress progress() const = 0;
  /// What others call the job; empty in this process.
  virtual std::string id() const { return {}; }
  /// It is another process's job that this one only passes by (see client/program): it has neither rows nor an end.
  virtual bool isElsewhere() const { return false; }
};

/// A job as the program that made it sees it, wherever it runs.
class ProgramJob : public JobHandle {
 public:
  virtual bool hasEnded() const = 0;
  /// Calls `then` once the job has ended, at once if it has; on some thread.
  virtual void whenEnded(std::function<void()> then) = 0;
  /// Writes a savepoint into a new folder of `folder` (empty: 'execution.checkpointing.savepoint-dir'); gives its path.
  virtual Result<std::string> savepoint(const std::string& folder) = 0;
  /// The same, and ends the job well: rows before it are written and committed, rows behind it were never read.
  virtual Result<std::string> stopWithSavepoint(const std::string& folder) = 0;
};

/// Starts plans that a program made.
class PlanLauncher {
 public:
  virtual ~PlanLauncher() = default;
  virtual Result<std::shared_ptr<JobHandle>> launchPlan(const JobGraph& graph, bool is_query) = 0;
  /// What planners call now; 0: the time.
  virtual int64_t planTimeMillis() const = 0;
};

class JobLauncher {
 public:
  virtual ~JobLauncher() = default;
  /// Starts the job of `script`, of which `graph` is the plan made here.
  virtual Result<std::shared_ptr<JobHandle>> launch(const JobGraph& graph, const FrozenScript& script) = 0;
};

}  // namespace thalweg::client
