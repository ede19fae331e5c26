#include "worker/task/source_head.h"

#include <algorithm>
#include <utility>

#include "common/base/current_work.h"
#include "common/base/failpoint.h"

namespace thalweg::worker {

SourceHead::SourceHead(std::unique_ptr<SourceReader> reader, std::shared_ptr<SplitSupply> dispenser,
                       std::unique_ptr<TaskContext> context, Output& chain_head, size_t batch_rows_max, int64_t idle_timeout_ms)
    : context_(std::move(context)), reader_(std::move(reader)), dispenser_(std::move(dispenser)),
      output_(chain_head, context_->metrics(), batch_rows_max), batch_rows_max_(batch_rows_max),
      rows_wanted_(std::min(kFirstRows, batch_rows_max)), idle_timeout_ms_(idle_timeout_ms) {}

Status SourceHead::open(std::vector<std::string> splits) {
  opened_ = true;
  RETURN_IF_ERROR(reader_->open(*context_));
  for (std::string& split : splits) RETURN_IF_ERROR(reader_->addSplit(std::move(split)));
  return {};
}

Result<SourceHead::Poll> SourceHead::poll(CheckpointId passed) {
  const int64_t now_ms = context_->nowMillis();
  if (waiting_ && context_->takeWakeup(now_ms)) waiting_ = false;
  Poll result = Poll::WAITING;
  const uint64_t rows_before = context_->metrics().rows_out;
  if (!waiting_ && !needs_split_) {
    ASSIGN_OR_RETURN(result, pollReader());
  }
  if (needs_split_ && (retry_ms_ == INT64_MAX || now_ms >= retry_ms_)) {
    ASSIGN_OR_RETURN(result, fetchSplit(passed, now_ms));
  }
  if (context_->metrics().rows_out == rows_before) RETURN_IF_ERROR(noteNoRows(now_ms));
  return result;
}

Result<SourceHead::Poll> SourceHead::pollReader() {
  const uint64_t rows_before = context_->metrics().rows_out;
  const auto wanted = static_cast<size_t>(std::min<uint64_t>(rows_wanted_, rows_left_));
  RETURN_IF_ERROR(THALWEG_FAILPOINT("source.poll"));
  const OperatorMark mark(context_->operatorName().c_str());
  ASSIGN_OR_RETURN(const PollResult polled, reader_->poll(wanted, reader_output_));
  const uint64_t rows = context_->metrics().rows_out - rows_before;
  if (rows_left_ != UINT64_MAX) rows_left_ -= std::min(rows, rows_left_);
  switch (polled) {
    case PollResult::MORE:
      if (rows >= rows_wanted_) rows_wanted_ = std::min(rows_wanted_ * 2, batch_rows_max_);
      return Poll::PROGRESS;
    case PollResult::IDLE:
      rows_wanted_ = std::min(kFirstRows, batch_rows_max_);
      waiting_ = true;
      return rows > 0 ? Poll::PROGRESS : Poll::WAITING;
    case PollResult::NEED_SPLIT:
      needs_split_ = true;
      retry_ms_ = INT64_MAX;
      return Poll::PROGRESS;
  }
  return Poll::WAITING;
}

Result<SourceHead::Poll> SourceHead::fetchSplit(CheckpointId passed, int64_t now_ms) {
  ASSIGN_OR_RETURN(SplitEnumerator::Next next, dispenser_->next(context_->subtaskIndex(), context_->parallelism(), passed));
  switch (next.availability) {
    case SplitEnumerator::Availability::SPLIT:
      needs_split_ = false;
      RETURN_IF_ERROR(reader_->addSplit(std::move(next.split)));
      return Poll::PROGRESS;
    case SplitEnumerator::Availability::LATER:
      retry_ms_ = now_ms + std::max<int64_t>(1, next.retry_after_ms);
      return Poll::WAITING;
    case SplitEnumerator::Availability::FINISHED:
      RETURN_IF_ERROR(output_.emit(Batch::watermark(kMaxWatermark)));
      return Poll::ENDED;
  }
  return Poll::WAITING;
}

Status SourceHead::ReaderOutput::emit(Batch batch) {
  if (batch.rows() > 0) {
    head_.empty_since_ms_ = INT64_MAX;
    if (std::exchange(head_.idle_, false)) RETURN_IF_ERROR(head_.output_.markIdle(false));
  }
  return head_.output_.emit(std::move(batch));
}

Status SourceHead::noteNoRows(int64_t now_ms) {
  if (idle_timeout_ms_ <= 0 || idle_) return {};
  if (empty_since_ms_ == INT64_MAX) empty_since_ms_ = now_ms;
  if (now_ms - empty_since_ms_ < idle_timeout_ms_) return {};
  idle_ = true;
  return output_.markIdle(true);
}

int64_t SourceHead::wakeupTime() const {
  int64_t earliest = needs_split_ ? retry_ms_ : context_->wakeupTime();
  if (idle_timeout_ms_ > 0 && !idle_ && empty_since_ms_ != INT64_MAX) {
    earliest = std::min(earliest, empty_since_ms_ + idle_timeout_ms_);
  }
  return earliest;
}

bool SourceHead::awaitsSplit() const { return needs_split_ && dispenser_->isAnswerPending(context_->subtaskIndex()); }

void SourceHead::close() {
  if (opened_) reader_->close();
  opened_ = false;
}

}  // namespace thalweg::worker
