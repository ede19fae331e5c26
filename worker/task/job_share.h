// JobShare: which subtasks of a job run in this process, and how the others are reached.
//
// A job that runs in one process has none. With one, buildJob() makes the subtasks that are here; channels to the rest
// come from the share, and channels that others feed are made known to it.
// Threads: called while the job is built. Lifetime: outlives the job.
#pragma once

#include <memory>
#include <vector>

#include "worker/task/channel_set.h"
#include "worker/task/split_dispenser.h"
#include "worker/task/subtask_id.h"

namespace thalweg::worker {

/// Where the elements of one channel come from.
struct ChannelOrigin {
  SubtaskId sender;
  const std::vector<DataType>* types;   ///< columns of its batches; the task graph's
};

/// The bounds of one channel, which its sender keeps as well.
struct ChannelBounds {
  size_t batches_max = 0;
  size_t bytes_max = 0;                 ///< SIZE_MAX: none
};

class JobShare {
 public:
  virtual ~JobShare() = default;
  virtual bool isHere(SubtaskId subtask) const = 0;
  /// The channels into a subtask elsewhere, as many as `bounds`.
  virtual std::shared_ptr<ChannelEnd> channelsTo(SubtaskId receiver, std::vector<ChannelBounds> bounds) = 0;
  /// A subtask here; by channel, who sends.
  virtual void addReceiver(SubtaskId receiver, std::shared_ptr<ChannelSet> channels, std::vector<ChannelOrigin> origins) = 0;
  /// The splits of a source are given out in the process of its subtask 0.
  virtual void addDispenser(int task, std::shared_ptr<SplitDispenser> dispenser) = 0;
  virtual std::shared_ptr<SplitSupply> splitsFrom(SubtaskId owner) = 0;
};

}  // namespace thalweg::worker
