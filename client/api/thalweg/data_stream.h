// DataStream<T>: a stream of records, and what can be done to each record by itself.
//
//   env.fromElements<std::string>({"to", "be"})
//       .map([](const std::string& word) { return static_cast<int>(word.size()); })
//       .filter([](int length) { return length > 1; })
//       .print();
//
// Functions are lambdas, or implementations of the interfaces in functions.h. Each operation adds an operator to the
// environment's graph and gives the stream of its results; nothing runs before execute().
// Errors: ValidationException while the program is built, JobExecutionException from execute().
// See also: keyed_stream.h, connected_streams.h, windowed_stream.h. Threads: one. Lifetime: values.
#pragma once

#include "client/api/thalweg/basic_stages.h"
#include "client/api/thalweg/process_functions.h"
#include "client/api/thalweg/sink.h"
#include "client/api/thalweg/stream_handle.h"
#include "client/api/thalweg/watermarks.h"

namespace thalweg::api {

template <typename T>
class SingleOutputStreamOperator;
template <typename A, typename B>
class ConnectedStreams;
template <typename B, typename BK, typename BV>
class BroadcastStream;
template <typename A, typename B, typename BK, typename BV>
class BroadcastConnectedStream;
template <typename A, typename B>
class JoinBuilder;
template <typename A, typename B>
class CoGroupBuilder;
template <typename T, typename W>
class AllWindowedStream;
struct GlobalWindow;

template <typename T>
class DataStream : public StreamHandle<T> {
 public:
  using StreamHandle<T>::StreamHandle;

  /// One record for each.
  template <typename F, typename R = MapResult<F, T>>
  SingleOutputStreamOperator<R> map(F function) const;
  /// Those for which the function is true.
  template <typename F>
  SingleOutputStreamOperator<T> filter(F function) const;
  /// Any number for each: `flatMap([](const T& value, Collector<R>& out) { … })`.
  template <typename F, typename R = typename FlatMapResultOf<F>::type>
  SingleOutputStreamOperator<R> flatMap(F function) const;

  /// A ProcessFunction sees time and side outputs; state and timers need keyBy.
  template <typename F, typename O = typename F::Output>
  SingleOutputStreamOperator<O> process(F function) const;

  /// By a field, `&T::field`, or by what a function gives.
  template <typename F>
  auto keyBy(F selector) const;
  /// Records of all, in no order among them. (Flink's name, union, is a word of C++.)
  template <typename... More>
  DataStream<T> unionWith(const More&... more) const {
    std::vector<StreamOrigin> all = this->origins_;
    (all.insert(all.end(), more.origins().begin(), more.origins().end()), ...);
    return DataStream<T>(this->graph_, std::move(all));
  }
  /// See connected_streams.h.
  template <typename B>
  ConnectedStreams<T, B> connect(const DataStream<B>& other) const;
  template <typename B, typename BK, typename BV>
  BroadcastConnectedStream<T, B, BK, BV> connect(const BroadcastStream<B, BK, BV>& other) const;
  /// See joined_streams.h.
  template <typename B>
  JoinBuilder<T, B> join(const DataStream<B>& other) const;
  template <typename B>
  CoGroupBuilder<T, B> coGroup(const DataStream<B>& other) const;
  /// All records in one subtask's windows; see windowed_stream.h.
  template <typename Assigner>
  auto windowAll(Assigner assigner) const;
  AllWindowedStream<T, GlobalWindow> countWindowAll(int64_t size) const;

  // How records are dealt out to the next operator's subtasks.
  DataStream forward() const { return dealt(Partition::FORWARD); }
  DataStream rebalance() const { return routed([](const T&, const Route& route) { return static_cast<int>((route.sender + route.sent) % route.receivers); }); }
  DataStream rescale() const {
    return routed([](const T&, const Route& route) {
      if (route.receivers <= route.senders) return route.sender * route.receivers / route.senders;
      const int begin = route.sender * route.receivers / route.senders;
      const int end = (route.sender + 1) * route.receivers / route.senders;
      return begin + static_cast<int>(route.sent % (end - begin));
    });
  }
  DataStream shuffle() const {
    return routed([](const T&, const Route& route) {
      uint64_t mixed = static_cast<uint64_t>(route.sent) * 0x9E3779B97F4A7C15U + static_cast<uint64_t>(route.sender) * 0xBF58476D1CE4E5B9U;
      mixed = (mixed ^ (mixed >> 31)) * 0x94D049BB133111EBU;
      return static_cast<int>((mixed >> 33) % static_cast<uint64_t>(route.receivers));
    });
  }
  DataStream broadcast() const { return dealt(Partition::BROADCAST); }
  DataStream global() const { return routed([](const T&, const Route&) { return 0; }); }
  /// A broadcast state, for connect().
  template <typename BK, typename BV>
  BroadcastStream<T, BK, BV> broadcast(const MapStateDescriptor<BK, BV>& descriptor) const;
  /// `partitioner(key, receivers)` gives the subtask of a record by its key.
  template <typename P, typename S>
  DataStream partitionCustom(P partitioner, S selector) const {
    return routed([partitioner, selector](const T& record, const Route& route) {
      const int chosen = partitioner(std::invoke(selector, record), route.receivers);
      if (chosen < 0 || chosen >= route.receivers) {
        throw ValidationException("a partitioner chose subtask " + std::to_string(chosen) + " of " + std::to_string(route.receivers) +
                                  ": it must be within 0 and " + std::to_string(route.receivers - 1));
      }
      return chosen;
    });
  }

