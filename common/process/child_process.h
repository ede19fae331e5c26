// ChildProcess: a program that this process started and answers for.
//
// The child gets a signal when the thread that spawned it ends (so spawn from a thread that lives as long as the
// process), its standard input is empty, its output goes to a file, and it inherits no other descriptor.
// Threads: spawn the caller's; `on_exit` comes on a thread of the child's own; kill any.
// Lifetime: destroying a ChildProcess kills and reaps it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/status.h"

namespace thalweg {

struct ChildExit {
  int code = 0;               ///< if it exited
  int signal = 0;             ///< if it was killed by one; else 0
  /// `exited with code 3`, `was killed by signal 11 (Segmentation fault)`.
  std::string toString() const;
  bool isClean() const { return code == 0 && signal == 0; }
};

struct ChildOptions {
  std::vector<std::string> command;                  ///< the program's path first
  std::map<std::string, std::string> environment = {};   ///< added to this process's own
  std::string called_as = {};                        ///< what it finds as its name; empty: its path
  std::string output_path = {};                      ///< standard output and error are appended here; empty: dropped
  std::string working_directory = {};
  bool dies_with_parent = true;                      ///< false: it goes on by itself, in a session of its own
  size_t memory_bytes_max = 0;                       ///< of its data segment; 0: no limit
};

class ChildProcess {
 public:
  static Result<std::unique_ptr<ChildProcess>> spawn(const ChildOptions& options, std::function<void(ChildExit)> on_exit);
  ~ChildProcess();
  int pid() const { return pid_; }
  /// No effect once it has ended.
  void kill(int signal);

 private:
  struct Watch;
  ChildProcess(int pid, std::shared_ptr<Watch> watch) : pid_(pid), watch_(std::move(watch)) {}
  int pid_;
  std::shared_ptr<Watch> watch_;
};

/// Starts a program that goes on by itself; its process id.
Result<int> spawnDetached(const ChildOptions& options);
/// The path of a program that stands beside this one.
std::string programBeside(const std::string& name);

}  // namespace thalweg
