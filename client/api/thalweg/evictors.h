// Evictors: which records of a window are left out of its result. With one, windows keep all of their records.
//
// Of one's own: a class with isAfter() (false: before the function) and evict(std::vector<TimestampedValue<T>>&, window).
// What is evicted is gone for later firings too. Threads: the stage's.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "client/api/thalweg/stage.h"
#include "client/api/thalweg/triggers.h"

namespace thalweg::api {

template <typename T>
struct TimestampedValue {
  T value{};
  int64_t timestamp = kNoTimestamp;
  const T& getValue() const { return value; }
  int64_t getTimestamp() const { return timestamp; }
  bool hasTimestamp() const { return timestamp != kNoTimestamp; }
};
template <typename T>
struct FieldTraits<TimestampedValue<T>> {
  static void write(const TimestampedValue<T>& timed, std::string& out) {
    FieldTraits<T>::write(timed.value, out);
    writeNumber(out, timed.timestamp);
  }
  static void read(ByteReader& in, TimestampedValue<T>& timed) {
    FieldTraits<T>::read(in, timed.value);
    timed.timestamp = in.number<int64_t>();
  }
};

/// Keeps the last n records.
class CountEvictor {
 public:
  static CountEvictor of(int64_t count, bool evict_after = false) { return CountEvictor(count, evict_after); }
  bool isAfter() const { return after_; }
  template <typename T, typename W>
  void evict(std::vector<TimestampedValue<T>>& records, const W&) {
    const auto excess = static_cast<int64_t>(records.size()) - count_;
    if (excess > 0) records.erase(records.begin(), records.begin() + excess);
  }

 private:
  CountEvictor(int64_t count, bool after) : count_(count), after_(after) {}
  int64_t count_;
  bool after_;
};

/// Keeps what is younger than `size` before the newest record.
class TimeEvictor {
 public:
  static TimeEvictor of(Duration size, bool evict_after = false) { return TimeEvictor(size.toMillis(), evict_after); }
  bool isAfter() const { return after_; }
  template <typename T, typename W>
  void evict(std::vector<TimestampedValue<T>>& records, const W&) {
    if (records.empty() || !records[0].hasTimestamp()) return;
    int64_t newest = records[0].timestamp;
    for (const auto& record : records) newest = std::max(newest, record.timestamp);
    std::erase_if(records, [&](const auto& record) { return record.timestamp <= newest - size_; });
  }

 private:
  TimeEvictor(int64_t size, bool after) : size_(size), after_(after) {}
  int64_t size_;
  bool after_;
};

/// Keeps what is nearer to the last record than a threshold: DeltaEvictor::of<Order>(5.0, distance).
template <typename T, typename Distance>
class DeltaEvictorOf {
 public:
  DeltaEvictorOf(double threshold, Distance distance, bool after) : threshold_(threshold), distance_(std::move(distance)), after_(after) {}
  bool isAfter() const { return after_; }
  template <typename W>
  void evict(std::vector<TimestampedValue<T>>& records, const W&) {
    if (records.empty()) return;
    const T last = records.back().value;
    std::erase_if(records, [&](const auto& record) { return distance_(record.value, last) >= threshold_; });
  }

 private:
  double threshold_;
  Distance distance_;
  bool after_;
};
struct DeltaEvictor {
  template <typename T, typename Distance>
  static DeltaEvictorOf<T, Distance> of(double threshold, Distance distance, bool evict_after = false) {
    return DeltaEvictorOf<T, Distance>(threshold, std::move(distance), evict_after);
  }
};

/// Any evictor, as the stage calls it. Empty functions: none.
template <typename T, typename W>
struct AnyEvictor {
  std::function<void(std::vector<TimestampedValue<T>>&, const W&)> evict;
  bool after = false;
  explicit operator bool() const { return static_cast<bool>(evict); }
};

}  // namespace thalweg::api
