// ProgramCache: executables of C++ jobs on this machine, fetched from the coordinator when they are first needed.
//
// Threads: fetch any; `done` comes on a thread of the cache's own. Lifetime: the destructor drops what waits.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/plan/shipped_program.h"
#include "common/process/event_loop.h"
#include "common/process/program_folder.h"
#include "common/rpc/rpc_channel.h"

namespace thalweg::worker {

class ProgramCache {
 public:
  /// `channel` goes to the coordinator, and outlives the cache.
  ProgramCache(std::string folder, RpcChannel& channel) : programs_(std::move(folder)), channel_(channel) {}
  Status open() { return programs_.open(); }
  /// `done` gets the path.
  void fetch(const ShippedProgram& program, std::function<void(const Result<std::string>&)> done);

 private:
  Result<std::string> fetchNow(const ShippedProgram& program);

  ProgramFolder programs_;
  RpcChannel& channel_;
  EventLoop loop_;
};

}  // namespace thalweg::worker
