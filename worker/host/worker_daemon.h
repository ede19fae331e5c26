// WorkerDaemon: the supervisor of one machine — offers slots to the coordinator, and keeps a child process per job.
//
// Reconnects by itself with growing pauses. Threads: run() blocks until termination is asked for (common/process).
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/rpc/rpc_options.h"

namespace thalweg::worker {

struct WorkerOptions {
  std::string coordinator;               ///< HOST:PORT
  std::string id;                        ///< empty: host, process id and some chance
  int slots = 0;                         ///< 0: one per core
  std::string host = "127.0.0.1";        ///< where peers reach its task processes
  std::string folder;                    ///< logs and what else it keeps
  std::string task_program;              ///< path of thalweg-task
  int64_t stop_grace_ms = 2000;          ///< between SIGTERM and SIGKILL of a task process
  size_t memory_bytes_total = 0;         ///< of all task processes, shared by slots; 0: no limit
  int logs_retained = 100;
  RpcSecurity security = {};
};

/// The exit code.
int runWorker(const WorkerOptions& options);

}  // namespace thalweg::worker
