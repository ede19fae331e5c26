// Coordinator: takes jobs, has workers run them, and tells clients about both.
//
//   ASSIGN_OR_RETURN(auto coordinator, Coordinator::start(options));
//   coordinator->port();
//
// Jobs and where their checkpoints are outlive it, in the store in its folder: the next coordinator of the folder takes
// them over. Threads: all methods any, not from its own loop. Lifetime: the destructor ends streams, and with them the
// processes of jobs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "common/rpc/rpc_options.h"

namespace thalweg::v1 {
class JobInfo;
class ListJobsReply;
class OverviewReply;
}  // namespace thalweg::v1

namespace thalweg::coordinator {

struct CoordinatorOptions {
  std::string address = "127.0.0.1:0";
  std::string folder;                            ///< of the store, the fencing epoch, and checkpoints without a folder of their own
  int heartbeat_interval_ms = 250;
  int64_t suspect_after_ms = 1000;
  int64_t dead_after_ms = 5000;
  size_t jobs_retained = 1000;                   ///< that have ended
  std::map<std::string, std::string> defaults;   ///< settings of jobs that do not set them
  RpcSecurity security = {};
};

struct CoordinatorOffice;

class Coordinator {
 public:
  static Result<std::unique_ptr<Coordinator>> start(const CoordinatorOptions& options);
  ~Coordinator();
  int port() const;

  void listJobs(v1::ListJobsReply& reply);
  Status describeJob(const std::string& id, v1::JobInfo& info);
  void overview(v1::OverviewReply& reply);

 private:
  explicit Coordinator(std::shared_ptr<CoordinatorOffice> office);
  std::shared_ptr<CoordinatorOffice> office_;
};

}  // namespace thalweg::coordinator
