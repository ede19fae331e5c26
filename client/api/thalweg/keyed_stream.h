// KeyedStream<T, K>: a stream whose records with equal keys meet in one subtask, in their order.
//
//   orders.keyBy(&Order::user).sum(&Order::amount).print();
//   orders.keyBy([](const Order& order) { return order.user; }).process(PerUser());
//
// Keys may be any type that a record may be; their equality is that of the columns they become.
#pragma once

#include "client/api/thalweg/data_stream.h"
#include "client/api/thalweg/keyed_stages.h"
#include "client/api/thalweg/process_functions.h"
#include "client/api/thalweg/triggers.h"

namespace thalweg::api {

template <typename T, typename K, typename W>
class WindowedStream;
template <typename A, typename B, typename K>
class IntervalJoin;

template <typename T, typename K>
class KeyedStream : public DataStream<T> {
 public:
  using Key = K;
  KeyedStream(StreamGraphPtr graph, std::vector<StreamOrigin> origins, KeyPart<T, K> key)
      : DataStream<T>(std::move(graph), std::move(origins)), key_(std::move(key)) {
    for (StreamOrigin& origin : this->origins_) origin.partition = Partition::HASH;
    this->link_of_ = [key = key_](RecordTypePtr<T> type) -> StreamLinkPtr { return std::make_shared<KeyedLink<T, K>>(std::move(type), key); };
  }
  const KeyPart<T, K>& key() const { return key_; }

  /// Folds each record into the one kept for its key.
  template <typename F>
  SingleOutputStreamOperator<T> reduce(F function) const {
    return fold("Reduce", ReduceFold<T, F>{std::move(function)});
  }
  // Of one field, named by `&T::field`; of a record that is one number or a tuple, by position.
  template <typename Field>
  SingleOutputStreamOperator<T> sum(Field field) const { return foldField(field, FieldFold::SUM, "sum"); }
  template <typename Field>
  SingleOutputStreamOperator<T> min(Field field) const { return foldField(field, FieldFold::MIN, "min"); }
  template <typename Field>
  SingleOutputStreamOperator<T> max(Field field) const { return foldField(field, FieldFold::MAX, "max"); }
  template <typename Field>
  SingleOutputStreamOperator<T> minBy(Field field) const { return foldField(field, FieldFold::MIN_BY, "minBy"); }
  template <typename Field>
  SingleOutputStreamOperator<T> maxBy(Field field) const { return foldField(field, FieldFold::MAX_BY, "maxBy"); }
  /// Of a tuple's field: `sum<1>()`.
  template <size_t I>
  SingleOutputStreamOperator<T> sum() const { return fold("Keyed Aggregation", tupleFolder<T, I>(FieldFold::SUM)); }
  template <size_t I>
  SingleOutputStreamOperator<T> min() const { return fold("Keyed Aggregation", tupleFolder<T, I>(FieldFold::MIN)); }
  template <size_t I>
  SingleOutputStreamOperator<T> max() const { return fold("Keyed Aggregation", tupleFolder<T, I>(FieldFold::MAX)); }
  template <size_t I>
  SingleOutputStreamOperator<T> minBy() const { return fold("Keyed Aggregation", tupleFolder<T, I>(FieldFold::MIN_BY)); }
  template <size_t I>
  SingleOutputStreamOperator<T> maxBy() const { return fold("Keyed Aggregation", tupleFolder<T, I>(FieldFold::MAX_BY)); }

  /// Into windows of each key; see windows.h.
  template <typename Assigner>
  WindowedStream<T, K, typename Assigner::Window> window(Assigner assigner) const;
  /// Every `size` records of a key; with `slide`, the last `size` at every `slide`-th record.
  WindowedStream<T, K, GlobalWindow> countWindow(int64_t size) const;
  WindowedStream<T, K, GlobalWindow> countWindow(int64_t size, int64_t slide) const;
  /// With the records of another stream of equal key and near time; see interval_join.h.
  template <typename B>
  IntervalJoin<T, B, K> intervalJoin(const KeyedStream<B, K>& other) const;

  /// With a broadcast stream: process() then takes a KeyedBroadcastProcessFunction.
  template <typename B, typename BK, typename BV>
  auto connect(const BroadcastStream<B, BK, BV>& other) const;
  using DataStream<T>::connect;

  template <typename F, typename O = typename F::Output>
  SingleOutputStreamOperator<O> process(F function) const {
    requireUsable<O>();
    auto sides = std::make_shared<SideOutputList>();
    StageFactory make;
    if constexpr (std::is_base_of_v<KeyedProcessFunction<K, T, O>, F>) {
      make = [function, sides] { return std::make_unique<KeyedProcessStage<K, T, O, F>>(function, sides); };
    } else {
      static_assert(std::is_base_of_v<ProcessFunction<T, O>, F>,
                    "process() on a keyed stream takes a KeyedProcessFunction<Key, Input, Output> with the stream's key and record types");
      make = [function, sides] { return std::make_unique<ProcessStage<T, O, F>>(function, sides); };
    }
    auto made = this->template transform<O>("KeyedProcess", RecordType<O>::of(), std::move(make));
    made.settingsNode().sides = std::move(sides);
    return made;
  }

 private:
  template <typename Fold>
  SingleOutputStreamOperator<T> fold(const char* name, Fold fold) const {
    return this->template transform<T>(name, this->type(), [fold] { return std::make_unique<FoldStage<T, Fold>>(fold); });
  }
  template <typename Field>
  SingleOutputStreamOperator<T> foldField(Field field, FieldFold kind, const char* what) const {
    return fold("Keyed Aggregation", fieldFolder<T>(field, kind, what));
  }

  KeyPart<T, K> key_;
};

/// The column of T that `field` is, or -1.
template <typename T, typename Field>
int columnOf(Field field) {
  int found = -1;
  if constexpr (Described<T>) {
    int column = 0;
    using Members = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;
    boost::mp11::mp_for_each<Members>([&](auto member) {
      if constexpr (std::is_same_v<std::remove_cv_t<decltype(member.pointer)>, Field>) {
        if (member.pointer == field) found = column;
      }
      ++column;
    });
  }
  return found;
}

template <typename T>
template <typename F>
auto DataStream<T>::keyBy(F selector) const {
  if constexpr (std::is_member_object_pointer_v<F>) {
    using K = std::remove_cvref_t<decltype(std::declval<const T&>().*selector)>;
    requireUsable<K>();
    const int column = Composite<K> ? -1 : columnOf<T>(selector);
    return KeyedStream<T, K>(this->graph_, this->origins_, {[selector](const T& record) { return record.*selector; }, column});
  } else {
    using K = std::remove_cvref_t<std::invoke_result_t<F&, const T&>>;
    requireUsable<K>();
    static_assert(!std::is_same_v<K, Row>, "a Row cannot be a key: take one of its fields, as in row.getFieldAs<std::string>(0)");
    return KeyedStream<T, K>(this->graph_, this->origins_, {selector, -1});
  }
}

}  // namespace thalweg::api
