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
#include "client/api/thalweg/stream_handle.h"

namespace thalweg::api {

template <typename T>
class SingleOutputStreamOperator;

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

  /// Prints each record on standard output.
  DataStreamSink print(const std::string& prefix = "") const { return addPrint(prefix, false); }
  DataStreamSink printToErr(const std::string& prefix = "") const { return addPrint(prefix, true); }
  /// Calls the function with each record.
  template <typename F>
  DataStreamSink addSink(F function) const {
    return sink("Sink: Unnamed", [function] { return std::make_unique<SinkStage<T, F>>(function); });
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
  std::vector<StreamEdge> plainEdges() const {
    return this->edgesWith([](RecordTypePtr<T> type) { return std::make_shared<PlainLink<T>>(std::move(type)); });
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
    settingsNode().types[0] = std::move(type);
    return *this;
  }
  SingleOutputStreamOperator& forceNonParallel() {
    settingsNode().parallelism_max = 1;
    settingsNode().parallelism = 1;
    return *this;
  }
  StreamNode& settingsNode() { return this->graph_->node(this->origins_[0].node); }
};

template <typename T>
template <typename R>
SingleOutputStreamOperator<R> DataStream<T>::transform(const std::string& name, RecordTypePtr<R> type, StageFactory make) const {
  StreamNode node;
  node.name = name;
  node.inputs = {plainEdges()};
  node.make_stage = std::move(make);
  node.types = {std::move(type)};
  node.bounded = this->isBounded();
  return SingleOutputStreamOperator<R>(this->graph_, this->graph_->add(std::move(node)));
}

template <typename T>
DataStreamSink DataStream<T>::sink(const std::string& name, StageFactory make) const {
  StreamNode node;
  node.name = name;
  node.inputs = {plainEdges()};
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
CollectedRecords<T> DataStream<T>::executeAndCollect(const std::string& job_name) const {
  auto queue = std::make_shared<RecordQueue<T>>();
  sink("Collect", [queue] { return std::make_unique<CollectStage<T>>(queue); });
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