  SingleOutputStreamOperator<T> assignTimestampsAndWatermarks(WatermarkStrategy<T> strategy) const;

  /// Prints each record on standard output.
  DataStreamSink print(const std::string& prefix = "") const { return addPrint(prefix, false); }
  DataStreamSink printToErr(const std::string& prefix = "") const { return addPrint(prefix, true); }
  /// Calls the function with each record.
  template <typename F>
  DataStreamSink addSink(F function) const {
    return sink("Sink: Unnamed", [function] { return std::make_unique<SinkStage<T, F>>(function); });
  }

  /// A Sink or TwoPhaseCommittingSink (sink.h), as FileSink is.
  template <typename S>
  DataStreamSink sinkTo(S to) const {
    auto shared = std::make_shared<const S>(std::move(to));
    return sink("Sink: Writer", [shared] { return std::make_unique<SinkWriterStage<T, S>>(shared); });
  }

  /// Runs the whole program and gives the records of this stream.
  CollectedRecords<T> executeAndCollect(const std::string& job_name = "DataStream Collect") const;
  /// The first `limit` of them; the job ends then.
  std::vector<T> executeAndCollect(int limit) const;

  /// An operator that reads this stream with edges of plain columns; for the API's own use.
  template <typename R>
  SingleOutputStreamOperator<R> transform(const std::string& name, RecordTypePtr<R> type, StageFactory make) const;
  DataStreamSink sink(const std::string& name, StageFactory make) const;

 private:
  DataStream dealt(Partition partition) const {
    DataStream copy(this->graph_, this->origins_);
    for (StreamOrigin& origin : copy.origins_) origin.partition = partition;
    return copy;
  }
  DataStream routed(Router<T> router) const {
    DataStream copy = dealt(Partition::ROUTED);
    copy.link_of_ = [router = std::move(router)](RecordTypePtr<T> type) -> StreamLinkPtr { return std::make_shared<RoutedLink<T>>(std::move(type), router); };
    return copy;
  }
  DataStreamSink addPrint(const std::string& prefix, bool to_error) const {
    return sink(to_error ? "Sink: Print to Std. Err" : "Sink: Print to Std. Out",
                [prefix, to_error] { return std::make_unique<PrintStage<T>>(prefix, to_error); });
  }
};

/// The stream of one operator's results, whose operator can be named and placed.
template <typename T>
class SingleOutputStreamOperator : public DataStream<T>, public NodeSettings<SingleOutputStreamOperator<T>> {
 public:
  SingleOutputStreamOperator(StreamGraphPtr graph, int node) : DataStream<T>(std::move(graph), {{node, 0, Partition::ANY}}) {}
  using NodeSettings<SingleOutputStreamOperator<T>>::name;

  /// Says what the records' fields are: needed for streams of Row that become columns.
  SingleOutputStreamOperator& returns(RecordTypePtr<T> type) {
    settingsNode().types[0] = type;
    ownNode().types[0] = std::move(type);
    return *this;
  }
  SingleOutputStreamOperator& forceNonParallel() {
    settingsNode().parallelism_max = 1;
    settingsNode().parallelism = 1;
    return *this;
  }
  StreamNode& settingsNode() {
    StreamNode& own = ownNode();
    return own.belongs_to_input ? this->graph_->node(own.inputs[0][0].node) : own;
  }
  StreamNode& ownNode() { return this->graph_->node(this->origins_[0].node); }
  /// What the operator wrote to `tag`.
  template <typename X>
  DataStream<X> getSideOutput(const OutputTag<X>& tag) {
    StreamNode& node = ownNode();
    if (!node.sides) throw ValidationException("operator '" + node.name + "' has no side outputs: process functions and windows with late data have");
    std::vector<SideOutputList::Entry>& entries = node.sides->entries;
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].id == tag.getId()) return DataStream<X>(this->graph_, {{node.id, static_cast<int>(i) + 1, Partition::ANY}});
    }
    entries.push_back({tag.getId(), [] { return std::make_unique<TypedSideEmitter<X>>(); }});
    node.types.push_back(RecordType<X>::of());
    return DataStream<X>(this->graph_, {{node.id, static_cast<int>(entries.size()), Partition::ANY}});
  }
};

