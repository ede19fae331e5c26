// ClusterClient: what is asked of a running cluster, and its answers as the program's verbs print them.
//
// Threads: one caller. Errors: IO_ERROR if nobody is there, NOT_FOUND for unknown jobs.
#pragma once

#include <memory>
#include <string>

#include "common/rpc/rpc_channel.h"

namespace thalweg::client {

/// A path as processes elsewhere understand it: absolute, unless it is empty or names its file system.
std::string pathFromHere(const std::string& path);

class ClusterClient {
 public:
  static Result<std::unique_ptr<ClusterClient>> connect(const std::string& address, const RpcSecurity& security);

  /// A line a job, newest first.
  Result<std::string> list(bool all);
  Result<std::string> info(const std::string& job);
  /// Its state after that.
  Result<std::string> cancel(const std::string& job);
  /// The path of the savepoint. `folder` empty: the one the job is set to; `stop`: the job ends with it.
  Result<std::string> savepoint(const std::string& job, const std::string& folder, bool stop);
  Result<std::string> logs(const std::string& job, int lines);
  /// Workers and slots.
  Result<std::string> overview();
  Result<int> workers();

 private:
  explicit ClusterClient(std::unique_ptr<RpcChannel> channel) : channel_(std::move(channel)) {}
  std::unique_ptr<RpcChannel> channel_;
};

}  // namespace thalweg::client
