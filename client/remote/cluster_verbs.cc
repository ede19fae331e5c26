#include "client/remote/cluster_verbs.h"

#include <functional>
#include <iostream>

#include "client/remote/cluster_client.h"
#include "client/remote/remote_launcher.h"
#include "common/process/daemon.h"

namespace thalweg::client {
namespace {

int print(const Result<std::string>& text) {
  if (text.isOk()) {
    std::cout << *text;
    return 0;
  }
  std::cerr << "thalweg: " << text.status().message() << '\n';
  return 1;
}

int ask(const ClusterTarget& target, const std::function<Result<std::string>(ClusterClient&)>& question) {
  const auto address = addressOf(target);
  if (!address.isOk()) return print(address);
  const auto security = securityOf(target);
  if (!security.isOk()) return print(security.status());
  const auto client = ClusterClient::connect(*address, *security);
  if (!client.isOk()) return print(client.status());
  return print(question(**client));
}

}  // namespace

Result<std::string> addressOf(const ClusterTarget& target) {
  if (!target.coordinator.empty()) return target.coordinator;
  auto address = localClusterAddress(target.folder);
  if (!address.isOk()) return address.status().withContext("no --coordinator was given");
  return address;
}

Result<RpcSecurity> securityOf(const ClusterTarget& target) {
  RpcSecurity security;
  security.ca_file = target.ca_file;
  if (target.token_file.empty()) return security;
  ASSIGN_OR_RETURN(security.token, readWhole(target.token_file));
  while (!security.token.empty() && security.token.back() == '\n') security.token.pop_back();
  return security;
}

Result<std::shared_ptr<JobLauncher>> launcherOf(const ClusterTarget& target) {
  ASSIGN_OR_RETURN(const std::string address, addressOf(target));
  ASSIGN_OR_RETURN(const RpcSecurity security, securityOf(target));
  ASSIGN_OR_RETURN(auto launcher, RemoteLauncher::connect(address, security));
  return std::shared_ptr<JobLauncher>(std::move(launcher));
}

int runListVerb(const ClusterTarget& target, bool all) {
  return ask(target, [&](ClusterClient& client) { return client.list(all); });
}

int runInfoVerb(const ClusterTarget& target, const std::string& job) {
  return ask(target, [&](ClusterClient& client) { return client.info(job); });
}

int runCancelVerb(const ClusterTarget& target, const std::string& job) {
  return ask(target, [&](ClusterClient& client) { return client.cancel(job); });
}

int runSavepointVerb(const ClusterTarget& target, const std::string& job, const std::string& folder, bool stop) {
  return ask(target, [&](ClusterClient& client) { return client.savepoint(job, pathFromHere(folder), stop); });
}

int runLogsVerb(const ClusterTarget& target, const std::string& job, int lines) {
  return ask(target, [&](ClusterClient& client) { return client.logs(job, lines); });
}

int runCertsVerb(const CertificateOptions& options) {
  const Status status = makeCertificates(options);
  if (!status.isOk()) return print(status);
  std::cout << "made in " << options.folder << ":\n"
            << "  ca.pem, ca.key          the authority; keep ca.key away from the cluster\n"
            << "  daemon.pem, daemon.key  thalweg.security.certificate and .key of every daemon, with ca.pem as .ca\n"
            << "  token                   thalweg.security.token-file of daemons; clients: --ca ca.pem --token-file token\n";
  return 0;
}

int runClusterStart(const LocalClusterOptions& options) {
  const auto address = startLocalCluster(options);
  if (!address.isOk()) return print(address);
  std::cout << "coordinator " << *address << " with " << options.workers << " workers of " << options.slots << " slots\n"
            << "thalweg sql --coordinator " << *address << '\n';
  return 0;
}

int runClusterStop(const std::string& folder) {
  const auto count = stopLocalCluster(folder);
  if (!count.isOk()) return print(count.status());
  std::cout << *count << " processes were stopped\n";
  return 0;
}

int runClusterStatus(const ClusterTarget& target) {
  return ask(target, [](ClusterClient& client) { return client.overview(); });
}

}  // namespace thalweg::client
