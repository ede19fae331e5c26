// SourceFunction<T>: the older form of a source, a loop of its own: run() collects until it ends or is cancelled.
//
//   struct Ticker : SourceFunction<int64_t> {
//     void run(SourceContext<int64_t>& ctx) override { for (int64_t i = 0; running_; ++i) ctx.collect(i); }
//     void cancel() override { running_ = false; }
//     std::atomic<bool> running_{true};                       // atomics are not copied: give it a copy constructor
//   };
//   env.addSource(Ticker());
//
// run() has a thread of its own; collect() waits while the stream behind is behind. It has no position: after a restart
// it begins anew (a Source, source.h, has one). Errors: what run() throws ends the job.
// Threads: run() one, cancel() any. Lifetime: one copy per subtask.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "client/api/thalweg/source_stage.h"

namespace thalweg::api {

template <typename T>
class SourceContext {
 public:
  virtual ~SourceContext() = default;
  virtual void collect(T record) = 0;
  virtual void collectWithTimestamp(T record, int64_t timestamp) = 0;
  virtual void emitWatermark(const Watermark& watermark) = 0;
};

template <typename T>
class SourceFunction {
 public:
  using Record = T;
  virtual ~SourceFunction() = default;
  virtual void run(SourceContext<T>& context) = 0;
  virtual void cancel() = 0;
};
/// May run in several subtasks; a plain SourceFunction runs in one.
template <typename T>
class ParallelSourceFunction : public SourceFunction<T> {
 public:
  static constexpr bool kParallel = true;
};

template <typename T, typename F>
class SourceFunctionStage final : public GatheringSource<T>, SourceContext<T> {
  using Poll = SourceStage::Poll;
  static constexpr size_t kItemsMax = 1 << 14;

 public:
  explicit SourceFunctionStage(const F& function) : function_(function) {}
  ~SourceFunctionStage() override { end(); }
  void addSplit(std::string) override { wanted_to_run_ = true; }
  Poll poll(size_t wanted) override {
    if (std::exchange(wanted_to_run_, false)) thread_ = std::thread([this] { loop(); });
    if (!thread_.joinable()) return Poll::NEED_SPLIT;
    const std::scoped_lock lock(mutex_);
    size_t taken = 0;
    for (; taken < items_.size() && this->gathered() < wanted; ++taken) {
      Item& item = items_[taken];
      if (item.is_watermark) GatheringSource<T>::emitWatermark({item.timestamp});
      else GatheringSource<T>::collect(std::move(item.record), item.timestamp);
    }
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(taken));
    changed_.notify_all();
    if (!items_.empty()) return Poll::MORE;
    if (failure_) std::rethrow_exception(failure_);
    if (done_) return Poll::NEED_SPLIT;
    wanted_ = true;
    return this->idleFor(1000);
  }
  void snapshotSplits(std::vector<std::string>& splits) override {
    const std::scoped_lock lock(mutex_);
    if (wanted_to_run_ || (thread_.joinable() && !done_)) splits.push_back("run");
  }
  void close() override { end(); }

 private:
  struct Item {
    T record{};
    int64_t timestamp = kNoTimestamp;
    bool is_watermark = false;
  };
  /// Ends run() from within collect().
  struct Cancelled {};

  void loop() {
    std::exception_ptr failure;
    try {
      function_.run(*this);
    } catch (const Cancelled&) {
    } catch (...) {
      failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    failure_ = failure;
    done_ = true;
    this->runtime_->requestWakeup(0);
  }
  void push(Item item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return items_.size() < kItemsMax || cancelled_; });
    if (cancelled_) throw Cancelled();
    items_.push_back(std::move(item));
    if (std::exchange(wanted_, false)) this->runtime_->requestWakeup(0);
  }
  void collect(T record) override { push({std::move(record), kNoTimestamp, false}); }
  void collectWithTimestamp(T record, int64_t timestamp) override { push({std::move(record), timestamp, false}); }
  void emitWatermark(const Watermark& watermark) override { push({T{}, watermark.timestamp, true}); }
  void end() {
    if (!thread_.joinable()) return;
    {
      const std::scoped_lock lock(mutex_);
      cancelled_ = true;
      changed_.notify_all();
    }
    function_.cancel();
    thread_.join();
  }

  F function_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::exception_ptr failure_;
  bool wanted_to_run_ = false;
  bool wanted_ = false;
  bool done_ = false;
  bool cancelled_ = false;
};

/// Lines (or other pieces) that a server sends; tries to connect for as long as `retry_seconds`.
class SocketTextStreamFunction final : public SourceFunction<std::string> {
 public:
  SocketTextStreamFunction(std::string host, int port, std::string delimiter, int64_t retry_seconds);
  SocketTextStreamFunction(const SocketTextStreamFunction& other);
  void run(SourceContext<std::string>& context) override;
  void cancel() override;

 private:
  std::string host_;
  int port_;
  std::string delimiter_;
  int64_t retry_seconds_;
  std::atomic<int> socket_{-1};
  std::atomic<bool> cancelled_{false};
};

}  // namespace thalweg::api
