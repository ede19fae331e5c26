// IntervalJoin: pairs records of two keyed streams whose event times are near each other.
//
//   orders.keyBy(&Order::id).intervalJoin(payments.keyBy(&Payment::order))
//         .between(Duration::ofMinutes(-5), Duration::ofMinutes(10))
//         .process(Pair());                                   // ProcessJoinFunction, or a lambda (left, right, out)
//
// A pair's timestamp is the later of the two. Records behind the watermark are dropped and counted, or go to a side
// output. Threads: the stage's.
#pragma once

#include "client/api/thalweg/connected_streams.h"
#include "client/api/thalweg/window_functions.h"

namespace thalweg::api {

template <typename A, typename B, typename O>
class ProcessJoinFunction : public RichFunction {
 public:
  using Output = O;
  class Context {
   public:
    Context(SideOutputs& sides) : sides_(sides) {}
    int64_t getLeftTimestamp() const { return left; }
    int64_t getRightTimestamp() const { return right; }
    int64_t getTimestamp() const { return std::max(left, right); }
    template <typename X, typename V>
    void output(const OutputTag<X>& tag, V&& value) { sides_.add(tag, X(std::forward<V>(value)), getTimestamp()); }
    int64_t left = 0;
    int64_t right = 0;

   private:
    SideOutputs& sides_;
  };
  virtual void processElement(const A& left, const B& right, Context& ctx, Collector<O>& out) = 0;
};

/// right's time − left's time is within [lower, upper].
struct JoinBounds {
  int64_t lower = 0;
  int64_t upper = 0;
};

[[noreturn]] void refuseUntimedJoin();

template <typename K, typename A, typename B, typename O, typename F>
class IntervalJoinStage final : public ProcessStageBase<O> {
  using Context = typename ProcessJoinFunction<A, B, O>::Context;
  template <typename T>
  using Buffer = StateCell<std::map<int64_t, std::vector<T>>>;

 public:
  IntervalJoinStage(const F& function, JoinBounds bounds, std::optional<OutputTag<A>> late_left, std::optional<OutputTag<B>> late_right,
                    const SideOutputListPtr& sides)
      : ProcessStageBase<O>(sides), function_(function), bounds_(bounds), late_left_(std::move(late_left)), late_right_(std::move(late_right)),
        context_(this->sides_),
        left_([this](Chunk<A>& chunk) { each(chunk, late_left_, [this](A& record, int64_t time) { addLeft(record, time); }); },
              [this](EventTime value) { advance(value); }, [this](bool idle) { this->forwardIdle(idle); }),
        right_([this](Chunk<B>& chunk) { each(chunk, late_right_, [this](B& record, int64_t time) { addRight(record, time); }); },
               [this](EventTime value) { advance(value); }, [this](bool idle) { this->forwardIdle(idle); }) {}

  Port& input(int index) override { return index == 0 ? static_cast<Port&>(left_) : right_; }
  void open(StageRuntime& runtime) override {
    runtime_ = &runtime;
    keys_ = runtime.keys();
    this->timers_.open(runtime, false);
    lefts_ = &keys_->openTable(objectTableSpec<Buffer<A>>("left", keys_->isFixed()));
    rights_ = &keys_->openTable(objectTableSpec<Buffer<B>>("right", keys_->isFixed()));
    cleanup_ = std::make_unique<KeyedTimers>(*keys_, "cleanup");
    function_.open(runtime);
  }
  void close() override { function_.close(); }
  void endKey() override { cleanUp(kMaxWatermark); }

 private:
  static constexpr int64_t kLeft = 0;
  static constexpr int64_t kRight = 1;

