// WindowClock: when a window known by its end is complete.
//
// Window ends are in UTC for TIMESTAMP times and in session-zone wall clock for TIMESTAMP_LTZ ones; watermarks are
// instants. Threads: as the operator.
#pragma once

#include "common/columnar/batch.h"
#include "common/types/time_zone.h"

namespace thalweg::worker {

class WindowClock {
 public:
  WindowClock() = default;
  WindowClock(bool local_time, const TimeZone& zone) : zone_(zone), local_(local_time && !zone.isUtc()) {}

  /// The watermark at which the window is complete (and from which on its rows are late): its last millisecond.
  EventTime fireTime(EventTime end) const { return local_ ? zone_.toUtcMs(end, Overlap::LATER) - 1 : end - 1; }

 private:
  TimeZone zone_;
  bool local_ = false;
};

}  // namespace thalweg::worker
