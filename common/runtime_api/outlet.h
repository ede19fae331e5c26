// Outlet: something outside the job that takes what a task gives, such as the client that reads a query's rows. A task
// rests while its outlet is full, so a slow reader slows the job and not the machine.
// Threads: any.
#pragma once

#include <functional>

namespace thalweg {

class Outlet {
 public:
  virtual ~Outlet() = default;
  virtual bool isFull() const = 0;
  /// Calls `wake` once, from any thread, when there is room; false, and no call, if there is.
  virtual bool callWhenRoom(std::function<void()> wake) = 0;
};

}  // namespace thalweg
