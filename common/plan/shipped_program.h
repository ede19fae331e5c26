// ShippedProgram and JobOutline: a C++ job as it is shipped — the program that builds it, and what the coordinator must
// know of a graph that only the program can plan.
//
// Whoever starts the program again gets the same graph, or refuses: text and fingerprint tell. Threads: values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/plan/job_graph.h"

namespace thalweg {

struct ShippedProgram {
  std::string digest = {};                              ///< of the executable: SHA-256, 64 hexadecimal digits
  uint64_t size_bytes = 0;
  std::string name = {};                                ///< what it was called as
  std::vector<std::string> arguments = {};
  std::map<std::string, std::string> environment = {};  ///< variables that were chosen to be reproduced
  std::map<std::string, std::string> settings = {};     ///< what its environments begin with
  int execution = 0;                                    ///< which of its execute() calls is the job
};

/// What is scheduled: of SQL jobs the coordinator's own plan, of C++ jobs what the program said.
struct JobOutline {
  struct Input {
    int from = 0;                                       ///< position among the tasks
    std::string exchange = {};                          ///< FORWARD, HASH, … as REST shows it
  };
  struct Operator {
    std::string uid = {};
    std::string name = {};
  };
  struct Task {
    std::string name = {};
    int parallelism = 1;
    std::vector<Input> inputs = {};
    std::vector<Operator> operators = {};
  };
  std::vector<Task> tasks = {};                         ///< upstream before downstream
  int max_parallelism = 128;
  bool batch_mode = false;
  bool is_query = false;                                ///< rows go to the client
  std::string text = {};                                ///< line by line what the job is
  std::string fingerprint = {};                         ///< of the text

  /// INVALID_ARGUMENT for what no client of ours sends.
  Status validate() const;
};

/// Of a graph that was planned here; `text` and `fingerprint` are the caller's to add.
JobOutline outlineOf(const JobGraph& graph);

}  // namespace thalweg
