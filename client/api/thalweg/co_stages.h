// Stages with two inputs: co-process, keyed co-process, and broadcast.
#pragma once

#include <map>

#include "client/api/thalweg/process_functions.h"

namespace thalweg::api {

/// Hands what comes in at one of two inputs to a call of the stage.
template <typename T>
class InputPort final : public TypedPort<T> {
 public:
  using OnRecords = std::function<void(Chunk<T>&)>;
  InputPort(OnRecords on_records, std::function<void(EventTime)> on_watermark, std::function<void(bool)> on_idle)
      : on_records_(std::move(on_records)), on_watermark_(std::move(on_watermark)), on_idle_(std::move(on_idle)) {}
  void records(Chunk<T>& chunk) override { on_records_(chunk); }
  void watermark(EventTime value) override { on_watermark_(value); }
  void idle(bool idle) override { on_idle_(idle); }

 private:
  OnRecords on_records_;
  std::function<void(EventTime)> on_watermark_;
  std::function<void(bool)> on_idle_;
};

template <typename A, typename B, typename O, typename F>
class CoProcessStage final : public WithFunction<ProcessStageBase<O>, F> {
 public:
  CoProcessStage(const F& function, const SideOutputListPtr& sides)
      : WithFunction<ProcessStageBase<O>, F>(function, sides), context_(this->timers_, this->sides_),
        first_([this](Chunk<A>& chunk) { feed(chunk, [this](const A& record) { this->function_->processElement1(record, context_, this->collector_); }); },
               [this](EventTime value) { advance(value); }, [this](bool idle) { this->forwardIdle(idle); }),
        second_([this](Chunk<B>& chunk) { feed(chunk, [this](const B& record) { this->function_->processElement2(record, context_, this->collector_); }); },
                [this](EventTime value) { advance(value); }, [this](bool idle) { this->forwardIdle(idle); }) {}
  Port& input(int index) override { return index == 0 ? static_cast<Port&>(first_) : second_; }
  void open(StageRuntime& runtime) override {
    this->timers_.open(runtime, false);
    this->function_.open(runtime);
  }

 private:
  template <typename T, typename Call>
  void feed(Chunk<T>& chunk, Call&& call) {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      this->collector_.timestamp = chunk.timestampAt(i);
      context_.setTimestamp(chunk.timestampAt(i));
      call(chunk.records[i]);
    }
    this->flush();
  }
  void advance(EventTime value) {
    this->timers_.advanceWatermark(value, {});
    this->forward(value);
  }

  ProcessContext context_;
  InputPort<A> first_;
  InputPort<B> second_;
};

template <typename K, typename A, typename B, typename O, typename F>
class KeyedCoProcessStage final : public KeyedStageBase<K, O, F> {
 public:
  KeyedCoProcessStage(const F& function, const SideOutputListPtr& sides)
      : KeyedStageBase<K, O, F>(function, sides),
        first_([this](Chunk<A>& chunk) { this->processAll(chunk, [this](const A& record) { this->function_->processElement1(record, *this->context_, this->collector_); }); },
               [this](EventTime value) { this->advance(value); }, [this](bool idle) { this->forwardIdle(idle); }),
        second_([this](Chunk<B>& chunk) { this->processAll(chunk, [this](const B& record) { this->function_->processElement2(record, *this->context_, this->collector_); }); },
                [this](EventTime value) { this->advance(value); }, [this](bool idle) { this->forwardIdle(idle); }) {}
  Port& input(int index) override { return index == 0 ? static_cast<Port&>(first_) : second_; }

 private:
  InputPort<A> first_;
  InputPort<B> second_;
};

/// A map that every subtask holds in full, filled from a broadcast stream.
template <typename K, typename V>
class BroadcastState {
 public:
  std::optional<V> get(const K& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? std::nullopt : std::optional<V>(found->second);
  }
  bool contains(const K& key) const { return entries_.contains(key); }
  const std::map<K, V>& entries() const { return entries_; }
  void put(const K& key, V value) { checkWritable(); entries_[key] = std::move(value); }
  void remove(const K& key) { checkWritable(); entries_.erase(key); }
  void clear() { checkWritable(); entries_.clear(); }

  void setWritable(bool writable) { writable_ = writable; }
  void write(std::string& out) const { FieldTraits<std::map<K, V>>::write(entries_, out); }
  void read(ByteReader& in) { FieldTraits<std::map<K, V>>::read(in, entries_); }

