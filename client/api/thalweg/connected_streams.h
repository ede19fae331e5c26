// ConnectedStreams<A, B>: two streams of different types for one operator that may share state between them.
//
//   control.connect(data).process(Filter());                                // CoProcessFunction
//   a.connect(b).keyBy(&A::id, &B::id).process(Match());                    // KeyedCoProcessFunction
//   data.connect(rules.broadcast(kRules)).process(Apply());                 // BroadcastProcessFunction
#pragma once

#include "client/api/thalweg/co_stages.h"
#include "client/api/thalweg/keyed_stream.h"

namespace thalweg::api {

/// Adds a node that reads two streams.
template <typename O, typename A, typename B>
SingleOutputStreamOperator<O> transformTwo(const std::string& name, const DataStream<A>& first, const DataStream<B>& second,
                                           StageFactory make, SideOutputListPtr sides = nullptr) {
  requireUsable<O>();
  StreamNode node;
  node.name = name;
  node.inputs = {first.edges(), second.edges()};
  node.make_stage = std::move(make);
  node.types = {RecordType<O>::of()};
  node.bounded = first.isBounded() && second.isBounded();
  node.sides = std::move(sides);
  return SingleOutputStreamOperator<O>(first.graph(), first.graph()->add(std::move(node)));
}

/// Two functions as one co-process function: of a record each a value, or what they collect.
template <typename Base, typename A, typename B, typename O, typename FA, typename FB, bool kFlat>
struct BothSides : Base {
  BothSides(FA a_in, FB b_in) : a(std::move(a_in)), b(std::move(b_in)) {}
  void processElement1(const A& value, typename Base::Context&, Collector<O>& out) override {
    if constexpr (kFlat) a(value, out);
    else out.collect(a(value));
  }
  void processElement2(const B& value, typename Base::Context&, Collector<O>& out) override {
    if constexpr (kFlat) b(value, out);
    else out.collect(b(value));
  }
  FA a;
  FB b;
};

template <typename A, typename B, typename K>
class KeyedConnectedStreams {
 public:
  KeyedConnectedStreams(KeyedStream<A, K> first, KeyedStream<B, K> second) : first_(std::move(first)), second_(std::move(second)) {}
  template <typename FA, typename FB, typename O = MapResult<FA, A>>
  SingleOutputStreamOperator<O> map(FA first, FB second) const {
    return process(BothSides<KeyedCoProcessFunction<K, A, B, O>, A, B, O, FA, FB, false>(std::move(first), std::move(second))).name("Co-Map");
  }
  template <typename FA, typename FB, typename O = typename FlatMapResultOf<FA>::type>
  SingleOutputStreamOperator<O> flatMap(FA first, FB second) const {
    return process(BothSides<KeyedCoProcessFunction<K, A, B, O>, A, B, O, FA, FB, true>(std::move(first), std::move(second))).name("Co-Flat Map");
  }
  template <typename F, typename O = typename F::Output>
  SingleOutputStreamOperator<O> process(F function) const {
    static_assert(std::is_base_of_v<KeyedCoProcessFunction<K, A, B, O>, F>,
                  "process() on connected keyed streams takes a KeyedCoProcessFunction<Key, First, Second, Output>");
    auto sides = std::make_shared<SideOutputList>();
    return transformTwo<O>("Co-Keyed-Process", first_, second_,
                           [function, sides] { return std::make_unique<KeyedCoProcessStage<K, A, B, O, F>>(function, sides); }, sides);
  }

 private:
  KeyedStream<A, K> first_;
  KeyedStream<B, K> second_;
};

template <typename A, typename B>
class ConnectedStreams {
 public:
  ConnectedStreams(DataStream<A> first, DataStream<B> second) : first_(std::move(first)), second_(std::move(second)) {}

