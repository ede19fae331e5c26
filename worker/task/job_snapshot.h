// JobSnapshot: what a checkpoint of a job holds, in memory. Whoever keeps checkpoints gives it bytes and files.
//
// State is filed under the operators' and sources' uids, so that it finds its way into a job whose tasks were cut
// differently. Threads: values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "worker/task/channel_set.h"

namespace thalweg::worker {

struct OperatorSnapshot {
  std::string keyed;                ///< HotKeyedStateStore::snapshot
  std::string own;                  ///< Operator::snapshot
};

/// One subtask's part.
struct SubtaskSnapshot {
  bool finished = false;            ///< it had sent everything: nothing of it is to be repeated
  std::map<std::string, OperatorSnapshot> operators;   ///< by uid
  std::vector<std::string> splits;  ///< of its source reader
};

struct JobSnapshot {
  struct Task {
    std::vector<bool> finished;                        ///< per subtask
    std::vector<std::vector<std::string>> splits;      ///< per subtask
    std::string enumerator;
  };
  CheckpointId id = 0;
  std::map<std::string, std::vector<OperatorSnapshot>> operators;   ///< by uid, per subtask
  std::map<std::string, Task> tasks;                   ///< by the uid of the head: the source or the first operator
};

}  // namespace thalweg::worker
