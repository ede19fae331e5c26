#include "client/remote/local_cluster.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include "client/remote/cluster_client.h"
#include "common/process/child_process.h"
#include "common/process/daemon.h"
#include "common/process/event_loop.h"

namespace thalweg::client {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kStartTimeoutMs = 20000;
constexpr int64_t kStopTimeoutMs = 10000;
constexpr useconds_t kLookAgainUs = 5000;

std::string folderOf(const std::string& given) {
  std::error_code error;
  if (!given.empty()) return fs::absolute(given, error).string();
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state != nullptr && *state != '\0') return std::string(state) + "/thalweg/cluster";
  return std::string(home != nullptr ? home : "/tmp") + "/.local/state/thalweg/cluster";
}

std::string processesPath(const std::string& folder) { return folder + "/processes"; }

/// Whether the process is still one of ours and not another with the same number.
bool isOurs(int pid) {
  const auto name = readWhole("/proc/" + std::to_string(pid) + "/comm");   // its file may have been replaced since
  return name.isOk() && name->starts_with("thalweg-");
}

std::vector<int> processesOf(const std::string& folder) {
  std::vector<int> pids;
  const auto text = readWhole(processesPath(folder));
  if (!text.isOk()) return pids;
  std::istringstream lines(*text);
  for (int pid = 0; lines >> pid;) {
    if (isOurs(pid)) pids.push_back(pid);
  }
  return pids;
}

class Starter {
 public:
  Starter(const LocalClusterOptions& options, std::string folder) : options_(options), folder_(std::move(folder)) {}

  Result<std::string> start() {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (!processesOf(folder_).empty()) return Status::alreadyExists("a cluster of the folder " + folder_ + " is running; stop it first");
    fs::remove(folder_ + "/coordinator/coordinator.address", error);
    RETURN_IF_ERROR(spawn("thalweg-coordinator", "coordinator", {"jobmanager.rpc.port=" + std::to_string(options_.port), "rest.port=" + std::to_string(options_.rest_port)}));
    ASSIGN_OR_RETURN(const std::string address, waitForAddress());
    ASSIGN_OR_RETURN(const HostPort place, HostPort::parse(address));
    for (int i = 1; i <= options_.workers; ++i) {
      const std::string name = "worker-" + std::to_string(i);
      RETURN_IF_ERROR(spawn("thalweg-worker", name,
                            {"jobmanager.rpc.address=" + place.host, "jobmanager.rpc.port=" + std::to_string(place.port), "taskmanager.resource-id=" + name,
                             "taskmanager.numberOfTaskSlots=" + std::to_string(options_.slots)}));
    }
    RETURN_IF_ERROR(waitForWorkers(address));
    return address;
  }

 private:
  Status spawn(const std::string& program, const std::string& name, const std::vector<std::string>& settings) {
    std::error_code error;
    const std::string own = folder_ + "/" + name;
    fs::create_directories(own, error);
    ChildOptions child;
    child.command = {programBeside(program), "-D", "thalweg.folder=" + own};
    for (const std::string& setting : settings) child.command.insert(child.command.end(), {"-D", setting});
    child.output_path = own + "/log";
    ASSIGN_OR_RETURN(const int pid, spawnDetached(child));
    pids_ += std::to_string(pid) + "\n";
    last_log_ = child.output_path;
    last_pid_ = pid;
    return writeWhole(processesPath(folder_), pids_);
  }

  Status lookAgain(int64_t since_ms) const {
    int status = 0;
    if (waitpid(last_pid_, &status, WNOHANG) == last_pid_) return Status::io("a daemon ended at once; its last lines:\n" + lastLines(last_log_, 5));
    if (steadyMillis() - since_ms > kStartTimeoutMs) return Status::io("the cluster did not start within 20 s; logs are in " + folder_);
    usleep(kLookAgainUs);
    return {};
  }

  Result<std::string> waitForAddress() const {
    for (const int64_t since_ms = steadyMillis();;) {
      const auto address = localClusterAddress(folder_);
      if (address.isOk()) return address;
      RETURN_IF_ERROR(lookAgain(since_ms));
    }
  }

  Status waitForWorkers(const std::string& address) const {
    ASSIGN_OR_RETURN(const auto client, ClusterClient::connect(address, {}));
    for (const int64_t since_ms = steadyMillis();;) {
      const auto workers = client->workers();
      if (workers.isOk() && *workers >= options_.workers) return {};
      RETURN_IF_ERROR(lookAgain(since_ms));
    }
  }

  const LocalClusterOptions& options_;
  const std::string folder_;
  std::string pids_;
  std::string last_log_;
  int last_pid_ = 0;
};

}  // namespace

Result<std::string> startLocalCluster(const LocalClusterOptions& options) {
  const std::string folder = folderOf(options.folder);
  auto address = Starter(options, folder).start();
  if (!address.isOk() && address.status().code() != StatusCode::ALREADY_EXISTS) (void)stopLocalCluster(folder);
  return address;
}

Result<int> stopLocalCluster(const std::string& given) {
  const std::string folder = folderOf(given);
  std::vector<int> pids = processesOf(folder);
  const int count = static_cast<int>(pids.size());
  for (const int pid : pids) kill(pid, SIGTERM);
  for (const int64_t since_ms = steadyMillis(); !pids.empty(); usleep(kLookAgainUs)) {
    std::erase_if(pids, [](int pid) { return waitpid(pid, nullptr, WNOHANG) == pid || !isOurs(pid); });
    if (steadyMillis() - since_ms < kStopTimeoutMs) continue;
    for (const int pid : pids) kill(pid, SIGKILL);
    break;
  }
  std::error_code error;
  fs::remove(processesPath(folder), error);
  return count;
}

Result<std::string> localClusterAddress(const std::string& given) {
  const std::string folder = folderOf(given);
  const auto text = readWhole(folder + "/coordinator/coordinator.address");
  if (!text.isOk()) return Status::notFound("no cluster was started with the folder " + folder);
  return text->substr(0, text->find('\n'));
}

}  // namespace thalweg::client
