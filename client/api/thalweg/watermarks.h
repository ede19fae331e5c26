// WatermarkStrategy<T>: where records get their event time, and how far event time has come.
//
//   stream.assignTimestampsAndWatermarks(
//       WatermarkStrategy<Order>::forBoundedOutOfOrderness(Duration::ofSeconds(2))
//           .withTimestampAssigner([](const Order& order, int64_t) { return order.time_ms; })
//           .withIdleness(Duration::ofMinutes(1)))
//
// With `pipeline.auto-watermark-interval` at 0 a watermark follows every record that raises it, else one follows each
// batch of records. In batch mode there is none before the end. Threads: as the stage.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/stage.h"
#include "client/api/thalweg/values.h"
#include "client/api/thalweg/watermark_alignment.h"

namespace thalweg::api {

/// A watermark as generators emit it.
struct Watermark {
  int64_t timestamp = 0;
};

class WatermarkOutput {
 public:
  virtual ~WatermarkOutput() = default;
  virtual void emitWatermark(const Watermark& watermark) = 0;
  virtual void markIdle() = 0;
  virtual void markActive() = 0;
};

template <typename T>
class WatermarkGenerator {
 public:
  virtual ~WatermarkGenerator() = default;
  virtual void onEvent(const T& event, int64_t timestamp, WatermarkOutput& output) = 0;
  virtual void onPeriodicEmit(WatermarkOutput& output) = 0;
};

/// The highest timestamp seen, less a bound, less one.
template <typename T>
class BoundedOutOfOrdernessWatermarks final : public WatermarkGenerator<T> {
 public:
  explicit BoundedOutOfOrdernessWatermarks(Duration bound) : bound_(bound.toMillis()), highest_(kMinWatermark + bound_ + 1) {}
  void onEvent(const T&, int64_t timestamp, WatermarkOutput&) override { highest_ = std::max(highest_, timestamp); }
  void onPeriodicEmit(WatermarkOutput& output) override { output.emitWatermark({highest_ - bound_ - 1}); }

 private:
  int64_t bound_;
  int64_t highest_;
};

template <typename T>
class WatermarkStrategy {
 public:
  using Assigner = std::function<int64_t(const T& record, int64_t old_timestamp)>;
  using GeneratorFactory = std::function<std::unique_ptr<WatermarkGenerator<T>>()>;

  static WatermarkStrategy forMonotonousTimestamps() { return forBoundedOutOfOrderness(Duration::zero()); }
  static WatermarkStrategy forBoundedOutOfOrderness(Duration bound) {
    return forGenerator([bound] { return std::make_unique<BoundedOutOfOrdernessWatermarks<T>>(bound); });
  }
  static WatermarkStrategy forGenerator(GeneratorFactory make) {
    WatermarkStrategy strategy;
    strategy.make_generator = std::move(make);
    return strategy;
  }
  static WatermarkStrategy noWatermarks() { return {}; }

  WatermarkStrategy withTimestampAssigner(Assigner assigner_in) const {
    WatermarkStrategy copy = *this;
    copy.assigner = std::move(assigner_in);
    return copy;
  }
  /// Without records for so long the stream no longer holds the watermark of others back.
  WatermarkStrategy withIdleness(Duration timeout) const {
    WatermarkStrategy copy = *this;
    copy.idle_timeout_ms = timeout.toMillis();
    return copy;
  }

  /// A source (fromSource()) whose watermark is more than `max_drift` ahead of the lowest in its group waits; `update_interval` later
  /// it looks again. Without effect elsewhere, as in Flink.
  WatermarkStrategy withWatermarkAlignment(const std::string& group, Duration max_drift, Duration update_interval = Duration::ofSeconds(1)) const {
    if (max_drift.toMillis() < 0 || update_interval.toMillis() < 1) {
      throw ValidationException("withWatermarkAlignment() needs a drift of at least 0 and an update interval of at least 1 ms, not " + max_drift.toString() + " and " +
                                update_interval.toString());
    }
    WatermarkStrategy copy = *this;
    copy.alignment = WatermarkAlignment{group, max_drift.toMillis(), update_interval.toMillis()};
    return copy;
  }

