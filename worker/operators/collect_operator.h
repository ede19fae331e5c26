// ResultQueue and CollectOperator: how rows of a query reach the one who asked.
//
// The operator pushes batches, the client's thread pops them. The queue is the outlet of its tasks: above kRowsMax rows
// it is full, and they rest until the client has taken some.
// Threads: push from the subtasks, pop from one client thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "common/runtime_api/operator.h"
#include "common/runtime_api/outlet.h"
#include "common/types/schema.h"

namespace thalweg::worker {

class ResultQueue final : public Outlet {
 public:
  static constexpr size_t kRowsMax = size_t{1} << 18;

  void push(Batch batch);
  bool isFull() const override;
  bool callWhenRoom(std::function<void()> wake) override;
  /// Waits up to `timeout_ms` for a batch; false if none came.
  bool pop(Batch& batch, int64_t timeout_ms);
  /// No more rows will come (the job ended).
  void close();
  bool isDone() const;   ///< closed and empty

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> batches_;
  size_t rows_ = 0;
  bool closed_ = false;
  std::vector<std::function<void()>> waiting_;
};

/// `schema`: what the rows promise; a NULL in a DECIMAL column that is NOT NULL ends the job.
std::unique_ptr<Operator> makeCollectOperator(std::shared_ptr<ResultQueue> queue, Schema schema);

}  // namespace thalweg::worker