  template <typename FA, typename FB>
  auto keyBy(FA first_key, FB second_key) const {
    auto first = first_.keyBy(first_key);
    auto second = second_.keyBy(second_key);
    using K = typename decltype(first)::Key;
    static_assert(std::is_same_v<K, typename decltype(second)::Key>, "both sides of connected streams need keys of one type");
    return KeyedConnectedStreams<A, B, K>(std::move(first), std::move(second));
  }
  /// One function for each side, to one type.
  template <typename FA, typename FB, typename O = MapResult<FA, A>>
  SingleOutputStreamOperator<O> map(FA first, FB second) const {
    return process(BothSides<CoProcessFunction<A, B, O>, A, B, O, FA, FB, false>(std::move(first), std::move(second))).name("Co-Map");
  }
  /// One function for each side, `(value, out)`.
  template <typename FA, typename FB, typename O = typename FlatMapResultOf<FA>::type>
  SingleOutputStreamOperator<O> flatMap(FA first, FB second) const {
    return process(BothSides<CoProcessFunction<A, B, O>, A, B, O, FA, FB, true>(std::move(first), std::move(second))).name("Co-Flat Map");
  }
  template <typename F, typename O = typename F::Output>
  SingleOutputStreamOperator<O> process(F function) const {
    static_assert(std::is_base_of_v<CoProcessFunction<A, B, O>, F>, "process() on connected streams takes a CoProcessFunction<First, Second, Output>");
    auto sides = std::make_shared<SideOutputList>();
    return transformTwo<O>("Co-Process", first_, second_,
                           [function, sides] { return std::make_unique<CoProcessStage<A, B, O, F>>(function, sides); }, sides);
  }

 private:
  DataStream<A> first_;
  DataStream<B> second_;
};

/// A stream that every subtask of its reader gets, with the state it fills.
template <typename B, typename BK, typename BV>
class BroadcastStream {
 public:
  BroadcastStream(DataStream<B> stream, MapStateDescriptor<BK, BV> descriptor) : stream_(std::move(stream)), descriptor_(std::move(descriptor)) {}
  const DataStream<B>& stream() const { return stream_; }

 private:
  DataStream<B> stream_;
  MapStateDescriptor<BK, BV> descriptor_;
};

template <typename A, typename B, typename BK, typename BV>
class BroadcastConnectedStream {
 public:
  BroadcastConnectedStream(DataStream<A> first, BroadcastStream<B, BK, BV> second) : first_(std::move(first)), second_(std::move(second)) {}
  template <typename F, typename O = typename F::Output>
  SingleOutputStreamOperator<O> process(F function) const {
    static_assert(std::is_base_of_v<BroadcastProcessFunction<A, B, O, BK, BV>, F>,
                  "process() with a broadcast stream takes a BroadcastProcessFunction<Main, Broadcast, Output, StateKey, StateValue>");
    auto sides = std::make_shared<SideOutputList>();
    return transformTwo<O>("Co-Process-Broadcast", first_, second_.stream(),
                           [function, sides] { return std::make_unique<BroadcastStage<A, B, O, BK, BV, F>>(function, sides); }, sides);
  }

 private:
  DataStream<A> first_;
  BroadcastStream<B, BK, BV> second_;
};

template <typename A, typename K, typename B, typename BK, typename BV>
class KeyedBroadcastConnectedStream {
 public:
  KeyedBroadcastConnectedStream(KeyedStream<A, K> first, BroadcastStream<B, BK, BV> second) : first_(std::move(first)), second_(std::move(second)) {}
  template <typename F, typename O = typename F::Output>
  SingleOutputStreamOperator<O> process(F function) const {
    static_assert(std::is_base_of_v<KeyedBroadcastProcessFunction<K, A, B, O, BK, BV>, F>,
                  "process() of a keyed stream with a broadcast one takes a KeyedBroadcastProcessFunction<Key, Main, Broadcast, Output, StateKey, StateValue>");
    auto sides = std::make_shared<SideOutputList>();
    return transformTwo<O>("Co-Process-Broadcast-Keyed", first_, second_.stream(),
                           [function, sides] { return std::make_unique<KeyedBroadcastStage<K, A, B, O, BK, BV, F>>(function, sides); }, sides);
  }

 private:
  KeyedStream<A, K> first_;
  BroadcastStream<B, BK, BV> second_;
};
template <typename T, typename K>
template <typename B, typename BK, typename BV>
auto KeyedStream<T, K>::connect(const BroadcastStream<B, BK, BV>& other) const {
  return KeyedBroadcastConnectedStream<T, K, B, BK, BV>(*this, other);
}

template <typename T>
template <typename B>
ConnectedStreams<T, B> DataStream<T>::connect(const DataStream<B>& other) const {
  return ConnectedStreams<T, B>(*this, other);
}
template <typename T>
template <typename B, typename BK, typename BV>
BroadcastConnectedStream<T, B, BK, BV> DataStream<T>::connect(const BroadcastStream<B, BK, BV>& other) const {
  return BroadcastConnectedStream<T, B, BK, BV>(*this, other);
}
template <typename T>
template <typename BK, typename BV>
BroadcastStream<T, BK, BV> DataStream<T>::broadcast(const MapStateDescriptor<BK, BV>& descriptor) const {
  return BroadcastStream<T, BK, BV>(broadcast(), descriptor);
}

}  // namespace thalweg::api
