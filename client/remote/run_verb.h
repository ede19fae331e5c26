// runProgram: `thalweg run` — uploads a program on the C++ API and becomes it, told to submit its jobs to a cluster.
//
// Does not return when all is well: the exit code is the program's.
#pragma once

#include <string>
#include <vector>

#include "client/remote/cluster_verbs.h"

namespace thalweg::client {

struct RunOptions {
  ClusterTarget target;
  bool detached = false;
  int parallelism = 0;                       ///< 0: what the program or its settings say
  std::vector<std::string> settings;         ///< key=value
  std::string savepoint;
  bool allow_non_restored_state = false;
  std::vector<std::string> environment;      ///< NAME or NAME=VALUE: reproduced on workers
  std::vector<std::string> command;          ///< the program and its arguments
};

/// The exit code if the program could not be started: 1 something failed, 2 wrong use.
int runProgram(const RunOptions& options);

}  // namespace thalweg::client
