// A cluster of two workers for one run of a query: its jobs are spread over two task processes.
//
// Lifetime: its processes end with it. Threads: one caller.
#pragma once

#include <memory>
#include <string>

#include "bench/resource_use.h"
#include "client/embedded/job_handle.h"

namespace thalweg::bench {

class ClusterOfRun {
 public:
  /// Files go below `folder`; each worker has half of the slots that `parallelism` needs.
  static Result<std::unique_ptr<ClusterOfRun>> start(const std::string& folder, int parallelism);
  ~ClusterOfRun();

  const std::shared_ptr<client::JobLauncher>& launcher() const { return launcher_; }
  /// Ends all processes; what they used from their start to their end, the peak being that of the largest.
  ResourceUse stop();

 private:
  ClusterOfRun(std::string folder, std::shared_ptr<client::JobLauncher> launcher) : folder_(std::move(folder)), launcher_(std::move(launcher)) {}
  std::string folder_;
  std::shared_ptr<client::JobLauncher> launcher_;
};

}  // namespace thalweg::bench
