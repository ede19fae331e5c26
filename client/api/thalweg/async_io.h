// AsyncDataStream: a request to the outside for each record, many of them under way at once.
//
//   struct Lookup : AsyncFunction<std::string, std::string> {
//     void asyncInvoke(const std::string& key, ResultFuture<std::string> result) override {
//       client_.get(key, [result](std::string value) mutable { result.complete({value}); });   // on any thread
//     }
//   };
//   auto answered = AsyncDataStream::orderedWait(keys, Lookup(), Duration::ofSeconds(1), 100);
//
// orderedWait gives results in the records' order; unorderedWait as they come, but none crosses a watermark. While
// `capacity` requests are under way the stream waits. What times out goes to timeout(), which fails the job unless it
// is overridden. Requests under way are part of a snapshot and made again after a restart.
// Threads: asyncInvoke and timeout in the subtask; a ResultFuture from any, once (later calls are ignored).
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>

#include "client/api/thalweg/data_stream.h"
#include "client/api/thalweg/evictors.h"

namespace thalweg::api {

/// What the requests of one stage report to.
class AsyncSignal {
 public:
  explicit AsyncSignal(StageRuntime& runtime) : runtime_(&runtime) {}
  void notify() {
    const std::scoped_lock lock(mutex);
    changed.notify_all();
    if (runtime_ != nullptr) runtime_->requestWakeup(0);
  }
  /// The stage is gone: nobody is to be woken.
  void detach() {
    const std::scoped_lock lock(mutex);
    runtime_ = nullptr;
  }
  std::mutex mutex;
  std::condition_variable changed;

 private:
  StageRuntime* runtime_;
};

/// Takes the results of one request.
template <typename O>
class ResultFuture {
 public:
  struct State {
    std::shared_ptr<AsyncSignal> signal;
    bool done = false;
    std::vector<O> results;
    std::exception_ptr failure;
  };
  explicit ResultFuture(std::shared_ptr<State> state) : state_(std::move(state)) {}
  void complete(std::vector<O> results) { finish(std::move(results), nullptr); }
  void completeExceptionally(std::exception_ptr failure) { finish({}, std::move(failure)); }
  void completeExceptionally(const std::string& message) { finish({}, std::make_exception_ptr(std::runtime_error(message))); }

 private:
  void finish(std::vector<O> results, std::exception_ptr failure) {
    {
      const std::scoped_lock lock(state_->signal->mutex);
      if (state_->done) return;
      state_->done = true;
      state_->results = std::move(results);
      state_->failure = std::move(failure);
    }
    state_->signal->notify();
  }
  std::shared_ptr<State> state_;
};

template <typename I, typename O>
class AsyncFunction : public RichFunction {
 public:
  using Input = I;
  using Output = O;
  virtual void asyncInvoke(const I& record, ResultFuture<O> result) = 0;
  virtual void timeout(const I& record, ResultFuture<O> result) {
    (void)record;
    result.completeExceptionally("an asynchronous request was not answered in time; override timeout() to go on without its result");
  }
};

/// When a request that failed, or gave an unwanted result, is made again.
template <typename O>
struct AsyncRetryStrategy {
  int attempts_max = 1;
  int64_t delay_ms = 0;
  double delay_factor = 1;
  int64_t delay_ms_max = 0;                                      ///< 0: no limit
  std::function<bool(const std::vector<O>&)> if_result;
  std::function<bool(const std::exception_ptr&)> if_exception;
  int64_t delayMs(int attempt) const {
    double delay = static_cast<double>(delay_ms);
    for (int i = 1; i < attempt; ++i) delay *= delay_factor;
    if (delay_ms_max > 0) delay = std::min(delay, static_cast<double>(delay_ms_max));
    return static_cast<int64_t>(delay);
  }
};
struct AsyncRetryStrategies {
  template <typename O>
  static AsyncRetryStrategy<O> fixedDelay(int attempts_max, Duration delay) {
    checkAttempts(attempts_max);
    AsyncRetryStrategy<O> strategy;
    strategy.attempts_max = attempts_max;
    strategy.delay_ms = delay.toMillis();
    strategy.if_exception = [](const std::exception_ptr&) { return true; };
    return strategy;
  }
  template <typename O>
  static AsyncRetryStrategy<O> exponentialBackoff(int attempts_max, Duration first, Duration most, double factor) {
    AsyncRetryStrategy<O> strategy = fixedDelay<O>(attempts_max, first);
    strategy.delay_factor = factor;
    strategy.delay_ms_max = most.toMillis();
    return strategy;
  }

