// EmbeddedJob: a running job inside this process.
//
// Threads: next() and wait() from one thread, cancel() and progress() from any.
// Lifetime: destroying a job that still runs cancels it and waits for its end.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/embedded/job_handle.h"

namespace thalweg::client {

class EmbeddedJob final : public JobHandle {
 public:
  /// Starts the job on this process's threads. NOT_SUPPORTED if an operator of the plan is not built.
  static Result<std::shared_ptr<EmbeddedJob>> start(const JobGraph& graph);
  ~EmbeddedJob() override;

  bool next(Batch& batch, int64_t timeout_ms) override;
  bool isDone() const override;
  Status wait() override;
  void cancel() override;
  JobProgress progress() const override;

 private:
  struct Impl;
  explicit EmbeddedJob(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::client
