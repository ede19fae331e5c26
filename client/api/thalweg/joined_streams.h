// Window joins and coGroup: the records of two streams with equal keys in the same window.
//
//   a.join(b).where(&A::id).equalTo(&B::id)
//    .window(TumblingEventTimeWindows::of(Duration::ofSeconds(4)))
//    .apply([](const A& left, const B& right) { return …; });
//   a.coGroup(b).where(…).equalTo(…).window(…).apply([](const std::vector<A>& left, const std::vector<B>& right, Collector<O>& out) { … });
//
// Both are windows over records of either side. Threads: one.
#pragma once

#include "client/api/thalweg/connected_streams.h"
#include "client/api/thalweg/windowed_stream.h"

namespace thalweg::api {

/// A record of one side or the other.
template <typename A, typename B>
using EitherRecord = std::tuple<std::optional<A>, std::optional<B>>;

/// A window stage with an input for each side.
template <typename K, typename A, typename B, typename W, typename O, typename Content>
class TwoInputWindowStage final : public WindowStage<K, EitherRecord<A, B>, W, O, Content> {
  using Either = EitherRecord<A, B>;
  using Base = WindowStage<K, Either, W, O, Content>;

 public:
  TwoInputWindowStage(const WindowSettings<Either, W>& settings, Content content, const SideOutputListPtr& sides)
      : Base(settings, std::move(content), sides),
        left_([this](Chunk<A>& chunk) { feed(chunk, [](A& record) { return Either(std::move(record), std::nullopt); }); },
              [this](EventTime value) { Base::watermark(value); }, [this](bool idle) { Base::idle(idle); }),
        right_([this](Chunk<B>& chunk) { feed(chunk, [](B& record) { return Either(std::nullopt, std::move(record)); }); },
               [this](EventTime value) { Base::watermark(value); }, [this](bool idle) { Base::idle(idle); }) {}
  Port& input(int index) override { return index == 0 ? static_cast<Port&>(left_) : right_; }

 private:
  template <typename T, typename Wrap>
  void feed(Chunk<T>& chunk, Wrap&& wrap) {
    Chunk<Either> either;
    for (T& record : chunk.records) either.records.push_back(wrap(record));
    either.timestamps = std::move(chunk.timestamps);
    Base::records(either);
  }
  InputPort<A> left_;
  InputPort<B> right_;
};

/// Splits a window's records by side, and calls a co-group function.
template <typename A, typename B, typename O, typename F>
struct CoGroupCall {
  F function;
  F& richFunction() { return function; }
  template <typename K, typename C>
  void process(const K&, C&, const std::vector<EitherRecord<A, B>>& elements, Collector<O>& out) {
    std::vector<A> left;
    std::vector<B> right;
    for (const auto& [a, b] : elements) {
      if (a) left.push_back(*a);
      else right.push_back(*b);
    }
    if constexpr (requires { function.coGroup(left, right, out); }) function.coGroup(left, right, out);
    else function(left, right, out);
  }
};
/// Calls a join function for each pair.
template <typename A, typename B, typename O, typename F>
struct JoinCall {
  F function;
  F& richFunction() { return function; }
  void operator()(const std::vector<A>& left, const std::vector<B>& right, Collector<O>& out) {
    for (const A& a : left) {
      for (const B& b : right) {
        if constexpr (requires { function.join(a, b, out); }) function.join(a, b, out);
        else if constexpr (requires { function.join(a, b); }) out.collect(function.join(a, b));
        else if constexpr (requires { function(a, b, out); }) function(a, b, out);
        else out.collect(function(a, b));
      }
    }
  }
};

/// What a join function gives: a value, or what it collects.
template <typename F, typename A, typename B>
struct JoinResultOf {
  using type = typename WindowResultOf<F>::type;
};
template <typename F, typename A, typename B>
  requires requires(F& function, const A& a, const B& b) { function(a, b); }
struct JoinResultOf<F, A, B> {
  using type = std::remove_cvref_t<decltype(std::declval<F&>()(std::declval<const A&>(), std::declval<const B&>()))>;
};
template <typename F, typename A, typename B>
  requires requires(F& function, const A& a, const B& b) { function.join(a, b); }
struct JoinResultOf<F, A, B> {
  using type = std::remove_cvref_t<decltype(std::declval<F&>().join(std::declval<const A&>(), std::declval<const B&>()))>;
};

/// Two keyed streams in common windows. `kJoin`: apply() takes a join function, else a co-group function.
template <typename A, typename B, typename K, typename W, bool kJoin>
class JoinedWindows {
  using Either = EitherRecord<A, B>;

