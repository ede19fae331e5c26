// WindowedStream<T, K, W>: the records of each key in windows; AllWindowedStream<T, W>: those of all in one subtask.
//
//   orders.keyBy(&Order::user)
//         .window(TumblingEventTimeWindows::of(Duration::ofMinutes(1)))
//         .allowedLateness(Duration::ofSeconds(10)).sideOutputLateData(kLate)
//         .aggregate(Average(), WithWindow());
//
// reduce and aggregate keep one value per window, process and apply keep all records. Threads: one.
#pragma once

#include "client/api/thalweg/keyed_stream.h"
#include "client/api/thalweg/window_stage.h"

namespace thalweg::api {

template <typename T, typename K, typename W>
class WindowedStream {
 public:
  template <typename Assigner>
  WindowedStream(KeyedStream<T, K> input, Assigner assigner, bool all = false) : input_(std::move(input)), all_(all) {
    auto trigger_of = assigner.defaultTrigger();
    settings_.event_time = Assigner::kEventTime;
    settings_.merging = Assigner::kMerging;
    settings_.assign = [assigner](const T& record, int64_t timestamp, int64_t now, std::vector<W>& windows) { assigner.assign(record, timestamp, now, windows); };
    trigger(trigger_of);
  }

  /// Replaces the assigner's own trigger.
  template <typename X>
  WindowedStream& trigger(X trigger) {
    settings_.make_trigger = [trigger] { return std::make_unique<TriggerAdapter<T, W, X>>(trigger); };
    return *this;
  }
  template <typename X>
  WindowedStream& evictor(X evictor) {
    settings_.evictor.after = evictor.isAfter();
    settings_.evictor.evict = [evictor](std::vector<TimestampedValue<T>>& records, const W& window) mutable { evictor.evict(records, window); };
    return *this;
  }
  /// How long after its end a window still takes records, each of which fires it again.
  WindowedStream& allowedLateness(Duration lateness) {
    if (lateness < Duration::zero()) throw ValidationException("the allowed lateness cannot be negative, found " + lateness.toString());
    settings_.lateness_ms = lateness.toMillis();
    return *this;
  }
  /// Records that came too late for all of their windows; read them with getSideOutput(tag).
  WindowedStream& sideOutputLateData(const OutputTag<T>& tag) {
    settings_.late_tag = tag;
    return *this;
  }

  template <typename F>
  SingleOutputStreamOperator<T> reduce(F function) const { return folded<T>(ReduceFolder<T, F>{std::move(function)}, PassOn()); }
  /// Gives the reduced record to a window function.
  template <typename F, typename WF, typename O = typename WindowResultOf<WF>::type>
  SingleOutputStreamOperator<O> reduce(F function, WF window_function) const {
    return folded<O>(ReduceFolder<T, F>{std::move(function)}, std::move(window_function));
  }
  template <typename F, typename O = typename F::Output>
  SingleOutputStreamOperator<O> aggregate(F function) const { return folded<O>(AggregateFolder<T, F>{std::move(function)}, PassOn()); }
  template <typename F, typename WF, typename O = typename WindowResultOf<WF>::type>
  SingleOutputStreamOperator<O> aggregate(F function, WF window_function) const {
    return folded<O>(AggregateFolder<T, F>{std::move(function)}, std::move(window_function));
  }
  /// A ProcessWindowFunction (ProcessAllWindowFunction behind windowAll).
  template <typename F, typename O = typename F::Output>
  SingleOutputStreamOperator<O> process(F function) const { return listed<O>(std::move(function)); }
  /// A lambda: (key, window, records, out), behind windowAll (window, records, out).
  template <typename F, typename O = typename WindowResultOf<F>::type>
  SingleOutputStreamOperator<O> apply(F function) const { return listed<O>(std::move(function)); }

