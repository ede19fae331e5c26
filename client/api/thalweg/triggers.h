// Triggers: when the result of a window is emitted, and whether its content is dropped then.
//
// Of one's own: a class with
//   TriggerResult onElement(const T& record, int64_t timestamp, const W& window, TriggerContext& ctx);
//   TriggerResult onEventTime(int64_t time, const W& window, TriggerContext& ctx);
//   TriggerResult onProcessingTime(int64_t time, const W& window, TriggerContext& ctx);
//   void clear(const W& window, TriggerContext& ctx);
//   void onMerge(const W& window, TriggerContext& ctx);          // for session windows only
// What it remembers per window goes into ctx.state(name). Threads: the stage's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "client/api/thalweg/field_composites.h"
#include "client/api/thalweg/values.h"

namespace thalweg::api {

/// [start, end) in milliseconds.
struct TimeWindow {
  int64_t start = 0;
  int64_t end = 0;
  int64_t getStart() const { return start; }
  int64_t getEnd() const { return end; }
  int64_t maxTimestamp() const { return end - 1; }
  auto operator<=>(const TimeWindow&) const = default;
};
struct GlobalWindow {
  int64_t maxTimestamp() const { return std::numeric_limits<int64_t>::max(); }
  auto operator<=>(const GlobalWindow&) const = default;
};

enum class TriggerResult : uint8_t {
  CONTINUE,
  FIRE,              ///< emit the window's result, keep its content
  PURGE,             ///< drop the content
  FIRE_AND_PURGE,
};
inline bool isFire(TriggerResult result) { return result == TriggerResult::FIRE || result == TriggerResult::FIRE_AND_PURGE; }
inline bool isPurge(TriggerResult result) { return result == TriggerResult::PURGE || result == TriggerResult::FIRE_AND_PURGE; }

/// What triggers keep for one window of one key, as bytes by name.
using TriggerStates = std::map<std::string, std::string>;

/// A value a trigger keeps.
template <typename V>
class TriggerState {
 public:
  TriggerState(TriggerStates& states, std::string name) : states_(states), name_(std::move(name)) {}
  std::optional<V> value() const {
    const auto found = states_.find(name_);
    if (found == states_.end()) return std::nullopt;
    ByteReader reader(found->second);
    V value{};
    FieldTraits<V>::read(reader, value);
    return value;
  }
  void update(const V& value) {
    std::string bytes;
    FieldTraits<V>::write(value, bytes);
    states_[name_] = std::move(bytes);
  }
  void clear() { states_.erase(name_); }

