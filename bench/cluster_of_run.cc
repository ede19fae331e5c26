#include "bench/cluster_of_run.h"

#include "client/remote/local_cluster.h"
#include "client/remote/remote_launcher.h"

namespace thalweg::bench {
namespace {

constexpr int kWorkers = 2;

}  // namespace

Result<std::unique_ptr<ClusterOfRun>> ClusterOfRun::start(const std::string& folder, int parallelism) {
  const std::string own = folder + "/cluster";
  const int slots = (parallelism + kWorkers - 1) / kWorkers;
  ASSIGN_OR_RETURN(const std::string address, client::startLocalCluster({.folder = own, .workers = kWorkers, .slots = slots, .port = 0, .rest_port = 0}));
  auto cluster = std::unique_ptr<ClusterOfRun>(new ClusterOfRun(own, nullptr));
  ASSIGN_OR_RETURN(cluster->launcher_, client::RemoteLauncher::connect(address, {}));
  return cluster;
}

ClusterOfRun::~ClusterOfRun() { stop(); }

ResourceUse ClusterOfRun::stop() {
  launcher_.reset();
  if (!folder_.empty()) (void)client::stopLocalCluster(folder_);
  folder_.clear();
  return ResourceUse::ofChildren();
}

}  // namespace thalweg::bench