 private:
  static void checkAttempts(int attempts) {
    if (attempts < 1) throw ValidationException("a retry strategy needs at least one attempt, not " + std::to_string(attempts));
  }
};

template <typename I, typename O>
struct AsyncSettings {
  bool ordered = true;
  int64_t timeout_ms = 0;                    ///< 0: never
  size_t capacity = 100;
  AsyncRetryStrategy<O> retry;
};

template <typename I, typename O, typename F>
class AsyncStage final : public UnaryStage<I, O> {
  using Future = typename ResultFuture<O>::State;

 public:
  AsyncStage(const F& function, AsyncSettings<I, O> settings) : function_(function), settings_(std::move(settings)) {}
  ~AsyncStage() override { close(); }
  void open(StageRuntime& runtime) override {
    runtime_ = &runtime;
    signal_ = std::make_shared<AsyncSignal>(runtime);
    function_.open(runtime);
    for (auto& [record, timestamp] : restored_) begin(std::move(record), timestamp);
    restored_.clear();
  }
  void close() override {
    if (!signal_) return;
    signal_->detach();
    signal_ = nullptr;
    function_.close();
  }
  void records(Chunk<I>& chunk) override {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      waitUntil([this] { return pending_ < settings_.capacity; });
      begin(std::move(chunk.records[i]), chunk.timestampAt(i));
    }
    emitReady();
  }
  void watermark(EventTime value) override {
    Entry entry;
    entry.is_watermark = true;
    entry.timestamp = value;
    entries_.push_back(std::move(entry));
    emitReady();
  }
  void wakeup(int64_t) override {
    look();
    emitReady();
  }
  void endInput(int) override {
    waitUntil([this] { return pending_ == 0; });
    emitReady();
  }
  void snapshot(std::string& out) override {
    std::vector<TimestampedValue<I>> waiting;
    for (const Entry& entry : entries_) {
      if (!entry.is_watermark) waiting.push_back({entry.record, entry.timestamp});
    }
    if (!waiting.empty()) FieldTraits<std::vector<TimestampedValue<I>>>::write(waiting, out);
  }
  void restore(std::string_view bytes) override {
    ByteReader reader(bytes);
    FieldTraits<std::vector<TimestampedValue<I>>>::read(reader, restored_);
  }

 private:
  struct Entry {
    bool is_watermark = false;
    I record{};
    EventTime timestamp = kNoTimestamp;
    std::shared_ptr<Future> future;
    int64_t deadline_ms = INT64_MAX;
    int64_t retry_at_ms = INT64_MAX;         // waits to be asked again
    int attempts = 0;
    bool ready = false;                      // results can be emitted
  };