  template <typename T, typename Add>
  void each(Chunk<T>& chunk, const std::optional<OutputTag<T>>& late, Add&& add) {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      const EventTime time = chunk.timestampAt(i);
      if (time == kNoTimestamp) refuseUntimedJoin();
      keys_->setRow(i);
      if (time < this->timers_.currentWatermark()) {
        if (late) this->sides_.add(*late, T(chunk.records[i]), time);
        else runtime_->countLate();
        continue;
      }
      add(chunk.records[i], time);
    }
    keys_->clear();
    this->flush();
  }
  void addLeft(A& record, int64_t time) {
    objectAt<Buffer<A>>(keys_->upsert(*lefts_)).content[time].push_back(record);
    cleanup_->add(bounds_.upper > 0 ? time + bounds_.upper : time, {kLeft, time});
    if (char* payload = keys_->find(*rights_)) {
      const auto& other = objectAt<Buffer<B>>(payload).content;
      for (auto at = other.lower_bound(time + bounds_.lower); at != other.end() && at->first <= time + bounds_.upper; ++at) {
        for (const B& right : at->second) emit(record, time, right, at->first);
      }
    }
  }
  void addRight(B& record, int64_t time) {
    objectAt<Buffer<B>>(keys_->upsert(*rights_)).content[time].push_back(record);
    cleanup_->add(bounds_.lower < 0 ? time - bounds_.lower : time, {kRight, time});
    if (char* payload = keys_->find(*lefts_)) {
      const auto& other = objectAt<Buffer<A>>(payload).content;
      for (auto at = other.lower_bound(time - bounds_.upper); at != other.end() && at->first <= time - bounds_.lower; ++at) {
        for (const A& left : at->second) emit(left, at->first, record, time);
      }
    }
  }
  void emit(const A& left, int64_t left_time, const B& right, int64_t right_time) {
    context_.left = left_time;
    context_.right = right_time;
    this->collector_.timestamp = context_.getTimestamp();
    if constexpr (requires { function_->processElement(left, right, context_, this->collector_); }) {
      function_->processElement(left, right, context_, this->collector_);
    } else {
      (*function_)(left, right, static_cast<Collector<O>&>(this->collector_));
    }
  }
  void advance(EventTime value) {
    this->timers_.advanceWatermark(value, {});
    cleanUp(value);
    keys_->clear();
    this->forward(value);
  }
  void cleanUp(EventTime value) {
    cleanup_->fire(value, [this](int64_t, TimerTag tag) {
      if (tag.start == kLeft) drop<A>(*lefts_, tag.end);
      else drop<B>(*rights_, tag.end);
    });
  }
  template <typename T>
  void drop(KeyedTable& table, int64_t time) {
    char* payload = keys_->find(table);
    if (payload == nullptr) return;
    table.markDirty(payload);
    auto& kept = objectAt<Buffer<T>>(payload).content;
    kept.erase(time);
    if (kept.empty()) keys_->erase(table);
  }

  FunctionHolder<F> function_;
  JoinBounds bounds_;
  std::optional<OutputTag<A>> late_left_;
  std::optional<OutputTag<B>> late_right_;
  Context context_;
  InputPort<A> left_;
  InputPort<B> right_;
  StageRuntime* runtime_ = nullptr;
  KeyScope* keys_ = nullptr;
  KeyedTable* lefts_ = nullptr;
  KeyedTable* rights_ = nullptr;
  std::unique_ptr<KeyedTimers> cleanup_;
};

template <typename A, typename B, typename K>
class IntervalJoined {
 public:
  IntervalJoined(KeyedStream<A, K> left, KeyedStream<B, K> right, JoinBounds bounds) : left_(std::move(left)), right_(std::move(right)), bounds_(bounds) {}
  IntervalJoined& lowerBoundExclusive() { ++bounds_.lower; return *this; }
  IntervalJoined& upperBoundExclusive() { --bounds_.upper; return *this; }
  IntervalJoined& sideOutputLeftLateData(const OutputTag<A>& tag) { late_left_ = tag; return *this; }
  IntervalJoined& sideOutputRightLateData(const OutputTag<B>& tag) { late_right_ = tag; return *this; }
  template <typename F, typename O = typename WindowResultOf<F>::type>
  SingleOutputStreamOperator<O> process(F function) const {
    auto sides = std::make_shared<SideOutputList>();
    return transformTwo<O>("Interval Join", left_, right_, [function, bounds = bounds_, left = late_left_, right = late_right_, sides] {
      return std::make_unique<IntervalJoinStage<K, A, B, O, F>>(function, bounds, left, right, sides);
    }, sides);
  }

 private:
  KeyedStream<A, K> left_;
  KeyedStream<B, K> right_;
  JoinBounds bounds_;
  std::optional<OutputTag<A>> late_left_;
  std::optional<OutputTag<B>> late_right_;
};

template <typename A, typename B, typename K>
class IntervalJoin {
 public:
  IntervalJoin(KeyedStream<A, K> left, KeyedStream<B, K> right) : left_(std::move(left)), right_(std::move(right)) {}
  IntervalJoin inEventTime() const { return *this; }
  IntervalJoin inProcessingTime() const {
    throw UnsupportedOperationException("Time-bounded stream joins are only supported in event time: use inEventTime(), or connect the streams and keep state");
  }
  IntervalJoined<A, B, K> between(Duration lower, Duration upper) const {
    if (upper < lower) throw ValidationException("between() needs a lower bound that is not above the upper, found " + lower.toString() + " and " + upper.toString());
    return IntervalJoined<A, B, K>(left_, right_, {lower.toMillis(), upper.toMillis()});
  }

 private:
  KeyedStream<A, K> left_;
  KeyedStream<B, K> right_;
};

template <typename T, typename K>
template <typename B>
IntervalJoin<T, B, K> KeyedStream<T, K>::intervalJoin(const KeyedStream<B, K>& other) const {
  return IntervalJoin<T, B, K>(*this, other);
}

}  // namespace thalweg::api
