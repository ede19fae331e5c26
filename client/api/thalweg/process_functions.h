// ProcessFunction and its kin: functions that see time, set timers, keep state and write side outputs.
//
//   struct Alarm : KeyedProcessFunction<std::string, Reading, std::string> {
//     void processElement(const Reading& reading, Context& ctx, Collector<std::string>& out) override {
//       ctx.timerService().registerEventTimeTimer(reading.time_ms + 1000);
//     }
//     void onTimer(int64_t time, OnTimerContext& ctx, Collector<std::string>& out) override { out.collect(ctx.getCurrentKey()); }
//   };
//   readings.keyBy(&Reading::sensor).process(Alarm());
//
// What onTimer() collects has the timer's time as its timestamp. In batch mode a key's records come together, its
// timers fire after them, and the watermark is the lowest until then.
// Errors: timers where there is no key are a ValidationException. Threads: one function at a time per subtask.
#pragma once

#include <optional>

#include "client/api/thalweg/basic_stages.h"
#include "client/api/thalweg/keyed_timers.h"
#include "client/api/thalweg/runtime_context.h"
#include "client/api/thalweg/side_outputs.h"
#include "client/api/thalweg/state.h"

namespace thalweg::api {

class TimerService {
 public:
  virtual ~TimerService() = default;
  virtual int64_t currentWatermark() const = 0;
  virtual int64_t currentProcessingTime() const = 0;
  virtual void registerEventTimeTimer(int64_t time) = 0;
  virtual void registerProcessingTimeTimer(int64_t time) = 0;
  virtual void deleteEventTimeTimer(int64_t time) = 0;
  virtual void deleteProcessingTimeTimer(int64_t time) = 0;
};

enum class TimeDomain : uint8_t { EVENT_TIME, PROCESSING_TIME };

/// What a process function may look at and do besides collecting.
class ProcessContext {
 public:
  ProcessContext(TimerService& timers, SideOutputs& sides) : timers_(timers), sides_(sides) {}
  /// Of the record, or the time of the timer; empty if the record has none.
  std::optional<int64_t> timestamp() const { return timestamp_ == kNoTimestamp ? std::nullopt : std::optional<int64_t>(timestamp_); }
  TimerService& timerService() { return timers_; }
  int64_t currentWatermark() const { return timers_.currentWatermark(); }
  int64_t currentProcessingTime() const { return timers_.currentProcessingTime(); }
  template <typename X, typename V>
  void output(const OutputTag<X>& tag, V&& value) { sides_.add(tag, X(std::forward<V>(value)), timestamp_); }
  void setTimestamp(EventTime timestamp) { timestamp_ = timestamp; }

 private:
  TimerService& timers_;
  SideOutputs& sides_;
  EventTime timestamp_ = kNoTimestamp;
};

template <typename K>
class KeyedContext : public ProcessContext {
 public:
  KeyedContext(TimerService& timers, SideOutputs& sides, KeyScope& keys) : ProcessContext(timers, sides), keys_(keys) {}
  K getCurrentKey() const {
    std::vector<K> keys;
    RecordType<K>::of()->decode(keys_.keyColumns(), keys);
    return keys[0];
  }

 private:
  KeyScope& keys_;
};
template <typename K>
class TimerContext : public KeyedContext<K> {
 public:
  using KeyedContext<K>::KeyedContext;
  TimeDomain timeDomain() const { return domain_; }
  void setDomain(TimeDomain domain) { domain_ = domain; }

