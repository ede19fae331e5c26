// CollectedRecords<T>: the records of a running job, in the program that started it.
//
//   for (const Order& order : stream.executeAndCollect()) …
//
// Lifetime: destroying it cancels the job if it still runs. Threads: one reader.
#pragma once

#include <condition_variable>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>

#include "client/api/thalweg/basic_stages.h"
#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/stream_graph.h"

namespace thalweg::api {

/// Between the job's threads and the reader. Bounded: a writer waits while the reader is kRecordsMax behind.
template <typename T>
class RecordQueue {
 public:
  static constexpr size_t kRecordsMax = size_t{1} << 20;

  void push(std::vector<T>& records) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return records_.size() < kRecordsMax || abandoned_; });
    if (abandoned_) return;
    for (T& record : records) records_.push_back(std::move(record));
    changed_.notify_all();
  }
  void endWriter() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !records_.empty() || ended_; });
    if (records_.empty()) return std::nullopt;
    T record = std::move(records_.front());
    records_.pop_front();
    changed_.notify_all();
    return record;
  }
  std::optional<T> popIfAny() {
    const std::scoped_lock lock(mutex_);
    if (records_.empty()) return std::nullopt;
    T record = std::move(records_.front());
    records_.pop_front();
    return record;
  }
  void abandon() {
    const std::scoped_lock lock(mutex_);
    abandoned_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> records_;
  bool ended_ = false;
  bool abandoned_ = false;
};

template <typename T>
class CollectStage final : public TerminalStage<T> {
 public:
  explicit CollectStage(std::shared_ptr<RecordQueue<T>> queue) : queue_(std::move(queue)) {}
  void records(Chunk<T>& chunk) override { queue_->push(chunk.records); }

 private:
  std::shared_ptr<RecordQueue<T>> queue_;
};

template <typename T>
class CollectedRecords {
 public:
  CollectedRecords(JobClient job, std::shared_ptr<RecordQueue<T>> queue) : job_(std::move(job)), queue_(std::move(queue)) {
    job_->whenEnded([kept = queue_] { kept->endWriter(); });
  }
  ~CollectedRecords() { close(); }
  CollectedRecords(CollectedRecords&& other) noexcept : job_(std::move(other.job_)), queue_(std::move(other.queue_)), next_(std::move(other.next_)) {
    other.job_.reset();
  }
  CollectedRecords& operator=(CollectedRecords&&) = delete;

  /// Waits for the next record; false at the end. Throws what made the job fail.
  bool hasNext() {
    if (!next_ && job_) {
      next_ = job_->runsHere() ? queue_->pop() : received();
      if (!next_) job_->getJobExecutionResult();
    }
    return next_.has_value();
  }
  T next() {
    if (!hasNext()) throw ValidationException("next() was called at the end of the records: ask hasNext() first");
    T record = std::move(*next_);
    next_.reset();
    return record;
  }
  std::vector<T> toVector() {
    std::vector<T> records;
    while (hasNext()) records.push_back(next());
    return records;
  }
  /// See JobClient.
  bool isElsewhere() const { return job_ && job_->isElsewhere(); }
  /// Ends the job.
  void close() {
    if (!job_) return;
    queue_->abandon();
    if (!job_->isDone()) job_->cancel();
    job_.reset();
  }

  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;
    explicit iterator(CollectedRecords* records) : records_(records) { ++*this; }
    iterator() = default;
    reference operator*() const { return *current_; }
    pointer operator->() const { return &*current_; }
    iterator& operator++() {
      current_.reset();
      if (records_->hasNext()) current_ = records_->next();
      return *this;
    }
    bool operator==(const iterator& other) const { return current_.has_value() == other.current_.has_value(); }

   private:
    CollectedRecords* records_ = nullptr;
    std::optional<T> current_;
  };
  iterator begin() { return iterator(this); }
  iterator end() { return iterator(); }

 private:
  std::optional<T> received() {
    std::optional<T> record = queue_->popIfAny();
    while (!record && job_->receiveRecords()) record = queue_->popIfAny();
    return record;
  }

  std::optional<JobClient> job_;
  std::shared_ptr<RecordQueue<T>> queue_;
  std::optional<T> next_;
};

}  // namespace thalweg::api
