// Actor: something with one mailbox that runs in slices on the compute pool and never on two threads at once.
//
//   schedule()  from any thread, whenever there may be something to do; cheap, repeated calls run it once
//   runSlice()  a bounded piece of work; says whether it goes on, waits for the next schedule(), or has ended
// A schedule() that comes while a slice runs makes another slice follow, so no wake-up is lost between the slice's
// last look and its end.
// Lifetime: shared; a queued slice and a running one keep it alive, a timer does not.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "common/runtime_api/executor.h"

namespace thalweg::worker {

class Actor : public std::enable_shared_from_this<Actor> {
 public:
  explicit Actor(Executor& executor) : executor_(executor) {}
  virtual ~Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

  void schedule();
  /// schedule() at or after `time_ms` of the Clock seam. Only the earliest asked for is sure to come.
  void scheduleAt(int64_t time_ms);

 protected:
  enum class SliceEnd : uint8_t {
    AGAIN,  ///< there is more to do; others get their turn first
    PARK,   ///< nothing to do until schedule()
    END,    ///< never runs again
  };
  virtual SliceEnd runSlice() = 0;
  Executor& executor() { return executor_; }

 private:
  enum class State : uint8_t { PARKED, QUEUED, RUNNING, RUNNING_NOTIFIED, ENDED };
  void post();
  void run();

  Executor& executor_;
  std::atomic<State> state_{State::PARKED};
  std::atomic<int64_t> armed_ms_{INT64_MAX};   // the earliest timer on its way
};

}  // namespace thalweg::worker
