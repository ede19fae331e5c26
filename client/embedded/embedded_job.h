// EmbeddedJob: a running job inside this process.
//
// Threads: next() and wait() from one thread, cancel() and progress() from any.
// Lifetime: destroying a job that still runs cancels it and waits for its end.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/columnar/batch.h"
#include "common/plan/job_graph.h"

namespace thalweg::client {

/// What a job's progress line shows.
struct JobProgress {
  uint64_t rows_read = 0;                 ///< by sources
  uint64_t rows_written = 0;              ///< to sinks
  uint64_t late_rows_dropped = 0;
  uint64_t bad_records_skipped = 0;
  EventTime watermark = kMinWatermark;    ///< the lowest of the last operators that see one
};

class EmbeddedJob {
 public:
  /// Starts the job on this process's threads. NOT_SUPPORTED if an operator of the plan is not built.
  static Result<std::shared_ptr<EmbeddedJob>> start(const JobGraph& graph);
  ~EmbeddedJob();

  /// The next rows of a query. False: none within `timeout_ms`; ask isDone() whether more may come.
  bool next(Batch& batch, int64_t timeout_ms);
  /// All rows were handed out and the job has ended.
  bool isDone() const;
  /// Waits for the end; ok, CANCELLED or what went wrong.
  Status wait();
  void cancel();
  JobProgress progress() const;

 private:
  struct Impl;
  explicit EmbeddedJob(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::client
