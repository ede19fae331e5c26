#include "worker/operators/collect_operator.h"

#include <chrono>

#include "common/columnar/column_reader.h"

namespace thalweg::worker {
namespace {

class CollectOperator : public Operator {
 public:
  CollectOperator(std::shared_ptr<ResultQueue> queue, Schema schema) : queue_(std::move(queue)), schema_(std::move(schema)) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    return {};
  }

  Result<Progress> process(int, const Batch& batch, Output&) override {
    if (batch.hasMarks()) context_->metrics().watermark = batch.marks().back().value;
    if (batch.rows() == 0) return Progress::DONE;
    RETURN_IF_ERROR(checkNulls(batch));
    queue_->push(batch.withoutMarks());
    return Progress::DONE;
  }

 private:
  Status checkNulls(const Batch& batch) const {
    for (size_t i = 0; i < schema_.size(); ++i) {
      // Decimals that overflow become NULL; whose column cannot be, fail the job.
      if (schema_.type(i).kind() != TypeKind::DECIMAL || schema_.type(i).nullable() || !batch.column(i)->mayHaveNulls()) continue;
      const RowMapping rows(*batch.column(i));
      for (size_t row = 0; row < batch.rows(); ++row) {
        if (rows.isNull(row)) return Status::runtime("column '" + schema_.column(i).name + "' is NOT NULL, but its value is NULL: the number has more digits than " + schema_.type(i).asNullable().toString() + " holds");
      }
    }
    return {};
  }

  std::shared_ptr<ResultQueue> queue_;
  Schema schema_;
  OperatorContext* context_ = nullptr;
};

}  // namespace

void ResultQueue::push(Batch batch) {
  const std::lock_guard lock(mutex_);
  rows_ += batch.rows();
  batches_.push_back(std::move(batch));
  changed_.notify_one();
}

bool ResultQueue::isFull() const {
  const std::lock_guard lock(mutex_);
  return rows_ > kRowsMax;
}

bool ResultQueue::pop(Batch& batch, int64_t timeout_ms) {
  std::vector<std::function<void()>> woken;
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms), [this] { return !batches_.empty() || closed_; });
    if (batches_.empty()) return false;
    batch = std::move(batches_.front());
    batches_.pop_front();
    rows_ -= batch.rows();
    if (rows_ <= kRowsMax) woken.swap(waiting_);
  }
  for (const auto& wake : woken) wake();
  return true;
}

void ResultQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool ResultQueue::isDone() const {
  const std::lock_guard lock(mutex_);
  return closed_ && batches_.empty();
}

bool ResultQueue::callWhenRoom(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  if (rows_ <= kRowsMax) return false;
  waiting_.push_back(std::move(wake));
  return true;
}

std::unique_ptr<Operator> makeCollectOperator(std::shared_ptr<ResultQueue> queue, Schema schema) {
  return std::make_unique<CollectOperator>(std::move(queue), std::move(schema));
}

}  // namespace thalweg::worker
