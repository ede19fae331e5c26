// buildJob: makes the subtasks of a graph, joins them with channels, and gives them the state they start from.
//
// Threads: the caller's; nothing runs before RunningJob::start().
#pragma once

#include <memory>

#include "worker/task/job_share.h"
#include "worker/task/running_job.h"

namespace thalweg::worker {

struct BuildOptions {
  ChannelLimits channel_limits = {};
  size_t subtask_bytes_max = size_t{32} << 20;     ///< in all channels of a subtask, as long as each may hold 128 KiB
  std::shared_ptr<MemoryPool> memory;
  const JobSnapshot* restored = nullptr;           ///< null: from nothing
  JobShare* share = nullptr;                       ///< null: the whole job is here
  bool allow_unclaimed_state = false;              ///< drop restored state whose operator the job does not have
  uint64_t hold_after_rows = 0;                    ///< 0: never
};

/// Fills `job` with subtasks. Errors are those of factories and of snapshots that do not fit the graph.
Status buildJob(const std::shared_ptr<RunningJob>& job, const BuildOptions& options);

}  // namespace thalweg::worker
