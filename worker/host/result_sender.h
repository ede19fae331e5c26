// ResultSender: takes the rows of a query out of its queue and hands them on as the client grants credit.
//
// Works on a thread of its own, since the queue blocks. Threads: grant any. Lifetime: the destructor stops and joins.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "common/base/mutex.h"
#include "worker/operators/collect_operator.h"

namespace thalweg::worker {

class ResultSender {
 public:
  /// `send` gets encoded batches, `ended` comes once, when the queue is closed and empty.
  ResultSender(std::shared_ptr<ResultQueue> queue, std::function<void(std::string_view)> send, std::function<void()> ended);
  ~ResultSender();
  void grant(int messages) EXCLUDES(mutex_);

 private:
  void loop();
  bool takeCredit() EXCLUDES(mutex_);

  const std::shared_ptr<ResultQueue> queue_;
  const std::function<void(std::string_view)> send_;
  const std::function<void()> ended_;
  Mutex mutex_;
  Condition changed_;
  int64_t credit_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace thalweg::worker
