// Windows and their assigners: into which windows a record goes.
//
//   .window(TumblingEventTimeWindows::of(Duration::ofSeconds(10)))
//   .window(SlidingEventTimeWindows::of(Duration::ofMinutes(1), Duration::ofSeconds(10)))
//   .window(EventTimeSessionWindows::withGap(Duration::ofMinutes(5)))
//   .window(GlobalWindows::create()).trigger(CountTrigger::of(100))
//
// An assigner is any class with `Window`, `kEventTime`, `kMerging`, assign(record, timestamp, now, windows) and
// defaultTrigger(). Errors: ValidationException for sizes that cannot be. Threads: values.
#pragma once

#include <compare>
#include <functional>
#include <vector>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/triggers.h"
#include "client/api/thalweg/values.h"

namespace thalweg::api {

/// Start of the window of `size` that `timestamp` lies in, when one begins at `offset`.
int64_t windowStart(int64_t timestamp, int64_t offset, int64_t size);
/// Throws unless size is positive and the offset lies within it.
void checkWindowSize(const char* assigner, Duration size, Duration offset);
/// Throws for a record without timestamp, with the cure.
[[noreturn]] void refuseNoTimestamp();
[[noreturn]] void refuseGap(int64_t gap);

/// Windows of one size, side by side, by event time or by the clock.
template <bool kByEventTime>
class TumblingWindows {
 public:
  using Window = TimeWindow;
  static constexpr bool kEventTime = kByEventTime;
  static constexpr bool kMerging = false;
  static TumblingWindows of(Duration size, Duration offset = {}) {
    checkWindowSize("tumbling windows", size, offset);
    return TumblingWindows(size.toMillis(), offset.toMillis());
  }
  template <typename T>
  void assign(const T&, int64_t timestamp, int64_t now, std::vector<TimeWindow>& windows) const {
    const int64_t time = kEventTime ? timestamp : now;
    const int64_t start = windowStart(time, offset_, size_);
    windows.push_back({start, start + size_});
  }
  auto defaultTrigger() const { return TimeTriggerOf<kByEventTime>::create(); }

 private:
  TumblingWindows(int64_t size, int64_t offset) : size_(size), offset_(offset) {}
  int64_t size_;
  int64_t offset_;
};
using TumblingEventTimeWindows = TumblingWindows<true>;
using TumblingProcessingTimeWindows = TumblingWindows<false>;

/// Windows of one size, one beginning every `slide`.
template <bool kByEventTime>
class SlidingWindows {
 public:
  using Window = TimeWindow;
  static constexpr bool kEventTime = kByEventTime;
  static constexpr bool kMerging = false;
  static SlidingWindows of(Duration size, Duration slide, Duration offset = {}) {
    checkWindowSize("sliding windows", slide, offset);
    checkWindowSize("sliding windows", size, {});
    return SlidingWindows(size.toMillis(), slide.toMillis(), offset.toMillis());
  }
  template <typename T>
  void assign(const T&, int64_t timestamp, int64_t now, std::vector<TimeWindow>& windows) const {
    const int64_t time = kEventTime ? timestamp : now;
    for (int64_t start = windowStart(time, offset_, slide_); start > time - size_; start -= slide_) windows.push_back({start, start + size_});
  }
  auto defaultTrigger() const { return TimeTriggerOf<kByEventTime>::create(); }

 private:
  SlidingWindows(int64_t size, int64_t slide, int64_t offset) : size_(size), slide_(slide), offset_(offset) {}
  int64_t size_;
  int64_t slide_;
  int64_t offset_;
};
using SlidingEventTimeWindows = SlidingWindows<true>;
using SlidingProcessingTimeWindows = SlidingWindows<false>;

/// Windows that last until no record came for a gap, fixed or asked of each record.
template <bool kByEventTime, typename Gap = Duration>
class SessionWindows {
 public:
  using Window = TimeWindow;
  static constexpr bool kEventTime = kByEventTime;
  static constexpr bool kMerging = true;
  explicit SessionWindows(Gap gap) : gap_(std::move(gap)) {}
  static SessionWindows<kByEventTime> withGap(Duration gap) {
    checkWindowSize("session windows", gap, {});
    return SessionWindows<kByEventTime>(gap);
  }
  /// `gap(record)` in milliseconds, or a Duration.
  template <typename G>
  static SessionWindows<kByEventTime, G> withDynamicGap(G gap) {
    return SessionWindows<kByEventTime, G>(std::move(gap));
  }
  template <typename T>
  void assign(const T& record, int64_t timestamp, int64_t now, std::vector<TimeWindow>& windows) const {
    const int64_t time = kEventTime ? timestamp : now;
    int64_t gap = 0;
    if constexpr (std::is_same_v<Gap, Duration>) gap = gap_.toMillis();
    else if constexpr (std::is_convertible_v<std::invoke_result_t<const Gap&, const T&>, int64_t>) gap = gap_(record);
    else gap = Duration(gap_(record)).toMillis();
    if (gap <= 0) refuseGap(gap);
    windows.push_back({time, time + gap});
  }
  auto defaultTrigger() const { return TimeTriggerOf<kByEventTime>::create(); }

 private:
  Gap gap_;
};
using EventTimeSessionWindows = SessionWindows<true>;
using ProcessingTimeSessionWindows = SessionWindows<false>;

/// One window for everything of a key; nothing fires without a trigger, or, if made so, at the end of the stream.
template <typename DefaultTrigger>
class GlobalWindowsOf {
 public:
  using Window = GlobalWindow;
  static constexpr bool kEventTime = false;
  static constexpr bool kMerging = false;
  static GlobalWindowsOf create() { return {}; }
  static GlobalWindowsOf<EventTimeTrigger> createWithEndOfStreamTrigger() { return {}; }
  template <typename T>
  void assign(const T&, int64_t, int64_t, std::vector<GlobalWindow>& windows) const {
    windows.push_back(GlobalWindow());
  }
  DefaultTrigger defaultTrigger() const { return {}; }
};
using GlobalWindows = GlobalWindowsOf<NeverTrigger>;

}  // namespace thalweg::api
