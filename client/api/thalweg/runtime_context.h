// RuntimeContext: what a rich function can ask of its surroundings.
//
// Lifetime: from open() to the end of close().
#pragma once

#include <string>

#include "client/api/thalweg/functions.h"

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

 private:
  StageRuntime& runtime_;
};

/// A user function in a stage: gives it its context and calls open() and close() if it is a rich one.
template <typename F>
class FunctionHolder {
 public:
  explicit FunctionHolder(const F& function) : function_(function) {}
  void open(StageRuntime& runtime) {
    if constexpr (std::is_base_of_v<RichFunction, F>) {
      context_ = std::make_unique<RuntimeContext>(runtime);
      function_.setRuntimeContext(context_.get());
      OpenContext open_context{&runtime.configuration()};
      function_.open(open_context);
    }
  }
  void close() {
    if constexpr (std::is_base_of_v<RichFunction, F>) function_.close();
  }
  F& operator*() { return function_; }
  F* operator->() { return &function_; }

 private:
  F function_;
  std::unique_ptr<RuntimeContext> context_;
};

}  // namespace thalweg::api
