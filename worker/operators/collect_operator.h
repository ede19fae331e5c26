// ResultQueue and CollectOperator: how rows of a query reach the one who asked.
//
// The operator pushes batches, the client's thread pops them. The queue is bounded in rows: above the limit the operator
// keeps its place and is woken when the client has taken some, so a slow reader slows the job, not the machine.
// Threads: push from the subtask, pop from one client thread, cancel from any.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "common/runtime_api/operator.h"

namespace thalweg::worker {

class ResultQueue {
 public:
  static constexpr size_t kRowsMax = size_t{1} << 18;

  void push(Batch batch);
  bool isFull() const;
  /// Waits up to `timeout_ms` for a batch; false if none came.
  bool pop(Batch& batch, int64_t timeout_ms);
  /// No more rows will come (the job ended).
  void close();
  bool isDone() const;   ///< closed and empty
  /// Called (from the client's thread) when a full queue has room again.
  void onRoom(std::function<void()> wake);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> batches_;
  size_t rows_ = 0;
  bool closed_ = false;
  std::function<void()> wake_;
};

std::unique_ptr<Operator> makeCollectOperator(std::shared_ptr<ResultQueue> queue);

}  // namespace thalweg::worker
