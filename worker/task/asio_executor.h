// AsioExecutor: the Executor of real processes, on Boost.Asio.
//
// Two pools: compute (one thread per core) for slices, and I/O for what blocks. Timers run on the compute pool; they
// follow the Clock, which is looked at again at least every `clock_poll_ms`, so that a wall clock that jumps, or a
// clock moved by a test, is noticed.
// Lifetime: the destructor drops timers, lets posted work finish, and joins all threads; whoever posts must have
// stopped by then. Threads: all methods from any thread.
#pragma once

#include <cstddef>
#include <memory>

#include "common/runtime_api/executor.h"
#include "common/time/clock.h"

namespace thalweg::worker {

struct AsioExecutorOptions {
  size_t compute_threads = 0;       ///< 0: one per core
  size_t io_threads = 8;
  int64_t clock_poll_ms = 1000;
};

class AsioExecutor final : public Executor {
 public:
  explicit AsioExecutor(const Clock& clock, AsioExecutorOptions options = {});
  ~AsioExecutor() override;

  void post(std::function<void()> work) override;
  void postAt(int64_t time_ms, std::function<void()> work) override;
  void postBlocking(std::function<void()> work) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::worker
