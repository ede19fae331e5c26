// Functions of users: the interfaces that can be implemented instead of passing a lambda, and what rich ones get.
//
//   struct Enrich : RichMapFunction<Order, Priced> {
//     void open(const OpenContext&) override { rate_ = 2; }
//     Priced map(const Order& order) override { … }
//   };
//   stream.map(Enrich());
//
// Every subtask gets a copy of the function as it was passed; open() comes before the first record, close() last, also
// after a failure. Wherever an interface is taken, a lambda of the same signature will do.
// Threads: a subtask's functions run one at a time. Errors: what a function throws ends the job, named after its operator.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>

#include "client/api/thalweg/stage.h"

namespace thalweg::api {

class RuntimeContext;

/// What open() may look at.
struct OpenContext {
  const Configuration* configuration = nullptr;
};

/// Takes what a function gives out.
template <typename T>
class Collector {
 public:
  virtual ~Collector() = default;
  virtual void collect(T record) = 0;
  void close() {}
};

class RichFunction {
 public:
  virtual ~RichFunction() = default;
  virtual void open(const OpenContext& context) { (void)context; }
  virtual void close() {}
  RuntimeContext& getRuntimeContext() const;
  void setRuntimeContext(RuntimeContext* context) { context_ = context; }

 private:
  RuntimeContext* context_ = nullptr;
};

template <typename A, typename B>
struct MapFunction {
  virtual ~MapFunction() = default;
  virtual B map(const A& value) = 0;
};
template <typename A, typename B>
struct FlatMapFunction {
  virtual ~FlatMapFunction() = default;
  virtual void flatMap(const A& value, Collector<B>& out) = 0;
};
template <typename A>
struct FilterFunction {
  virtual ~FilterFunction() = default;
  virtual bool filter(const A& value) = 0;
};
template <typename A>
struct ReduceFunction {
  virtual ~ReduceFunction() = default;
  virtual A reduce(const A& first, const A& second) = 0;
};
template <typename A>
struct SinkFunction {
  virtual ~SinkFunction() = default;
  virtual void invoke(const A& value) = 0;
};
template <typename A, typename B>
struct RichMapFunction : MapFunction<A, B>, RichFunction {};
template <typename A, typename B>
struct RichFlatMapFunction : FlatMapFunction<A, B>, RichFunction {};
template <typename A>
struct RichFilterFunction : FilterFunction<A>, RichFunction {};
template <typename A>
struct RichReduceFunction : ReduceFunction<A>, RichFunction {};
template <typename A>
struct RichSinkFunction : SinkFunction<A>, RichFunction {};

/// The signature of a callable with one operator().
template <typename F>
struct Signature : Signature<decltype(&F::operator())> {};
template <typename C, typename R, typename... Args>
struct Signature<R (C::*)(Args...)> {
  using Result = R;
  static constexpr size_t kArguments = sizeof...(Args);
  template <size_t I>
  using Argument = std::remove_cvref_t<std::tuple_element_t<I, std::tuple<Args...>>>;
};
template <typename C, typename R, typename... Args>
struct Signature<R (C::*)(Args...) const> : Signature<R (C::*)(Args...)> {};
template <typename C, typename R, typename... Args>
struct Signature<R (C::*)(Args...) noexcept> : Signature<R (C::*)(Args...)> {};
template <typename C, typename R, typename... Args>
struct Signature<R (C::*)(Args...) const noexcept> : Signature<R (C::*)(Args...)> {};
template <typename R, typename... Args>
struct Signature<R (*)(Args...)> {
  using Result = R;
  static constexpr size_t kArguments = sizeof...(Args);
  template <size_t I>
  using Argument = std::remove_cvref_t<std::tuple_element_t<I, std::tuple<Args...>>>;
};

template <typename C>
struct CollectorElement;
template <typename B>
struct CollectorElement<Collector<B>> {
  using type = B;
};

// Calls a function given as a lambda or as an implementation of its interface.
template <typename F, typename A>
decltype(auto) callMap(F& function, A&& value) {
  if constexpr (requires { function.map(value); }) return function.map(value);
  else return function(std::forward<A>(value));
}
template <typename F, typename A>
bool callFilter(F& function, const A& value) {
  if constexpr (requires { function.filter(value); }) return function.filter(value);
  else return static_cast<bool>(function(value));
}
template <typename F, typename A>
A callReduce(F& function, const A& first, const A& second) {
  if constexpr (requires { function.reduce(first, second); }) return function.reduce(first, second);
  else return function(first, second);
}
template <typename F, typename A>
using MapResult = std::remove_cvref_t<decltype(callMap(std::declval<F&>(), std::declval<A>()))>;

/// What a flatMap function collects.
template <typename F>
struct FlatMapResultOf {
  using type = typename CollectorElement<typename Signature<F>::template Argument<1>>::type;
};
template <typename F>
  requires requires { &F::flatMap; }
struct FlatMapResultOf<F> {
  using type = typename CollectorElement<typename Signature<decltype(&F::flatMap)>::template Argument<1>>::type;
};

}  // namespace thalweg::api
