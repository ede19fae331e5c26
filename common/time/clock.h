// Clock: the only way the engine learns what time it is.
//
// Wall time (milliseconds since 1970-01-01T00:00Z) is for processing-time semantics and for people; monotonic
// time (nanoseconds since an arbitrary point) is for measuring. Never subtract wall times to measure.
// Threads: any, for every clock here.
#pragma once

#include <atomic>
#include <cstdint>

namespace thalweg {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t nowMillis() const = 0;
  virtual int64_t nanoTime() const = 0;
};

/// The machine's clocks.
class SystemClock : public Clock {
 public:
  int64_t nowMillis() const override;
  int64_t nanoTime() const override;
};

/// A clock that stands still until a test moves it.
class ManualClock : public Clock {
 public:
  explicit ManualClock(int64_t now_millis = 0) : now_nanos_(now_millis * kNanosPerMilli) {}

  int64_t nowMillis() const override { return now_nanos_.load(std::memory_order_relaxed) / kNanosPerMilli; }
  int64_t nanoTime() const override { return now_nanos_.load(std::memory_order_relaxed); }

  void advanceMillis(int64_t millis) { now_nanos_.fetch_add(millis * kNanosPerMilli, std::memory_order_relaxed); }
  void advanceNanos(int64_t nanos) { now_nanos_.fetch_add(nanos, std::memory_order_relaxed); }

 private:
  static constexpr int64_t kNanosPerMilli = 1'000'000;
  std::atomic<int64_t> now_nanos_;
};

/// The process-wide SystemClock, for composition roots to hand on; rooms take a `const Clock&`.
const Clock& systemClock();

}  // namespace thalweg
