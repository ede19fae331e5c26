// TaskChildren: the task processes of one worker, by attempt.
//
// Threads: the worker's loop; exits are posted to it. Lifetime: destroying it kills all.
#pragma once

#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/plan/shipped_program.h"
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

/// A C++ job's program, as it is on this machine.
struct ChildProgram {
  std::string path;
  ShippedProgram program;
  std::string working_directory;
  int64_t plan_time_ms = 0;
};

/// How an attempt's process has ended.
struct ChildEnd {
  ChildExit exit = {};
  bool was_stopped = false;              ///< it was asked to end
  bool was_killed = false;               ///< because it did not
  std::string cause = {};                ///< what the exit itself does not tell; empty: nothing
  std::string last_lines = {};           ///< of its log, unless it ended well
  /// A crash is one also when the process was about to be stopped: its broken stream may be heard of before its end.
  bool isClean() const { return cause.empty() && (exit.isClean() || (was_stopped && exit.signal == SIGTERM) || (was_killed && exit.signal == SIGKILL)); }
  /// `was killed by signal 11 (Segmentation fault)`, or the cause.
  std::string toString() const { return cause.empty() ? exit.toString() : cause; }
};

class TaskChildren {
 public:
  using Exited = std::function<void(const AttemptKey& key, const ChildEnd& end)>;

  TaskChildren(const WorkerOptions& options, EventLoop& loop, Exited exited)
      : options_(options), loop_(loop), exited_(std::move(exited)) {}

  /// thalweg-task, or `program`.
  Status start(const AttemptKey& key, int process, int slots, const ChildProgram* program = nullptr);
  /// SIGTERM now, SIGKILL when the grace time is over; false if there is no such process.
  bool stop(const AttemptKey& key);
  /// Kills who has taken more memory than it may, and shortens logs that have grown too long. To be called often.
  void watch();
  std::vector<AttemptKey> running() const;
  /// The newest lines of the job's logs here.
  std::string log(const std::string& job_id, size_t lines) const;

 private:
  struct Child {
    std::shared_ptr<ChildProcess> process;
    size_t memory_bytes_max = 0;         // 0: no limit
    bool stopped = false;
    std::shared_ptr<bool> killed = std::make_shared<bool>(false);   // of the loop
    std::string cause = {};              // why it was killed
  };
  std::string logPath(const AttemptKey& key) const;
  void callTask(ChildOptions& child, const AttemptKey& key, int process, int slots) const;
  Status callProgram(ChildOptions& child, const AttemptKey& key, int process, int slots, const ChildProgram& program) const;
  void onExit(const AttemptKey& key, const ChildExit& exit);
  void removeOldLogs();

  const WorkerOptions& options_;
  EventLoop& loop_;
  const Exited exited_;
  std::map<AttemptKey, Child> children_;
  std::vector<std::string> logs_;        // oldest first
};

}  // namespace thalweg::worker
