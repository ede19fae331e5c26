// The verbs of the program that speak to a cluster: list, info, cancel, savepoint, stop, logs, cluster start|stop|status.
//
// They print to standard output, errors to standard error, and give the exit code.
#pragma once

#include <memory>
#include <string>

#include "client/embedded/job_handle.h"
#include "client/remote/certificates.h"
#include "client/remote/local_cluster.h"
#include "common/rpc/rpc_options.h"

namespace thalweg::client {

/// Where the cluster is; empty: the local cluster that was started last.
struct ClusterTarget {
  std::string coordinator;
  std::string token_file;
  std::string ca_file;
  std::string folder;               ///< of a local cluster
};

/// HOST:PORT, and how it is trusted.
Result<std::string> addressOf(const ClusterTarget& target);
Result<RpcSecurity> securityOf(const ClusterTarget& target);
/// The launcher of a cluster's jobs.
Result<std::shared_ptr<JobLauncher>> launcherOf(const ClusterTarget& target);

int runListVerb(const ClusterTarget& target, bool all);
int runInfoVerb(const ClusterTarget& target, const std::string& job);
int runCancelVerb(const ClusterTarget& target, const std::string& job);
/// `folder` empty: the one the job is set to. `stop`: the job ends with it.
int runSavepointVerb(const ClusterTarget& target, const std::string& job, const std::string& folder, bool stop);
int runLogsVerb(const ClusterTarget& target, const std::string& job, int lines);
int runCertsVerb(const CertificateOptions& options);
int runClusterStart(const LocalClusterOptions& options);
int runClusterStop(const std::string& folder);
int runClusterStatus(const ClusterTarget& target);

}  // namespace thalweg::client
