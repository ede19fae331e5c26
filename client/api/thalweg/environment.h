// StreamExecutionEnvironment: where a program begins — settings, sources, and execute().
//
//   auto env = StreamExecutionEnvironment::getExecutionEnvironment();
//   env.fromSequence(1, 10).filter([](int64_t n) { return n % 2 == 0; }).print();
//   env.execute("even numbers");
//
// A handle: copies mean the same environment. Threads: one. Lifetime: shared with the streams made from it.
#pragma once

#include "client/api/thalweg/collection_source.h"
#include "client/api/thalweg/data_generator.h"
#include "client/api/thalweg/data_stream.h"
#include "client/api/thalweg/job_settings.h"
#include "client/api/thalweg/source_function.h"
#include "client/api/thalweg/types.h"

namespace thalweg::api {

enum class RuntimeExecutionMode : uint8_t { STREAMING, BATCH, AUTOMATIC };

class StreamExecutionEnvironment {
 public:
  static StreamExecutionEnvironment getExecutionEnvironment() { return getExecutionEnvironment(Configuration()); }
  static StreamExecutionEnvironment getExecutionEnvironment(const Configuration& configuration);
  static StreamExecutionEnvironment createLocalEnvironment(int parallelism) { return std::move(getExecutionEnvironment().setParallelism(parallelism)); }

  StreamExecutionEnvironment& setParallelism(int parallelism);
  int getParallelism() const { return graph_->defaultParallelism(); }
  StreamExecutionEnvironment& setMaxParallelism(int parallelism);
  int getMaxParallelism() const { return graph_->max_parallelism; }
  StreamExecutionEnvironment& setRuntimeMode(RuntimeExecutionMode mode);
  /// Accepted, without effect: batches adapt to the load by themselves.
  StreamExecutionEnvironment& setBufferTimeout(int64_t) { return *this; }
  StreamExecutionEnvironment& disableOperatorChaining();
  /// Every setting by its key; ValidationException for an unknown one.
  StreamExecutionEnvironment& configure(const std::string& key, const std::string& value);
  Configuration& getConfiguration() const { return graph_->configuration; }
  /// A checkpoint every so often; where they go is a matter of getCheckpointConfig().
  StreamExecutionEnvironment& enableCheckpointing(int64_t interval_ms);
  CheckpointConfig getCheckpointConfig() const { return CheckpointConfig(graph_->configuration); }
  StreamExecutionEnvironment& setRestartStrategy(const RestartStrategy& strategy);

  template <typename T>
  SingleOutputStreamOperator<T> fromCollection(std::vector<T> records) const;
  template <typename T>
  SingleOutputStreamOperator<T> fromCollection(std::vector<T> records, RecordTypePtr<T> type) const;
  template <typename T>
  SingleOutputStreamOperator<T> fromElements(std::initializer_list<T> records) const { return fromCollection(std::vector<T>(records)); }
  SingleOutputStreamOperator<std::string> fromElements(std::initializer_list<const char*> records) const {
    return fromCollection(std::vector<std::string>(records.begin(), records.end()));
  }
  template <typename First, typename... More>
  auto fromElements(First first, More... more) const {
    using T = std::conditional_t<std::is_convertible_v<First, std::string_view> && !std::is_same_v<First, std::string>, std::string, First>;
    return fromCollection(std::vector<T>{T(std::move(first)), T(std::move(more))...});
  }
  template <typename... Records>
  auto fromData(Records... records) const { return fromElements(std::move(records)...); }
  /// from, from + 1, … to.
  SingleOutputStreamOperator<int64_t> fromSequence(int64_t from, int64_t to) const;

  /// A Source of one's own (source.h), FileSource, or DataGeneratorSource.
  template <typename S>
  auto fromSource(S source, WatermarkStrategy<typename S::Record> watermarks, const std::string& name) const;
  /// The older form: a SourceFunction, or a DataGeneratorSource of a generator object.
  template <typename F>
  SingleOutputStreamOperator<typename F::Record> addSource(F function, const std::string& name = "Custom Source") const;
  /// The lines of a file, or of all files of a folder.
  SingleOutputStreamOperator<std::string> readTextFile(const std::string& path) const;
  /// The lines that a server sends; with `max_retry_seconds` it may start later than the job.
  SingleOutputStreamOperator<std::string> socketTextStream(const std::string& host, int port, const std::string& delimiter = "\n",
                                                           int64_t max_retry_seconds = 0) const;

