// Executor: the seam behind which threads live. Nothing of ours starts a thread or sleeps but through it.
//
// The real one runs on a Boost.Asio pool with one thread per core plus a separate I/O pool; the simulation's runs
// everything in one thread on virtual time. Tasks posted are short and never block (except on the I/O executor).
// Threads: all methods from any thread.
#pragma once

#include <cstdint>
#include <functional>

namespace thalweg {

class Executor {
 public:
  virtual ~Executor() = default;
  /// Runs `work` soon, in no order with other work.
  virtual void post(std::function<void()> work) = 0;
  /// Runs `work` at or after `time_ms` of the Clock seam.
  virtual void postAt(int64_t time_ms, std::function<void()> work) = 0;
  /// Runs `work` where blocking is allowed (files, drivers); bounded threads.
  virtual void postBlocking(std::function<void()> work) = 0;
};

}  // namespace thalweg
