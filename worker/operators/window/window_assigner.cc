#include "worker/operators/window/window_assigner.h"

namespace thalweg::worker {

WindowAssigner::WindowAssigner(const WindowSpec& spec, const TimeZone& zone)
    : spec_(spec), zone_(zone), cursor_(zone), local_((spec.local_time || spec.processing_time) && !zone.isUtc()) {}

int64_t WindowAssigner::floorTo(int64_t time, int64_t step) const {
  int64_t remainder = (time - spec_.offset_ms) % step;
  if (remainder < 0) remainder += step;
  return time - remainder;
}

int64_t WindowAssigner::firstEnd(int64_t window_time) const {
  switch (spec_.kind) {
    case WindowKind::TUMBLE: return floorTo(window_time, spec_.size_ms) + spec_.size_ms;
    case WindowKind::HOP: {
      // Windows start at every slide; the earliest that still holds the time ends after it.
      const int64_t last_start = floorTo(window_time, spec_.slide_ms);
      if (last_start + spec_.size_ms <= window_time) return last_start + spec_.slide_ms + spec_.size_ms;
      const int64_t back = (last_start + spec_.size_ms - window_time - 1) / spec_.slide_ms;
      return last_start - back * spec_.slide_ms + spec_.size_ms;
    }
    case WindowKind::CUMULATE: return floorTo(window_time, spec_.slide_ms) + spec_.slide_ms;
    case WindowKind::SESSION: break;
  }
  return window_time + spec_.size_ms;
}

void WindowAssigner::ends(int64_t window_time, std::vector<int64_t>& out) const {
  switch (spec_.kind) {
    case WindowKind::HOP: {
      const int64_t last_start = floorTo(window_time, spec_.slide_ms);
      const int64_t last_end = last_start + spec_.size_ms;
      if (last_end <= window_time) return;   // slide > size: the time is between windows
      for (int64_t end = firstEnd(window_time); end <= last_end; end += spec_.slide_ms) out.push_back(end);
      return;
    }
    case WindowKind::CUMULATE: {
      const int64_t last_end = floorTo(window_time, spec_.size_ms) + spec_.size_ms;
      for (int64_t end = firstEnd(window_time); end <= last_end; end += spec_.slide_ms) out.push_back(end);
      return;
    }
    default: out.push_back(firstEnd(window_time));
  }
}

int64_t WindowAssigner::startOf(int64_t end) const {
  if (spec_.kind == WindowKind::CUMULATE) return floorTo(end - 1, spec_.size_ms);
  return end - spec_.size_ms;
}

}  // namespace thalweg::worker