 private:
  TimeDomain domain_ = TimeDomain::EVENT_TIME;
};

template <typename I, typename O>
class ProcessFunction : public RichFunction {
 public:
  using Input = I;
  using Output = O;
  using Context = ProcessContext;
  virtual void processElement(const I& value, Context& ctx, Collector<O>& out) = 0;
};

template <typename K, typename I, typename O>
class KeyedProcessFunction : public RichFunction {
 public:
  using Key = K;
  using Input = I;
  using Output = O;
  using Context = KeyedContext<K>;
  using OnTimerContext = TimerContext<K>;
  virtual void processElement(const I& value, Context& ctx, Collector<O>& out) = 0;
  virtual void onTimer(int64_t timestamp, OnTimerContext& ctx, Collector<O>& out) { (void)timestamp; (void)ctx; (void)out; }
};

/// Of connected streams without keys.
template <typename A, typename B, typename O>
class CoProcessFunction : public RichFunction {
 public:
  using Output = O;
  using Context = ProcessContext;
  virtual void processElement1(const A& value, Context& ctx, Collector<O>& out) = 0;
  virtual void processElement2(const B& value, Context& ctx, Collector<O>& out) = 0;
};

/// Of connected keyed streams: both inputs see the state of their common key.
template <typename K, typename A, typename B, typename O>
class KeyedCoProcessFunction : public RichFunction {
 public:
  using Output = O;
  using Context = KeyedContext<K>;
  using OnTimerContext = TimerContext<K>;
  virtual void processElement1(const A& value, Context& ctx, Collector<O>& out) = 0;
  virtual void processElement2(const B& value, Context& ctx, Collector<O>& out) = 0;
  virtual void onTimer(int64_t timestamp, OnTimerContext& ctx, Collector<O>& out) { (void)timestamp; (void)ctx; (void)out; }
};

/// The time and timers of one stage.
class StageTimers final : public TimerService {
 public:
  void open(StageRuntime& runtime, bool with_timers);
  int64_t currentWatermark() const override { return watermark_; }
  int64_t currentProcessingTime() const override { return runtime_->nowMillis(); }
  void registerEventTimeTimer(int64_t time) override { timers(event_).add(time); }
  void registerProcessingTimeTimer(int64_t time) override;
  void deleteEventTimeTimer(int64_t time) override { timers(event_).remove(time); }
  void deleteProcessingTimeTimer(int64_t time) override { timers(processing_).remove(time); }

  using OnTimer = std::function<void(int64_t time, TimeDomain domain)>;
  void advanceWatermark(EventTime watermark, const OnTimer& on_timer);
  void wakeup(int64_t now_ms, const OnTimer& on_timer);
  /// Batch mode: the present key has no more records.
  void endKey(const OnTimer& on_timer);

 private:
  KeyedTimers& timers(const std::unique_ptr<KeyedTimers>& which) const;
  StageRuntime* runtime_ = nullptr;
  std::unique_ptr<KeyedTimers> event_;
  std::unique_ptr<KeyedTimers> processing_;
  EventTime watermark_ = kMinWatermark;
};

/// Base of the stages below: output, side outputs and time.
template <typename O>
class ProcessStageBase : public Stage {
 public:
  explicit ProcessStageBase(const SideOutputListPtr& sides) : sides_(sides) {}
  AnyEmitter* output(int tag) override { return tag == 0 ? &out_ : sides_.emitter(tag); }

 protected:
  void flush() {
    out_.records(collector_.chunk);
    collector_.chunk.clear();
    sides_.flush();
  }
  void forward(EventTime watermark) {
    out_.watermark(watermark);
    sides_.watermark(watermark);
  }
  void forwardIdle(bool idle) {
    out_.idle(idle);
    sides_.idle(idle);
  }
  /// Gives every record to `call`, and its time to `context` and to what it collects.
  template <typename I, typename Context, typename Call>
  void feed(Chunk<I>& chunk, Context& context, Call&& call) {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      collector_.timestamp = chunk.timestampAt(i);
      context.setTimestamp(chunk.timestampAt(i));
      call(chunk.records[i]);
    }
    flush();
  }

  Emitter<O> out_;
  SideOutputs sides_;
  ChunkCollector<O> collector_;
  StageTimers timers_;
};