 private:
  void checkWritable() const {
    if (!writable_) {
      throw ValidationException("broadcast state was changed in processElement(): it can be changed in processBroadcastElement() only, "
                                "where every subtask sees the same records");
    }
  }
  std::map<K, V> entries_;
  bool writable_ = false;
};

/// Joins a stream with a broadcast one; `BK`, `BV` are of the broadcast state.
template <typename A, typename B, typename O, typename BK, typename BV>
class BroadcastProcessFunction : public RichFunction {
 public:
  using Output = O;
  class Context : public ProcessContext {
   public:
    Context(TimerService& timers, SideOutputs& sides, BroadcastState<BK, BV>& state) : ProcessContext(timers, sides), state_(state) {}
    BroadcastState<BK, BV>& getBroadcastState(const MapStateDescriptor<BK, BV>&) { return state_; }

   private:
    BroadcastState<BK, BV>& state_;
  };
  using ReadOnlyContext = Context;
  virtual void processElement(const A& value, ReadOnlyContext& ctx, Collector<O>& out) = 0;
  virtual void processBroadcastElement(const B& value, Context& ctx, Collector<O>& out) = 0;
};

template <typename A, typename B, typename O, typename BK, typename BV, typename F>
class BroadcastStage final : public ProcessStageBase<O> {
  using Context = typename BroadcastProcessFunction<A, B, O, BK, BV>::Context;

 public:
  BroadcastStage(const F& function, const SideOutputListPtr& sides)
      : ProcessStageBase<O>(sides), function_(function), context_(this->timers_, this->sides_, state_),
        first_([this](Chunk<A>& chunk) { feed(chunk, [this](const A& record) { function_->processElement(record, context_, this->collector_); }); },
               [this](EventTime value) { advance(value); }, [this](bool idle) { this->forwardIdle(idle); }),
        second_([this](Chunk<B>& chunk) {
          state_.setWritable(true);
          feed(chunk, [this](const B& record) { function_->processBroadcastElement(record, context_, this->collector_); });
          state_.setWritable(false);
        }, [this](EventTime value) { advance(value); }, [this](bool idle) { this->forwardIdle(idle); }) {}
  Port& input(int index) override { return index == 0 ? static_cast<Port&>(first_) : second_; }
  void open(StageRuntime& runtime) override {
    batch_ = runtime.batchMode();
    this->timers_.open(runtime, false);
    function_.open(runtime);
  }
  void close() override { function_.close(); }
  void snapshot(std::string& out) override { state_.write(out); }
  void restore(std::string_view bytes) override {
    ByteReader reader(bytes);
    state_.read(reader);
  }
  std::string redistribute(const std::vector<std::string_view>& parts, int subtask, int) override {
    // All old subtasks have the same.
    return parts.empty() ? std::string() : std::string(parts[static_cast<size_t>(subtask) % parts.size()]);
  }
  /// Batch mode: all of the broadcast side first.
  int preferredInput() const override { return batch_ ? 1 : -1; }

 private:
  template <typename T, typename Call>
  void feed(Chunk<T>& chunk, Call&& call) {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      this->collector_.timestamp = chunk.timestampAt(i);
      context_.setTimestamp(chunk.timestampAt(i));
      call(chunk.records[i]);
    }
    this->flush();
  }
  void advance(EventTime value) {
    this->timers_.advanceWatermark(value, {});
    this->forward(value);
  }

  FunctionHolder<F> function_;
  BroadcastState<BK, BV> state_;
  Context context_;
  InputPort<A> first_;
  InputPort<B> second_;
  bool batch_ = false;
};

/// The same where the main stream is keyed: keyed state and timers too, on the main side.
template <typename K, typename A, typename B, typename O, typename BK, typename BV>
class KeyedBroadcastProcessFunction : public RichFunction {
 public:
  using Output = O;
  class ReadOnlyContext : public KeyedContext<K> {
   public:
    ReadOnlyContext(TimerService& timers, SideOutputs& sides, KeyScope& keys, BroadcastState<BK, BV>& state) : KeyedContext<K>(timers, sides, keys), state_(state) {}
    const BroadcastState<BK, BV>& getBroadcastState(const MapStateDescriptor<BK, BV>&) const { return state_; }

