// A cluster of real processes on this machine: a coordinator and workers that go on when the program has ended.
//
// Its folder holds their logs, and the list of processes by which it is stopped. Threads: one caller.
#pragma once

#include <string>

#include "common/base/status.h"

namespace thalweg::client {

struct LocalClusterOptions {
  std::string folder;            ///< empty: below the user's state folder
  int workers = 2;
  int slots = 2;                 ///< of each worker
  int port = 6123;               ///< 0: one that is free
  int rest_port = 8081;          ///< the same
};

/// Starts it and waits until all workers have registered; the coordinator's address.
Result<std::string> startLocalCluster(const LocalClusterOptions& options);
/// How many processes were ended.
Result<int> stopLocalCluster(const std::string& folder);
/// The address of the coordinator that was started with this folder.
Result<std::string> localClusterAddress(const std::string& folder);

}  // namespace thalweg::client