  /// Runs everything defined since the last call and waits for its end.
  void execute(const std::string& job_name = "Flink Streaming Job") const;
  JobClient executeAsync(const std::string& job_name = "Flink Streaming Job") const;

  const StreamGraphPtr& graph() const { return graph_; }

 private:
  explicit StreamExecutionEnvironment(StreamGraphPtr graph) : graph_(std::move(graph)) {}
  StreamGraphPtr graph_;
};

template <typename T>
SingleOutputStreamOperator<T> StreamExecutionEnvironment::fromCollection(std::vector<T> records) const {
  requireUsable<T>();
  RecordTypePtr<T> type;
  if constexpr (std::is_same_v<T, Row>) type = inferRowType(records);
  else type = RecordType<T>::of();
  return fromCollection(std::move(records), std::move(type));
}

template <typename T>
SingleOutputStreamOperator<T> StreamExecutionEnvironment::fromCollection(std::vector<T> records, RecordTypePtr<T> type) const {
  StreamNode node;
  node.name = "Collection Source";
  node.parallelism = node.parallelism_max = 1;
  if (!records.empty()) node.splits = {"0"};
  node.make_stage = [records = std::make_shared<const std::vector<T>>(std::move(records))] { return std::make_unique<CollectionStage<T>>(records); };
  node.types = {std::move(type)};
  return SingleOutputStreamOperator<T>(graph_, graph_->add(std::move(node)));
}

template <typename S>
auto StreamExecutionEnvironment::fromSource(S source, WatermarkStrategy<typename S::Record> watermarks, const std::string& name) const {
  using T = typename S::Record;
  StreamNode node;
  node.name = name;
  node.types = {RecordType<T>::of()};
  node.bounded = source.getBoundedness() == Boundedness::BOUNDED;
  if constexpr (requires { source.generator(); }) {
    node.make_enumerator = [count = source.count()]() -> Result<std::unique_ptr<thalweg::SplitEnumerator>> { return shareEnumerator(count); };
    node.make_stage = [source] { return std::make_unique<GeneratorStage<std::remove_cvref_t<decltype(source.generator())>>>(source); };
  } else {
    using Split = typename S::Split;
    std::shared_ptr<const Source<T, Split>> shared = std::make_shared<S>(std::move(source));
    node.make_enumerator = [shared]() -> Result<std::unique_ptr<thalweg::SplitEnumerator>> { return std::make_unique<EnumeratorAdapter<T, Split>>(shared); };
    node.make_stage = [shared] { return std::make_unique<ReaderStage<T, Split>>(shared); };
  }
  SingleOutputStreamOperator<T> stream(graph_, graph_->add(std::move(node)));
  if (watermarks.alignment) graph_->align(stream.origins()[0].node, *watermarks.alignment);
  if (!watermarks.make_generator && !watermarks.assigner) return stream;
  auto timed = stream.assignTimestampsAndWatermarks(std::move(watermarks));
  timed.ownNode().belongs_to_input = true;
  return timed;
}

template <typename F>
SingleOutputStreamOperator<typename F::Record> StreamExecutionEnvironment::addSource(F function, const std::string& name) const {
  using T = typename F::Record;
  if constexpr (requires { function.generator(); }) {
    return fromSource(std::move(function), WatermarkStrategy<T>::noWatermarks(), name);
  } else {
    static_assert(std::is_base_of_v<SourceFunction<T>, F>, "addSource() takes a SourceFunction<T> or a DataGeneratorSource; a Source goes to fromSource()");
    StreamNode node;
    node.name = name;
    node.bounded = false;
    if constexpr (!requires { F::kParallel; }) node.parallelism = node.parallelism_max = 1;
    node.types = {RecordType<T>::of()};
    node.make_enumerator = []() -> Result<std::unique_ptr<thalweg::SplitEnumerator>> { return shareEnumerator(INT64_MAX); };
    node.make_stage = [function] { return std::make_unique<SourceFunctionStage<T, F>>(function); };
    return SingleOutputStreamOperator<T>(graph_, graph_->add(std::move(node)));
  }
}

}  // namespace thalweg::api
