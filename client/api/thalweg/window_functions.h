// What turns the content of a window into results.
//
//   struct Count : ProcessWindowFunction<Order, std::string, std::string, TimeWindow> {
//     void process(const std::string& key, Context& ctx, const std::vector<Order>& orders, Collector<std::string>& out) override;
//   };
//
// Behind reduce() and aggregate() `elements` is the one folded value. Threads: the stage's.
#pragma once

#include <vector>

#include "client/api/thalweg/process_functions.h"
#include "client/api/thalweg/triggers.h"

namespace thalweg::api {

/// The window at hand, and what a process function may ask besides.
template <typename W>
class WindowContext {
 public:
  WindowContext(const W& window, TimerService& timers, SideOutputs& sides, EventTime timestamp)
      : window_(window), timers_(timers), sides_(sides), timestamp_(timestamp) {}
  const W& window() const { return window_; }
  int64_t currentWatermark() const { return timers_.currentWatermark(); }
  int64_t currentProcessingTime() const { return timers_.currentProcessingTime(); }
  template <typename X, typename V>
  void output(const OutputTag<X>& tag, V&& value) { sides_.add(tag, X(std::forward<V>(value)), timestamp_); }

 private:
  const W& window_;
  TimerService& timers_;
  SideOutputs& sides_;
  EventTime timestamp_;
};

template <typename IN, typename OUT, typename KEY, typename W = TimeWindow>
class ProcessWindowFunction : public RichFunction {
 public:
  using Output = OUT;
  using Context = WindowContext<W>;
  virtual void process(const KEY& key, Context& ctx, const std::vector<IN>& elements, Collector<OUT>& out) = 0;
};

/// Of windowAll(): there is no key.
template <typename IN, typename OUT, typename W = TimeWindow>
class ProcessAllWindowFunction : public RichFunction {
 public:
  using Output = OUT;
  using Context = WindowContext<W>;
  virtual void process(Context& ctx, const std::vector<IN>& elements, Collector<OUT>& out) = 0;
};

/// How a stage calls the function: process(key, ctx, …), process(ctx, …), or a lambda (key, window, …) or (window, …).
template <typename F, typename K, typename W, typename IN, typename OUT>
void callWindowFunction(F& function, const K& key, WindowContext<W>& context, const std::vector<IN>& elements, Collector<OUT>& out) {
  if constexpr (requires { function.process(key, context, elements, out); }) function.process(key, context, elements, out);
  else if constexpr (requires { function.process(context, elements, out); }) function.process(context, elements, out);
  else if constexpr (requires { function(key, context.window(), elements, out); }) function(key, context.window(), elements, out);
  else function(context.window(), elements, out);
}

/// What a window function collects.
template <typename F>
struct WindowResultOf {
  using S = Signature<F>;
  using type = typename CollectorElement<typename S::template Argument<S::kArguments - 1>>::type;
};
template <typename F>
  requires requires { typename F::Output; }
struct WindowResultOf<F> {
  using type = typename F::Output;
};

}  // namespace thalweg::api