 private:
  TriggerStates& states_;
  std::string name_;
};

/// What a trigger may ask and do, for one window of one key.
class TriggerContext {
 public:
  virtual ~TriggerContext() = default;
  virtual int64_t getCurrentWatermark() const = 0;
  virtual int64_t getCurrentProcessingTime() const = 0;
  virtual void registerEventTimeTimer(int64_t time) = 0;
  virtual void registerProcessingTimeTimer(int64_t time) = 0;
  virtual void deleteEventTimeTimer(int64_t time) = 0;
  virtual void deleteProcessingTimeTimer(int64_t time) = 0;
  virtual TriggerStates& states() = 0;
  /// In onMerge(): what each of the merged windows kept.
  virtual const std::vector<TriggerStates>& mergedStates() const = 0;
  template <typename V>
  TriggerState<V> state(const std::string& name) { return TriggerState<V>(states(), name); }
  /// In onMerge(): combines the values of the merged windows.
  template <typename V, typename Combine>
  void mergeState(const std::string& name, Combine&& combine) {
    std::optional<V> all;
    for (TriggerStates states : mergedStates()) {
      const std::optional<V> one = TriggerState<V>(states, name).value();
      if (one) all = all ? combine(*all, *one) : *one;
    }
    if (all) state<V>(name).update(*all);
  }
};

/// Base that spares writing what a trigger does not need.
class TriggerDefaults {
 public:
  template <typename W>
  TriggerResult onEventTime(int64_t, const W&, TriggerContext&) { return TriggerResult::CONTINUE; }
  template <typename W>
  TriggerResult onProcessingTime(int64_t, const W&, TriggerContext&) { return TriggerResult::CONTINUE; }
  template <typename W>
  void clear(const W&, TriggerContext&) {}
  template <typename W>
  void onMerge(const W&, TriggerContext&) {}
};

/// The base to derive one's own triggers from.
template <typename T, typename W = TimeWindow>
class Trigger {
 public:
  virtual ~Trigger() = default;
  virtual TriggerResult onElement(const T& record, int64_t timestamp, const W& window, TriggerContext& ctx) = 0;
  virtual TriggerResult onEventTime(int64_t time, const W& window, TriggerContext& ctx) = 0;
  virtual TriggerResult onProcessingTime(int64_t time, const W& window, TriggerContext& ctx) = 0;
  virtual void clear(const W& window, TriggerContext& ctx) = 0;
  virtual void onMerge(const W& window, TriggerContext& ctx) { (void)window; (void)ctx; }
};

class NeverTrigger : public TriggerDefaults {
 public:
  template <typename T, typename W>
  TriggerResult onElement(const T&, int64_t, const W&, TriggerContext&) { return TriggerResult::CONTINUE; }
};

/// Fires when the watermark passes the window's end, then for every late record.
class EventTimeTrigger : public TriggerDefaults {
 public:
  static EventTimeTrigger create() { return {}; }
  template <typename T, typename W>
  TriggerResult onElement(const T&, int64_t, const W& window, TriggerContext& ctx) {
    if (window.maxTimestamp() <= ctx.getCurrentWatermark()) return TriggerResult::FIRE;
    ctx.registerEventTimeTimer(window.maxTimestamp());
    return TriggerResult::CONTINUE;
  }
  template <typename W>
  TriggerResult onEventTime(int64_t time, const W& window, TriggerContext&) {
    return time == window.maxTimestamp() ? TriggerResult::FIRE : TriggerResult::CONTINUE;
  }
  template <typename W>
  void clear(const W& window, TriggerContext& ctx) { ctx.deleteEventTimeTimer(window.maxTimestamp()); }
  template <typename W>
  void onMerge(const W& window, TriggerContext& ctx) {
    if (window.maxTimestamp() > ctx.getCurrentWatermark()) ctx.registerEventTimeTimer(window.maxTimestamp());
  }
};

/// Fires when the clock passes the window's end.
class ProcessingTimeTrigger : public TriggerDefaults {
 public:
  static ProcessingTimeTrigger create() { return {}; }
  template <typename T, typename W>
  TriggerResult onElement(const T&, int64_t, const W& window, TriggerContext& ctx) {
    ctx.registerProcessingTimeTimer(window.maxTimestamp());
    return TriggerResult::CONTINUE;
  }
  template <typename W>
  TriggerResult onProcessingTime(int64_t, const W&, TriggerContext&) { return TriggerResult::FIRE; }
  template <typename W>
  void clear(const W& window, TriggerContext& ctx) { ctx.deleteProcessingTimeTimer(window.maxTimestamp()); }
  template <typename W>
  void onMerge(const W& window, TriggerContext& ctx) {
    if (window.maxTimestamp() > ctx.getCurrentProcessingTime()) ctx.registerProcessingTimeTimer(window.maxTimestamp());
  }
};
template <bool kByEventTime>
using TimeTriggerOf = std::conditional_t<kByEventTime, EventTimeTrigger, ProcessingTimeTrigger>;

/// What was given, in milliseconds; a ValidationException that names the trigger unless it is above zero.
int64_t checkedTriggerInterval(const char* trigger, Duration interval);
int64_t checkedTriggerCount(int64_t count);

/// Fires at every n-th record of a window.
class CountTrigger : public TriggerDefaults {
 public:
  static CountTrigger of(int64_t count) { return CountTrigger(checkedTriggerCount(count)); }
  template <typename T, typename W>
  TriggerResult onElement(const T&, int64_t, const W&, TriggerContext& ctx) {
    auto count = ctx.state<int64_t>("count");
    const int64_t seen = count.value().value_or(0) + 1;
    if (seen < count_) {
      count.update(seen);
      return TriggerResult::CONTINUE;
    }
    count.clear();
    return TriggerResult::FIRE;
  }
  template <typename W>
  void clear(const W&, TriggerContext& ctx) { ctx.state<int64_t>("count").clear(); }
  template <typename W>
  void onMerge(const W&, TriggerContext& ctx) {
    ctx.mergeState<int64_t>("count", [](int64_t a, int64_t b) { return a + b; });
  }

