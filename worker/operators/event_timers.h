// EventTimers: which keys have something due at which event time, in order of time, then of registration.
//
// An index in memory only: whoever registers keeps what is due in keyed state, with the number of its registration, and
// registers it again after a restore. Threads: as the operator.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/batch.h"

namespace thalweg::worker {

class EventTimers {
 public:
  struct Timer {
    EventTime time = 0;
    uint64_t number = 0;   ///< of the registration; not unique when two instances' state was put together
    std::string key;       ///< stored form
    auto operator<=>(const Timer&) const = default;
  };

  /// Registers a timer; gives its number.
  uint64_t add(EventTime time, std::string key) {
    timers_.insert({time, next_, std::move(key)});
    return next_++;
  }
  /// Registers one again under its old number, after a restore.
  void restore(EventTime time, uint64_t number, std::string_view key) {
    timers_.insert({time, number, std::string(key)});
    next_ = std::max(next_, number + 1);
  }
  void remove(EventTime time, uint64_t number, std::string_view key) { timers_.erase({time, number, std::string(key)}); }

  bool isEmpty() const { return timers_.empty(); }
  EventTime earliest() const { return timers_.begin()->time; }
  bool isDue(EventTime watermark) const { return !timers_.empty() && timers_.begin()->time <= watermark; }
  /// Takes the earliest timers up to `watermark` out, `limit` at most.
  std::vector<Timer> take(EventTime watermark, size_t limit) {
    std::vector<Timer> due;
    while (due.size() < limit && isDue(watermark)) due.push_back(std::move(timers_.extract(timers_.begin()).value()));
    return due;
  }

 private:
  std::set<Timer> timers_;
  uint64_t next_ = 0;
};

}  // namespace thalweg::worker
