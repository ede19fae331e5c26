// JobSnapshot: what a checkpoint of a job holds, in memory, or in runs on disk. Whoever keeps checkpoints gives it bytes and
// files.
//
// State is filed under the operators' and sources' uids, so that it finds its way into a job whose tasks were cut
// differently. Threads: values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "worker/state/table_snapshot.h"
#include "worker/task/channel_set.h"

namespace thalweg::worker {

struct OperatorSnapshot {
  KeyedSnapshot keyed;              ///< HotKeyedStateStore::snapshot
  std::string own;                  ///< Operator::snapshot
  EventTime watermark = kMinWatermark;                 ///< the operator's, so that lateness is judged as before
};

/// One subtask's part.
struct SubtaskSnapshot {
  bool finished = false;            ///< it had sent everything; operators are those that still owe a commit
  std::map<std::string, OperatorSnapshot> operators;   ///< by uid
  std::vector<std::string> splits;  ///< of its source reader
  EventTime sent_watermark = kMinWatermark;            ///< the last mark that left the task
  int64_t pause_ns = 0;             ///< the longest that the subtask did nothing else: at the barrier, or capturing state
};

struct JobSnapshot {
  struct Task {
    std::vector<bool> finished;                        ///< per subtask
    std::vector<std::vector<std::string>> splits;      ///< per subtask
    std::vector<EventTime> sent_watermarks;            ///< per subtask
    std::string enumerator;
  };
  CheckpointId id = 0;
  int64_t pause_ns_max = 0;         ///< of the subtask that paused longest for it; not stored
  int max_parallelism = 0;          ///< the number of key groups: a job that is restored has the same
  std::map<std::string, std::vector<OperatorSnapshot>> operators;   ///< by uid, per subtask
  std::map<std::string, std::string> computed_inputs = {};          ///< by uid, where it is known
  std::map<std::string, Task> tasks;                   ///< by the uid of the head: the source or the first operator
};

}  // namespace thalweg::worker