  void begin(I record, EventTime timestamp) {
    Entry entry;
    entry.record = std::move(record);
    entry.timestamp = timestamp;
    if (settings_.timeout_ms > 0) entry.deadline_ms = runtime_->nowMillis() + settings_.timeout_ms;
    entries_.push_back(std::move(entry));
    ++pending_;
    ask(entries_.back());
    if (settings_.timeout_ms > 0) runtime_->requestWakeup(entries_.back().deadline_ms);
  }
  void ask(Entry& entry) {
    ++entry.attempts;
    entry.retry_at_ms = INT64_MAX;
    entry.future = std::make_shared<Future>();
    entry.future->signal = signal_;
    function_->asyncInvoke(entry.record, ResultFuture<O>(entry.future));
  }
  /// Moves every request on: answered, to be asked again, or out of time. Throws what failed for good.
  void look() {
    const int64_t now = runtime_->nowMillis();
    int64_t next = INT64_MAX;
    for (Entry& entry : entries_) {
      if (entry.is_watermark || entry.ready) continue;
      if (entry.retry_at_ms <= now) ask(entry);
      if (isDone(entry)) settle(entry, now);
      if (!entry.ready && entry.deadline_ms <= now) expire(entry);
      if (!entry.ready) next = std::min({next, entry.deadline_ms, entry.retry_at_ms});
    }
    if (next != INT64_MAX) runtime_->requestWakeup(next);
  }
  bool isDone(const Entry& entry) {
    const std::scoped_lock lock(signal_->mutex);
    return entry.retry_at_ms == INT64_MAX && entry.future->done;
  }
  void settle(Entry& entry, int64_t now) {
    const AsyncRetryStrategy<O>& retry = settings_.retry;
    const Future& future = *entry.future;
    const bool again = future.failure ? retry.if_exception && retry.if_exception(future.failure) : retry.if_result && retry.if_result(future.results);
    if (again && entry.attempts < retry.attempts_max) {
      entry.retry_at_ms = now + retry.delayMs(entry.attempts);
      return;
    }
    if (future.failure) std::rethrow_exception(future.failure);
    entry.ready = true;
    --pending_;
  }
  void expire(Entry& entry) {
    entry.deadline_ms = INT64_MAX;
    entry.retry_at_ms = INT64_MAX;
    entry.attempts = settings_.retry.attempts_max;
    entry.future = std::make_shared<Future>();
    entry.future->signal = signal_;
    function_->timeout(entry.record, ResultFuture<O>(entry.future));
    if (isDone(entry)) settle(entry, runtime_->nowMillis());
  }
  /// Blocks: requests are answered on other threads.
  template <typename Condition>
  void waitUntil(Condition&& condition) {
    look();
    while (!condition()) {
      {
        std::unique_lock lock(signal_->mutex);
        signal_->changed.wait_for(lock, std::chrono::milliseconds(settings_.timeout_ms > 0 || settings_.retry.attempts_max > 1 ? 1 : 100),
                                  [this] { return anyDone(); });
      }
      look();
    }
  }
  bool anyDone() const {
    return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
      return !entry.is_watermark && !entry.ready && entry.retry_at_ms == INT64_MAX && entry.future->done;
    });
  }
  void emitReady() {
    look();
    Chunk<O> made;
    const auto flush = [&] {
      this->out_.records(made);
      made.clear();
    };
    // Ordered: up to the first that is not ready. Unordered: all that are ready up to the first watermark that must wait.
    bool held = false;
    for (auto at = entries_.begin(); at != entries_.end();) {
      if (at->is_watermark) {
        if (held) break;
        flush();
        this->out_.watermark(at->timestamp);
        at = entries_.erase(at);
      } else if (at->ready) {
        for (O& result : at->future->results) made.add(std::move(result), at->timestamp);
        at = entries_.erase(at);
      } else {
        if (settings_.ordered) break;
        held = true;
        ++at;
      }
    }
    flush();
  }

  FunctionHolder<F> function_;
  AsyncSettings<I, O> settings_;
  StageRuntime* runtime_ = nullptr;
  std::shared_ptr<AsyncSignal> signal_;
  std::deque<Entry> entries_;
  size_t pending_ = 0;
  std::vector<TimestampedValue<I>> restored_;
};

class AsyncDataStream {
 public:
  template <typename I, typename F, typename O = typename F::Output>
  static SingleOutputStreamOperator<O> orderedWait(const DataStream<I>& stream, F function, Duration timeout, int capacity = 100) {
    return wait<I, O>(stream, std::move(function), true, timeout, capacity, {});
  }
  template <typename I, typename F, typename O = typename F::Output>
  static SingleOutputStreamOperator<O> unorderedWait(const DataStream<I>& stream, F function, Duration timeout, int capacity = 100) {
    return wait<I, O>(stream, std::move(function), false, timeout, capacity, {});
  }
  template <typename I, typename F, typename O = typename F::Output>
  static SingleOutputStreamOperator<O> orderedWaitWithRetry(const DataStream<I>& stream, F function, Duration timeout, int capacity, AsyncRetryStrategy<O> retry) {
    return wait<I, O>(stream, std::move(function), true, timeout, capacity, std::move(retry));
  }
  template <typename I, typename F, typename O = typename F::Output>
  static SingleOutputStreamOperator<O> unorderedWaitWithRetry(const DataStream<I>& stream, F function, Duration timeout, int capacity, AsyncRetryStrategy<O> retry) {
    return wait<I, O>(stream, std::move(function), false, timeout, capacity, std::move(retry));
  }

 private:
  template <typename I, typename O, typename F>
  static SingleOutputStreamOperator<O> wait(const DataStream<I>& stream, F function, bool ordered, Duration timeout, int capacity, AsyncRetryStrategy<O> retry) {
    requireUsable<O>();
    static_assert(std::is_base_of_v<AsyncFunction<I, O>, F>, "orderedWait() and unorderedWait() take an AsyncFunction<Input, Output>");
    if (capacity < 1) throw ValidationException("asynchronous requests need a capacity of at least 1, not " + std::to_string(capacity));
    AsyncSettings<I, O> settings{ordered, timeout.toMillis(), static_cast<size_t>(capacity), std::move(retry)};
    return stream.template transform<O>("async wait operator", RecordType<O>::of(),
                                        [function, settings] { return std::make_unique<AsyncStage<I, O, F>>(function, settings); });
  }
};

}  // namespace thalweg::api
