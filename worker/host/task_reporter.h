// TaskReporter: what a task process tells the coordinator about its subtasks, again and again.
//
// Rates are of the time since the report before. A slice that does not come back is told with a sampled stack: taken when it
// is first seen, and again whenever it has run for twice as long. Threads: one caller. Lifetime: any.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/base/status.h"
#include "worker/task/local_job.h"

namespace thalweg::v1 {
class TaskReport;
}

namespace thalweg::worker {

class TaskReporter {
 public:
  explicit TaskReporter(std::string job_id) : job_id_(std::move(job_id)) {}
  /// After how many milliseconds in one slice a subtask is given up; 0: never.
  void setStuckTimeout(int64_t timeout_ms) { stuck_timeout_ms_ = timeout_ms; }

  /// An error if a subtask is stuck for longer than it may.
  Status fill(v1::TaskReport& report, const LocalJob& job);

 private:
  Status addStuck(v1::TaskReport& report, const LocalJob& job);
  void addTimes(v1::TaskReport& report, const LocalJob& job);

  struct Stuck {
    int64_t begun_ns = 0;
    int64_t sample_due_ns = 0;
    std::string stack = {};
  };
  const std::string job_id_;
  int64_t stuck_timeout_ms_ = 0;
  std::map<SubtaskId, SubtaskTimes> times_before_;
  int64_t reported_ms_ = 0;
  std::map<SubtaskId, Stuck> stuck_;
};

}  // namespace thalweg::worker