  template <typename Field>
  SingleOutputStreamOperator<T> sum(Field field) const { return foldField(fieldFolder<T>(field, FieldFold::SUM, "sum")); }
  template <typename Field>
  SingleOutputStreamOperator<T> min(Field field) const { return foldField(fieldFolder<T>(field, FieldFold::MIN, "min")); }
  template <typename Field>
  SingleOutputStreamOperator<T> max(Field field) const { return foldField(fieldFolder<T>(field, FieldFold::MAX, "max")); }
  template <typename Field>
  SingleOutputStreamOperator<T> minBy(Field field) const { return foldField(fieldFolder<T>(field, FieldFold::MIN_BY, "minBy")); }
  template <typename Field>
  SingleOutputStreamOperator<T> maxBy(Field field) const { return foldField(fieldFolder<T>(field, FieldFold::MAX_BY, "maxBy")); }
  template <size_t I>
  SingleOutputStreamOperator<T> sum() const { return foldField(tupleFolder<T, I>(FieldFold::SUM)); }

 private:
  template <typename Fold>
  SingleOutputStreamOperator<T> foldField(Fold fold) const { return folded<T>(FieldWindowFolder<T, Fold>{fold}, PassOn()); }

  template <typename O, typename Folder, typename F>
  SingleOutputStreamOperator<O> folded(Folder folder, F function) const {
    if (settings_.evictor) return listed<O>(FoldThen<Folder, F>{std::move(folder), std::move(function)});
    using Content = FoldedContent<T, K, W, O, Folder, F>;
    return make<O, Content>([folder, function] { return Content(folder, function); });
  }
  template <typename O, typename F>
  SingleOutputStreamOperator<O> listed(F function) const {
    using Content = ListContent<T, K, W, O, F>;
    return make<O, Content>([function, evictor = settings_.evictor] { return Content(function, evictor); });
  }
  template <typename O, typename Content, typename MakeContent>
  SingleOutputStreamOperator<O> make(MakeContent make_content) const {
    requireUsable<O>();
    auto sides = std::make_shared<SideOutputList>();
    auto made = input_.template transform<O>("Window", RecordType<O>::of(), [settings = settings_, make_content, sides] {
      return std::make_unique<WindowStage<K, T, W, O, Content>>(settings, make_content(), sides);
    });
    made.settingsNode().sides = std::move(sides);
    if (all_) made.forceNonParallel();
    return made;
  }

  KeyedStream<T, K> input_;
  bool all_;
  WindowSettings<T, W> settings_;
};

/// All records have one key.
template <typename T, typename W>
class AllWindowedStream : public WindowedStream<T, int32_t, W> {
 public:
  template <typename Assigner>
  AllWindowedStream(const DataStream<T>& input, Assigner assigner)
      : WindowedStream<T, int32_t, W>(input.keyBy([](const T&) { return 0; }), std::move(assigner), true) {}
};

inline void checkCount(const char* what, int64_t count) {
  if (count < 1) throw ValidationException(std::string(what) + " needs a positive number of records, found " + std::to_string(count));
}

template <typename T, typename K>
template <typename Assigner>
WindowedStream<T, K, typename Assigner::Window> KeyedStream<T, K>::window(Assigner assigner) const {
  return WindowedStream<T, K, typename Assigner::Window>(*this, std::move(assigner));
}
template <typename T, typename K>
WindowedStream<T, K, GlobalWindow> KeyedStream<T, K>::countWindow(int64_t size) const {
  checkCount("countWindow()", size);
  return window(GlobalWindows::create()).trigger(PurgingTrigger::of(CountTrigger::of(size)));
}
template <typename T, typename K>
WindowedStream<T, K, GlobalWindow> KeyedStream<T, K>::countWindow(int64_t size, int64_t slide) const {
  checkCount("countWindow()", size);
  checkCount("the slide of countWindow()", slide);
  return window(GlobalWindows::create()).evictor(CountEvictor::of(size)).trigger(CountTrigger::of(slide));
}
template <typename T>
template <typename Assigner>
auto DataStream<T>::windowAll(Assigner assigner) const {
  return AllWindowedStream<T, typename Assigner::Window>(*this, std::move(assigner));
}
template <typename T>
AllWindowedStream<T, GlobalWindow> DataStream<T>::countWindowAll(int64_t size) const {
  checkCount("countWindowAll()", size);
  AllWindowedStream<T, GlobalWindow> windows(*this, GlobalWindows::create());
  windows.trigger(PurgingTrigger::of(CountTrigger::of(size)));
  return windows;
}

}  // namespace thalweg::api
