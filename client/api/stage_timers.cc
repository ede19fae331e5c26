#include "client/api/thalweg/process_functions.h"

namespace thalweg::api {

void StageTimers::open(StageRuntime& runtime, bool with_timers) {
  runtime_ = &runtime;
  if (!with_timers) return;
  event_ = std::make_unique<KeyedTimers>(*runtime.keys(), "event");
  processing_ = std::make_unique<KeyedTimers>(*runtime.keys(), "processing");
  if (!processing_->isEmpty() && !runtime.batchMode()) runtime.requestWakeup(processing_->earliest());
}

KeyedTimers& StageTimers::timers(const std::unique_ptr<KeyedTimers>& which) const {
  if (which == nullptr) {
    throw ValidationException("a timer was set in a function without keys: timers belong to keys, so put keyBy(...) before it");
  }
  return *which;
}

void StageTimers::registerProcessingTimeTimer(int64_t time) {
  timers(processing_).add(time);
  if (!runtime_->batchMode()) runtime_->requestWakeup(time);
}

void StageTimers::advanceWatermark(EventTime watermark, const OnTimer& on_timer) {
  watermark_ = watermark;
  if (event_) event_->fire(watermark, [&](int64_t time, TimerTag) { on_timer(time, TimeDomain::EVENT_TIME); });
}

void StageTimers::wakeup(int64_t now_ms, const OnTimer& on_timer) {
  if (!processing_ || runtime_->batchMode()) return;
  processing_->fire(now_ms, [&](int64_t time, TimerTag) { on_timer(time, TimeDomain::PROCESSING_TIME); });
  if (!processing_->isEmpty()) runtime_->requestWakeup(processing_->earliest());
}

void StageTimers::endKey(const OnTimer& on_timer) {
  watermark_ = kMaxWatermark;
  if (event_) event_->fireAll([&](int64_t time, TimerTag) { on_timer(time, TimeDomain::EVENT_TIME); });
  if (processing_) processing_->fireAll([&](int64_t time, TimerTag) { on_timer(time, TimeDomain::PROCESSING_TIME); });
  watermark_ = kMinWatermark;
}

}  // namespace thalweg::api
