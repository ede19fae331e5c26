// ProgramStart: what a program is told by whoever started it to take part in a cluster — `thalweg run`, so that it submits
// its jobs, or a worker, so that it runs its share of one. It travels in one environment variable.
//
//   child.environment[ProgramStart::kVariable] = start.encode();
//   const ProgramStart start = ProgramStart::take();      // in the program
//
// Threads: take() while the program has one thread.
#pragma once

#include <string>

#include "common/base/status.h"
#include "common/plan/shipped_program.h"
#include "common/rpc/rpc_options.h"

namespace thalweg {

struct ProgramStart {
  enum class Mode : uint8_t {
    ALONE,   ///< by hand: jobs run inside the program
    SUBMIT,  ///< by `thalweg run`: jobs are sent to a cluster
    TASK,    ///< by a worker: the program is a task process of one job
  };
  static constexpr const char* kVariable = "THALWEG_PROGRAM";

  Mode mode = Mode::ALONE;
  std::string coordinator = {};
  RpcSecurity security = {};
  ShippedProgram program = {};
  int64_t plan_time_ms = 0;          ///< what planners call now, the same in all processes of the job
  bool detached = false;             ///< SUBMIT: execute() returns when the job was accepted
  std::string worker_id = {};        ///< TASK, as the rest
  std::string job_id = {};
  int attempt = 0;
  uint64_t epoch = 0;
  int process = 0;
  std::string host = {};
  int slots = 1;

  std::string encode() const;
  static Result<ProgramStart> decode(const std::string& text);
  /// What this process's environment says, which is taken out of it so that children are on their own. ALONE if nothing.
  static Result<ProgramStart> take();
};

}  // namespace thalweg
