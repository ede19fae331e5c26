// TaskChildren: the task processes of one worker, by attempt.
//
// Threads: the worker's loop; exits are posted to it. Lifetime: destroying it kills all.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/process/child_process.h"
#include "common/process/event_loop.h"
#include "worker/host/worker_daemon.h"

namespace thalweg::worker {

/// Which attempt of which job, under which coordinator.
struct AttemptKey {
  std::string job_id;
  int attempt = 0;
  uint64_t epoch = 0;
  friend auto operator<=>(const AttemptKey&, const AttemptKey&) = default;
  std::string toString() const { return job_id + "-" + std::to_string(attempt); }
};

class TaskChildren {
 public:
  /// An attempt's process has ended; `last_lines` of its log.
  using Exited = std::function<void(const AttemptKey& key, const ChildExit& exit, const std::string& last_lines)>;

  TaskChildren(const WorkerOptions& options, EventLoop& loop, Exited exited)
      : options_(options), loop_(loop), exited_(std::move(exited)) {}

  Status start(const AttemptKey& key, int process, int slots);
  /// SIGTERM now, SIGKILL when the grace time is over; false if there is no such process.
  bool stop(const AttemptKey& key);
  std::vector<AttemptKey> running() const;
  /// The newest lines of the job's logs here.
  std::string log(const std::string& job_id, size_t lines) const;

 private:
  std::string logPath(const AttemptKey& key) const;
  void onExit(const AttemptKey& key, const ChildExit& exit);
  void removeOldLogs();

  const WorkerOptions& options_;
  EventLoop& loop_;
  const Exited exited_;
  std::map<AttemptKey, std::shared_ptr<ChildProcess>> children_;
  std::vector<std::string> logs_;        // oldest first
};

}  // namespace thalweg::worker
