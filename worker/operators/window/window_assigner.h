// WindowAssigner: which windows a time falls into, and when a window fires.
//
// Windows are half-open [start, end) in milliseconds of the window clock: UTC for TIMESTAMP, session-zone wall clock for
// TIMESTAMP_LTZ (semantics: windows 11). A window is known by its end. Starts are multiples of slide (or size) plus
// offset, rounded towards minus infinity, so times before 1970 work. Pure arithmetic; SESSION is not assigned here.
#pragma once

#include <vector>

#include "common/plan/operator_spec.h"
#include "common/types/time_zone.h"

namespace thalweg::worker {

class WindowAssigner {
 public:
  WindowAssigner(const WindowSpec& spec, const TimeZone& zone);

  /// The window clock's time of an instant (the identity unless the time is TIMESTAMP_LTZ).
  int64_t windowTime(int64_t millis) { return local_ ? cursor_.toLocalMs(millis) : millis; }
  /// End of the only window (TUMBLE), or of the earliest one, that `window_time` is in.
  int64_t firstEnd(int64_t window_time) const;
  /// All ends in ascending order, appended.
  void ends(int64_t window_time, std::vector<int64_t>& out) const;
  bool isSingle() const { return spec_.kind == WindowKind::TUMBLE; }

  int64_t startOf(int64_t end) const;
  /// The watermark at which the window is complete (and from which on its rows are late): its last millisecond.
  int64_t fireTime(int64_t end) const { return local_ ? zone_.toUtcMs(end, Overlap::LATER) - 1 : end - 1; }
  /// The event-time attribute of the window's result: its last millisecond as an instant.
  int64_t timeAttribute(int64_t end) const { return local_ ? zone_.toUtcMs(end - 1) : end - 1; }

 private:
  int64_t floorTo(int64_t time, int64_t step) const;

  WindowSpec spec_;
  TimeZone zone_;
  ZoneCursor cursor_;
  bool local_;
};

}  // namespace thalweg::worker
