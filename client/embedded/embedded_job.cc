#include "client/embedded/embedded_job.h"

#include <algorithm>

#include "client/embedded/task_graph_builder.h"
#include "common/time/clock.h"
#include "worker/task/asio_executor.h"
#include "worker/task/local_job.h"

namespace thalweg::client {
namespace {

const SystemClock& processClock() {
  static const SystemClock clock;
  return clock;
}

/// One pool for all embedded jobs of the process, started with the first; never torn down, since jobs may outlive main.
worker::AsioExecutor& processExecutor() {
  static auto* executor = new worker::AsioExecutor(processClock());
  return *executor;
}

}  // namespace

struct EmbeddedJob::Impl {
  std::vector<std::shared_ptr<worker::ResultQueue>> results;
  std::unique_ptr<worker::LocalJob> job;
};

EmbeddedJob::EmbeddedJob(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

EmbeddedJob::~EmbeddedJob() {
  if (impl_->job && !impl_->job->hasEnded()) impl_->job->cancel();
}

Result<std::shared_ptr<EmbeddedJob>> EmbeddedJob::start(const JobGraph& graph) {
  ASSIGN_OR_RETURN(BuiltTaskGraph built, buildTaskGraph(graph));
  auto impl = std::make_unique<Impl>();
  impl->results = built.results;
  worker::JobOptions options;
  options.on_end = [results = built.results](const Status&) {
    for (const auto& queue : results) queue->close();
  };
  ASSIGN_OR_RETURN(impl->job, worker::LocalJob::start(std::move(built.graph), processExecutor(), processClock(), std::move(options)));
  return std::shared_ptr<EmbeddedJob>(new EmbeddedJob(std::move(impl)));
}

bool EmbeddedJob::next(Batch& batch, int64_t timeout_ms) {
  return !impl_->results.empty() && impl_->results[0]->pop(batch, timeout_ms);
}

bool EmbeddedJob::isDone() const { return impl_->results.empty() ? impl_->job->hasEnded() : impl_->results[0]->isDone(); }

Status EmbeddedJob::wait() { return impl_->job->wait(); }

void EmbeddedJob::cancel() { impl_->job->cancel(); }

JobProgress EmbeddedJob::progress() const {
  JobProgress progress;
  EventTime lowest = kMaxWatermark;
  bool any = false;
  for (const auto& row : impl_->job->metrics()) {
    progress.late_rows_dropped += row.metrics.late_rows_dropped;
    progress.bad_records_skipped += row.metrics.bad_records_skipped;
    if (row.name.rfind("TableSourceScan", 0) == 0) progress.rows_read += row.metrics.rows_out;
    if (row.name.rfind("Sink", 0) == 0) progress.rows_written += row.metrics.rows_in;
    if (row.metrics.watermark != kMinWatermark) {
      lowest = std::min(lowest, row.metrics.watermark);
      any = true;
    }
  }
  if (any) progress.watermark = lowest;
  return progress;
}

}  // namespace thalweg::client
