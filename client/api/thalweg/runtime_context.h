// RuntimeContext: what a rich function can ask of its surroundings.
//
// Lifetime: from open() to the end of close().
#pragma once

#include <string>

#include "client/api/thalweg/functions.h"
#include "client/api/thalweg/operator_state.h"

namespace thalweg::api {

class RuntimeContext {
 public:
  explicit RuntimeContext(StageRuntime& runtime) : runtime_(runtime) {}
  int getIndexOfThisSubtask() const { return runtime_.subtaskIndex(); }
  int getNumberOfParallelSubtasks() const { return runtime_.parallelism(); }
  int getMaxNumberOfParallelSubtasks() const { return runtime_.maxParallelism(); }
  const std::string& getTaskName() const { return runtime_.name(); }
  const Configuration& getConfiguration() const { return runtime_.configuration(); }
  StageRuntime& runtime() const { return runtime_; }

  // State of the present key; to be asked for in open().
  template <typename T>
  ValueState<T> getState(const ValueStateDescriptor<T>& descriptor) { return ValueState<T>(runtime_, descriptor); }
  template <typename T>
  ListState<T> getListState(const ListStateDescriptor<T>& descriptor) { return ListState<T>(runtime_, descriptor); }
  template <typename K, typename V>
  MapState<K, V> getMapState(const MapStateDescriptor<K, V>& descriptor) { return MapState<K, V>(runtime_, descriptor); }
  template <typename T>
  ReducingState<T> getReducingState(const ReducingStateDescriptor<T>& descriptor) { return ReducingState<T>(runtime_, descriptor); }
  template <typename IN, typename ACC, typename OUT>
  AggregatingState<IN, ACC, OUT> getAggregatingState(const AggregatingStateDescriptor<IN, ACC, OUT>& descriptor) {
    return AggregatingState<IN, ACC, OUT>(runtime_, descriptor);
  }

 private:
  StageRuntime& runtime_;
};

/// A user function in a stage: gives it its context and calls open() and close() if it is a rich one.
template <typename F>
class FunctionHolder {
  static_assert(std::is_nothrow_destructible_v<F>,
                "the destructor of a user function must not throw: release what can fail in close(), whose exceptions end the job with the operator's name");

 public:
  explicit FunctionHolder(const F& function) : function_(function) {}
  void open(StageRuntime& runtime) {
    if constexpr (kCheckpointed) {
      FunctionInitializationContext context(states_);
      rich().initializeState(context);
    }
    if constexpr (kRich) {
      context_ = std::make_unique<RuntimeContext>(runtime);
      rich().setRuntimeContext(context_.get());
      OpenContext open_context{&runtime.configuration()};
      rich().open(open_context);
    }
  }
  void close() {
    if constexpr (kRich) rich().close();
  }
  void snapshot(std::string& out) {
    if constexpr (kCheckpointed) {
      FunctionSnapshotContext context;
      rich().snapshotState(context);
      states_.write(out);
    }
  }
  void restore(std::string_view bytes) { states_.read(bytes); }
  F& operator*() { return function_; }
  F* operator->() { return &function_; }

 private:
  /// The function itself, or the one that a wrapper names by richFunction().
  auto& rich() {
    if constexpr (requires { function_.richFunction(); }) return function_.richFunction();
    else return function_;
  }
  template <typename G, typename Base>
  static constexpr bool isA() {
    if constexpr (requires(G& g) { g.richFunction(); }) return std::is_base_of_v<Base, std::remove_cvref_t<decltype(std::declval<G&>().richFunction())>>;
    else return std::is_base_of_v<Base, G>;
  }
  static constexpr bool kRich = isA<F, RichFunction>();
  static constexpr bool kCheckpointed = isA<F, CheckpointedFunction>();

  F function_;
  std::unique_ptr<RuntimeContext> context_;
  OperatorStateStore states_;
};

/// A stage with one user function, which it opens, closes and saves.
template <typename Base, typename F>
class WithFunction : public Base {
 public:
  template <typename... Args>
  explicit WithFunction(const F& function, Args&&... args) : Base(std::forward<Args>(args)...), function_(function) {}
  void open(StageRuntime& runtime) override { function_.open(runtime); }
  void close() override { function_.close(); }
  void snapshot(std::string& out) override { function_.snapshot(out); }
  void restore(std::string_view bytes) override { function_.restore(bytes); }
  std::string redistribute(const std::vector<std::string_view>& parts, int subtask, int parallelism) override {
    return OperatorStateStore::redistribute(parts, subtask, parallelism);
  }

 protected:
  FunctionHolder<F> function_;
};

}  // namespace thalweg::api