  GeneratorFactory make_generator;     ///< null: no watermarks
  Assigner assigner;                   ///< null: records keep their timestamps
  int64_t idle_timeout_ms = 0;         ///< 0: never idle
  std::optional<WatermarkAlignment> alignment;
};

template <typename T>
class WatermarkStage final : public UnaryStage<T, T>, WatermarkOutput {
 public:
  explicit WatermarkStage(WatermarkStrategy<T> strategy) : strategy_(std::move(strategy)) {}

  void open(StageRuntime& runtime) override {
    runtime_ = &runtime;
    if (strategy_.make_generator && !runtime.batchMode()) generator_ = strategy_.make_generator();
    interval_ms_ = runtime.configuration().getDurationMillis("pipeline.auto-watermark-interval");
    last_record_ms_ = runtime.nowMillis();
    if (runtime.batchMode()) strategy_.idle_timeout_ms = 0;
    if (strategy_.idle_timeout_ms > 0) runtime.requestWakeup(last_record_ms_ + strategy_.idle_timeout_ms);
    if (generator_ && strategy_.alignment) strategy_.alignment->members->join(member());
  }
  void close() override {
    if (runtime_ != nullptr && strategy_.alignment) strategy_.alignment->members->leave(member());
  }
  void records(Chunk<T>& chunk) override {
    if (strategy_.assigner) {
      std::vector<EventTime> assigned(chunk.records.size());
      for (size_t i = 0; i < assigned.size(); ++i) assigned[i] = strategy_.assigner(chunk.records[i], chunk.timestampAt(i));
      chunk.timestamps = std::move(assigned);
    }
    if (strategy_.idle_timeout_ms > 0) last_record_ms_ = runtime_->nowMillis();
    setIdle(false);
    if (!generator_) {
      this->out_.records(chunk);
      return;
    }
    Chunk<T> piece;                               // what no watermark has followed yet
    piece_ = &piece;
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      const EventTime timestamp = chunk.timestampAt(i);
      piece.add(std::move(chunk.records[i]), timestamp);
      generator_->onEvent(piece.records.back(), timestamp, *this);
      if (interval_ms_ == 0) generator_->onPeriodicEmit(*this);
    }
    if (interval_ms_ != 0) generator_->onPeriodicEmit(*this);
    piece_ = nullptr;
    this->out_.records(piece);
  }
  /// Only the end of time comes through: other watermarks are made here.
  void watermark(EventTime value) override {
    if (value == kMaxWatermark && strategy_.alignment) strategy_.alignment->members->report(member(), value);
    if (value == kMaxWatermark) this->out_.watermark(value);
    else if (!strategy_.make_generator) this->out_.watermark(value);
  }
  void wakeup(int64_t now_ms) override {
    if (strategy_.idle_timeout_ms <= 0) return;
    const int64_t due = last_record_ms_ + strategy_.idle_timeout_ms;
    if (due <= now_ms) setIdle(true);
    else runtime_->requestWakeup(due);
  }

 private:
  AlignmentGroup::Member member() const { return {strategy_.alignment->source, runtime_->subtaskIndex()}; }
  void emitWatermark(const Watermark& watermark) override {
    if (watermark.timestamp <= highest_) return;
    highest_ = watermark.timestamp;
    if (strategy_.alignment) strategy_.alignment->members->report(member(), highest_);
    if (piece_ != nullptr && !piece_->empty()) {
      this->out_.records(*piece_);
      piece_->clear();
    }
    this->out_.watermark(highest_);
  }
  void markIdle() override { setIdle(true); }
  void markActive() override { setIdle(false); }
  void setIdle(bool idle) {
    if (idle == idle_) return;
    idle_ = idle;
    if (strategy_.alignment) strategy_.alignment->members->setIdle(member(), idle);
    this->out_.idle(idle);
    if (!idle && strategy_.idle_timeout_ms > 0) runtime_->requestWakeup(last_record_ms_ + strategy_.idle_timeout_ms);
  }

  WatermarkStrategy<T> strategy_;
  std::unique_ptr<WatermarkGenerator<T>> generator_;
  StageRuntime* runtime_ = nullptr;
  int64_t interval_ms_ = 0;
  int64_t last_record_ms_ = 0;
  EventTime highest_ = kMinWatermark;
  bool idle_ = false;
  Chunk<T>* piece_ = nullptr;
};

}  // namespace thalweg::api
