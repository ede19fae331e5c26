// RemoteLauncher: starts jobs on a cluster.
//
// Threads: one caller at a time. Lifetime: jobs may outlive it.
#pragma once

#include <memory>

#include "client/embedded/job_handle.h"
#include "common/rpc/rpc_channel.h"

namespace thalweg::client {

class RemoteLauncher final : public JobLauncher {
 public:
  static Result<std::shared_ptr<RemoteLauncher>> connect(const std::string& address, const RpcSecurity& security);
  Result<std::shared_ptr<JobHandle>> launch(const JobGraph& graph, const FrozenScript& script) override;

 private:
  explicit RemoteLauncher(std::shared_ptr<RpcChannel> channel) : channel_(std::move(channel)) {}
  std::shared_ptr<RpcChannel> channel_;
};

}  // namespace thalweg::client
