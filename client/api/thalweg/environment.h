// StreamExecutionEnvironment: where a program begins — settings, sources, and execute().
//
//   auto env = StreamExecutionEnvironment::getExecutionEnvironment();
//   env.fromSequence(1, 10).filter([](int64_t n) { return n % 2 == 0; }).print();
//   env.execute("even numbers");
//
// A handle: copies mean the same environment. Threads: one. Lifetime: shared with the streams made from it.
#pragma once

#include "client/api/thalweg/collection_source.h"
#include "client/api/thalweg/data_stream.h"
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
  StreamExecutionEnvironment& disableOperatorChaining();
  /// Every setting by its key; ValidationException for an unknown one.
  StreamExecutionEnvironment& configure(const std::string& key, const std::string& value);
  Configuration& getConfiguration() const { return graph_->configuration; }

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
  /// from, from + 1, … to.
  SingleOutputStreamOperator<int64_t> fromSequence(int64_t from, int64_t to) const;

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

}  // namespace thalweg::api
