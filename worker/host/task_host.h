// TaskHost: one process's share of one attempt of a job, from its first word to the coordinator to its end.
//
// Threads: run() blocks its caller; all else is inside. The process is to end when run() returns.
#pragma once

#include <string>

#include "common/rpc/rpc_options.h"
#include "worker/host/task_program.h"

namespace thalweg::worker {

struct TaskHostOptions {
  std::string coordinator;              ///< HOST:PORT
  std::string worker_id;
  std::string job_id;
  int attempt = 0;
  uint64_t epoch = 0;
  int process = 0;
  std::string exchange_host = "127.0.0.1";
  int exchange_port = 0;                ///< 0: one that is free
  size_t slots = 1;                     ///< compute threads
  RpcSecurity security = {};
};

/// The exit code: 0 the job ended or was stopped, 1 it failed, 3 the coordinator was lost.
int runTaskHost(const TaskHostOptions& options, TaskProgram program);

}  // namespace thalweg::worker