 private:
  explicit CountTrigger(int64_t count) : count_(count) {}
  int64_t count_;
};

/// Fires every interval of event time, and at the window's end.
class ContinuousEventTimeTrigger : public TriggerDefaults {
 public:
  static ContinuousEventTimeTrigger of(Duration interval) { return ContinuousEventTimeTrigger(checkedTriggerInterval("ContinuousEventTimeTrigger", interval)); }
  template <typename T, typename W>
  TriggerResult onElement(const T&, int64_t timestamp, const W& window, TriggerContext& ctx) {
    if (window.maxTimestamp() <= ctx.getCurrentWatermark()) return TriggerResult::FIRE;
    ctx.registerEventTimeTimer(window.maxTimestamp());
    if (!next(ctx).value()) registerNext(timestamp - timestamp % interval_, window, ctx);
    return TriggerResult::CONTINUE;
  }
  template <typename W>
  TriggerResult onEventTime(int64_t time, const W& window, TriggerContext& ctx) {
    if (time == window.maxTimestamp()) return TriggerResult::FIRE;
    if (next(ctx).value() != time) return TriggerResult::CONTINUE;
    next(ctx).clear();
    registerNext(time, window, ctx);
    return TriggerResult::FIRE;
  }
  template <typename W>
  void clear(const W&, TriggerContext& ctx) {
    if (const auto time = next(ctx).value()) ctx.deleteEventTimeTimer(*time);
    next(ctx).clear();
  }
  template <typename W>
  void onMerge(const W&, TriggerContext& ctx) {
    ctx.mergeState<int64_t>("next", [](int64_t a, int64_t b) { return std::min(a, b); });
    if (const auto time = next(ctx).value()) ctx.registerEventTimeTimer(*time);
  }

 private:
  explicit ContinuousEventTimeTrigger(int64_t interval) : interval_(interval) {}
  static TriggerState<int64_t> next(TriggerContext& ctx) { return ctx.state<int64_t>("next"); }
  template <typename W>
  void registerNext(int64_t time, const W& window, TriggerContext& ctx) {
    const int64_t due = std::min(time + interval_, window.maxTimestamp());
    next(ctx).update(due);
    ctx.registerEventTimeTimer(due);
  }
  int64_t interval_;
};

/// Fires every interval of the clock while records come.
class ContinuousProcessingTimeTrigger : public TriggerDefaults {
 public:
  static ContinuousProcessingTimeTrigger of(Duration interval) { return ContinuousProcessingTimeTrigger(checkedTriggerInterval("ContinuousProcessingTimeTrigger", interval)); }
  template <typename T, typename W>
  TriggerResult onElement(const T&, int64_t, const W&, TriggerContext& ctx) {
    const int64_t now = ctx.getCurrentProcessingTime();
    if (!next(ctx).value()) registerNext(now - now % interval_, ctx);
    return TriggerResult::CONTINUE;
  }
  template <typename W>
  TriggerResult onProcessingTime(int64_t time, const W&, TriggerContext& ctx) {
    if (next(ctx).value() != time) return TriggerResult::CONTINUE;
    registerNext(time, ctx);
    return TriggerResult::FIRE;
  }
  template <typename W>
  void clear(const W&, TriggerContext& ctx) {
    if (const auto time = next(ctx).value()) ctx.deleteProcessingTimeTimer(*time);
    next(ctx).clear();
  }
  template <typename W>
  void onMerge(const W&, TriggerContext& ctx) {
    ctx.mergeState<int64_t>("next", [](int64_t a, int64_t b) { return std::min(a, b); });
    if (const auto time = next(ctx).value()) ctx.registerProcessingTimeTimer(*time);
  }

