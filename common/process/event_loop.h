// EventLoop: one thread that does what others post, in order, and timers when they are due.
//
// What belongs to a loop needs no lock. Threads: post and postAfter any. Lifetime: the destructor finishes the work that
// runs, drops the rest, and joins; not to be called from the loop itself.
#pragma once

#include <functional>
#include <memory>

namespace thalweg {

class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
  void post(std::function<void()> work);
  void postAfter(int64_t delay_ms, std::function<void()> work);
  bool isCurrent() const;
  /// Runs `work` there and waits for it. Not from the loop itself.
  void run(const std::function<void()>& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Milliseconds of a clock that never jumps, for deadlines.
int64_t steadyMillis();

}  // namespace thalweg
