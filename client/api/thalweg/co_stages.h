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
class CoProcessStage final : public UnkeyedStageBase<O, F> {
 public:
  CoProcessStage(const F& function, const SideOutputListPtr& sides)
      : UnkeyedStageBase<O, F>(function, sides), context_(this->timers_, this->sides_),
        first_([this](Chunk<A>& chunk) { this->feed(chunk, context_, [this](const A& record) { this->function_->processElement1(record, context_, this->collector_); }); },
               [this](EventTime value) { this->advance(value); }, [this](bool idle) { this->forwardIdle(idle); }),
        second_([this](Chunk<B>& chunk) { this->feed(chunk, context_, [this](const B& record) { this->function_->processElement2(record, context_, this->collector_); }); },
                [this](EventTime value) { this->advance(value); }, [this](bool idle) { this->forwardIdle(idle); }) {}
  Port& input(int index) override { return index == 0 ? static_cast<Port&>(first_) : second_; }

 private:
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
  void open(StageRuntime& runtime) override { this->openWith(runtime); }

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

/// What stages with a broadcast input share: its state, of which every subtask holds and keeps all.
template <typename Base, typename BK, typename BV>
class WithBroadcastState : public Base {
 public:
  using Base::Base;
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

 protected:
  /// feed() of the broadcast side, whose records alone may change the state.
  template <typename B, typename Context, typename Call>
  void feedBroadcast(Chunk<B>& chunk, Context& context, Call&& call) {
    state_.setWritable(true);
    this->feed(chunk, context, call);
    state_.setWritable(false);
  }

  BroadcastState<BK, BV> state_;
  bool batch_ = false;
};

template <typename A, typename B, typename O, typename BK, typename BV, typename F>
class BroadcastStage final : public WithBroadcastState<UnkeyedStageBase<O, F>, BK, BV> {
  using Base = WithBroadcastState<UnkeyedStageBase<O, F>, BK, BV>;
  using Context = typename BroadcastProcessFunction<A, B, O, BK, BV>::Context;

 public:
  BroadcastStage(const F& function, const SideOutputListPtr& sides)
      : Base(function, sides), context_(this->timers_, this->sides_, this->state_),
        first_([this](Chunk<A>& chunk) { this->feed(chunk, context_, [this](const A& record) { this->function_->processElement(record, context_, this->collector_); }); },
               [this](EventTime value) { this->advance(value); }, [this](bool idle) { this->forwardIdle(idle); }),
        second_([this](Chunk<B>& chunk) { this->feedBroadcast(chunk, context_, [this](const B& record) { this->function_->processBroadcastElement(record, context_, this->collector_); }); },
                [this](EventTime value) { this->advance(value); }, [this](bool idle) { this->forwardIdle(idle); }) {}
  Port& input(int index) override { return index == 0 ? static_cast<Port&>(first_) : second_; }
  void open(StageRuntime& runtime) override {
    this->batch_ = runtime.batchMode();
    Base::open(runtime);
  }

 private:
  Context context_;
  InputPort<A> first_;
  InputPort<B> second_;
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
using KeyedBroadcastStageBase =
    WithBroadcastState<KeyedStageBase<K, O, F, typename KeyedBroadcastProcessFunction<K, A, B, O, BK, BV>::ReadOnlyContext,
                                      typename KeyedBroadcastProcessFunction<K, A, B, O, BK, BV>::OnTimerContext>,
                       BK, BV>;

template <typename K, typename A, typename B, typename O, typename BK, typename BV, typename F>
class KeyedBroadcastStage final : public KeyedBroadcastStageBase<K, A, B, O, BK, BV, F> {
 public:
  KeyedBroadcastStage(const F& function, const SideOutputListPtr& sides)
      : KeyedBroadcastStageBase<K, A, B, O, BK, BV, F>(function, sides), broadcast_(this->timers_, this->sides_, this->state_),
        first_([this](Chunk<A>& chunk) { this->processAll(chunk, [this](const A& record) { this->function_->processElement(record, *this->context_, this->collector_); }); },
               [this](EventTime value) { this->advance(value); }, [this](bool idle) { this->forwardIdle(idle); }),
        second_([this](Chunk<B>& chunk) { this->feedBroadcast(chunk, broadcast_, [this](const B& record) { this->function_->processBroadcastElement(record, broadcast_, this->collector_); }); },
                [this](EventTime value) { this->advance(value); }, [this](bool idle) { this->forwardIdle(idle); }) {}
  Port& input(int index) override { return index == 0 ? static_cast<Port&>(first_) : second_; }
  void open(StageRuntime& runtime) override {
    this->batch_ = runtime.batchMode();
    this->openWith(runtime, this->state_);
  }

 private:
  typename KeyedBroadcastProcessFunction<K, A, B, O, BK, BV>::Context broadcast_;
  InputPort<A> first_;
  InputPort<B> second_;
};

}  // namespace thalweg::api