/// What process stages without keys share, of one and of two inputs: a clock, but no timers.
template <typename O, typename F>
class UnkeyedStageBase : public WithFunction<ProcessStageBase<O>, F> {
 public:
  UnkeyedStageBase(const F& function, const SideOutputListPtr& sides) : WithFunction<ProcessStageBase<O>, F>(function, sides) {}
  void open(StageRuntime& runtime) override {
    this->timers_.open(runtime, false);
    this->function_.open(runtime);
  }

 protected:
  void advance(EventTime value) {
    this->timers_.advanceWatermark(value, {});
    this->forward(value);
  }
};

template <typename I, typename O, typename F>
class ProcessStage final : public UnkeyedStageBase<O, F>, public TypedPort<I> {
 public:
  ProcessStage(const F& function, const SideOutputListPtr& sides) : UnkeyedStageBase<O, F>(function, sides), context_(this->timers_, this->sides_) {}
  Port& input(int) override { return *this; }
  void records(Chunk<I>& chunk) override {
    this->feed(chunk, context_, [this](const I& record) { this->function_->processElement(record, context_, this->collector_); });
  }
  void watermark(EventTime value) override { this->advance(value); }
  void idle(bool idle) override { this->forwardIdle(idle); }

 private:
  ProcessContext context_;
};

/// What keyed process stages of one and of two inputs share: keys and timers.
template <typename K, typename O, typename F, typename Context = KeyedContext<K>, typename OnTimerContext = TimerContext<K>>
class KeyedStageBase : public WithFunction<ProcessStageBase<O>, F> {
 public:
  KeyedStageBase(const F& function, const SideOutputListPtr& sides) : WithFunction<ProcessStageBase<O>, F>(function, sides) {}
  void wakeup(int64_t now_ms) override {
    this->timers_.wakeup(now_ms, onTimer());
    this->flush();
  }
  void endKey() override {
    this->timers_.endKey(onTimer());
    this->flush();
  }

 protected:
  /// `parts`: what the contexts are made of besides time, side outputs and keys.
  template <typename... Parts>
  void openWith(StageRuntime& runtime, Parts&... parts) {
    keys_ = runtime.keys();
    this->timers_.open(runtime, true);
    context_.emplace(this->timers_, this->sides_, *keys_, parts...);
    timer_context_.emplace(this->timers_, this->sides_, *keys_, parts...);
    this->function_.open(runtime);
  }
  template <typename I, typename Call>
  void processAll(Chunk<I>& chunk, Call&& call) {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      keys_->setRow(i);
      this->collector_.timestamp = chunk.timestampAt(i);
      context_->setTimestamp(chunk.timestampAt(i));
      call(chunk.records[i]);
    }
    keys_->clear();
    this->flush();
  }
  void advance(EventTime value) {
    this->timers_.advanceWatermark(value, onTimer());
    keys_->clear();
    this->flush();
    this->forward(value);
  }
  StageTimers::OnTimer onTimer() {
    return [this](int64_t time, TimeDomain domain) {
      // As in Flink: results of event-time timers carry the timer's time, those of processing time none.
      this->collector_.timestamp = domain == TimeDomain::EVENT_TIME ? time : kNoTimestamp;
      timer_context_->setTimestamp(time);
      timer_context_->setDomain(domain);
      this->function_->onTimer(time, *timer_context_, this->collector_);
    };
  }

  KeyScope* keys_ = nullptr;
  std::optional<Context> context_;
  std::optional<OnTimerContext> timer_context_;
};

template <typename K, typename I, typename O, typename F>
class KeyedProcessStage final : public KeyedStageBase<K, O, F>, public TypedPort<I> {
 public:
  using KeyedStageBase<K, O, F>::KeyedStageBase;
  Port& input(int) override { return *this; }
  void open(StageRuntime& runtime) override { this->openWith(runtime); }
  void records(Chunk<I>& chunk) override {
    this->processAll(chunk, [this](const I& record) { this->function_->processElement(record, *this->context_, this->collector_); });
  }
  void watermark(EventTime value) override { this->advance(value); }
  void idle(bool idle) override { this->forwardIdle(idle); }
};

}  // namespace thalweg::api