 public:
  template <typename Assigner>
  JoinedWindows(KeyedStream<A, K> left, KeyedStream<B, K> right, Assigner assigner) : left_(std::move(left)), right_(std::move(right)) {
    settings_.event_time = Assigner::kEventTime;
    settings_.merging = Assigner::kMerging;
    settings_.assign = [assigner](const Either& record, int64_t timestamp, int64_t now, std::vector<W>& windows) { assigner.assign(record, timestamp, now, windows); };
    trigger(assigner.defaultTrigger());
  }
  template <typename X>
  JoinedWindows& trigger(X trigger) {
    settings_.make_trigger = [trigger] { return std::make_unique<TriggerAdapter<Either, W, X>>(trigger); };
    return *this;
  }
  template <typename X>
  JoinedWindows& evictor(X evictor) {
    settings_.evictor.after = evictor.isAfter();
    settings_.evictor.evict = [evictor](std::vector<TimestampedValue<Either>>& records, const W& window) mutable { evictor.evict(records, window); };
    return *this;
  }
  JoinedWindows& allowedLateness(Duration lateness) {
    settings_.lateness_ms = lateness.toMillis();
    return *this;
  }
  template <typename F>
  auto apply(F function) const {
    if constexpr (kJoin) {
      using O = typename JoinResultOf<F, A, B>::type;
      return grouped<O>("Window Join", JoinCall<A, B, O, F>{std::move(function)});
    } else {
      using O = typename WindowResultOf<F>::type;
      return grouped<O>("Co-Group", std::move(function));
    }
  }

 private:
  template <typename O, typename F>
  SingleOutputStreamOperator<O> grouped(const char* name, F function) const {
    using Call = CoGroupCall<A, B, O, F>;
    using Content = ListContent<Either, K, W, O, Call>;
    auto sides = std::make_shared<SideOutputList>();
    return transformTwo<O>(name, left_, right_, [settings = settings_, call = Call{std::move(function)}, sides] {
      return std::make_unique<TwoInputWindowStage<K, A, B, W, O, Content>>(settings, Content(call, settings.evictor), sides);
    }, sides);
  }

  KeyedStream<A, K> left_;
  KeyedStream<B, K> right_;
  WindowSettings<Either, W> settings_;
};

template <typename A, typename B, bool kJoin>
class TwoStreams {
 public:
  TwoStreams(DataStream<A> left, DataStream<B> right) : left_(std::move(left)), right_(std::move(right)) {}
  template <typename FA>
  auto where(FA left_key) const {
    return Where<decltype(left_.keyBy(left_key))>{left_.keyBy(left_key), right_};
  }

 private:
  template <typename Left>
  struct Where {
    Left left;
    DataStream<B> right;
    template <typename FB>
    auto equalTo(FB right_key) const {
      auto keyed = right.keyBy(right_key);
      static_assert(std::is_same_v<typename Left::Key, typename decltype(keyed)::Key>, "where() and equalTo() need keys of one type");
      return EqualTo<typename Left::Key>{left, std::move(keyed)};
    }
  };
  template <typename K>
  struct EqualTo {
    KeyedStream<A, K> left;
    KeyedStream<B, K> right;
    template <typename Assigner>
    auto window(Assigner assigner) const {
      return JoinedWindows<A, B, K, typename Assigner::Window, kJoin>(left, right, std::move(assigner));
    }
  };
  DataStream<A> left_;
  DataStream<B> right_;
};
template <typename A, typename B>
class JoinBuilder : public TwoStreams<A, B, true> {
 public:
  using TwoStreams<A, B, true>::TwoStreams;
};
template <typename A, typename B>
class CoGroupBuilder : public TwoStreams<A, B, false> {
 public:
  using TwoStreams<A, B, false>::TwoStreams;
};

template <typename T>
template <typename B>
JoinBuilder<T, B> DataStream<T>::join(const DataStream<B>& other) const {
  return JoinBuilder<T, B>(*this, other);
}
template <typename T>
template <typename B>
CoGroupBuilder<T, B> DataStream<T>::coGroup(const DataStream<B>& other) const {
  return CoGroupBuilder<T, B>(*this, other);
}

}  // namespace thalweg::api
