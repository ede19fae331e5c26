// RemoteJob: a job on a cluster, followed through one stream.
//
// Threads: as JobHandle. Lifetime: destroying it ends the stream, and with it a query.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "client/embedded/job_handle.h"
#include "common/base/mutex.h"
#include "common/rpc/rpc_channel.h"

namespace thalweg::client {

class RemoteJob final : public JobHandle {
 public:
  /// Submits; returns when the coordinator has accepted the job or refused it. `types` are those of a query's rows.
  static Result<std::shared_ptr<JobHandle>> submit(std::shared_ptr<RpcChannel> channel, const std::string& request, std::vector<DataType> types);
  ~RemoteJob() override;

  bool next(Batch& batch, int64_t timeout_ms) override;
  bool isDone() const override;
  Status wait() override;
  void cancel() override;
  JobProgress progress() const override;
  std::string id() const override;
  /// What it lacks to run, in words; empty: nothing.
  std::string waitingFor() const;

 private:
  class Updates;
  explicit RemoteJob(std::shared_ptr<RpcChannel> channel) : channel_(std::move(channel)) {}
  std::shared_ptr<RpcChannel> channel_;
  std::shared_ptr<Updates> updates_;
  std::shared_ptr<RpcStream> stream_;
};

}  // namespace thalweg::client