   private:
    BroadcastState<BK, BV>& state_;
  };
  class OnTimerContext : public TimerContext<K> {
   public:
    OnTimerContext(TimerService& timers, SideOutputs& sides, KeyScope& keys, BroadcastState<BK, BV>& state) : TimerContext<K>(timers, sides, keys), state_(state) {}
    const BroadcastState<BK, BV>& getBroadcastState(const MapStateDescriptor<BK, BV>&) const { return state_; }

   private:
    BroadcastState<BK, BV>& state_;
  };
  using Context = typename BroadcastProcessFunction<A, B, O, BK, BV>::Context;
  virtual void processElement(const A& value, ReadOnlyContext& ctx, Collector<O>& out) = 0;
  virtual void processBroadcastElement(const B& value, Context& ctx, Collector<O>& out) = 0;
  virtual void onTimer(int64_t timestamp, OnTimerContext& ctx, Collector<O>& out) { (void)timestamp; (void)ctx; (void)out; }
};

template <typename K, typename A, typename B, typename O, typename BK, typename BV, typename F>
class KeyedBroadcastStage final : public WithFunction<ProcessStageBase<O>, F> {
  using Function = KeyedBroadcastProcessFunction<K, A, B, O, BK, BV>;

 public:
  KeyedBroadcastStage(const F& function, const SideOutputListPtr& sides)
      : WithFunction<ProcessStageBase<O>, F>(function, sides),
        first_([this](Chunk<A>& chunk) { main(chunk); }, [this](EventTime value) { advance(value); }, [this](bool idle) { this->forwardIdle(idle); }),
        second_([this](Chunk<B>& chunk) { broadcast(chunk); }, [this](EventTime value) { advance(value); }, [this](bool idle) { this->forwardIdle(idle); }) {}
  Port& input(int index) override { return index == 0 ? static_cast<Port&>(first_) : second_; }
  void open(StageRuntime& runtime) override {
    batch_ = runtime.batchMode();
    keys_ = runtime.keys();
    this->timers_.open(runtime, true);
    main_.emplace(this->timers_, this->sides_, *keys_, state_);
    timer_.emplace(this->timers_, this->sides_, *keys_, state_);
    broadcast_.emplace(this->timers_, this->sides_, state_);
    this->function_.open(runtime);
  }
  void wakeup(int64_t now_ms) override {
    this->timers_.wakeup(now_ms, onTimer());
    this->flush();
  }
  void endKey() override {
    this->timers_.endKey(onTimer());
    this->flush();
  }
  void snapshot(std::string& out) override { state_.write(out); }
  void restore(std::string_view bytes) override {
    ByteReader reader(bytes);
    state_.read(reader);
  }
  std::string redistribute(const std::vector<std::string_view>& parts, int subtask, int) override {
    return parts.empty() ? std::string() : std::string(parts[static_cast<size_t>(subtask) % parts.size()]);
  }
  int preferredInput() const override { return batch_ ? 1 : -1; }

 private:
  void main(Chunk<A>& chunk) {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      keys_->setRow(i);
      this->collector_.timestamp = chunk.timestampAt(i);
      main_->setTimestamp(chunk.timestampAt(i));
      this->function_->processElement(chunk.records[i], *main_, this->collector_);
    }
    keys_->clear();
    this->flush();
  }
  void broadcast(Chunk<B>& chunk) {
    state_.setWritable(true);
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      this->collector_.timestamp = chunk.timestampAt(i);
      broadcast_->setTimestamp(chunk.timestampAt(i));
      this->function_->processBroadcastElement(chunk.records[i], *broadcast_, this->collector_);
    }
    state_.setWritable(false);
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
      this->collector_.timestamp = domain == TimeDomain::EVENT_TIME ? time : kNoTimestamp;
      timer_->setTimestamp(time);
      timer_->setDomain(domain);
      this->function_->onTimer(time, *timer_, this->collector_);
    };
  }

  BroadcastState<BK, BV> state_;
  std::optional<typename Function::ReadOnlyContext> main_;
  std::optional<typename Function::OnTimerContext> timer_;
  std::optional<typename Function::Context> broadcast_;
  InputPort<A> first_;
  InputPort<B> second_;
  KeyScope* keys_ = nullptr;
  bool batch_ = false;
};

}  // namespace thalweg::api
