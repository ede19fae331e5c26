// SessionTimers: which keys have a session that may be complete.
//
// A session's timer stays where it was when the session grows; when it comes up too early it is put off to the session's
// end. So keys come up in order of their sessions' ends, equal ends in order of keys, however the sessions grew.
#pragma once

#include "worker/operators/event_timers.h"

namespace thalweg::worker {

class SessionTimers {
 public:
  void add(EventTime fire_time, std::string_view key) { timers_.restore(fire_time, 0, key); }
  bool isDue(EventTime watermark) const { return timers_.isDue(watermark); }
  /// The next key that may have a session complete at `watermark`, and the time of its timer.
  EventTimers::Timer take(EventTime watermark) { return std::move(timers_.take(watermark, 1).front()); }
  bool isEmpty() const { return timers_.isEmpty(); }
  EventTime earliest() const { return timers_.earliest(); }

 private:
  EventTimers timers_;
};

}  // namespace thalweg::worker