 private:
  explicit ContinuousProcessingTimeTrigger(int64_t interval) : interval_(interval) {}
  static TriggerState<int64_t> next(TriggerContext& ctx) { return ctx.state<int64_t>("next"); }
  void registerNext(int64_t time, TriggerContext& ctx) {
    next(ctx).update(time + interval_);
    ctx.registerProcessingTimeTimer(time + interval_);
  }
  int64_t interval_;
};

/// Fires when a record is further than a threshold from the last one that fired: DeltaTrigger::of(5.0, distance).
template <typename T, typename Distance>
class DeltaTriggerOf : public TriggerDefaults {
 public:
  DeltaTriggerOf(double threshold, Distance distance) : threshold_(threshold), distance_(std::move(distance)) {}
  template <typename W>
  TriggerResult onElement(const T& record, int64_t, const W&, TriggerContext& ctx) {
    auto last = ctx.state<T>("last");
    const std::optional<T> before = last.value();
    if (before && distance_(*before, record) <= threshold_) return TriggerResult::CONTINUE;
    last.update(record);
    return before ? TriggerResult::FIRE : TriggerResult::CONTINUE;
  }
  template <typename W>
  void clear(const W&, TriggerContext& ctx) { ctx.state<T>("last").clear(); }

 private:
  double threshold_;
  Distance distance_;
};
struct DeltaTrigger {
  /// `distance(const T& old_record, const T& new_record)`; name T: DeltaTrigger::of<Order>(…).
  template <typename T, typename Distance>
  static DeltaTriggerOf<T, Distance> of(double threshold, Distance distance) {
    return DeltaTriggerOf<T, Distance>(threshold, std::move(distance));
  }
};

/// What another trigger says, but every firing drops the content.
template <typename Inner>
class PurgingTriggerOf {
 public:
  explicit PurgingTriggerOf(Inner inner) : inner_(std::move(inner)) {}
  template <typename T, typename W>
  TriggerResult onElement(const T& record, int64_t timestamp, const W& window, TriggerContext& ctx) {
    return purging(inner_.onElement(record, timestamp, window, ctx));
  }
  template <typename W>
  TriggerResult onEventTime(int64_t time, const W& window, TriggerContext& ctx) { return purging(inner_.onEventTime(time, window, ctx)); }
  template <typename W>
  TriggerResult onProcessingTime(int64_t time, const W& window, TriggerContext& ctx) { return purging(inner_.onProcessingTime(time, window, ctx)); }
  template <typename W>
  void clear(const W& window, TriggerContext& ctx) { inner_.clear(window, ctx); }
  template <typename W>
  void onMerge(const W& window, TriggerContext& ctx) { inner_.onMerge(window, ctx); }

 private:
  static TriggerResult purging(TriggerResult result) { return isFire(result) ? TriggerResult::FIRE_AND_PURGE : result; }
  Inner inner_;
};
struct PurgingTrigger {
  template <typename Inner>
  static PurgingTriggerOf<Inner> of(Inner inner) { return PurgingTriggerOf<Inner>(std::move(inner)); }
};

/// Any trigger, for records of T in windows of W.
template <typename T, typename W>
class AnyTrigger {
 public:
  virtual ~AnyTrigger() = default;
  virtual TriggerResult onElement(const T& record, int64_t timestamp, const W& window, TriggerContext& ctx) = 0;
  virtual TriggerResult onTime(bool event_time, int64_t time, const W& window, TriggerContext& ctx) = 0;
  virtual void clear(const W& window, TriggerContext& ctx) = 0;
  virtual void onMerge(const W& window, TriggerContext& ctx) = 0;
};
template <typename T, typename W, typename X>
class TriggerAdapter final : public AnyTrigger<T, W> {
 public:
  explicit TriggerAdapter(const X& trigger) : trigger_(trigger) {}
  TriggerResult onElement(const T& record, int64_t timestamp, const W& window, TriggerContext& ctx) override {
    return trigger_.onElement(record, timestamp, window, ctx);
  }
  TriggerResult onTime(bool event_time, int64_t time, const W& window, TriggerContext& ctx) override {
    return event_time ? trigger_.onEventTime(time, window, ctx) : trigger_.onProcessingTime(time, window, ctx);
  }
  void clear(const W& window, TriggerContext& ctx) override { trigger_.clear(window, ctx); }
  void onMerge(const W& window, TriggerContext& ctx) override { trigger_.onMerge(window, ctx); }

 private:
  X trigger_;
};

}  // namespace thalweg::api
