// Functions of a program's own for tables: the classes to derive from, and registering them.
//
//   struct Hash : table::ScalarFunction {
//     int32_t eval(const std::string& text) { return static_cast<int32_t>(text.size()); }
//   };
//   struct Split : table::TableFunction<std::string> {
//     void eval(const std::string& text) { for (…) collect(word); }
//   };
//   struct Average : table::AggregateFunction<std::optional<double>, Sum> {        // Sum: a described struct
//     Sum createAccumulator() { return {}; }
//     void accumulate(Sum& sum, double value) { … }
//     std::optional<double> getValue(const Sum& sum) { … }
//   };
//   tEnv.createTemporarySystemFunction("Hash", Hash());
//   tEnv.sqlQuery("SELECT Hash(name) FROM Users");   users.select(call("Hash", $("name")));
//
// A lambda is a scalar function. SQL types follow from C++ types as everywhere (field_traits.h). An argument that is no
// std::optional makes the function strict in it: on rows where it is NULL a scalar function gives NULL, a table function
// nothing, and an aggregate skips the row. A result of Row needs getResultType().
//
// The last arguments may be OptionalArgument<T>s, which a call may leave out, or one VarArgs<T>, which takes the rest. A
// function with several eval() names them, as C++ cannot (an aggregate: Accumulates, of its accumulate()):
//
//   struct Twice : table::ScalarFunction {
//     using Evals = table::Signatures<int64_t(int64_t), std::string(const std::string&)>;
//     int64_t eval(int64_t n) { return 2 * n; }
//     std::string eval(const std::string& text) { return text + text; }
//   };
//
// A call takes the first signature that fits without casts, else the first that fits with implicit ones.
// Threads: one copy of the function per operator and subtask, used by one thread at a time.
// Errors: what a function throws ends the job with the function's name.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/data_types.h"
#include "client/api/thalweg/functions.h"
#include "client/api/thalweg/row.h"

namespace thalweg::table {

/// The signatures of an overloaded method, with its result: R(A…).
template <typename... Overloads>
struct Signatures {};

/// The rest of a call's arguments.
template <typename T>
struct VarArgs : std::vector<T> {
  using std::vector<T>::vector;
};
/// An argument that a call may leave out, or give as NULL.
template <typename T>
struct OptionalArgument : std::optional<T> {
  using std::optional<T>::optional;
  OptionalArgument(std::optional<T> value) : std::optional<T>(std::move(value)) {}
};

/// What open() may look at.
class FunctionContext {
 public:
  explicit FunctionContext(std::map<std::string, std::string> parameters) : parameters_(std::move(parameters)) {}
  /// A setting of the table environment when the function was registered, or `fallback`.
  std::string getJobParameter(const std::string& key, std::string fallback) const {
    const auto found = parameters_.find(key);
    return found == parameters_.end() ? std::move(fallback) : found->second;
  }

 private:
  std::map<std::string, std::string> parameters_;
};

class UserDefinedFunction {
 public:
  virtual ~UserDefinedFunction() = default;
  virtual void open(const FunctionContext& context) { (void)context; }
  virtual void close() {}
  /// False: never computed ahead of the job, and named by EXPLAIN.
  virtual bool isDeterministic() const { return true; }
  /// The type of a result that C++ does not tell: a ROW for functions that give Row. NULL type: it follows from C++.
  virtual DataType getResultType() const { return DataType::null(); }
};

/// Has `R eval(A…)`.
class ScalarFunction : public UserDefinedFunction {};

/// Has `void eval(A…)`, which calls collect() for each row.
template <typename T>
class TableFunction : public UserDefinedFunction {
 public:
  using Collected = T;
  void setCollector(api::Collector<T>* out) { out_ = out; }

 protected:
  void collect(T row) { out_->collect(std::move(row)); }

 private:
  api::Collector<T>* out_ = nullptr;
};

/// Has `Acc createAccumulator()`, `void accumulate(Acc&, A…)`, `T getValue(const Acc&)`; for inputs with updates
/// `void retract(Acc&, A…)`; for session and sliding windows `void merge(Acc&, const Acc&)`.
template <typename T, typename Acc>
class AggregateFunction : public UserDefinedFunction {
 public:
  using Result = T;
  using Accumulator = Acc;
};

/// As an AggregateFunction, but gives any number of rows: `void emitValue(const Acc&, Collector<T>&)`.
template <typename T, typename Acc>
class TableAggregateFunction : public UserDefinedFunction {
 public:
  using Emitted = T;
  using Accumulator = Acc;
};

/// The result of a call that takes its time; complete it once, from any thread.
template <typename R>
class CompletableFuture {
 public:
  CompletableFuture() : state_(std::make_shared<State>()) {}
  void complete(R value) const {
    const std::scoped_lock lock(state_->mutex);
    if (state_->done) return;
    state_->value = std::move(value);
    state_->done = true;
    state_->changed.notify_all();
  }
  void completeExceptionally(std::string message) const {
    const std::scoped_lock lock(state_->mutex);
    if (state_->done) return;
    state_->error = std::move(message);
    state_->done = true;
    state_->changed.notify_all();
  }
  /// Waits. Throws std::runtime_error after completeExceptionally().
  R get() const {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock, [&] { return state_->done; });
    if (state_->error) throw std::runtime_error(*state_->error);
    return std::move(*state_->value);
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::optional<R> value;
    std::optional<std::string> error;
  };
  std::shared_ptr<State> state_;
};

/// Has `void eval(CompletableFuture<R>, A…)`, which returns at once; all rows of a batch wait together, in order.
class AsyncScalarFunction : public UserDefinedFunction {};

/// Has `void eval(CompletableFuture<std::vector<T>>, A…)`, which returns at once: the rows of a table function, later.
template <typename T>
class AsyncTableFunction : public UserDefinedFunction {
 public:
  using CollectedLater = T;
};

}  // namespace thalweg::table