template <typename T>
template <typename R>
SingleOutputStreamOperator<R> DataStream<T>::transform(const std::string& name, RecordTypePtr<R> type, StageFactory make) const {
  StreamNode node;
  node.name = name;
  node.inputs = {this->edges()};
  node.make_stage = std::move(make);
  node.types = {std::move(type)};
  node.bounded = this->isBounded();
  return SingleOutputStreamOperator<R>(this->graph_, this->graph_->add(std::move(node)));
}

template <typename T>
DataStreamSink DataStream<T>::sink(const std::string& name, StageFactory make) const {
  StreamNode node;
  node.name = name;
  node.inputs = {this->edges()};
  node.make_stage = std::move(make);
  node.bounded = this->isBounded();
  return DataStreamSink(this->graph_, this->graph_->add(std::move(node)));
}

template <typename T>
template <typename F, typename R>
SingleOutputStreamOperator<R> DataStream<T>::map(F function) const {
  requireUsable<R>();
  return transform<R>("Map", RecordType<R>::of(), [function] { return std::make_unique<MapStage<T, R, F>>(function); });
}

template <typename T>
template <typename F>
SingleOutputStreamOperator<T> DataStream<T>::filter(F function) const {
  return transform<T>("Filter", this->type(), [function] { return std::make_unique<FilterStage<T, F>>(function); });
}

template <typename T>
template <typename F, typename R>
SingleOutputStreamOperator<R> DataStream<T>::flatMap(F function) const {
  requireUsable<R>();
  return transform<R>("Flat Map", RecordType<R>::of(), [function] { return std::make_unique<FlatMapStage<T, R, F>>(function); });
}

template <typename T>
template <typename F, typename O>
SingleOutputStreamOperator<O> DataStream<T>::process(F function) const {
  requireUsable<O>();
  static_assert(std::is_base_of_v<ProcessFunction<T, O>, F>,
                "process() takes a ProcessFunction<Input, Output> of the stream's record type; a KeyedProcessFunction needs keyBy(...) before it");
  auto sides = std::make_shared<SideOutputList>();
  auto made = transform<O>("Process", RecordType<O>::of(), [function, sides] { return std::make_unique<ProcessStage<T, O, F>>(function, sides); });
  made.settingsNode().sides = std::move(sides);
  return made;
}

template <typename T>
SingleOutputStreamOperator<T> DataStream<T>::assignTimestampsAndWatermarks(WatermarkStrategy<T> strategy) const {
  if (strategy.alignment && !strategy.alignment->members) strategy.alignment.reset();      // only sources can wait
  return transform<T>("Timestamps/Watermarks", this->type(), [strategy] { return std::make_unique<WatermarkStage<T>>(strategy); });
}

template <typename T>
CollectedRecords<T> DataStream<T>::executeAndCollect(const std::string& job_name) const {
  auto queue = std::make_shared<RecordQueue<T>>();
  StreamNode node;
  node.name = "Collect";
  node.inputs = {this->edges()};
  for (StreamEdge& edge : node.inputs[0]) {
    edge.partition = Partition::ANY;           // the reader is one, however records were to be dealt out
    edge.link = std::make_shared<PlainLink<T>>(this->type());
  }
  node.belongs_to_input = true;                // records of one subtask stay in order
  node.make_stage = [queue] { return std::make_unique<CollectStage<T>>(queue); };
  node.bounded = this->isBounded();
  node.collects = true;
  this->graph_->add(std::move(node));
  return CollectedRecords<T>(startJob(*this->graph_, job_name), queue);
}

template <typename T>
std::vector<T> DataStream<T>::executeAndCollect(int limit) const {
  if (limit < 1) throw ValidationException("executeAndCollect() needs a limit of at least 1, not " + std::to_string(limit));
  CollectedRecords<T> all = executeAndCollect();
  std::vector<T> records;
  while (static_cast<int>(records.size()) < limit && all.hasNext()) records.push_back(all.next());
  return records;
}

}  // namespace thalweg::api
